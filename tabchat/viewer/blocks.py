"""The rows that were fetched last, in blocks: scrolling back and forth asks the engine once, and memory stays bounded."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tabchat.viewer.arranged import Arranged, NumberedRow

BLOCK_ROWS: Final = 200
KEPT_BLOCKS: Final = 12


class Blocks:
    """Rows of one arrangement."""

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
