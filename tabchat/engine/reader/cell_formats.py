"""What the number formats of a sheet make of its columns: amounts of a currency, percentages, padded codes.

A program shows 0.0875 as `8.75%` and 1234 as `01234`; a table of that sheet holds what one of the same cells in a text
would. Where the numbers of a column are shown in several units they stay what they are, and a note says so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tabchat.engine.reader.text.infer import NEAR
from tabchat.engine.reader.text.numbers import EXACT_LIMIT
from tabchat.engine.reader.text.vocabulary import CURRENCIES
from tabchat.engine.table import LoadNote, warning_note
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_SHOWN: Final = 5


class _Mark(NamedTuple):
    """How a number is shown: in a unit, or filled up with zeros."""

    sign: str = ""
    hundredfold: bool = False
    zeros: int = 0


@record
class ColumnFormat:
    """How the numbers of one column are shown."""

    unit: str | None = None
    hundredfold: bool = False
    """Whether 0.05 is shown as 5%."""
    zeros: int = 0
    """Digits that whole numbers are filled up to, as codes are."""
    unlike: int = 0
    """How many numbers have not the format of most, but are read as if they had; or not the unit of most."""
    signs: tuple[str, ...] = ()
    """Two units that its numbers have, so that they are read without; one if others have none."""
    rows: tuple[int, ...] = ()
    """Records with another unit than most, the first few of them."""

    @property
    def reading(self) -> Callable[[float], float | str] | None:
        """What makes a number the one that is shown, where it is another."""
        if self.zeros:
            return f"{{:0{self.zeros}.0f}}".format
        return _hundredfold if self.hundredfold else None


def column_formats(
    formats: Sequence[Sequence[Any]], rows: Sequence[Sequence[Any]], start: int
) -> dict[int, ColumnFormat]:
    """Judge columns by what `bounded.sheet_formats` found; records begin at the row `start`."""
    counts: dict[int, Counter[_Mark]] = {}
    firsts: dict[tuple[int, _Mark], list[int]] = {}
    for column, (sign, money, percent, zeros), places, count in formats:
        mark = _Mark("%" if percent else _unit(sign, money=money), percent, zeros)
        inside = [place - start + 1 for place in places if place >= start]
        known = (mark.sign or zeros) and 0 <= column < len(rows[0])
        if known and (found := count - len(places) + len(inside)) > 0:
            counts.setdefault(column, Counter())[mark] += found
            firsts.setdefault((column, mark), []).extend(inside)
    judged: dict[int, ColumnFormat] = {}
    for column, marks in counts.items():
        numbers = [row[column] for row in rows[start:] if type(row[column]) in (int, float)]
        if (found := _judged(marks, numbers)) is not None:
            others = sorted(n for mark in _others(marks) for n in firsts[column, mark])
            judged[column] = replace(found, rows=tuple(others[:_SHOWN]) if found.signs else ())
    return judged


def _unit(sign: str, *, money: bool) -> str:
    """Return the unit of a sign, nothing of one that is neither a percent sign nor certainly a currency's."""
    return CURRENCIES.get(sign, sign if money or sign == "%" else "")


def _others(marks: Counter[_Mark]) -> list[_Mark]:
    return [mark for mark, _ in marks.most_common()[1:] if mark.sign]


def _judged(marks: Counter[_Mark], numbers: Sequence[float]) -> ColumnFormat | None:
    units = Counter({mark: count for mark, count in marks.items() if mark.sign})
    if len(units) > 1:
        signs = tuple(dict.fromkeys(mark.sign for mark, _ in units.most_common()))[:2]
        return ColumnFormat(signs=signs, unlike=units.total() - max(units.values()))
    ((mark, count),) = (units or marks).most_common(1)
    unlike = max(len(numbers) - count, 0)
    if count < NEAR * len(numbers):
        return ColumnFormat(signs=(mark.sign,), unlike=count) if mark.hundredfold else None
    if mark.zeros:
        return ColumnFormat(zeros=mark.zeros, unlike=unlike) if _are_codes(numbers, mark.zeros) else None
    # A sign that no text is read with is not shown with figures either.
    unit = mark.sign if mark.sign == "%" or mark.sign in CURRENCIES.values() else None
    return ColumnFormat(unit=unit, hundredfold=mark.hundredfold, unlike=unlike)


def _are_codes(numbers: Sequence[float], zeros: int) -> bool:
    """Tell whether whole numbers are filled up, one of them at least: others read the same without."""
    return all(0 <= number < EXACT_LIMIT and number == int(number) for number in numbers) and min(
        numbers, default=EXACT_LIMIT
    ) < 10 ** (zeros - 1)


def _hundredfold(number: float) -> float:
    # Multiplied, 0.07 would be 7.000000000000001.
    text = repr(number)
    if "e" in text:
        digits, _, exponent = text.partition("e")
        shown = float(f"{digits}e{int(exponent) + 2}")
    else:
        shown = float(f"{text}e2")
    return int(shown) if shown.is_integer() and abs(shown) < EXACT_LIMIT else shown


def format_notes(formats: Mapping[int, ColumnFormat], names: Mapping[int, str]) -> Iterator[LoadNote]:
    """Say which numbers of a column are shown unlike the others."""
    for column, found in formats.items():
        name = names.get(column)
        if name is None:
            continue
        if len(found.signs) > 1:
            yield _several(found, name)
        elif found.signs:
            yield _some_percent(found, name)
        elif found.unlike and (found.hundredfold or found.zeros):
            yield _unformatted(found, name)


def _several(found: ColumnFormat, name: str) -> LoadNote:
    share = " A percentage was read as a share of one, 5% as 0.05." if "%" in found.signs else ""
    return warning_note(
        message=f"Numbers of {name!r} are in several units by their formats, such as {found.signs[0]!r} and "
        f"{found.signs[1]!r}, which were dropped.{share}",
        column=name,
        rows=found.rows,
        count=found.unlike,
        hint="Write the unit into a column of its own, and ask by it.",
        told="numbers in several units by their formats, which were dropped",
        skews=True,
    )


def _some_percent(found: ColumnFormat, name: str) -> LoadNote:
    return warning_note(
        message=f"{_numbers(found.unlike)} of {name!r} {'is' if found.unlike == 1 else 'are'} shown in percent, others "
        "are not: the percent sign was dropped, and 5% is 0.05.",
        column=name,
        count=found.unlike,
        hint="Give all of them one format in a spreadsheet program.",
        told="some numbers are shown in percent, others are not; 5% was read as 0.05",
        skews=True,
    )


def _unformatted(found: ColumnFormat, name: str) -> LoadNote:
    like, unlike = ("percentages", "0.05 as 5%") if found.hundredfold else ("codes", "with zeros")
    count = _numbers(found.unlike)
    return warning_note(
        message=f"{count} of {name!r} {'has' if found.unlike == 1 else 'have'} not the format of the others, which are "
        f"{like}, and {'was' if found.unlike == 1 else 'were'} read like them: {unlike}.",
        column=name,
        count=found.unlike,
        hint="Give all of them one format in a spreadsheet program.",
        told=f"{count} without the format of the others were read as {like}",
        skews=found.hundredfold,
    )


def _numbers(count: int) -> str:
    return f"{count:,} number{'' if count == 1 else 's'}"
