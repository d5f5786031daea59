"""Cells of text that a spreadsheet would take for a formula."""

from __future__ import annotations

import re
from typing import Final

STARTS: Final = frozenset("=+-@\t\r\n＝＋－＠")
"""First characters that make a spreadsheet evaluate a cell (OWASP, CSV injection)."""

_NUMBER: Final = re.compile(r"[+-]?[\d\s.,]*\d(?:e[+-]?\d+)?\s?[%€$£₴₽]?", re.IGNORECASE)


class FormulaCells:
    """Counts such cells of one export and, if asked to, takes their effect away with a leading `'`."""

    def __init__(self, *, guard: bool) -> None:
        self.guard = guard
        self.count = 0

    def text(self, cell: str) -> str:
        """Return a cell of text as it is to be written; written numbers such as `-5` are no formulas."""
        if cell[:1] not in STARTS or not cell or _NUMBER.fullmatch(cell):
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
