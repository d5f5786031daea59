"""An edit in a line, for people."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.plan.advice import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.types import JsonValue

_Edit: TypeAlias = "Mapping[str, JsonValue]"

_METHODS: Final = {
    "zero": "0",
    "previous": "the value before",
    "next": "the value after",
    "mode": "the most frequent value",
}


def describe_edit(edit: Mapping[str, JsonValue]) -> str:
    """Return what `edit`, in its canonical form, does."""
    wording = _WORDINGS.get(str(edit.get("operation")))
    if wording is None:
        return str(edit.get("label") or json.dumps(dict(edit), ensure_ascii=False))
    where = f" where {edit['where']}" if edit.get("where") is not None else ""
    return f"{wording(edit)}{where}"


def _set(edit: _Edit) -> str:
    return f"set {', '.join(f'{quoted(name)} = {text}' for name, text in _pairs(edit, 'set'))}"


def _renamed(edit: _Edit) -> str:
    pairs = [f"{quoted(old)} to {quoted(str(new))}" for old, new in _pairs(edit, "names")]
    return f"rename columns {', '.join(pairs)}"


def _filled(edit: _Edit) -> str:
    method = edit.get("method")
    with_what = json.dumps(edit.get("value"), ensure_ascii=False)
    if isinstance(method, str):
        with_what = _METHODS.get(method, f"the {method} of the column")
    return f"fill missing {_columns(edit)} with {with_what}"


def _replaced(edit: _Edit) -> str:
    values = edit.get("values")
    pairs = [_pair(pair) for pair in values] if isinstance(values, list) else []
    return f"replace in {_column(edit)}: {', '.join(pairs)}"


def _deduplicated(edit: _Edit) -> str:
    return f"keep the {edit.get('keep')} of rows that are equal in {_columns(edit)}"


def _added(edit: _Edit) -> str:
    return f"add column {quoted(str(edit.get('name')))} = {edit.get('expression')}"


def _pair(pair: JsonValue) -> str:
    before, after = (pair.get("from"), pair.get("to")) if isinstance(pair, dict) else (None, None)
    return f"{json.dumps(before, ensure_ascii=False)} with {json.dumps(after, ensure_ascii=False)}"


def _pairs(edit: _Edit, field: str) -> list[tuple[str, JsonValue]]:
    found = edit.get(field)
    return list(found.items()) if isinstance(found, dict) else []


def _columns(edit: _Edit) -> str:
    names = edit.get("columns")
    return ", ".join(quoted(str(name)) for name in names) if isinstance(names, list) else "all columns"


def _column(edit: _Edit) -> str:
    return quoted(str(edit.get("column")))


_WORDINGS: Final[Mapping[str, Callable[[_Edit], str]]] = MappingProxyType(
    {
        "delete_rows": lambda _edit: "delete rows",
        "update": _set,
        "add_column": _added,
        "drop_columns": lambda edit: f"drop columns {_columns(edit)}",
        "rename_columns": _renamed,
        "cast": lambda edit: f"make column {_column(edit)} {edit.get('type')}",
        "fill_missing": _filled,
        "replace_values": _replaced,
        "deduplicate": _deduplicated,
    }
)
