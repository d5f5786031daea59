"""The results of a conversation, under the numbers that a model refers to them by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tabchat.answers.receipts import CitedCell
from tabchat.answers.template import table_mark
from tabchat.engine.result.lookup import CellLookup
from tabchat.engine.result.result import ResultKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.result.lookup import Line
    from tabchat.engine.types import Column, Value

WHOLE: Final = "of the whole"
"""Stands in the place of a label for a figure that a recipe computed over all rows, beside those of the groups."""


@dataclass
class NumberedResult(CellLookup):
    """A result, and the finding of cells in it."""

    number: int = 0
    data_key: str | None = None
    title: str | None = None
    shown_rows: int = 0
    """Rows, from the first one on, whose labels the model may be told."""

    @property
    def mark(self) -> str:
        """The line that stands for it in a text."""
        return table_mark(self.title, self.result.frame.columns, self.data_key or f"r{self.number}")

    @property
    def is_aggregate(self) -> bool:
        """Whether the rows are aggregates rather than records."""
        return self.result.kind is not ResultKind.TABLE or self.row_count == 1

    @property
    def counts(self) -> Mapping[str, int]:
        """The counts that a model is told of it, by the names that it refers to them by."""
        rows = self.row_count if self.row_count != 1 else None
        counts = {"rows": rows, "source_rows": self.result.source_row_count}
        return {name: count for name, count in counts.items() if count is not None}

    @property
    def whole(self) -> Mapping[str, Value]:
        """The figures of the whole result beside its cells: its counts, and what a recipe computed."""
        return {**self.counts, **self.values}

    @property
    def measures(self) -> list[Column]:
        """The columns that hold quantities."""
        numeric = [column for column in self.columns.values() if column.kind.is_numeric]
        return [column for column in numeric if column.name not in self.keys or self.row_count == 1]

    def shown(self) -> list[Line]:
        """Return the rows that the model was shown."""
        return [line for place in range(self.shown_rows) if (line := self.line(place)) is not None]

    def cite(self, column: str, line: Line | None, value: Value) -> CitedCell:
        """Return the cell of `column` in `line`, or a value of the whole result, for a receipt."""
        row = {} if line is None or self.row_count == 1 else {name: line.cells[name] for name in self.naming}
        return CitedCell(data_key=self.data_key, column=column, row=row, value=value)
