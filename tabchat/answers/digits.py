"""Links digits that a model typed to the one cell that they can only be.

A figure is bound to a row by the row's label, in the same sentence, bullet or table row. Where several labels of one
column stand there, one way of reading must fit them all: each figure after its label, each before it, or labels and
figures in the same order; a figure that belongs to another label there contradicts a way. No word of the prose is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tabchat.answers.evaluate import quoted, reference
from tabchat.answers.labels import named_columns
from tabchat.answers.receipts import CitedCell, Receipt
from tabchat.answers.results import WHOLE
from tabchat.engine.result.aggregation import is_value
from tabchat.engine.result.labels import fold, label_text
from tabchat.engine.types import ColumnKind
from tabchat.languages.notation import named_scale
from tabchat.languages.written import has_numeral
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.answers.labels import Mention
    from tabchat.answers.prose import Segment
    from tabchat.answers.results import NumberedResult
    from tabchat.engine.result.lookup import Line
    from tabchat.engine.types import Column, JsonValue, Value
    from tabchat.languages.written import WrittenNumber

Way: TypeAlias = Literal["only", "before", "after", "order"]
_BESIDE: Final = 24
"""Characters beside a figure in which the name of a column is taken to be its own."""
_ENDS: Final = re.compile(r"[,;:.()|\n\ufffc\d]")
"""What stands between a figure and words that are not about it."""
_PERCENT_NAME: Final = re.compile(
    r"%|pct|percent|share|rate|ratio|quota|growth|change|yield|margin|відсот|процент|частк|част[ьк]|дол[яіи]|змін|измен|ріст|рост",
    re.IGNORECASE,
)
"""What the name of a column holds that has no unit and may hold percentages all the same."""
_CLAUSE: Final = frozenset(",;:()—–\n")
_LINKING: Final = " :=—–*_~`"
"""What stands between the name of a column and its figure."""
_FILLED: Final = "\ufffc"
"""Stands for what was filled in, and for the numbers of a list."""


@record
class Link:
    """Where a typed figure was found."""

    expression: str
    value: Value
    cells: tuple[CitedCell, ...]
    lines: tuple[tuple[int, Line], ...] = ()

    def receipt(self, number: WrittenNumber) -> Receipt:
        """Return the receipt of a figure that was found here."""
        return Receipt(
            text=number.text,
            value=self.value,
            status="linked",
            expression=self.expression,
            start=number.start,
            cells=self.cells,
        )


@dataclass
class SegmentLinker:
    """Links the typed figures of one segment."""

    text: str
    segment: Segment
    numbers: Sequence[WrittenNumber]
    mentions: Sequence[Mention]
    """The labels that the whole text names."""
    results: Sequence[NumberedResult]
    told: Mapping[str, JsonValue]
    """Figures that a model was told beside results."""

    def links(self) -> dict[WrittenNumber, Link]:
        """Return the links of those figures that are bound to a cell."""
        labels = {(one.number, one.column, one.label) for one in self._own}
        several = len(labels) > len({(number, column) for number, column, _ in labels})
        ways: tuple[Way, ...] = ("before", "after", "order") if several else ("only",)
        found = max((self._linked(way) for way in ways), key=len)
        for find in (self._whole, self._derived):
            for number in self.numbers:
                if number not in found and (link := _one(list(find(number, found)))):
                    found[number] = link
        return found

    def row_of(
        self, result: NumberedResult, number: WrittenNumber, way: Way = "before"
    ) -> tuple[Line, Sequence[str]] | None:
        """Return the one row that the labels which go with `number` name, and their columns."""
        if result.row_count == 1:
            return None
        found = {column: self._label(result, column, number, way) for column in result.naming}
        labels = {column: label for column, label in found.items() if label is not None}
        lines = [line for line in result.find(list(labels.values())) if _has(line, labels)] if labels else []
        return (lines[0], list(labels)) if len(lines) == 1 else None

    def _named(self, number: WrittenNumber) -> set[str]:
        """Return the columns that are named right beside a figure, or in a table above it or in front of its row."""
        for start, end in (*self._header(number), *self._front(number)):
            if found := self._measured(named_columns(self.text[start:end], self.results)):
                return found
        after = self.text[number.end : min(number.end + _BESIDE, self.segment.end)]
        before = self.text[max(self.segment.start, number.start - _BESIDE) : number.start].rstrip(_LINKING)
        beside = _ENDS.split(after)[0].split()[:2]
        own = _ENDS.split(before)[-1]
        if before[: len(before) - len(own)][-1:] in {"", *_CLAUSE}:
            # What follows another figure is that one's noun.
            beside += own.split()[-2:]
        return self._measured(named_columns(" ".join(beside), self.results))

    def _led(self, number: WrittenNumber) -> set[str]:
        """Return the columns that are named in front of the first figure of the segment, else in what it stands under."""
        if number != self.numbers[0]:
            return set()
        lead = self.text[self.segment.start : number.start].rpartition(_FILLED)[2]
        above = [self.text[start:end] for start, end in self.segment.above]
        for text in (lead, *(one for one in above if _FILLED not in one and not has_numeral(one))):
            if found := self._measured(named_columns(text, self.results)):
                return found
        return set()

    def _linked(self, way: Way) -> dict[WrittenNumber, Link]:
        """Return what links in one way of reading; nothing when a figure of another label contradicts it."""
        found = {}
        for number in self.numbers:
            rows = [(result, self.row_of(result, number, way)) for result in self.results]
            links = [link for result, row in rows if row for link in self._in_row(result, row[0], number)]
            if link := _one(links):
                found[number] = link
            elif way != "only" and self._belongs_elsewhere(number):
                return {}
        return found

    def _label(self, result: NumberedResult, column: str, number: WrittenNumber, way: Way) -> str | None:
        own = [one for one in self._own if (one.number, one.column) == (result.number, column)]
        if not own:
            return self._inherited(result, column, number)
        distinct = list(dict.fromkeys(one.label for one in own))
        if len(distinct) == 1:
            return distinct[0]
        before = [one.label for one in own if one.end <= number.start]
        after = [one.label for one in own if one.start >= number.end]
        if way == "before":
            return before[-1] if before else None
        if way == "after":
            return after[0] if after and own[0].start > self.numbers[0].start else None
        fits = len(distinct) == len(self.numbers) and own[-1].end <= self.numbers[0].start
        return distinct[list(self.numbers).index(number)] if fits else None

    def _inherited(self, result: NumberedResult, column: str, number: WrittenNumber) -> str | None:
        """Return the label of the header cell above, or of what the segment stands under."""
        for start, end in (*self._header(number), *self.segment.above):
            inside = self._within(start, end)
            labels = {one.label for one in inside if (one.number, one.column) == (result.number, column)}
            if labels:
                return labels.pop() if len(labels) == 1 else None
        return None

    def _in_row(self, result: NumberedResult, line: Line, number: WrittenNumber) -> Iterator[Link]:
        for column in self.measures(result, number):
            value = line.cells[column.name]
            if is_written(result, column, number, value):
                yield _link(result, column, line)

    def _belongs_elsewhere(self, number: WrittenNumber) -> bool:
        """Return whether a figure is a cell of any row that is named in the segment."""
        pairs = [(result, one) for result in self.results for one in self._own if one.number == result.number]
        rows = [(result, line) for result, one in pairs for line in result.find([one.label])[:1]]
        return any(list(self._in_row(result, line, number)) for result, line in rows)

    def _whole(self, number: WrittenNumber, _: Mapping[WrittenNumber, Link]) -> Iterator[Link]:
        free = [result for result in self.results if self._is_free(result, number)]
        found = [link for result in free for link in self._of_whole(result, number)]
        yield from found or self._counted(number, free)

    def _of_whole(self, result: NumberedResult, number: WrittenNumber) -> Iterator[Link]:
        line = result.line(0) if result.row_count == 1 else None
        for column in self.measures(result, number):
            if line is not None and is_written(result, column, number, line.cells[column.name]):
                yield _link(result, column, None)
            elif not result.is_aggregate and column.name in result.result.focus:
                # The statistics of a table that its summary tells.
                for name in ("min", "max", "mean"):
                    value = result.aggregate(name, column)
                    if is_written(result, column, number, value):
                        cell = result.cite(column.name, None, value)
                        place = f"{name}({reference(result, column.name)})"
                        yield Link(expression=place, value=value, cells=(cell,))
        for name, value in result.values.items() if result.row_count > 1 else ():
            if number.scale == 1 and (exact := decimal(value)) is not None and number.equals(exact):
                place = reference(result, name) + (f"[{quoted(WHOLE)}]" if name in result.columns else "")
                yield Link(expression=place, value=value, cells=(result.cite(name, None, value),))

    def _counted(self, number: WrittenNumber, free: Sequence[NumberedResult]) -> Iterator[Link]:
        """Yield the counts and other figures that a model was told beside the cells."""
        after = self.text[number.end : number.end + _BESIDE].split("\n")[0].split()
        for result in self.results if number.is_count else ():
            equal = [name for name, count in result.counts.items() if number.equals(Decimal(count))]
            # What is counted, by the word after the number, may be what the rows are named by.
            noun = named_columns(" ".join(after[:1]), [result])
            if equal and (result in free or not noun.isdisjoint(result.keys)):
                cell = result.cite(equal[0], None, result.counts[equal[0]])
                yield Link(expression=f"r{result.number}.{equal[0]}", value=cell.value, cells=(cell,))
        for name, told in self.told.items():
            exact = decimal(told)  # type: ignore[arg-type] # plain JSON is a value
            is_kind = not number.is_percent or _PERCENT_NAME.search(name)
            is_plain = is_kind and number.scale == 1 and number.form != "ordinal"
            if exact is not None and is_plain and number.equals(exact) and self._owner(number) is None:
                cell = CitedCell(data_key=None, column=name, value=exact)
                yield Link(expression=name, value=exact, cells=(cell,))

    def _is_free(self, result: NumberedResult, number: WrittenNumber) -> bool:
        """Return whether no label stands so near to a figure that it can only be the label's own."""
        owner = self._owner(number)
        if owner is None:
            return True
        asked = f"{result.result.plan or ''} {result.result.sql}".casefold()
        return owner.label in asked if owner.number != result.number else result.row_count == 1

    def _owner(self, number: WrittenNumber) -> Mention | None:
        own = [one for one in self._own if not one.is_number]
        between = max((other.end for other in self.numbers if other.end <= number.start), default=0)
        before = [one for one in own if one.start < number.start]
        if before:
            return before[-1] if before[-1].start >= between else None
        ahead = next((one for one in own if one.start >= number.end), None)
        return ahead if ahead and not _CLAUSE & set(self.text[number.end : ahead.start]) else None

    def _derived(self, number: WrittenNumber, linked: Mapping[WrittenNumber, Link]) -> Iterator[Link]:
        """Yield differences, ratios, shares and changes of the two rows that a segment names.

        The two figures must stand there as well, or none but the derived one.
        """
        links = [link for other, link in linked.items() if other != number]
        others = {(at, line.position) for link in links for at, line in link.lines}
        for result in self.results:
            key = (result.number, result.naming[:1])
            labels = dict.fromkeys(one.label for one in self._own if (one.number, (one.column,)) == key)
            rows = [result.find([label]) for label in labels] if len(labels) == 2 else []  # noqa: PLR2004
            if not rows or any(len(lines) != 1 for lines in rows) or result.row_count == 1:
                continue
            pair = (rows[0][0], rows[1][0])
            if len(self.numbers) == 1 or {(result.number, line.position) for line in pair} <= others:
                for column in self.measures(result, number):
                    yield from _of_two(result, column, pair, number)
                    yield from _of_two(result, column, pair[::-1], number)

    @cached_property
    def _own(self) -> list[Mention]:
        return self._within(self.segment.start, self.segment.end)

    def _within(self, start: int, end: int) -> list[Mention]:
        return [one for one in self.mentions if start <= one.start and one.end <= end]

    def _header(self, number: WrittenNumber) -> Sequence[tuple[int, int]]:
        cells = self.segment.cells
        place = next((at for at, (low, high) in enumerate(cells) if low <= number.start < high), len(cells))
        return self.segment.header[place : place + 1]

    def _front(self, number: WrittenNumber) -> Sequence[tuple[int, int]]:
        """Return the first cell of the figure's row of a table, where it names no row of a result."""
        front = self.segment.cells[:1]
        return [(low, high) for low, high in front if high <= number.start and not self._within(low, high)]

    def _measured(self, names: set[str]) -> set[str]:
        """Return those of the columns called `names` that hold quantities."""
        return names & {column.name for result in self.results for column in result.measures}

    def measures(self, result: NumberedResult, number: WrittenNumber) -> list[Column]:
        """Return the columns that a figure can be of, by what is named beside it."""
        named = self._named(number)
        if not named:
            named = self._led(number) & set(result.columns)
        elif named.isdisjoint(result.columns) and any(name in result.result.sql for name in named):
            named = set()
        return [column for column in result.measures if not named or column.name in named]


def is_fraction(result: NumberedResult, column: Column) -> bool:
    """Return whether a column without a unit holds parts of one rather than percentages."""
    if column.kind is not ColumnKind.NUMBER or column.unit:
        return False
    ends = [decimal(result.aggregate(name, column)) for name in ("min", "max")]
    return all(end is not None and abs(end) <= 1 for end in ends)


def label_key(result: NumberedResult, line: Line) -> str:
    """Return how an expression names a row: by its labels, else by its position."""
    labels = [label_text(line.cells[name]) for name in result.naming]
    is_one = [found.position for found in result.find(labels)] == [line.position] if labels else False
    return ", ".join(map(quoted, labels)) if is_one else str(line.position)


def decimal(value: Value) -> Decimal | None:
    """Return a number exactly; nothing for what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)) or not is_value(value):
        return None
    return Decimal(value)


def is_written(result: NumberedResult, column: Column, number: WrittenNumber, value: Value) -> bool:
    """Return whether a cell is `number` as it is written."""
    exact = decimal(value)
    if exact is None or number.form in {"clock", "ordinal"}:
        return False
    if number.is_percent and column.unit != "%":
        if is_fraction(result, column):
            return number.equals(exact * 100)
        if column.unit or not _PERCENT_NAME.search(column.name):
            return False
    if number.scale in {1, named_scale(f"{column.name} {column.unit or ''}")}:
        return number.equals(exact)
    return number.equals(exact / number.scale) and number.is_near(exact / number.scale)


def _link(result: NumberedResult, column: Column, line: Line | None) -> Link:
    place = reference(result, column.name) + (f"[{label_key(result, line)}]" if line else "")
    cell_line = line or result.line(0)
    value = cell_line.cells[column.name] if cell_line else None
    lines = ((result.number, line),) if line else ()
    return Link(expression=place, value=value, cells=(result.cite(column.name, line, value),), lines=lines)


def _of_two(
    result: NumberedResult, column: Column, pair: tuple[Line, ...], number: WrittenNumber
) -> Iterator[Link]:
    a, b = (decimal(line.cells[column.name]) for line in pair)
    if a is None or b is None:
        return
    low, high = (_link(result, column, line) for line in pair)
    made: list[tuple[str, Decimal]] = []
    if not number.is_percent or column.unit == "%":
        made.append((f"{low.expression} - {high.expression}", a - b))
    if b and number.is_percent:
        made.append((f"{low.expression} / {high.expression} * 100", a / b * 100))
        made.append((f"({low.expression} - {high.expression}) / {high.expression} * 100", (a - b) / b * 100))
    elif b and (number.form == "times" or any(places for _, places in number.readings)):
        made.append((f"{low.expression} / {high.expression}", a / b))
    for expression, value in made:
        if any(number.equals(signed / number.scale) for signed in (value, abs(value))):
            cells, lines = low.cells + high.cells, low.lines + high.lines
            yield Link(expression=expression, value=float(abs(value)), cells=cells, lines=lines)


def _has(line: Line, labels: Mapping[str, str]) -> bool:
    return all(fold(label_text(line.cells[column])) == label for column, label in labels.items())


def _one(links: Sequence[Link]) -> Link | None:
    """Return the one link, or the first of several to one and the same value."""
    return links[0] if len({decimal(link.value) for link in links}) == 1 else None
