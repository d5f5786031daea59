"""Numbers of a question, in digits or letters, with the unit, the percentage or the currency that stands with them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.words.chart import Piece
from tabchat.planner.words.sentence import Quantity
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.words.chart import Chart
    from tabchat.planner.words.lexicon import Lexicon

_SCALES: Final = {"k": 1e3, "m": 1e6, "b": 1e9}
_DOTTED: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""`1.000`: one, or a thousand as most of Europe writes it."""
_HUNDRED: Final = 100
_TEN: Final = 10


def find_numerals(chart: Chart) -> tuple[Quantity, ...]:
    """Return every number of a question by itself; one in letters as a whole, and none of its parts."""
    found: list[Quantity] = []
    for place, word in enumerate(chart.words):
        if found and place < found[-1].end:
            continue
        digits = word.kind is TokenKind.NUMBER and word.number is not None
        numeral = _in_digits(chart, place) if digits else _in_letters(chart, place)
        found += [numeral] if numeral is not None else []
    return tuple(found)


def _in_digits(chart: Chart, place: int) -> Quantity:
    word = chart.words[place]
    value = word.number or 0.0
    scaled = value >= min(_SCALES.values()) and word.text[-1:].isalpha() and not word.ordinal
    for piece in _scales(chart, place + 1):
        return Quantity(start=place, end=piece.end, value=value * _SCALES[piece.value], scaled=True)
    return Quantity(start=place, end=place + 1, value=value, ordinal=word.ordinal, scaled=scaled)


def _scales(chart: Chart, place: int) -> list[Piece]:
    return [piece for piece in chart.at(place, "scale.") if piece.value in _SCALES]


def _in_letters(chart: Chart, start: int) -> Quantity | None:
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
    return Quantity(start=start, end=place, value=total + current, word=True, ordinal=ordinal, scaled=scaled)


def _room(value: float) -> float:
    """Return what a number that is said behind `value` must be smaller than: twenty leaves room for five."""
    if value >= _HUNDRED:
        return _HUNDRED
    return _TEN if value >= 2 * _TEN and value % _TEN == 0 else 0


def _longest(chart: Chart, place: int, family: str) -> Piece | None:
    return max(chart.at(place, family), key=lambda piece: piece.end, default=None)


_SECONDS: Final = {
    "0.001": "millisecond",
    "1": "second",
    "60": "minute",
    "3600": "hour",
    "86400": "day",
    "604800": "week",
}
_SIGNS: Final = {"$": "usd", "€": "eur", "£": "gbp", "₴": "uah", "₽": "rub"}
_UNITS: Final = ("span.", "currency.", "measure.", "unit.year", "unit.quarter", "unit.month")
_COMPARED: Final = ("cmp.", "limit.", "than", "scale.more.", "post.")
_FAMILIES: Final = ("cmp.", "limit.", "than", "scale.", "post.")
"""Where to look for comparisons."""
_GLUED: Final = re.compile(r"(\d+(?:[.,]\d+)?)([^\W\d_]+)")
"""`80km`, `25c`."""


def find_quantities(
    chart: Chart, numerals: Sequence[Quantity], lexicons: Sequence[Lexicon]
) -> tuple[Quantity, ...]:
    """Return every number, by itself and with its unit, and the units that stand for one of them: `over an hour`."""
    places = range(len(chart.words))
    thousands = [
        replace(numeral, value=float(round(numeral.value * _SCALES["k"])))
        for numeral in numerals
        if not numeral.scaled and _DOTTED.fullmatch(chart.words[numeral.start].norm)
    ]
    found = [
        *(quantity for numeral in (*numerals, *thousands) for quantity in _with_units(chart, numeral)),
        *(quantity for place in places for quantity in _alone(chart, place)),
        *(quantity for place in places for quantity in _glued(chart, place, lexicons)),
    ]
    amounts = {(piece.start, piece.end) for place in places for piece in chart.at(place, "amount.")}
    unique = dict.fromkeys(quantity for quantity in found if not _within(quantity, amounts))
    return tuple(sorted(unique, key=lambda quantity: (quantity.start, -quantity.end)))


def _within(quantity: Quantity, amounts: set[tuple[int, int]]) -> bool:
    """Tell whether a quantity is a part of the words for an amount: the hour of `half an hour`."""
    place = (quantity.start, quantity.end)
    return any(start <= place[0] and place[1] <= end for start, end in amounts - {place})


def _with_units(chart: Chart, numeral: Quantity) -> Iterator[Quantity]:
    first = chart.words[numeral.start]
    percents = chart.at(numeral.end, "pctword")
    percent = first.percent or bool(percents)
    end = numeral.end if first.percent or not percents else percents[0].end
    yield replace(numeral, end=end, percent=percent, unit=_SIGNS.get(first.text[:1]))
    if percent or numeral.ordinal or chart.has(numeral.start, "#year"):
        return
    for unit in _longest_units(chart, numeral.end):
        yield replace(numeral, end=unit.end, **_measured(unit, numeral.value))
    for unit in chart.at(numeral.start - 1, "currency."):
        if unit.end == numeral.start:
            yield replace(numeral, start=unit.start, unit=unit.value)


def _longest_units(chart: Chart, place: int) -> list[Piece]:
    units = [piece for family in _UNITS for piece in chart.at(place, family)]
    longest = max((piece.end for piece in units), default=place)
    return [piece for piece in units if piece.end == longest]


def _measured(unit: Piece, value: float) -> dict[str, Any]:
    """Return the unit of a quantity, and its value in seconds where it is one of time."""
    if unit.kind.startswith("span."):
        return {"unit": _SECONDS[unit.value], "seconds": value * float(unit.value)}
    return {"unit": unit.value}


def _alone(chart: Chart, place: int) -> Iterator[Quantity]:
    """Read `half an hour`, and `an hour` or `години` behind a comparison as one of them."""
    for amount in chart.at(place, "amount."):
        value, _, name = str(amount.value).rpartition(" ")
        seconds = {said: float(length) for length, said in _SECONDS.items()}.get(name)
        yield Quantity(
            start=place,
            end=amount.end,
            value=float(value),
            unit=None if name == "one" else name,
            seconds=None if seconds is None else float(value) * seconds,
            word=True,
        )
    article: Piece | None = next(iter(chart.at(place, "article")), None)
    before = (piece for start in range(place) for test in _FAMILIES for piece in chart.at(start, test))
    ends = {piece.end for piece in before if piece.kind.startswith(_COMPARED)}
    if article is None and place not in ends:
        return
    for unit in _longest_units(chart, article.end if article is not None else place):
        if not unit.kind.startswith("currency."):
            yield Quantity(start=place, end=unit.end, value=1.0, word=True, **_measured(unit, 1.0))


def _glued(chart: Chart, place: int, lexicons: Sequence[Lexicon]) -> Iterator[Quantity]:
    """Read a unit that is written without a space."""
    word = chart.words[place]
    match = _GLUED.fullmatch(word.norm) if word.kind is TokenKind.WORD else None
    if match is None:
        return
    value = float(match[1].replace(",", "."))
    for name in sorted({name for lexicon in lexicons for name in lexicon.find((match[2],))}):
        if name.startswith(("span.", "currency.", "measure.")):
            unit = Piece(kind=name, start=place, end=place + 1, value=name.partition(".")[2])
            yield Quantity(start=place, end=place + 1, value=value, **_measured(unit, value))
