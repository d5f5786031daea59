"""An irregular text as stretches of lines that are regular as they stand, and the records between them.

Most of an irregular text is regular, and reading it cell by cell would take most of the time.
"""

from __future__ import annotations

import io
from collections import deque
from itertools import repeat
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.text.dialect import END, UnclosedQuoteError, is_kept, record_reader
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from tabchat.engine.reader.text.dialect import Dialect, Layout, Record

_BLOCK: Final = 1 << 17
"""Characters that are looked at together."""


@record
class Stretch:
    """Lines without quotes or blank lines, each ended by a line feed and with as many cells as is usual."""

    text: str
    rows: int

    def widened(self, extra: int, delimiter: str) -> str:
        """Return the lines with so many more cells, empty ones."""
        return self.text.replace("\n", delimiter * extra + "\n") if extra else self.text


def stretches(file: TextIO, dialect: Dialect, layout: Layout) -> Iterator[Stretch | Record]:
    """Yield what follows the header of a text that was opened with its line ends as they are.

    Of a table of one column also blank lines, which may be meant as missing values: records without a cell.
    Raises `UnclosedQuoteError` at the end when the last cell's quote is never closed.
    """
    lines = _Lines(file)
    reader = record_reader(lines, dialect)
    skipped = layout.titles + (layout.header is not None)
    while block := lines.block():
        if not skipped and (stretch := _regular(block, dialect, layout.width)) is not None:
            yield stretch
            continue
        lines.put(block)
        # A record that the block does not end takes its last lines from the next one.
        while lines.waiting:
            found = next(reader)
            if found and found[-1].endswith(END):
                raise UnclosedQuoteError
            if is_kept(found) or (layout.width == 1 and found == [""]):
                if not skipped:
                    yield found
                skipped = max(0, skipped - 1)
            elif layout.width == 1 and not (skipped or found):
                yield found


def _regular(block: str, dialect: Dialect, width: int) -> Stretch | None:
    if width == 1 or any(mark and mark in block for mark in ('"', "\0", dialect.quote, dialect.escape)):
        return None
    if "\r" in block:
        if block.count("\r") != block.count("\r\n"):
            return None
        block = block.replace("\r\n", "\n")
    lines = block.removesuffix("\n").split("\n")
    if set(map(str.count, lines, repeat(dialect.delimiter))) != {width - 1}:
        return None
    return Stretch(text=block if block.endswith("\n") else f"{block}\n", rows=len(lines))


class _Lines:
    """The lines of a text for a reader of records; at its end the mark that an unclosed quote swallows."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._lines: deque[str] = deque()
        self._ended = False

    @property
    def waiting(self) -> bool:
        """Whether lines were put back that nobody has read."""
        return bool(self._lines)

    def block(self) -> str:
        """Take whole lines from the file, as many as make a block; nothing at its end."""
        return self._file.read(_BLOCK) + self._file.readline()

    def put(self, block: str) -> None:
        """Let the lines of a block be read one by one."""
        self._lines.extend(io.StringIO(block, newline=""))

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if not self._lines:
            self.put(self.block())
        if self._lines:
            return self._lines.popleft()
        if self._ended:
            raise StopIteration
        self._ended = True
        return END
