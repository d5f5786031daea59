"""What a tool call gives back: bounded text for a model, and a key to the data for the person."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from tabchat.record import record
from tabchat.values import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.result.result import Result
    from tabchat.engine.types import JsonValue

SUMMARY_LIMIT: Final = 1_000
"""Characters that a summary may have."""

OUT_OF_BAND: Final = "Full data stored out-of-band; use data_key to retrieve"


@record
class ToolResultEnvelope(PlainRecord):
    """All that a model may learn of a tool call; never holds a frame."""

    ok: bool
    summary: str
    preview: Mapping[str, JsonValue] | None = None
    """`{rows: [{column: cell}]}`: of a small aggregate, and at privacy level `preview` a few of any result."""
    data_key: str | None = None
    metrics: Mapping[str, JsonValue] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    error: str | None = None
    """`tool_not_enabled`, `invalid_arguments`, `calls_spent`, `declined`, or the name of the exception."""

    def __post_init__(self) -> None:
        if len(self.summary) > SUMMARY_LIMIT:
            raise ValueError(f"summary has {len(self.summary)} characters, over {SUMMARY_LIMIT}")


@record
class ToolOutcome:
    """A tool call as the application sees it: the envelope, and on the side channel the result itself."""

    envelope: ToolResultEnvelope
    result: Result | None = None
    title: str | None = None
    number: int | None = None
    """What the result is called in its conversation: 1 for `r1`."""
    is_kept: bool = True
    """Whether the key outlives this session."""
    warnings: tuple[str, ...] = ()
    """What the person should know beside the result's own warnings."""
    printed: str = ""
    """What code printed; for the person alone."""
    facts: Mapping[str, JsonValue] = field(default_factory=dict)
    """Exact values that the text of a describing tool told in words; the model is not sent them."""
    failure: Exception | None = None
    """The error behind a failed envelope, for the command line's message and exit code."""


def bounded(text: str) -> str:
    """Return `text`, cut where a summary would pass its limit."""
    return text if len(text) <= SUMMARY_LIMIT else text[: SUMMARY_LIMIT - 1] + "…"
