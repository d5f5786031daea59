"""The columns of a table as a plan reads them: numbers behind notes, texts without marks, the date that is meant."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.figures import is_marked
from tabchat.engine.reader.text.vocabulary import NOTE_MARKS
from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.expressions import Unplannable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tabchat.engine.facts.records import ColumnFacts, TableFacts


_OF_MONTHS: Final = {"month": 1, "month_name": 1, "quarter": 2, "quarter_name": 2, "year": 3, "decade": 4}
"""Units that texts for months tell, by what they are made of: those for quarters tell no months."""


def tells(column: ColumnFacts, unit: str) -> bool:
    """Tell whether the texts of a column, which name months or quarters, tell a calendar unit, too."""
    return column.span is not None and _OF_MONTHS.get(unit, 0) >= _OF_MONTHS[column.span]


def without_notes(text: str) -> str:
    """Return a text without the footnote marks at its end, as the engine's `without_notes` does."""
    return re.sub(NOTE_MARKS, r"\1", text)


class Columns:
    """The columns of one table, by name."""

    def __init__(self, facts: TableFacts, *, inline: bool = False) -> None:
        """Take over the facts of a table; `inline`, for conditions without a plan that computes columns first."""
        self._facts = facts
        self.inline = inline
        self.table = facts.name
        self.names = tuple(column.name for column in self.all)

    @property
    def all(self) -> tuple[ColumnFacts, ...]:
        """Every column of the file, in its order."""
        return tuple(column for column in self._facts.columns if column.formula is None)

    def find(self, name: str) -> ColumnFacts:
        """Return a column; raises `Unplannable` when the table has none of that name."""
        found = self._facts.column(name)
        if found is None:
            raise Unplannable(f"there is no column {name}")
        return found

    def is_number(self, name: str) -> bool:
        """Tell whether the cells are numbers, or texts that are read as numbers."""
        return self.find(name).kind.is_numeric or self.find(name).figures is not None

    def number(self, name: str) -> str:
        """Write a column whose cells are added up or compared as numbers."""
        if not self.is_number(name):
            raise Unplannable(f"{name} holds no numbers")
        return write.name(name)

    def cell(self, column: ColumnFacts) -> str:
        """Write a cell as it is computed with: a plan has made a number of it under its name, an edit makes one here."""
        formula = self._formula(column) if self.inline else None
        return write.name(column.name) if formula is None else formula

    def is_time(self, name: str) -> bool:
        """Tell whether the cells are dates, months, or years."""
        column = self.find(name)
        return column.kind.is_temporal or column.span is not None or column.years

    @cached_property
    def first_date(self) -> ColumnFacts | None:
        """The date column that the engine takes when a plan names none."""
        return next((column for column in self.all if column.kind.is_temporal), None)

    def time(self, name: str | None = None) -> ColumnFacts:
        """Return the named date column, else the first of the table, else its months, else its years."""
        if name is None:
            spelled = next((column for column in self.all if column.span is not None), None)
            found = self.first_date or spelled or next((column for column in self.all if column.years), None)
            if found is None:
                raise Unplannable("the table has no date column")
            return found
        if not self.is_time(name):
            raise Unplannable(f"{name} holds no dates")
        return self.find(name)

    def moment(self, column: ColumnFacts) -> str:
        """Write a column whose cells are put in order or taken apart: that of texts for months is the calendar's."""
        name = write.name(column.name)
        return name if column.span is None else write.call("month_start", name)

    def fresh(self, name: str, taken: Iterable[str] = ()) -> str:
        """Return a name for a computed column that no column of the table has."""
        return write.fresh(name, (*self.names, *taken))

    def is_noted(self, column: ColumnFacts) -> bool:
        """Tell whether some texts of a column have footnote marks behind them."""
        return column.kind is ColumnKind.TEXT and any(map(is_marked, column.texts))

    def formulas(self, used: Collection[str], shown: Collection[str] = ()) -> dict[str, str]:
        """Return what makes the columns that a plan computes with, under their own names, of their cells.

        What is only `shown` is made where the file has no such column, or stays as the file writes it.
        """
        found = {
            column.name: self._formula(column)
            for column in self._facts.columns
            if column.name in used or (column.operands and column.name in shown)
        }
        return {name: formula for name, formula in found.items() if formula is not None}

    def _formula(self, column: ColumnFacts) -> str | None:
        name = write.name(column.name)
        if column.formula is not None:
            return column.formula
        if column.figures is not None:
            mark = () if column.figures == "." else (write.text(column.figures),)
            number = f"{write.call('figure', name, *mark)} * {write.call('magnitude', name)}"
            return write.call("floor", number) if column.integral else number
        return write.call("without_notes", name) if self.is_noted(column) else None
