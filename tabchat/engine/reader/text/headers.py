"""Column names: trimmed, printable, never blank, unique whatever their case."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.table import LoadNote, repaired_note, some
from tabchat.engine.types import FILE_ROW, HELPER_PREFIX
from tabchat.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_COLUMNS: Final = 16_384
"""Columns of a table: as many as a sheet of Excel has. What the engine needs for one grows with their square."""
_SPACES = re.compile(r"\s+")


def require_few(columns: int, shown: str) -> None:
    """Raise `InputError` when a file has more columns than a table can have."""
    if columns > MOST_COLUMNS:
        message = f"{shown!r} has more than {MOST_COLUMNS:,} columns."
        raise InputError(message, hint="Turn its columns into rows, or cut some out: cut -d, -f1-1000")


def column_names(cells: Sequence[str]) -> tuple[tuple[str, ...], tuple[LoadNote, ...]]:
    """Turn header cells into names, and say which cells had to change.

    Names that are kept for our own columns begin with one `_`. Later twins get a number (`Amount`, `Amount_2`), blank cells their position (`column_5`).
    """
    plain = [_clean(cell) for cell in cells]
    cleaned = [_free(name) for name in plain]
    reserved = {name.casefold() for name in cleaned if name}
    used: set[str] = set()
    free = _FreeNames(reserved)
    names: list[str] = []
    blank: list[str] = []
    twins: dict[str, str] = {}
    for position, name in enumerate(cleaned, start=1):
        base = name or f"column_{position}"
        key = base.casefold()
        chosen = free.like(base) if key in used or (not name and key in reserved) else base
        if not name:
            blank.append(chosen)
        elif chosen != base:
            twins[chosen] = base
        used.add(chosen.casefold())
        free.taken.add(chosen.casefold())
        names.append(chosen)
    changed = [name for name, cell in zip(plain, cells, strict=True) if name and name != cell]
    freed = [name for name, given in zip(cleaned, plain, strict=True) if name and name != given]
    notes = [
        _note(what, found)
        for what, found in (
            ("Header cells were cleaned (padding, control characters)", changed),
            ("Columns got another name, because tabchat keeps theirs for itself", freed),
            ("Columns without a name got one", blank),
        )
        if found
    ]
    if twins:
        notes.append(replace(_note("Columns that repeat a name got a number", list(twins)), twins=twins))
    return tuple(names), tuple(notes)


def _clean(cell: str) -> str:
    text = _SPACES.sub(" ", unicodedata.normalize("NFC", cell))
    # Zero-width joiners are needed to spell names in several scripts; other invisible characters are not.
    kept = (c for c in text if c in "\u200c\u200d" or unicodedata.category(c) not in {"Cc", "Cf", "Cs"})
    return "".join(kept).strip()


def _free(name: str) -> str:
    """Return a name that is none of our own columns; empty where nothing is left of it."""
    if name.startswith(HELPER_PREFIX):
        name = "_" + name.lstrip("_") if name.strip("_") else ""
    return f"_{name}" if name.casefold() == FILE_ROW else name


class _FreeNames:
    """Names with a number that nothing has yet; a header may repeat one name a million times."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = set(taken)
        self._last: Counter[str] = Counter()

    def like(self, base: str) -> str:
        """Return `base` with the least number that is free."""
        number = max(2, self._last[base])
        # Two marks at the beginning are those of our own columns.
        stem = "" if base == "_" else base
        while f"{stem}_{number}".casefold() in self.taken:
            number += 1
        self._last[base] = number
        return f"{stem}_{number}"


def _note(what: str, names: Sequence[str]) -> LoadNote:
    return repaired_note(message=f"{what}: {some(names)}.", count=len(names))
