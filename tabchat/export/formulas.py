"""Cells of text that a spreadsheet would take for a formula."""

from __future__ import annotations

import re
from typing import Final

STARTS: Final = r"^[=+\-@\t\r\n＝＋－＠]"
"""First characters that make a spreadsheet evaluate a cell (OWASP, CSV injection)."""

NUMBER: Final = r"^[+-]?[0-9 .,]*[0-9]([eE][+-]?[0-9]+)? ?[%€$£₴₽]?$"
"""Written numbers such as `-5` or `+3,5 %`, which are no formulas."""

_STARTS: Final = re.compile(STARTS)
_NUMBER: Final = re.compile(NUMBER)


class FormulaCells:
    """Counts such cells of one export and, if asked to, takes their effect away with a leading `'`."""

    def __init__(self, *, guard: bool) -> None:
        self.guard = guard
        self.count = 0

    def text(self, cell: str) -> str:
        """Return a cell of text as it is to be written."""
        if not _STARTS.match(cell) or _NUMBER.fullmatch(cell):
            return cell
        self.count += 1
        return f"'{cell}" if self.guard else cell

    def warnings(self) -> tuple[str, ...]:
        """Return what the person should know."""
        if not self.count:
            return ()
        cells = "1 cell looks like a formula" if self.count == 1 else f"{self.count} cells look like formulas"
        if self.guard:
            return (f"{cells} and got a ' in front, so that a spreadsheet shows the text.",)
        return (f"{cells}; --guard-formulas puts a ' in front, so that a spreadsheet shows the text.",)
