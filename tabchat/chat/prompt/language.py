"""The plan language as far as a question needs it, written from the registry of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.prompt.ranking import tokens
from tabchat.chat.prompt.texts import data
from tabchat.engine.functions import FUNCTIONS
from tabchat.engine.functions.signature import ACCEPTED
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tabchat.engine.functions import Function, Parameter
    from tabchat.engine.table import Table

ROW_PACKS: Final = ("lag", "cumulative", "pattern", "window")
"""Packs that look at other rows."""

_ALWAYS_MADE: Final = frozenset({ColumnKind.BOOLEAN, ColumnKind.INTEGER, ColumnKind.NUMBER})
"""Kinds that expressions make of any column."""


def function_lines(question: str, tables: Iterable[Table]) -> list[str]:
    """Return one line for each pack of functions that the question and the columns call for."""
    columns = [column for table in tables for column in table.schema]
    kinds = {column.kind for column in columns} | _ALWAYS_MADE
    names = {column.name.casefold() for column in columns}
    words = tokens(question)
    lines = []
    for pack, needs in data("families").items():
        if pack != "examples" and _is_needed(needs, kinds, names, words):
            common = needs.get("common", FUNCTIONS)
            usable = [
                item
                for item in FUNCTIONS.values()
                if item.pack == pack and item.name in common and _is_usable(item, kinds)
            ]
            lines.append(f"{pack}: {_listed(usable)}")
    return lines


def row_function_examples(lines: Sequence[str]) -> str | None:
    """Return the names of some functions over other rows, when `lines` hold none of them."""
    if any(line.partition(":")[0] in ROW_PACKS for line in lines):
        return None
    named = [FUNCTIONS[name] for name in data("families")["examples"]["names"]]
    return ", ".join(f"{item.name}{_shape(item)}" for item in named)


def _is_needed(
    needs: Mapping[str, Sequence[str]],
    kinds: Collection[ColumnKind],
    names: Collection[str],
    words: Sequence[str],
) -> bool:
    if needs.keys() <= {"common"}:
        return True
    wanted = {ColumnKind(kind) for kind in needs.get("kinds", ())}
    return (
        not wanted.isdisjoint(kinds)
        or (bool(needs.get("columns")) and set(needs["columns"]) <= set(names))
        or any(word.startswith(stem) for stem in needs.get("stems", ()) for word in words)
    )


def _is_usable(item: Function, kinds: Collection[ColumnKind]) -> bool:
    needed = [ACCEPTED[parameter.accepts] for parameter in item.parameters if parameter.accepts in ACCEPTED]
    return all(not accepted.isdisjoint(kinds) for accepted in needed)


def _listed(items: Sequence[Function]) -> str:
    """Write functions of one shape together: `sum|mean(x), percentile(x, p)`."""
    by_shape: dict[str, list[str]] = {}
    for item in items:
        by_shape.setdefault(_shape(item), []).append(item.name)
    return ", ".join(f"{'|'.join(names)}{shape}" for shape, names in by_shape.items())


def _shape(item: Function) -> str:
    return f"({', '.join(filter(None, map(_argument, item.parameters)))})"


def _argument(parameter: Parameter) -> str:
    name = f"{parameter.name}, …" if parameter.rest else parameter.name
    match parameter.default:
        case None:
            return name
        case "time":
            return ""
        case "rows" | "null":
            return f"[{name}]"
        case _:
            return f"{name}={parameter.default}"
