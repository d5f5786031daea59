"""What a person sees: a terminal that obeys what is written to it, and breaks its lines anew when it is resized."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rich.cells import cell_len

_SEQUENCE = re.compile(
    r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b([=>78])|\x1b[()][AB0]|\x1b\][^\x07]*\x07|(.)", re.DOTALL
)


@dataclass
class _Row:
    cells: list[str] = field(default_factory=list)
    wraps: bool = False
    """Whether the next row goes on with the same line."""


@dataclass
class Emulator:
    """A screen with everything that scrolled off it."""

    columns: int = 80
    height: int = 30
    unknown: list[str] = field(default_factory=list)
    """Control characters that a screen should never be sent."""
    _rows: list[_Row] = field(default_factory=lambda: [_Row()])
    _row: int = 0
    _column: int = 0
    _saved: tuple[int, int] = (0, 0)

    @property
    def lines(self) -> list[str]:
        """Every row, those that scrolled off first."""
        return ["".join(row.cells).rstrip() for row in self._rows]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).rstrip("\n")

    def feed(self, written: str) -> None:
        """Obey what is written."""
        for match in _SEQUENCE.finditer(written):
            arguments, command, mark, character = match.groups()
            if character is not None:
                self._put(character)
            elif mark == "7":
                self._saved = (self._row, self._column)
            elif mark == "8":
                self._row, self._column = self._saved
            elif command is not None:
                self._obey(command, arguments)

    def resize(self, columns: int) -> None:
        """Break every line to the new width; the cursor stays on its character."""
        lines: list[list[str]] = []
        goes_on = False
        place = (0, 0)
        for index, row in enumerate(self._rows):
            if not goes_on:
                lines.append([])
            if index == self._row:
                place = (len(lines) - 1, len(lines[-1]) + self._column)
            lines[-1] += row.cells
            goes_on = row.wraps
        self._rows = []
        self.columns = columns
        for index, cells in enumerate(lines):
            first = len(self._rows)
            parts = [cells[at : at + columns] for at in range(0, len(cells), columns)] or [[]]
            self._rows += [_Row(part, wraps=number < len(parts) - 1) for number, part in enumerate(parts)]
            if index == place[0]:
                down = min(place[1] // columns, len(parts) - 1)
                self._row, self._column = first + down, place[1] - down * columns

    def _obey(self, command: str, arguments: str) -> None:
        number = int(arguments) if arguments.isdecimal() else 0
        row = self._rows[self._row]
        match command:
            case "A":
                top = max(len(self._rows) - self.height, 0)
                self._row = max(self._row - max(number, 1), top)
            case "C":
                self._column = min(self._column + max(number, 1), self.columns - 1)
            case "D":
                self._column = max(self._column - max(number, 1), 0)
            case "K":
                del row.cells[self._column :]
                row.wraps = False
            case "J":
                del row.cells[self._column :]
                row.wraps = False
                del self._rows[self._row + 1 :]
            case "H":
                line, _, place = arguments.partition(";")
                top = max(len(self._rows) - self.height, 0)
                self._row = top + int(line or 1) - 1
                self._rows += [_Row() for _ in range(self._row + 1 - len(self._rows))]
                self._column = int(place or 1) - 1
            case "m" | "h" | "l":
                pass
            case _:
                self.unknown.append(command)

    def _put(self, character: str) -> None:
        if character == "\r":
            self._column = 0
        elif character == "\n":
            self._down(wraps=False)
        elif not character.isprintable():
            self.unknown.append(character)
        else:
            self._draw(character)

    def _draw(self, character: str) -> None:
        width = cell_len(character)
        row = self._rows[self._row]
        if not width:
            if row.cells and self._column:
                row.cells[self._column - 1] += character
            return
        if self._column + width > self.columns:
            self._down(wraps=True)
            self._column = 0
            row = self._rows[self._row]
        row.cells += " " * (self._column + width - len(row.cells))
        row.cells[self._column : self._column + width] = [character, *[""] * (width - 1)]
        self._column += width

    def _down(self, *, wraps: bool) -> None:
        self._rows[self._row].wraps = wraps
        self._row += 1
        if self._row == len(self._rows):
            self._rows.append(_Row())
