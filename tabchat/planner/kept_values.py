"""The value index of a table version, kept as JSON between runs: read at the first need, never trusted when damaged."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.sealed import SealedFolder

_FORMAT: Final = 1
MOST_TABLES: Final = 100
"""Table versions whose values are worth keeping."""


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


def read_values(folder: SealedFolder, table: Table) -> ListedValues | None:
    """Return what was kept of exactly this version and these columns; None when there is nothing sound."""
    text = folder.read(table.version)
    try:
        return _checked(json.loads(text), _names(table)) if text is not None else None
    except (ValueError, RecursionError):
        return None


def write_values(folder: SealedFolder, table: Table, values: ListedValues) -> None:
    """Keep an index for later runs."""
    facts = {
        "format": _FORMAT,
        "columns": _names(table),
        "unheld": values.unheld,
        "listed": {str(index): texts for index, texts in values.listed.items()},
        "held": {str(index): texts for index, texts in values.held.items()},
    }
    folder.write(table.version, json.dumps(facts, ensure_ascii=False))


def _names(table: Table) -> list[str]:
    return [column.name for column in table.schema]


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
