"""The value index of a table version, kept as JSON between runs: read at the first need, never trusted when damaged."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.table import Table

_FORMAT: Final = 1
MOST_FILES: Final = 100
"""Table versions whose values are kept; the least recently used go first."""
MOST_BYTES: Final = 16 * 1024 * 1024
"""Size above which an index is not worth reading back."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ListedValues:
    """The texts of a table that the planner holds, and the columns that it looks up instead."""

    listed: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Column index → its distinct texts, sorted: the value index."""
    held: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The same of longer columns, whose texts are only found as they are written."""
    unheld: tuple[int, ...] = ()
    """Indexes of the text columns that have too many."""

    @cached_property
    def _folded(self) -> Mapping[int, frozenset[str]]:
        return {index: frozenset(_folded_lines(texts)) for index, texts in self.held.items()}

    def holding(self, texts: Sequence[str]) -> list[tuple[int, str]]:
        """Return (column index, cell) of the held cells that fold to one of `texts`."""
        found = {index: folded.intersection(texts) for index, folded in self._folded.items()}
        return [
            (index, cell)
            for index, wanted in found.items()
            if wanted
            for folded, cell in zip(_folded_lines(self.held[index]), self.held[index], strict=True)
            if folded in wanted
        ]


def _folded_lines(texts: Iterable[str]) -> list[str]:
    return [text.strip().casefold() for text in texts]


def read_values(folder: Path, table: Table) -> ListedValues | None:
    """Return what was kept of exactly this version and these columns; None when there is nothing sound."""
    path = _path(folder, table)
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        found = _checked(json.loads(path.read_text(encoding="utf-8")), _names(table))
    except (OSError, ValueError, RecursionError):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return found


def write_values(folder: Path, table: Table, values: ListedValues) -> None:
    """Keep an index for later runs, readable by its owner alone; a disk that refuses costs only time."""
    facts = {
        "format": _FORMAT,
        "columns": _names(table),
        "unheld": values.unheld,
        "listed": {str(index): texts for index, texts in values.listed.items()},
        "held": {str(index): texts for index, texts in values.held.items()},
    }
    try:
        text = json.dumps(facts, ensure_ascii=False).encode()
        if len(text) <= MOST_BYTES:
            _replace(_path(folder, table), text)
            _evict(folder)
    except (OSError, UnicodeEncodeError):
        return


def _path(folder: Path, table: Table) -> Path:
    return folder / f"{table.version}.json"


def _names(table: Table) -> list[str]:
    return [column.name for column in table.schema]


def _replace(path: Path, text: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(prefix=".draft-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        Path(draft).replace(path)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise


def _evict(folder: Path) -> None:
    kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[MOST_FILES:]:
        path.unlink(missing_ok=True)


def _checked(facts: Any, names: Sequence[str]) -> ListedValues | None:
    if not isinstance(facts, dict) or facts.get("format") != _FORMAT or facts.get("columns") != names:
        return None
    listed, held = _by_column(facts.get("listed"), names), _by_column(facts.get("held"), names)
    unheld = facts.get("unheld")
    if listed is None or held is None or not isinstance(unheld, list):
        return None
    if not all(isinstance(index, int) and 0 <= index < len(names) for index in unheld):
        return None
    return ListedValues(listed=listed, held=held, unheld=tuple(unheld))


def _by_column(found: object, names: Sequence[str]) -> dict[int, tuple[str, ...]] | None:
    if not isinstance(found, dict):
        return None
    places = {str(index): index for index in range(len(names))}
    sound = all(
        key in places and isinstance(texts, list) and all(isinstance(text, str) for text in texts)
        for key, texts in found.items()
    )
    return {places[key]: tuple(texts) for key, texts in found.items()} if sound else None
