"""One screen: its text and how each cell is drawn, as a small file that a person can read and compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import cycle, groupby
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from tests.repl.ink import PLAIN, Ink

if TYPE_CHECKING:
    from tests.repl.emulator import Cell

_KEY: Final = re.compile(r"(?<=ds_)[a-z2-7]{4,20}")
_DURATION: Final = re.compile(r"\b\d[\d.,]* (?=ms\b|s\b)")
_INKS: Final = "\n---\n"


@dataclass(frozen=True)
class Run:
    """Neighbouring cells of a row that are drawn alike."""

    row: int
    column: int
    text: str
    ink: Ink

    @property
    def cells(self) -> int:
        return cell_len(self.text)


@dataclass(frozen=True)
class Screen:
    """What a person sees; without keys and durations, which differ from run to run."""

    runs: tuple[Run, ...]

    @classmethod
    def of(cls, window: list[list[Cell]]) -> Screen:
        """Return the screen that stands in the window of an emulator."""
        return cls(tuple(run for row, cells in enumerate(window) for run in _runs_of(row, _settled(cells))))

    @staticmethod
    def width_of(text: str) -> int:
        """Return the cells that a text takes."""
        return cell_len(text)

    @property
    def lines(self) -> list[str]:
        """The text of every row, without blanks at the ends."""
        count = max((run.row for run in self.runs), default=-1) + 1
        rows = ["".join(run.text for run in self.runs if run.row == row).rstrip() for row in range(count)]
        return "\n".join(rows).rstrip("\n").split("\n")

    def write(self) -> str:
        """Return the text, and below it `ROW: FROM-TO INK` for what is not drawn plainly."""
        inks = []
        for row, runs in groupby((run for run in self.runs if run.ink != PLAIN), key=lambda run: run.row):
            listed = "; ".join(f"{run.column}-{run.column + run.cells - 1} {run.ink}" for run in runs)
            inks.append(f"{row}: {listed}")
        return "\n".join(self.lines) + _INKS + "".join(f"{line}\n" for line in inks)

    @classmethod
    def read(cls, text: str) -> Screen:
        """Return the screen that `write` wrote."""
        shown, _, inks = text.partition(_INKS)
        windows = [_cells_of(line) for line in shown.split("\n")]
        for line in inks.splitlines():
            row, _, runs = line.partition(": ")
            windows += [[] for _ in range(int(row) + 1 - len(windows))]
            for run in runs.split("; "):
                place, _, ink = run.partition(" ")
                first, last = (int(part) for part in place.split("-"))
                cells = windows[int(row)]
                cells += [(" ", PLAIN)] * (last + 1 - len(cells))
                cells[first : last + 1] = [
                    (character, Ink.read(ink)) for character, _ in cells[first : last + 1]
                ]
        return cls.of(windows)


def _cells_of(line: str) -> list[Cell]:
    cells: list[Cell] = []
    for character in line:
        width = cell_len(character)
        if width:
            cells += [(character, PLAIN), *[("", PLAIN)] * (width - 1)]
        else:
            cells[-1] = (cells[-1][0] + character, PLAIN)
    return cells


def _settled(cells: list[Cell]) -> list[Cell]:
    """Return the cells of a row with the same signs for every key, and `12` for a duration.

    A blank shows its ground alone, whatever else it was written with.
    """
    cells = [(sign, ink.of_blank() if sign == " " else ink) for sign, ink in cells]
    text = "".join(character or "\0" for character, _ in cells)
    for match in [*_KEY.finditer(text)]:
        inks = [ink for _, ink in cells[match.start() : match.end()]]
        cells[match.start() : match.end()] = zip(cycle("7k2m"), inks, strict=False)
    for match in reversed([*_DURATION.finditer(text)]):
        cells[match.start() : match.end()] = [(character, cells[match.start()][1]) for character in "12 "]
    return cells


def _runs_of(row: int, cells: list[Cell]) -> list[Run]:
    while cells and cells[-1] == (" ", PLAIN):
        cells = cells[:-1]
    runs, column = [], 0
    for ink, parts in groupby(cells, key=lambda cell: cell[1]):
        text = "".join(character for character, _ in parts)
        runs.append(Run(row, column, text, ink))
        column += runs[-1].cells
    return runs
