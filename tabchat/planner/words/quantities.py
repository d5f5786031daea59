"""Numbers in a question, with the unit, the percentage or the currency that stands with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.chart import Piece
from tabchat.planner.words.sentence import Quantity
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.words.chart import Chart
    from tabchat.planner.words.lexicon import Lexicon
    from tabchat.planner.words.numerals import Numeral

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
_GLUED: Final = re.compile(r"(\d+(?:[.,]\d+)?)([^\W\d_]+)")
"""`80km`, `25c`."""


def find_quantities(
    chart: Chart, numerals: Sequence[Numeral], lexicons: Sequence[Lexicon]
) -> tuple[Quantity, ...]:
    """Return every number, by itself and with its unit, and the units that stand for one of them: `over an hour`."""
    found = [
        *(quantity for numeral in numerals for quantity in _with_units(chart, numeral)),
        *(quantity for place in range(len(chart.words)) for quantity in _alone(chart, place)),
        *(quantity for place in range(len(chart.words)) for quantity in _glued(chart, place, lexicons)),
    ]
    amounts = {
        (piece.start, piece.end) for place in range(len(chart.words)) for piece in chart.at(place, "amount.")
    }
    unique = dict.fromkeys(quantity for quantity in found if not _within(quantity, amounts))
    return tuple(sorted(unique, key=lambda quantity: (quantity.start, -quantity.end)))


def _within(quantity: Quantity, amounts: set[tuple[int, int]]) -> bool:
    """Tell whether a quantity is a part of the words for an amount: the hour of `half an hour`."""
    place = (quantity.start, quantity.end)
    return any(start <= place[0] and place[1] <= end for start, end in amounts - {place})


def _with_units(chart: Chart, numeral: Numeral) -> Iterator[Quantity]:
    first = chart.words[numeral.start]
    sign = _SIGNS.get(first.text[:1])
    percent = first.percent or chart.has(numeral.end, "pctword")
    end = numeral.end if first.percent or not percent else chart.at(numeral.end, "pctword")[0].end
    yield _quantity(numeral, end=end, percent=percent, unit=sign)
    if percent or numeral.ordinal or chart.has(numeral.start, "#year"):
        return
    for unit in _longest_units(chart, numeral.end):
        yield _quantity(numeral, end=unit.end, unit=_name(unit), seconds=_seconds(unit, numeral.value))
    before = [piece for piece in chart.at(numeral.start - 1, "currency.") if piece.end == numeral.start]
    for unit in before:
        yield _quantity(numeral, start=unit.start, unit=_name(unit))


def _longest_units(chart: Chart, place: int) -> list[Piece]:
    units = [piece for family in _UNITS for piece in chart.at(place, family)]
    longest = max((piece.end for piece in units), default=place)
    return [piece for piece in units if piece.end == longest]


def _quantity(
    numeral: Numeral,
    *,
    start: int | None = None,
    end: int | None = None,
    percent: bool = False,
    unit: str | None = None,
    seconds: float | None = None,
) -> Quantity:
    return Quantity(
        start=numeral.start if start is None else start,
        end=numeral.end if end is None else end,
        value=numeral.value,
        percent=percent,
        unit=unit,
        seconds=seconds,
        word=numeral.word,
        ordinal=numeral.ordinal,
        scaled=numeral.scaled,
    )


def _name(unit: Piece) -> str:
    return _SECONDS[unit.value] if unit.kind.startswith("span.") else str(unit.value)


def _seconds(unit: Piece, value: float) -> float | None:
    return value * float(unit.value) if unit.kind.startswith("span.") else None


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
    compared = any(
        piece.end == place
        for before in range(place)
        for test in _COMPARED
        for piece in chart.at(before, test)
    )
    if article is None and not compared:
        return
    for unit in _longest_units(chart, article.end if article is not None else place):
        if not unit.kind.startswith("currency."):
            yield Quantity(
                start=place,
                end=unit.end,
                value=1.0,
                unit=_name(unit),
                seconds=_seconds(unit, 1.0),
                word=True,
            )


def _glued(chart: Chart, place: int, lexicons: Sequence[Lexicon]) -> Iterator[Quantity]:
    """Read a unit that is written without a space."""
    word = chart.words[place]
    match = _GLUED.fullmatch(word.norm) if word.kind is TokenKind.WORD else None
    if match is None:
        return
    value = float(match[1].replace(",", "."))
    concepts = {name for lexicon in lexicons for name in lexicon.find((match[2],))}
    for name in sorted(concepts):
        family, _, behind = name.partition(".")
        if family in {"span", "currency", "measure"}:
            unit = Piece(kind=name, start=place, end=place + 1, value=behind)
            yield Quantity(
                start=place, end=place + 1, value=value, unit=_name(unit), seconds=_seconds(unit, value)
            )
