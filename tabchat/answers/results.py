"""The results of a conversation, under the numbers that a model refers to them by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tabchat.answers.receipts import CitedCell
from tabchat.engine.lookup import CellLookup
from tabchat.engine.result import ResultKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.lookup import Line
    from tabchat.engine.types import Column, Value

SHOWN_WHOLE: Final = 30
"""Rows up to which a model is shown all of a small aggregate."""
SHOWN_FIRST: Final = 10
"""Rows that a model is shown of a longer one."""


@dataclass
class NumberedResult(CellLookup):
    """A result, and the finding of cells in it."""

    number: int = 0
    data_key: str | None = None
    is_shown: bool = True
    """Whether the model may be told values of it; not at level strict, nor where a text may hold many cells."""

    @property
    def is_aggregate(self) -> bool:
        """Whether the rows are aggregates rather than records."""
        return self.result.kind is not ResultKind.TABLE or self.row_count == 1

    @property
    def counts(self) -> Mapping[str, int]:
        """The counts that a model is told of it, by the names that it refers to them by."""
        counts = {"rows": self.row_count, "source_rows": self.result.source_row_count}
        return {
            name: count
            for name, count in counts.items()
            if count is not None and (name, count) != ("rows", 1)
        }

    @property
    def measures(self) -> list[Column]:
        """The columns that hold quantities."""
        numeric = [column for column in self.columns.values() if column.kind.is_numeric]
        return [column for column in numeric if column.name not in self.keys or self.row_count == 1]

    def shown(self) -> list[Line]:
        """Return the rows that a model was told: those of aggregates, as far as they are given in full."""
        if not (self.is_shown and self.is_aggregate):
            return []
        whole = self.row_count <= SHOWN_WHOLE
        places = range(self.row_count if whole else SHOWN_FIRST)
        return [line for place in places if (line := self.line(place)) is not None]

    def cite(self, column: str, line: Line | None, value: Value) -> CitedCell:
        """Return the cell of `column` in `line`, or a value of the whole result, for a receipt."""
        row = {} if line is None or self.row_count == 1 else {name: line.cells[name] for name in self.naming}
        return CitedCell(data_key=self.data_key, column=column, row=row, value=value)
