"""Profiles of table versions on disk, so that a large table is scanned for one once: small sealed JSON texts."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.profile.profile import ColumnProfile, TableProfile, profile_table
from tabchat.engine.profile.spread import Spread
from tabchat.engine.types import FROM_ISO, ColumnKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, Value
    from tabchat.sealed import SealedFolder

KEPT: Final = 200
"""Profiles that are worth keeping."""

_FORMAT: Final = 1
_READ: Final[Mapping[str, Callable[[str], Value]]] = {
    "decimal": Decimal,
    **FROM_ISO,
}
"""Name of a type → what reads its text; other cells are JSON as they are."""


def cached_profile(
    engine: Engine, table: Table, folder: SealedFolder | None, *, spreads: bool = False
) -> TableProfile:
    """Return the profile of `table` kept in `folder`, with `spreads` or without, or make it and keep it.

    A folder that cannot be read or written costs time only, and so do cells that no text stands for. Raises
    `DataKeyError` (`source_changed`) for files that have changed.
    """
    if folder is None:
        return profile_table(engine, table, spreads=spreads)
    name = _name(table, spreads=spreads)
    kept = _loaded(folder.read(name), table)
    if kept is None:
        kept = profile_table(engine, table, spreads=spreads)
        if (text := _text(kept)) is not None:
            folder.write(name, text)
    elif table.files is not None:
        table.files.require_unchanged()
    return kept


def _name(table: Table, *, spreads: bool) -> str:
    columns = [[column.name, column.kind.value, column.sql_type, column.unit] for column in table.schema]
    text = json.dumps([_FORMAT, table.version, table.row_count, columns, spreads])
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _loaded(text: str | None, table: Table) -> TableProfile | None:
    """Return the profile that a text holds, nothing when it is absent or of another form."""
    try:
        facts = json.loads(text or "")
        columns = tuple(_column(column) for column in facts["columns"])
        preview = tuple(tuple(map(_value, row)) for row in facts["preview"])
    except (ValueError, KeyError, TypeError, ArithmeticError):
        return None
    if [column.name for column in columns] != [column.name for column in table.schema]:
        return None
    exact = not any(column.approximate for column in columns)
    return TableProfile(
        rows=table.row_count, cols=len(columns), columns=columns, preview=preview, exact=exact
    )


def _column(found: dict[str, Any]) -> ColumnProfile:
    values = {name: _value(found.pop(name)) for name in ("min", "max")}
    spread = found.pop("spread")
    return ColumnProfile(
        **{
            **found,
            **values,
            "kind": ColumnKind(found["kind"]),
            "approximate": tuple(found["approximate"]),
            "spread": _spread(*spread) if spread is not None else None,
            "top_values": tuple((_value(value), int(count)) for value, count in found["top_values"]),
        }
    )


def _spread(start: Any, width: float, counts: list[int]) -> Spread:
    return Spread(start=_value(start), width=float(width), counts=tuple(counts))


def _value(plain: Any) -> Value:
    if isinstance(plain, list):
        kind, text = plain
        return _READ[kind](text)
    return plain  # type: ignore[no-any-return]  # as JSON keeps it


def _text(profile: TableProfile) -> str | None:
    """Return a profile as text; None when one of its cells is of a type that is not kept."""
    fields = (
        *("name", "kind", "sql_type", "unit", "nulls", "distinct"),
        *("min", "max", "mean", "median", "std"),
    )
    try:
        columns = [
            {
                **{name: _plain(getattr(column, name)) for name in fields},
                "approximate": column.approximate,
                "spread": _listed(column.spread),
                "top_values": [[_plain(value), count] for value, count in column.top_values],
            }
            for column in profile.columns
        ]
        preview = [[_plain(value) for value in row] for row in profile.preview]
    except TypeError:
        return None
    return json.dumps({"columns": columns, "preview": preview}, ensure_ascii=False)


def _listed(spread: Spread | None) -> list[Any] | None:
    return None if spread is None else [_plain(spread.start), spread.width, list(spread.counts)]


def _plain(value: Any) -> Any:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return ["decimal", str(value)]
        case dt.datetime():
            return ["datetime", value.isoformat()]
        case dt.date():
            return ["date", value.isoformat()]
        case dt.time():
            return ["time", value.isoformat()]
        case _:
            message = f"{type(value).__name__} is not kept"
            raise TypeError(message)
