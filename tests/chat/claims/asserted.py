"""Short ways to say what a text asserts."""

from __future__ import annotations

from decimal import Decimal

from tabchat.chat.claims import WrittenDate, WrittenNumber, extract_claims


def numbers(text: str, *, question: str = "", names: tuple[str, ...] = ()) -> list[WrittenNumber]:
    claims = extract_claims(text, question=question, names=names)
    return [claim for claim in claims if isinstance(claim, WrittenNumber)]


def number(text: str) -> WrittenNumber:
    found = extract_claims(text)
    assert len(found) == 1, [claim.text for claim in found]
    assert isinstance(found[0], WrittenNumber)
    return found[0]


def date(text: str) -> WrittenDate:
    found = extract_claims(text)
    assert len(found) == 1, [claim.text for claim in found]
    assert isinstance(found[0], WrittenDate)
    return found[0]


def exact(value: str, tolerance: str = "0") -> tuple[Decimal, Decimal]:
    return Decimal(value), Decimal(tolerance)
