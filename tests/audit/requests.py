"""Requests to write down."""

from typing import Any

from tabchat.audit import Outgoing

MODEL = "openai/gpt-5-mini"
URL = "https://api.example.com/v1/chat/completions"
HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer sk-very-secret"}


def outgoing(body: bytes = b'{"messages": []}', **changes: Any) -> Outgoing:
    """Return a request; `changes` are its other fields."""
    return Outgoing(
        **{"method": "POST", "url": URL, "headers": HEADERS, "body": body, "model": MODEL} | changes
    )
