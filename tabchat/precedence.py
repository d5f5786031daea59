"""What a project's settings may not change: where data goes, and the bounds that a person set.

A folder of data may come from anywhere, with a `tabchat.toml` in it. Read without this, such a file could point a
person's key and summaries of other tables at a server of its author, or open what the person's own file had closed.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from tabchat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PERSONAL: Final = frozenset({"data_dir"})
"""The ledger of requests lies there; moved, `tabchat egress` would not show them elsewhere."""


def check_project(values: Mapping[str, object], origin: str) -> None:
    """Raise `UsageError` when the settings of a project say where data go, beyond this machine."""
    for name in sorted(_PERSONAL & values.keys()):
        raise _refused(name, values[name], origin)
    server = values.get("api_base")
    if server is not None and not is_here(str(server)):
        raise _refused("api_base", server, origin)


def bounded(project: Mapping[str, object], person: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a project, none of them wider than the bounds that the person's own file sets."""
    return {
        name: _STRICTER[name](person[name], value) if name in person and name in _STRICTER else value
        for name, value in project.items()
    }


def is_here(address: str) -> bool:
    """Tell whether a server's address is one of this machine, whichever parser reads it."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    if any(character in address for character in "\\@") or any(map(str.isspace, address)):
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        return parts.scheme in {"http", "https"} and (host == "localhost" or ip_address(host).is_loopback)
    except ValueError:
        return False


def _refused(name: str, value: object, origin: str) -> UsageError:
    flag = f"--{name.replace('_', '-')}, " if name == "api_base" else ""
    return UsageError(
        f"A project's file may not set {name!r}, and {origin} sets it to {str(value)!r}.",
        hint=f"If you trust it: {flag}TABCHAT_{name.upper()}, or your own config.toml can set it.",
    )


def _lower(person: object, project: object) -> object:
    if person is None or project is None:
        return project if person is None else person
    return min(person, project)  # type: ignore[call-overload]  # numbers: the settings are checked by now


def _earlier(person: object, project: object) -> object:
    """Return the member that is declared first; those of these enumerations go from strict to wide."""
    members: list[object] = list(type(person)) if isinstance(person, Enum) else []
    return next(member for member in members if member in {person, project})


def _union(person: object, project: object) -> object:
    together = [*person, *project] if isinstance(person, tuple) and isinstance(project, tuple) else []
    return tuple(dict.fromkeys(together))


_STRICTER: Final[Mapping[str, Callable[[object, object], object]]] = {
    "privacy": _earlier,
    "tools": _earlier,
    "hide": _union,
    "planner": lambda person, project: person if person == "rules" else project,
    "offline": lambda person, project: person or project,
    "degraded_sandbox": lambda person, project: person and project,
    "preview_rows": _lower,
    "max_cost": _lower,
    "max_tokens": _lower,
}
