"""A sheet: rows under a title, and the way from one of its rows to the rows behind it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence  # noqa: TC003 - fields of a record
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record
from tabchat.viewer.arranged import Arranged, arrange
from tabchat.viewer.ground import Ground  # noqa: TC001 - a field of a record
from tabchat.viewer.layout import Widths
from tabchat.viewer.state import State, with_rows

if TYPE_CHECKING:
    from tabchat.engine.types import Column, Value
    from tabchat.viewer.arranged import NumberedRow, Sort
    from tabchat.viewer.filters import Filter

BLOCK_ROWS: Final = 200
KEPT_BLOCKS: Final = 12

Behind: TypeAlias = "Callable[[Mapping[str, Value]], Sheet]"


class Blocks:
    """Rows of one arrangement that were fetched last: scrolling back and forth asks once, and memory stays bounded."""

    def __init__(self, arranged: Arranged) -> None:
        self.arranged = arranged
        self._blocks: OrderedDict[int, list[NumberedRow]] = OrderedDict()

    def get(self, row: int) -> NumberedRow | None:
        """Return a row when it is there."""
        block = self._blocks.get(row // BLOCK_ROWS)
        if block is None or row % BLOCK_ROWS >= len(block):
            return None
        self._blocks.move_to_end(row // BLOCK_ROWS)
        return block[row % BLOCK_ROWS]

    def missing(self, first: int, count: int) -> int | None:
        """Return the number of a block that `count` rows from `first` on need and that is not there."""
        last = min(first + count, self.arranged.row_count) - 1
        numbers = range(first // BLOCK_ROWS, last // BLOCK_ROWS + 1) if last >= first else range(0)
        return next((number for number in numbers if number not in self._blocks), None)

    def load(self, number: int) -> list[NumberedRow]:
        """Fetch a block; the one that was not looked at for longest goes."""
        rows = self.arranged.window(number * BLOCK_ROWS, BLOCK_ROWS)
        self._blocks[number] = rows
        while len(self._blocks) > KEPT_BLOCKS:
            self._blocks.popitem(last=False)
        return rows


@record
class Sheet:
    """What is looked at."""

    title: str
    ground: Ground
    behind: Behind | None = None
    """From the cells of a row to the sheet of the rows behind it."""
    is_table: bool = False
    """The numbers of the rows are those of the records in a file."""
    part_of: str = ""
    """Which of all values the rows are, in words, where the rest is left out."""
    arranged: Arranged | None = None
    """How its rows are filtered and sorted at first; as they lie when absent."""
    data_key: str | None = None
    """Of the result that it comes from, whose files are never written to."""


class OpenSheet:
    """A sheet on the screen: its state, its arrangement, and the rows that were fetched."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.blocks = Blocks(sheet.arranged or arrange(sheet.ground))
        self.state = State(columns=sheet.ground.columns, row_count=self.arranged.row_count)
        self.widths = Widths(sheet.ground.schema)

    @property
    def arranged(self) -> Arranged:
        """The rows in the order in which they are shown."""
        return self.blocks.arranged

    @property
    def column(self) -> Column:
        """Column of the cursor."""
        return next(column for column in self.sheet.ground.schema if column.name == self.state.name)

    def rearrange(self, filters: tuple[Filter, ...], sort: Sort | None) -> None:
        """Show the rows in another arrangement, from the top."""
        arranged = arrange(self.sheet.ground, filters, sort)
        self.close()
        self.blocks = Blocks(arranged)
        self.state = with_rows(self.state, arranged.row_count)

    def close(self) -> None:
        """Let go of the order of the rows, which takes eight bytes for each."""
        if self.arranged.kept is not None:
            self.sheet.ground.engine.forget(self.arranged.kept)

    def load(self, height: int) -> None:
        """Fetch what a window of `height` rows needs."""
        while (number := self.blocks.missing(self.state.top, height)) is not None:
            self.widths.see([cells for _, cells in self.blocks.load(number)])

    def cells(self) -> Mapping[str, Value] | None:
        """Return the cells of the cursor's row by name, when they are there."""
        found = self.blocks.get(self.state.row)
        return None if found is None else dict(zip(self.state.columns, found[1], strict=True))

    def value(self) -> Value:
        """Return the cell under the cursor; None also where it has not come yet."""
        cells = self.cells()
        return None if cells is None else cells[self.state.name]

    def chosen(self) -> tuple[Sequence[str], int, int]:
        """Return what an export takes: the columns shown, the first row and the number of rows."""
        first, count = self.state.selected or (0, self.arranged.row_count)
        return self.state.shown, first, count
