"""The offsets from UTC that the times of a table are written in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.reader.text.infer import Guess

OFFSET: Final = r"[+-](?:0[0-9]|1[0-5])(?::?[0-5][0-9])?"
"""Hours, or hours and minutes: of the world's, the farthest are -12:00 and +14:00, and PostgreSQL writes up to 15:59."""
ZONE: Final = rf" ?(?:Z|UTC|GMT|[+-]0000 UTC|{OFFSET})"
"""An offset behind a time, as shops (` -0500`), clouds (` +0000 UTC`) and services (` UTC`) export it."""
ANY: Final = "any"
"""The offset of a spelling whose cells have several."""
UTC: Final = "Z"


def is_utc(zone: str) -> bool:
    """Tell whether an offset, as a cell writes it, is that of UTC by its name."""
    return zone.strip() == UTC or zone.endswith(("UTC", "GMT"))


def in_one_zone(guesses: Sequence[Guess]) -> tuple[Guess, ...]:
    """Bring the times of a table to UTC where its columns have different offsets, or leave them as they are written.

    The clock as it is written says when within a column; from a column in one offset to one in another, the time between
    two cells would be wrong by the difference of both. What was brought to UTC beside a column that turned out to hold
    no times is put back.
    """
    offsets = {_offset(guess) for guess in guesses} - {""}
    return tuple(_written(guess, utc=len(offsets) > 1) if guess.offset else guess for guess in guesses)


def _offset(guess: Guess) -> str:
    """Return the offset that the values of a column are in, in one spelling; empty where its cells have none."""
    if not guess.offset:
        return UTC if any(shape.zone for shape in guess.plan.shapes) else ""
    digits = guess.offset.strip().replace(":", "").ljust(len("+0000"), "0")
    return digits if int(digits) else UTC


def _written(guess: Guess, *, utc: bool) -> Guess:
    zone = ANY if utc else guess.offset
    shapes = dict.fromkeys(replace(shape, zone=zone) for shape in guess.plan.shapes)
    return replace(guess, plan=replace(guess.plan, utc=utc, shapes=tuple(shapes)))
