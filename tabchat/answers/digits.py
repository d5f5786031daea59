"""Digits that a model typed: fine where somebody else said them, linked where the one cell stands bound, else not.

A figure is bound to a row by the row's label, in the same sentence, bullet or table row. Where several labels of one
column stand there, one way of reading must fit them all: each figure after its label, each before it, or labels and
figures in the same order. A figure that belongs to another label there contradicts a way. No word of the prose is read.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tabchat.answers.labels import Mention, named_columns
from tabchat.answers.languages import names_a_scale
from tabchat.answers.receipts import CitedCell
from tabchat.answers.results import is_value
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.answers.prose import Segment
    from tabchat.answers.results import Line, ResultCells
    from tabchat.answers.written import WrittenNumber
    from tabchat.engine.types import Column, JsonValue, Value

Way: TypeAlias = Literal["only", "before", "after", "order"]
WAYS: Final[tuple[Way, ...]] = ("before", "after", "order")
_BESIDE: Final = 24
"""Characters beside a figure in which the name of a column is taken to be its own."""


@record
class Link:
    """Where a typed figure was found."""

    expression: str
    value: Value
    cells: tuple[CitedCell, ...]
    lines: tuple[tuple[int, Line], ...] = ()


@dataclass
class Linker:
    """Links the typed figures of one text."""

    text: str
    results: Sequence[ResultCells]
    mentions: Sequence[Mention]
    told: Mapping[str, JsonValue]
    """Figures that a model is told beside results."""

    def link(self, segment: Segment, numbers: Sequence[WrittenNumber]) -> dict[WrittenNumber, Link]:
        """Return the links of those `numbers` of a segment that are bound to a cell."""
        best: dict[WrittenNumber, Link] = {}
        ways: tuple[Way, ...] = WAYS if self._has_several(segment) else ("only",)
        for way in ways:
            found = self._linked(segment, numbers, way)
            if found is not None and len(found) > len(best):
                best = found
        for number in numbers:
            if number not in best and (link := self._whole(segment, number, numbers)):
                best[number] = link
        for number in numbers:
            if number not in best and (link := self._derived(segment, number, numbers, best)):
                best[number] = link
        return best

    # Cells of a row that a label names

    def _linked(
        self, segment: Segment, numbers: Sequence[WrittenNumber], way: Way
    ) -> dict[WrittenNumber, Link] | None:
        """Return what links in one way of reading; nothing when a figure of another label contradicts it."""
        found = {}
        for number in numbers:
            rows = [
                (cells, line)
                for cells in self.results
                if (line := self._row(cells, segment, number, numbers, way)) is not None
            ]
            links = [link for cells, line in rows for link in self._in_row(cells, line, segment, number)]
            if link := _one(links):
                found[number] = link
            elif way != "only" and self._belongs_elsewhere(segment, number):
                return None
        return found

    def _row(
        self,
        cells: ResultCells,
        segment: Segment,
        number: WrittenNumber,
        numbers: Sequence[WrittenNumber],
        way: Way,
    ) -> Line | None:
        """Return the one row that the labels which go with `number` name."""
        if cells.row_count == 1:
            return None
        labels = {}
        for column in cells.naming:
            label = self._label(cells, column, segment, number, numbers, way)
            if label is not None:
                labels[column] = label
        if not labels:
            return None
        lines = [line for line in cells.find(list(labels.values())) if _has(line, labels)]
        return lines[0] if len(lines) == 1 else None

    def _label(
        self,
        cells: ResultCells,
        column: str,
        segment: Segment,
        number: WrittenNumber,
        numbers: Sequence[WrittenNumber],
        way: Way,
    ) -> str | None:
        own = self._of(cells, column, segment.start, segment.end)
        if not own:
            return self._inherited(cells, column, segment, number)
        distinct = list(dict.fromkeys(mention.label for mention in own))
        if len(distinct) == 1:
            return distinct[0]
        before = [mention for mention in own if mention.end <= number.start]
        after = [mention for mention in own if mention.start >= number.end]
        if way == "before":
            return before[-1].label if before else None
        if way == "after":
            return after[0].label if after and own[0].start > numbers[0].start else None
        place = list(numbers).index(number)
        fits = len(distinct) == len(numbers) and own[-1].end <= numbers[0].start
        return distinct[place] if fits else None

    def _inherited(
        self, cells: ResultCells, column: str, segment: Segment, number: WrittenNumber
    ) -> str | None:
        """Return the label of the header cell above, or of what the segment stands under."""
        spans = [*self._header(segment, number), *segment.above]
        for start, end in spans:
            labels = {mention.label for mention in self._of(cells, column, start, end)}
            if labels:
                return labels.pop() if len(labels) == 1 else None
        return None

    def _in_row(
        self, cells: ResultCells, line: Line, segment: Segment, number: WrittenNumber
    ) -> Iterator[Link]:
        named = self._named(segment, number)
        for column in self._measures(cells):
            value = line.cells[column.name]
            if not _fits(cells, column, named) or not self._equals(cells, column, number, value):
                continue
            place = f"{reference(cells, column.name)}[{label_key(cells, line)}]"
            cell = cells.cite(column.name, line, value)
            yield Link(expression=place, value=value, cells=(cell,), lines=((cells.number, line),))

    def _belongs_elsewhere(self, segment: Segment, number: WrittenNumber) -> bool:
        """Return whether a figure is a cell of any row that is named in the segment."""
        for cells in self.results:
            for mention in self._within(segment.start, segment.end):
                if mention.number != cells.number:
                    continue
                for line in cells.find([mention.label])[:1]:
                    if next(self._in_row(cells, line, segment, number), None):
                        return True
        return False

    # Values of a whole result

    def _whole(
        self, segment: Segment, number: WrittenNumber, numbers: Sequence[WrittenNumber]
    ) -> Link | None:
        named = self._named(segment, number)
        links = [
            link
            for cells in self.results
            if cells.given.is_shown and self._is_free(cells, segment, number, numbers)
            for link in self._of_whole(cells, named, number)
        ]
        if not links:
            links = list(self._counted(segment, number, numbers))
        return _one(links)

    def _of_whole(self, cells: ResultCells, named: set[str], number: WrittenNumber) -> Iterator[Link]:
        line = cells.line(0) if cells.row_count == 1 else None
        for column in self._measures(cells):
            if not _fits(cells, column, named):
                continue
            if line is not None:
                value = line.cells[column.name]
                if self._equals(cells, column, number, value):
                    cell = cells.cite(column.name, line, value)
                    yield Link(expression=reference(cells, column.name), value=value, cells=(cell,))
            elif not cells.is_aggregate and column.name in cells.result.focus:
                yield from self._statistic(cells, column, number)

    def _statistic(self, cells: ResultCells, column: Column, number: WrittenNumber) -> Iterator[Link]:
        """Yield the statistics of a table that its summary tells."""
        from tabchat.answers.results import Span

        for name in ("min", "max", "mean"):
            value = cells.aggregate(name, column, Span())
            if self._equals(cells, column, number, value):
                place = f"{name}({reference(cells, column.name)})"
                yield Link(expression=place, value=value, cells=(cells.cite(column.name, None, value),))

    def _counted(
        self, segment: Segment, number: WrittenNumber, numbers: Sequence[WrittenNumber]
    ) -> Iterator[Link]:
        """Yield the counts that a model is told: rows of results and tables, and rows behind a result."""
        for cells in self.results:
            if not (self._is_noun(cells, number) or self._is_free(cells, segment, number, numbers)):
                continue
            counts = {"rows": cells.row_count, "source_rows": cells.result.source_row_count}
            for name, count in counts.items() if _is_count(number) else ():
                if count is not None and number.equals(Decimal(count)):
                    cell = cells.cite(name, None, count)
                    yield Link(expression=f"r{cells.number}.{name}", value=count, cells=(cell,))
                    break
        for name, told in self.told.items():
            exact = decimal(told)  # type: ignore[arg-type] # plain JSON is a value
            if exact is not None and number.equals(exact) and not self._owner(segment, number, numbers):
                cell = CitedCell(data_key=None, column=name, value=exact)
                yield Link(expression=name, value=exact, cells=(cell,))

    def _is_noun(self, cells: ResultCells, number: WrittenNumber) -> bool:
        """Return whether what is counted, by the word after the number, is what the rows are named by."""
        after = self.text[number.end : number.end + _BESIDE].split("\n")[0]
        return not set(cells.keys).isdisjoint(named_columns(" ".join(after.split()[:1]), [cells]))

    def _is_free(
        self, cells: ResultCells, segment: Segment, number: WrittenNumber, numbers: Sequence[WrittenNumber]
    ) -> bool:
        """Return whether no label stands so near to a figure that it can only be the label's own."""
        owner = self._owner(segment, number, numbers)
        if owner is None:
            return True
        asked = f"{cells.result.plan or ''} {cells.result.sql}".casefold()
        return owner.number != cells.number and owner.label in asked

    def _owner(
        self, segment: Segment, number: WrittenNumber, numbers: Sequence[WrittenNumber]
    ) -> Mention | None:
        own = [mention for mention in self._within(segment.start, segment.end) if not mention.is_number]
        between = [other.end for other in numbers if other.end <= number.start]
        before = [one for one in own if max(between, default=segment.start) <= one.start < number.start]
        if before:
            return before[-1]
        ahead = [one for one in own if one.start >= number.end]
        earlier = any(one.start < number.start for one in own)
        if earlier or not ahead or set(",;:()—–\n") & set(self.text[number.end : ahead[0].start]):
            return None
        return ahead[0]

    # Two cells of one column

    def _derived(
        self,
        segment: Segment,
        number: WrittenNumber,
        numbers: Sequence[WrittenNumber],
        linked: Mapping[WrittenNumber, Link],
    ) -> Link | None:
        links: list[Link] = []
        for cells in self.results:
            pair = self._pair(cells, segment)
            if pair is None:
                continue
            others = {
                line.position for other, link in linked.items() if other != number for _, line in link.lines
            }
            alone = len(numbers) == 1
            if not alone and not {line.position for line in pair} <= others:
                continue
            named = self._named(segment, number)
            for column in self._measures(cells):
                if _fits(cells, column, named):
                    links += self._of_two(cells, column, pair, number)
        return _one(links)

    def _pair(self, cells: ResultCells, segment: Segment) -> tuple[Line, Line] | None:
        """Return the two rows that the labels in a segment name, when there are just two; earlier dates first."""
        labels = dict.fromkeys(
            mention.label
            for mention in self._within(segment.start, segment.end)
            if mention.number == cells.number and mention.column == cells.naming[0]
        )
        if len(labels) != 2 or cells.row_count == 1:  # noqa: PLR2004 - two cells
            return None
        found = [cells.find([label]) for label in labels]
        if any(len(lines) != 1 for lines in found):
            return None
        first, second = found[0][0], found[1][0]
        return first, second

    def _of_two(
        self, cells: ResultCells, column: Column, pair: tuple[Line, Line], number: WrittenNumber
    ) -> Iterator[Link]:
        for (low, high), places in (
            (pair, [f"{reference(cells, column.name)}[{label_key(cells, line)}]" for line in pair]),
            (
                pair[::-1],
                [f"{reference(cells, column.name)}[{label_key(cells, line)}]" for line in pair[::-1]],
            ),
        ):
            values = [decimal(line.cells[column.name]) for line in (low, high)]
            a, b = values
            if a is None or b is None:
                continue
            made: list[tuple[str, Decimal]] = []
            if not number.is_percent or column.unit == "%":
                made.append((f"{places[0]} - {places[1]}", a - b))
            if b and number.is_percent:
                made.append((f"{places[0]} / {places[1]} * 100", a / b * 100))
                made.append((f"({places[0]} - {places[1]}) / {places[1]} * 100", (a - b) / b * 100))
            elif (b and number.scale == 1 and number.form == "times") or (
                b and any(p for _, p in number.readings)
            ):
                made.append((f"{places[0]} / {places[1]}", a / b))
            for expression, value in made:
                for signed in (value, abs(value)):
                    if number.equals(signed / number.scale):
                        cited = tuple(
                            cells.cite(column.name, line, line.cells[column.name]) for line in (low, high)
                        )
                        lines = tuple((cells.number, line) for line in (low, high))
                        yield Link(expression=expression, value=float(signed), cells=cited, lines=lines)
                        break

    # What stands where

    def _within(self, start: int, end: int) -> list[Mention]:
        return [mention for mention in self.mentions if start <= mention.start and mention.end <= end]

    def _of(self, cells: ResultCells, column: str, start: int, end: int) -> list[Mention]:
        return [
            one for one in self._within(start, end) if one.number == cells.number and one.column == column
        ]

    def _has_several(self, segment: Segment) -> bool:
        labels = {(one.number, one.column, one.label) for one in self._within(segment.start, segment.end)}
        return len(labels) > len({(number, column) for number, column, _ in labels})

    def _header(self, segment: Segment, number: WrittenNumber) -> list[tuple[int, int]]:
        if not segment.header:
            return []
        place = next(
            (at for at, (start, end) in enumerate(segment.cells) if start <= number.start < end), None
        )
        return [segment.header[place]] if place is not None and place < len(segment.header) else []

    def _named(self, segment: Segment, number: WrittenNumber) -> set[str]:
        """Return the columns that are named right beside a figure, or above it in a table."""
        for start, end in self._header(segment, number):
            if named := named_columns(self.text[start:end], self.results):
                return named
        after = self.text[number.end : min(number.end + _BESIDE, segment.end)]
        before = self.text[max(segment.start, number.start - _BESIDE) : number.start]
        words_after = " ".join(itertools.takewhile(_is_word, after.split()[:2]))
        words_before = " ".join(itertools.takewhile(_is_word, reversed(before.split()[-2:])))
        return named_columns(f"{words_before} {words_after}", self.results)

    @cached_property
    def _fractions(self) -> dict[tuple[int, str], bool]:
        return {}

    def _measures(self, cells: ResultCells) -> list[Column]:
        return [
            column
            for name, column in cells.columns.items()
            if column.kind.is_numeric and (name not in cells.keys or cells.row_count == 1)
        ]

    def _equals(self, cells: ResultCells, column: Column, number: WrittenNumber, value: Value) -> bool:
        """Return whether a cell is `number` as it is written."""
        exact = decimal(value)
        if exact is None or number.form in {"clock", "ordinal"}:
            return False
        if number.is_percent and column.unit != "%" and is_fraction(cells, column):
            return number.equals(exact * 100)
        if number.scale == 1 or names_a_scale(f"{column.name} {column.unit or ''}"):
            return number.equals(exact)
        return number.equals(exact / number.scale) and number.is_near(exact / number.scale)


def is_fraction(cells: ResultCells, column: Column) -> bool:
    """Return whether a column without a unit holds parts of one rather than percentages."""
    from tabchat.answers.results import Span

    if column.kind is not ColumnKind.NUMBER or column.unit:
        return False
    low, high = (decimal(cells.aggregate(name, column, Span())) for name in ("min", "max"))
    return low is not None and high is not None and low >= -1 and high <= 1


def reference(cells: ResultCells, column: str) -> str:
    """Return how an expression names a column."""
    plain = column.isidentifier() and column.isascii()
    return f"r{cells.number}.{column}" if plain else f"r{cells.number}[{quoted(column)}]"


def label_key(cells: ResultCells, line: Line) -> str:
    """Return how an expression names a row: by its labels, else by its position."""
    from tabchat.answers.results import label_text

    labels = [label_text(line.cells[name]) for name in cells.naming]
    if not labels or [found.position for found in cells.find(labels)] != [line.position]:
        return str(line.position)
    return ", ".join(map(quoted, labels))


def quoted(text: str) -> str:
    """Return `text` as a string of an expression."""
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'


def decimal(value: Value) -> Decimal | None:
    """Return a number exactly; nothing for what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)) or not is_value(value):
        return None
    return Decimal(value)


def _fits(cells: ResultCells, column: Column, named: set[str]) -> bool:
    """Return whether a column can be the one that is named beside a figure."""
    if not named or column.name in named:
        return True
    return named.isdisjoint(cells.columns) and any(name in cells.result.sql for name in named)


def _has(line: Line, labels: Mapping[str, str]) -> bool:
    from tabchat.answers.results import fold, label_text

    return all(fold(label_text(line.cells[column])) == label for column, label in labels.items())


def _one(links: Sequence[Link]) -> Link | None:
    """Return the one link, or the first of several to one and the same value."""
    values = {decimal(link.value) for link in links}
    return links[0] if len(values) == 1 else None


def _is_count(number: WrittenNumber) -> bool:
    return not number.is_percent and number.scale == 1 and all(not places for _, places in number.readings)


def _is_word(word: str) -> bool:
    return not any(map(str.isdigit, word)) and "\ufffc" not in word and not word.startswith(("(", "|"))
