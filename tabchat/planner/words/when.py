"""A time as the rules make it, apart from where it stands in the question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Period
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.planner.words.chart import Bound, Piece
    from tabchat.planner.words.sentence import Parts

TIME: Final = "#time"
"""The pieces that rules for times make."""


@record
class When:
    """A stretch of time, a part of every year, or a list of stretches."""

    period: Period | None = None
    parts: Parts = ()
    opened: str | None = None
    periods: tuple[Period, ...] = ()
    ranged: bool = False
    """True for a stretch between two ends that were said, which does not open once more."""

    @property
    def is_absolute(self) -> bool:
        """True for one stretch between two days."""
        return self.period is not None and None not in {self.period.start, self.period.end} and not self.parts

    @property
    def is_part(self) -> bool:
        """True for a part of the calendar without a year."""
        return self.period is None and bool(self.parts) and self.opened is None

    @property
    def unit(self) -> str | None:
        """The finest unit that was said."""
        return self.parts[-1][0] if self.parts else self.period.unit if self.period is not None else None


Build = Callable[["Bound"], "Iterable[When]"]
"""The named parts of a pattern → the times that they can mean."""
Rules = tuple[tuple[str, Build], ...]


def of_period(period: Period | None) -> tuple[When, ...]:
    """Return a time of one period, none when there is no such."""
    return (When(period=period),) if period is not None else ()


def of_parts(*parts: tuple[str, tuple[int, ...]]) -> tuple[When, ...]:
    """Return a part of every year, week or day."""
    return (When(parts=parts),)


def relative(unit: str, *, ago: int | None = None, count: int | None = None) -> tuple[When, ...]:
    """Return a time that is told from the last date of the data."""
    return (When(period=Period(unit=unit, ago=ago, count=count)),)


def time_of(piece: Piece) -> When:
    """Return the time that a piece holds."""
    found = piece.value
    assert isinstance(found, When)  # noqa: S101 - rules make nothing else
    return found
