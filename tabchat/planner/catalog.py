"""What the planner may know of a table: its columns, and facts that are asked of the engine only when needed."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from sqlglot import exp

from tabchat.engine.types import ColumnKind
from tabchat.planner.kept_values import read_values, write_values
from tabchat.planner.listing import list_values, look_up
from tabchat.planner.tokens import fold, header_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, Value
    from tabchat.planner.context import UserContext
    from tabchat.planner.kept_values import ListedValues
    from tabchat.sealed import SealedFolder

_NEAR_UNIQUE: Final = 0.98
_FEWEST_NUMBERED: Final = 5
"""Rows from which numbers in a row without a gap are no accident."""
_FEWEST_RECEIPTS: Final = 20
"""The same of numbers that begin anywhere."""
_FIGURE: Final = re.compile(r"[^\w\s]*\s*\d[\d.,\s]*(?![\d\w-]*[^\W\d]{2})")
"""How a cell begins that is a figure, rather than a date, a code or an address."""
_CELL_WORD: Final = re.compile(r"\d+(?:\.\d+)?(?![^\W_])|[^\W_]+(?:'[^\W\d_]+)*")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ColumnFacts:
    """One column as the planner sees it."""

    index: int
    name: str
    kind: ColumnKind
    unit: str | None
    words: tuple[str, ...]
    """Folded words of the header."""
    base: tuple[str, ...]
    """The words without the number that made a repeated header unique (`Amount_2` → amount)."""
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Folded words of other names that the person gave the column."""
    aliases: tuple[tuple[tuple[str, ...], str], ...] = ()
    """(folded words, cell): names that the person gave cells."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Spread:
    """Counts of one column."""

    filled: int
    distinct: int


class PlannerTable(Protocol):
    """A table as the planner needs it; every method may query the engine, and remembers what it learned."""

    @property
    def name(self) -> str:
        """Name of the table in plans."""

    @property
    def columns(self) -> Sequence[ColumnFacts]:
        """Visible columns, in file order."""

    @property
    def row_count(self) -> int:
        """Rows of the table."""

    def spread(self, column: ColumnFacts) -> Spread:
        """Return how many cells are filled, and how many differ."""

    def extremes(self, column: ColumnFacts) -> tuple[Value, Value]:
        """Return the smallest and the largest cell, without counting."""

    def settles(self, column: ColumnFacts, other: ColumnFacts) -> bool:
        """Tell whether every value of `column` has one cell of `other`, as every city has one country."""

    def values(self) -> Mapping[int, tuple[str, ...]]:
        """Return column index → its distinct texts, for text columns with few of them."""

    def find_texts(self, texts: Sequence[str]) -> Sequence[tuple[int, str]]:
        """Return (column index, cell) of the cells, in text columns with many values, that fold to one of `texts`."""


def column_facts(columns: Sequence[Column]) -> tuple[ColumnFacts, ...]:
    """Split the headers of a schema into words."""
    words = [header_words(column.name) for column in columns]
    taken = set(words)
    return tuple(
        ColumnFacts(
            index=index,
            name=column.name,
            kind=column.kind,
            unit=column.unit,
            words=found,
            base=found[:-1] if len(found) > 1 and found[-1].isdigit() and found[:-1] in taken else found,
        )
        for index, (column, found) in enumerate(zip(columns, words, strict=True))
    )


@dataclass
class EngineTable:
    """A `PlannerTable` over an engine's table; facts are computed once for each table version."""

    engine: Engine
    table: Table
    folder: SealedFolder | None = None
    """Where value indexes are kept between runs; nowhere when absent."""
    context: UserContext | None = None
    """The person's own words for the columns."""
    name: str = field(init=False)
    columns: tuple[ColumnFacts, ...] = field(init=False)
    row_count: int = field(init=False)
    _spreads: dict[int, Spread] = field(default_factory=dict)
    _extremes: dict[int, tuple[Value, Value]] = field(default_factory=dict)
    _settled: dict[tuple[int, int], bool] = field(default_factory=dict)
    _values: ListedValues | None = None
    _found: dict[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    """Text → the cells of wide columns that fold to it, of those that were looked up."""

    def __post_init__(self) -> None:
        self.name = self.table.name
        columns = column_facts(self.table.schema)
        self.columns = columns if self.context is None else self.context.applied(columns)
        self.row_count = self.table.row_count

    def extremes(self, column: ColumnFacts) -> tuple[Value, Value]:
        """Return the smallest and the largest cell; a stored table answers from its statistics."""
        if column.index not in self._extremes:
            cell = _cell(column)
            low, high = self.engine.rows(self._from(exp.Min(this=cell), exp.Max(this=cell.copy())))[0]
            self._extremes[column.index] = (low, high)
        return self._extremes[column.index]

    def spread(self, column: ColumnFacts) -> Spread:
        """Return how many cells are filled, and how many differ, in one pass."""
        if column.index not in self._spreads:
            cell = _cell(column)
            query = self._from(
                exp.Count(this=cell),
                exp.Count(this=exp.Distinct(expressions=[cell.copy()])),
            )
            filled, distinct = self.engine.rows(query)[0]
            self._spreads[column.index] = Spread(filled=_whole(filled), distinct=_whole(distinct))
        return self._spreads[column.index]

    def settles(self, column: ColumnFacts, other: ColumnFacts) -> bool:
        """Tell whether every value of `column` has one cell of `other`, a missing one counted as a cell."""
        pair = (column.index, other.index)
        if pair not in self._settled:
            one, two = _cell(column), _cell(other)
            pairs = self._from(one, two).distinct().where(one.copy().is_(exp.null()).not_())
            counted = exp.select(exp.Count(this=exp.Star())).from_(pairs.subquery("pairs"))
            self._settled[pair] = _whole(self.engine.rows(counted)[0][0]) == self.spread(column).distinct
        return self._settled[pair]

    def values(self) -> Mapping[int, tuple[str, ...]]:
        """Return the value index, built once for each table version by one query for all the text columns."""
        return self._listed().listed

    def _listed(self) -> ListedValues:
        if self._values is None:
            self._values = read_values(self.folder, self.table) if self.folder is not None else None
        if self._values is None:
            self._values = list_values(self.engine, self.table)
            if self.folder is not None:
                write_values(self.folder, self.table, self._values)
        return self._values

    def find_texts(self, texts: Sequence[str]) -> Sequence[tuple[int, str]]:
        """Look `texts` up in the columns that are too long for the index; each text is looked up once."""
        unseen = [text for text in texts if text not in self._found]
        if unseen:
            self._found |= dict.fromkeys(unseen, ())
            values = self._listed()
            held = values.holding(unseen)
            asked = look_up(self.engine, self.table, values.unheld, unseen)
            for index, cell in (*held, *asked):
                text = cell.strip().casefold()
                self._found[text] = (*self._found.get(text, ()), (index, cell))
        return list(dict.fromkeys(pair for text in texts for pair in self._found[text]))

    def _from(self, *selected: exp.Expr) -> exp.Select:
        return exp.select(*selected).from_(exp.Table(this=exp.to_identifier(self.table.name, quoted=True)))


def is_row_label(table: PlannerTable, column: ColumnFacts) -> bool:
    """Tell whether (nearly) every row has its own value in `column`, so that it names the rows."""
    spread = table.spread(column)
    return spread.distinct >= _NEAR_UNIQUE * max(1, table.row_count)


def is_ordinal(table: PlannerTable, column: ColumnFacts) -> bool:
    """Tell whether a column numbers the rows, as seasons, ranks and receipts are; no sum of that says anything."""
    if column.kind is not ColumnKind.INTEGER or table.row_count < _FEWEST_NUMBERED:
        return False
    low, high = table.extremes(column)
    if not isinstance(low, int) or not isinstance(high, int):
        return False
    if low not in {0, 1} and table.row_count < _FEWEST_RECEIPTS:
        return False
    if high - low + 1 != table.row_count:
        return False
    spread = table.spread(column)
    return spread.distinct == spread.filled == table.row_count


def holds_written_numbers(table: PlannerTable, column: ColumnFacts) -> bool:
    """Tell whether a text column holds figures with notes, such as `$48.1m` or `64 (64)`, by its extremes."""
    if column.kind is not ColumnKind.TEXT:
        return False
    ends = [str(cell).strip() for cell in table.extremes(column) if cell is not None]
    figures = [_FIGURE.match(cell) is not None for cell in ends]
    return any(figures) and all(
        found or not any(sign.isalpha() for sign in cell) for found, cell in zip(figures, ends, strict=True)
    )


def lists_figures(table: PlannerTable, column: ColumnFacts) -> bool:
    """Tell whether most of the texts of a short column are figures: `9.41` beside `TBA`."""
    listed = table.values().get(column.index, ())
    return 2 * sum(_FIGURE.match(cell) is not None for cell in listed) > len(listed)


def written_example(table: PlannerTable, column: ColumnFacts) -> str | None:
    """Return a cell of a text column that begins like a figure."""
    cells = [str(cell) for cell in (*table.extremes(column), *table.values().get(column.index, ())) if cell]
    return next((cell.strip() for cell in cells if _FIGURE.match(cell)), None)


def is_daily(table: PlannerTable) -> bool:
    """Tell whether each row of `table` is a day of its own."""
    dates = [column for column in table.columns if column.kind is ColumnKind.DATE]
    return len(dates) == 1 and is_row_label(table, dates[0])


def table_words(table: PlannerTable) -> frozenset[str]:
    """Return the words of the table's own name: `sales_2024` → sales, 2024."""
    return frozenset(header_words(table.name))


def last_date(table: PlannerTable, column: ColumnFacts) -> dt.date | None:
    """Return the last day in a date column."""
    _, high = table.extremes(column)
    return high.date() if isinstance(high, dt.datetime) else high if isinstance(high, dt.date) else None


def folded_value(text: str) -> tuple[str, ...]:
    """Split a cell into folded words, as a question is, but without taking camel case apart."""
    return tuple(_CELL_WORD.findall(fold(text)))


def _cell(column: ColumnFacts) -> exp.Column:
    return exp.column(exp.to_identifier(column.name, quoted=True))


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float | str) else 0


def is_note(word: str, column: ColumnFacts) -> bool:
    """Tell whether a word only notes a name: a number in brackets behind it, or the unit behind a comma."""
    if word == column.base[0]:
        return False
    if word.isdigit():
        return f"{word}]" in column.name or f"({word})" in column.name
    head, comma, tail = column.name.rpartition(", ")
    return bool(head and comma) and column.kind.is_numeric and word in header_words(tail)
