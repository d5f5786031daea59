"""What is about to be sent, and who takes note of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping


MODEL: Final = "model"
"""The kind of a request to a model."""
ASSISTANT: Final = "mcp"
"""The kind of a message to another assistant, by the Model Context Protocol."""


@record
class Outgoing:
    """One request as it goes over the wire."""

    method: str
    url: str
    headers: Mapping[str, str]
    """Names and values; the values of secrets are replaced before anything is written."""
    body: bytes
    model: str | None = None
    kind: str = MODEL
    """Whom it goes to: a model, or another assistant, whose name is in `model` then."""


class Ledger(Protocol):
    """Takes note of requests before they are sent."""

    def record(self, outgoing: Outgoing) -> None:
        """Write `outgoing` down; raises `OutputError` when it cannot, and the request must not be sent then."""
