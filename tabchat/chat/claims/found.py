"""Claims on their way: what the readers find among the tokens, before sentences are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from datetime import date, datetime

    from tabchat.chat.claims.figures import Reading
    from tabchat.chat.claims.records import NumberKind, Span


@record
class FoundNumber:
    """A figure, with the tokens that it takes: first and last of the figure and of its unit."""

    first: int
    last: int
    unit_last: int
    """Last token of the noun that is counted; `last` when there is none."""
    span: Span
    """Where the figure is in the text; markup at its edges is left out."""
    readings: tuple[Reading, ...]
    kind: NumberKind
    unit: str | None = None
    scale: int = 0
    """The power of ten that a scale word multiplied in."""
    direction: Literal["up", "down"] | None = None
    bound: Literal["over", "under"] | None = None
    is_approximate: bool = False
    is_range_end: bool = False
    in_words: bool = False
    """Written in letters, not in digits."""


@record
class FoundDate:
    """A date or a period, with the tokens that it takes."""

    first: int
    last: int
    span: Span
    readings: tuple[tuple[date, date], ...]
    at: datetime | None = None
    has_year: bool = True


Found: TypeAlias = FoundNumber | FoundDate
