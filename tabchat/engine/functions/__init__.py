"""The function registry of the plan language: one entry per function, which checks, builds and documents it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tabchat.engine.functions.aggregates import AGGREGATES
from tabchat.engine.functions.calendar import CALENDAR
from tabchat.engine.functions.core import CORE
from tabchat.engine.functions.figures import FIGURES
from tabchat.engine.functions.ohlc import OHLC
from tabchat.engine.functions.rows import ROWS
from tabchat.engine.functions.signature import Bound, BuildContext, Function, Label, Parameter
from tabchat.engine.functions.statistics import STATISTICS
from tabchat.engine.functions.text import TEXT
from tabchat.engine.functions.windows import WINDOWS

if TYPE_CHECKING:
    from collections.abc import Mapping

FUNCTIONS: Final[Mapping[str, Function]] = MappingProxyType(
    {
        item.name: item
        for item in (*CORE, *TEXT, *FIGURES, *ROWS, *WINDOWS, *CALENDAR, *AGGREGATES, *STATISTICS, *OHLC)
    }
)
"""Function name → entry, in the order of the documentation."""

ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {alias: item.name for item in FUNCTIONS.values() for alias in item.aliases}
)
"""Other spelling → function name."""


def find_function(name: str) -> Function | None:
    """Return the function of that name or alias, whatever its case."""
    folded = name.lower()
    return FUNCTIONS.get(ALIASES.get(folded, folded))


def describe_functions() -> str:
    """Return one line for each function, by pack: signature, what it gives, other spellings."""
    lines = []
    pack = ""
    for item in sorted(FUNCTIONS.values(), key=_pack_position):
        if item.pack != pack:
            pack = item.pack
            lines.append(f"{pack}:")
        spellings = f" Also {', '.join(item.aliases)}." if item.aliases else ""
        lines.append(f"  {item.signature}: {item.description}{spellings}")
    return "\n".join(lines)


def _pack_position(item: Function) -> int:
    packs = tuple(dict.fromkeys(entry.pack for entry in FUNCTIONS.values()))
    return packs.index(item.pack)


__all__ = [
    "ALIASES",
    "FUNCTIONS",
    "Bound",
    "BuildContext",
    "Function",
    "Label",
    "Parameter",
    "describe_functions",
    "find_function",
]
