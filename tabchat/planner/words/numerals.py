"""Numbers written in digits or in letters: `2.5 million`, `twenty-five`, `двісті тридцять`, `third`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.words.token import TokenKind
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.planner.words.chart import Chart, Piece

_SCALES: Final = {"k": 1e3, "m": 1e6, "b": 1e9}
_HUNDRED: Final = 100
_TEN: Final = 10


@record
class Numeral:
    """A number, wherever it stands."""

    start: int
    end: int
    value: float
    word: bool = False
    """True when it was written in letters."""
    ordinal: bool = False
    scaled: bool = False
    """True when a word or a letter for thousands or more was said with it."""


def find_numerals(chart: Chart) -> tuple[Numeral, ...]:
    """Return every number of a question; one in letters as a whole, and none of its parts."""
    found: list[Numeral] = []
    covered = 0
    for place, word in enumerate(chart.words):
        if place < covered:
            continue
        digits = word.kind is TokenKind.NUMBER and word.number is not None
        numeral = _in_digits(chart, place) if digits else _in_letters(chart, place)
        if numeral is not None:
            found.append(numeral)
            covered = numeral.end
    return tuple(found)


def _in_digits(chart: Chart, place: int) -> Numeral:
    word = chart.words[place]
    value = word.number or 0.0
    scaled = value >= min(_SCALES.values()) and word.text[-1:].isalpha() and not word.ordinal
    for piece in _scales(chart, place + 1):
        return Numeral(start=place, end=piece.end, value=value * _SCALES[piece.value], scaled=True)
    return Numeral(start=place, end=place + 1, value=value, ordinal=word.ordinal, scaled=scaled)


def _scales(chart: Chart, place: int) -> list[Piece]:
    return [piece for piece in chart.at(place, "scale.") if piece.value in _SCALES]


def _in_letters(chart: Chart, start: int) -> Numeral | None:
    """Read as many words as make one number: each smaller than what the one before leaves room for."""
    total, current, room = 0.0, None, float("inf")
    place, ordinal, scaled = start, False, False
    while True:
        joined = place + 1 if current and current >= _HUNDRED and chart.has(place, "and") else place
        scale = next(iter(_scales(chart, place)), None)
        number = _longest(chart, joined, "number.") or _longest(chart, place, "ordinal.")
        value = float(number.value) if number is not None else None
        if scale is not None and (current is not None or place == start):
            total, room = total + (current or 1) * _SCALES[scale.value], _SCALES[scale.value]
            current, place, scaled = 0.0, scale.end, True
        elif number is not None and value == _HUNDRED and current is not None and 0 < current < _TEN:
            current, room, place = current * _HUNDRED, _HUNDRED, number.end
        elif number is not None and value is not None and value < room and not (value == 0 and current):
            current, room, place = (current or 0.0) + value, _room(value), number.end
            ordinal = number.kind.startswith("ordinal.")
        else:
            break
        if ordinal:
            break
    if current is None:
        return None
    return Numeral(start=start, end=place, value=total + current, word=True, ordinal=ordinal, scaled=scaled)


def _room(value: float) -> float:
    """Return what a number that is said behind `value` must be smaller than: twenty leaves room for five."""
    if value >= _HUNDRED:
        return _HUNDRED
    return _TEN if value >= 2 * _TEN and value % _TEN == 0 else 0


def _longest(chart: Chart, place: int, family: str) -> Piece | None:
    return max(chart.at(place, family), key=lambda piece: piece.end, default=None)
