"""The offsets from UTC that the times of a table are written in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.reader.text.infer import Guess

ZONE: Final = r"Z|[+-][0-9]{2}:?[0-9]{2}|[+-][0-9]{2}"
ANY: Final = "any"
"""The offset of a spelling whose cells have several."""
UTC: Final = "Z"


def in_one_zone(guesses: Sequence[Guess]) -> tuple[Guess, ...]:
    """Bring the times of a table to UTC where its columns have different offsets.

    The clock as it is written says when within a column; from a column in one offset to one in another, the time between
    two cells would be wrong by the difference of both.
    """
    offsets = [_offset(guess) for guess in guesses]
    if len({offset for offset in offsets if offset}) < 2:  # noqa: PLR2004 - one, or several
        return tuple(guesses)
    return tuple(
        _in_utc(guess) if offset not in {"", UTC} else guess
        for guess, offset in zip(guesses, offsets, strict=True)
    )


def _offset(guess: Guess) -> str:
    """Return the offset that the values of a column are in, in one spelling; empty where its cells have none."""
    zone = next((shape.zone for shape in guess.plan.shapes if shape.zone), "")
    if zone in {ANY, UTC}:
        return UTC
    digits = zone.replace(":", "").ljust(len("+0000"), "0") if zone else ""
    return UTC if digits and not int(digits) else digits


def _in_utc(guess: Guess) -> Guess:
    shapes = dict.fromkeys(replace(shape, zone=ANY) for shape in guess.plan.shapes)
    return replace(guess, plan=replace(guess.plan, utc=True, shapes=tuple(shapes)))
