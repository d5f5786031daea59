"""What a project's settings may change: conveniences, and bounds, which they can only make stricter.

A folder of data may come from anywhere, with a `tabchat.toml` in it. Read without this, such a file could move the
cache to a folder of the person's and have it emptied, point a key and summaries of other tables at a server of its
author, or open what the person had closed.
"""

from __future__ import annotations

import os
import stat
from enum import Enum
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

CONVENIENCES: Final = frozenset({"rows", "sessions", "week_start"})
"""Settings that a project's file sets as it likes."""
FILES: Final = frozenset({"context", "shortcuts"})
"""Settings that may name a regular file inside the project's folder, of at most `MOST_FILE_BYTES`."""
MOST_FILE_BYTES: Final = 1024 * 1024
_ENGINE_SHARE: Final = 0.8
"""Share of the machine's memory that DuckDB takes at most when nobody says otherwise."""


@record
class ProjectSettings:
    """What counts of one project's file."""

    values: Mapping[str, object]
    told: tuple[str, ...] = ()
    """A sentence for what does not count."""


def permitted(values: Mapping[str, object], own: Mapping[str, object], origin: str) -> ProjectSettings:
    """Leave out of a project's settings what is the person's own to set; names that are no setting stay.

    `own` holds a value for every setting; `values` need not be checked.
    """
    refused = sorted(name for name in values if name in own and name not in PROJECT_SETTINGS)
    told: tuple[str, ...] = ()
    if refused:
        what = f"{origin} sets {', '.join(refused)}, which a project's file may not: left out."
        told = (f"{what} Your own config.toml and variables such as TABCHAT_{refused[0].upper()} may.",)
    return ProjectSettings(
        values={name: value for name, value in values.items() if name not in refused},
        told=told,
    )


def bounded(project: Mapping[str, object], own: Mapping[str, object], origin: Path) -> ProjectSettings:
    """Return the settings of a project's file at `origin`, none of them wider than the person's or the default.

    `own` holds a value for every setting.
    """
    values: dict[str, object] = {}
    told: list[str] = []
    for name, value in project.items():
        if name in FILES:
            path = origin.parent / str(value)
            why = _why_not(path, origin.parent)
            if why is None:
                values[name] = path
            else:
                told.append(f"{origin} sets {name} to a file that {why}: left out.")
            continue
        values[name] = BOUNDS[name](own[name], value) if name in BOUNDS else value
        if name in BOUNDS and values[name] != value and name != "hide":
            told.append(
                f"{origin} sets {name} to {_said(value)}, which is wider: {_said(values[name])} holds."
            )
    return ProjectSettings(values=values, told=tuple(told))


def _why_not(path: Path, folder: Path) -> str | None:
    """Say why a project's file in `folder` may not name the file at `path`; None when it may."""
    try:
        found = path.resolve(strict=True)
        facts = found.stat()
    except (OSError, ValueError, RuntimeError):
        return "cannot be read"
    if not found.is_relative_to(folder.resolve()):
        return "lies outside of its folder"
    if not stat.S_ISREG(facts.st_mode):
        return "is not a regular file"
    return f"is larger than {MOST_FILE_BYTES:,} bytes" if facts.st_size > MOST_FILE_BYTES else None


def _said(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case None:
            return "no limit"
        case _:
            return str(value)


def _lower(own: object, project: object) -> object:
    if own is None or project is None:
        return project if own is None else own
    return min(own, project)  # type: ignore[call-overload]  # numbers: the settings are checked by now


def _lower_memory(own: object, project: object) -> object:
    if own is None:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        own = int(physical * _ENGINE_SHARE)
    return _lower(own, project)


def _earlier(own: object, project: object) -> object:
    """Return the member that is declared first; those of these enumerations go from strict to wide."""
    members: list[object] = list(type(own)) if isinstance(own, Enum) else []
    return next(member for member in members if member in {own, project})


def _union(own: object, project: object) -> object:
    together = [*own, *project] if isinstance(own, tuple) and isinstance(project, tuple) else []
    return tuple(dict.fromkeys(together))


BOUNDS: Final[Mapping[str, Callable[[object, object], object]]] = {
    "privacy": _earlier,
    "tools": _earlier,
    "hide": _union,
    "offline": lambda own, project: own or project,
    "preview_rows": _lower,
    "max_cost": _lower,
    "max_tokens": _lower,
    "timeout": _lower,
    "memory_limit": _lower_memory,
    "code_timeout": _lower,
    "code_memory": _lower,
}
"""Setting → the stricter of the person's value and the project's."""
PROJECT_SETTINGS: Final = CONVENIENCES | FILES | BOUNDS.keys()
