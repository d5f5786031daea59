"""The figures and dates that a text asserts, in English, Ukrainian and Russian number formats."""

from tabchat.chat.claims.extract import extract_claims
from tabchat.chat.claims.records import NumberKind, Span, WrittenClaim, WrittenDate, WrittenNumber

__all__ = ["NumberKind", "Span", "WrittenClaim", "WrittenDate", "WrittenNumber", "extract_claims"]
