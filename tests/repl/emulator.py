"""What a person sees: a terminal that obeys what is written to it, and breaks its lines anew when it is resized."""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from rich.cells import cell_len

from tests.repl.ink import PLAIN, Ink, changed

Cell: TypeAlias = tuple[str, Ink]
"""What stands in it, nothing in the second half of a wide character, and how it is drawn."""

_SEQUENCE = re.compile(
    r"\x1b\[([0-9;?]*) ?([A-Za-z])|\x1b([=>78])|\x1b[()][AB0]|\x1b\][^\x07]*\x07|(.)", re.DOTALL
)

_BEGUN = re.compile(r"\x1b(?:\[[0-9;?]* ?|\][^\x07]*|[()])?\Z")


@dataclass
class _Row:
    cells: list[Cell] = field(default_factory=list)
    wraps: bool = False
    """Whether the next row goes on with the same line."""

    @property
    def text(self) -> str:
        return "".join(character for character, _ in self.cells).rstrip()


@dataclass
class Emulator:
    """A screen with everything that scrolled off it."""

    columns: int = 80
    height: int = 30
    unknown: list[str] = field(default_factory=list)
    """Control characters that a screen should never be sent."""
    replies: list[str] = field(default_factory=list)
    """What the terminal has to answer: where its cursor is."""
    _rows: list[_Row] = field(default_factory=lambda: [_Row()])
    _row: int = 0
    _column: int = 0
    _top: int = 0
    """The first row that is on the screen."""
    _ink: Ink = PLAIN
    _unfinished: str = ""
    _behind: tuple[list[_Row], int, int, int] | None = None
    """What stands on the main screen while the other one is shown."""
    _saved: tuple[int, int] = (0, 0)

    @property
    def lines(self) -> list[str]:
        """Every row, those that scrolled off first."""
        return [row.text for row in self._rows]

    @property
    def window(self) -> list[list[Cell]]:
        """The cells of the rows that are on the screen now."""
        return [list(row.cells) for row in self._rows[self._top :]]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).rstrip("\n")

    def feed(self, written: str) -> None:
        """Obey what is written; a sequence that is not whole yet waits for its end."""
        written = self._unfinished + written
        cut = _BEGUN.search(written)
        self._unfinished = cut[0] if cut else ""
        written = written.removesuffix(self._unfinished)
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
        lines: list[list[Cell]] = []
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
        self._top = max(len(self._rows) - self.height, 0)

    def _obey(self, command: str, arguments: str) -> None:
        number = int(arguments) if arguments.isdecimal() else 0
        match command:
            case "A" | "C" | "D" | "H":
                self._move(command, arguments, max(number, 1))
            case "J" | "K":
                self._erase(command, whole=number == 2)
            case "n" if number == 6:
                self.replies.append(f"\x1b[{self._row - self._top + 1};{self._column + 1}R")
            case "m":
                self._ink = changed(self._ink, arguments)
            case "h" | "l" if arguments == "?1049":
                self._turn_to_other(shown=command == "h")
            case "h" | "l" | "q":
                pass
            case _:
                self.unknown.append(command)

    def _move(self, command: str, arguments: str, steps: int) -> None:
        match command:
            case "A":
                self._row = max(self._row - steps, self._top)
            case "C":
                self._column = min(self._column + steps, self.columns - 1)
            case "D":
                self._column = max(self._column - steps, 0)
            case _:
                line, _, place = arguments.partition(";")
                self._row = self._top + max(int(line or 1), 1) - 1
                self._rows += [_Row() for _ in range(self._row + 1 - len(self._rows))]
                self._column = max(int(place or 1), 1) - 1

    def _erase(self, command: str, *, whole: bool) -> None:
        row = self._rows[self._row]
        if command == "J" and whole:
            self._rows[self._top :] = [_Row() for _ in range(self._row + 1 - self._top)]
            return
        del row.cells[self._column :]
        row.wraps = False
        if command == "J":
            del self._rows[self._row + 1 :]

    def _turn_to_other(self, *, shown: bool) -> None:
        if shown and self._behind is None:
            self._behind = self._rows, self._row, self._column, self._top
            self._rows, self._row, self._column, self._top = [_Row()], 0, 0, 0
        elif not shown and self._behind is not None:
            self._rows, self._row, self._column, self._top = self._behind
            self._behind = None

    def _put(self, character: str) -> None:
        if character == "\r":
            self._column = 0
        elif character == "\n":
            self._down(wraps=False)
        elif character == "\b":
            self._column = max(self._column - 1, 0)
        elif not character.isprintable():
            self.unknown.append(character)
        else:
            self._draw(character)

    def _draw(self, character: str) -> None:
        width = cell_len(character)
        row = self._rows[self._row]
        if not width:
            if row.cells and self._column:
                before, ink = row.cells[self._column - 1]
                row.cells[self._column - 1] = before + character, ink
            return
        if self._column + width > self.columns:
            self._down(wraps=True)
            self._column = 0
            row = self._rows[self._row]
        row.cells += [(" ", PLAIN)] * (self._column + width - len(row.cells))
        row.cells[self._column : self._column + width] = [
            (character, self._ink),
            *[("", self._ink)] * (width - 1),
        ]
        self._column += width

    def _down(self, *, wraps: bool) -> None:
        self._rows[self._row].wraps = wraps
        self._row += 1
        self._top = max(self._top, self._row + 1 - self.height)
        if self._row == len(self._rows):
            self._rows.append(_Row())
