"""Random edits that suit a table, each with what it does in pandas."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from hypothesis import strategies as st

from tests.engine.edits.mirror import Applied, Condition, mask, with_cells, written

TEXTS = ["x", "Ω мега", "it's", 'say "hi"', "", "12"]
SCHEMA = {"n": "int", "ціна": "float", "a b": "text", 'q"x': "bool", "when": "date"}

CELLS: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(-3, 3),
    "float": st.integers(-6, 6).map(lambda half: half / 2),
    "text": st.sampled_from(TEXTS),
    "bool": st.booleans(),
    "date": st.integers(0, 3).map(lambda days: dt.date(2024, 2, 28) + dt.timedelta(days)),
    "datetime": st.integers(0, 3).map(
        lambda days: dt.datetime.fromisoformat("2024-02-28T12:00") + dt.timedelta(days)
    ),
}
ROWS = st.lists(st.tuples(*(st.none() | CELLS[kind] for kind in SCHEMA.values())), max_size=12)


@dataclass(frozen=True)
class Move:
    """An edit as JSON, and the frame that it makes."""

    edit: dict[str, Any]
    after: Applied
    renamed: dict[str, str] = field(default_factory=dict)


def named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def written_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    return "'" + str(json_cell(value)).replace("'", "''") + "'"


def json_cell(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, dt.date) else value


@st.composite
def conditions(draw: st.DrawFn, kinds: dict[str, str]) -> Condition:
    name = draw(st.sampled_from(sorted(kinds)))
    if draw(st.booleans()):
        return Condition(f"{named(name)} is null", lambda row: row[name] is None)
    value = draw(CELLS[kinds[name]])
    if draw(st.booleans()):
        text = f"not ({named(name)} == {written_value(value)})"
        return Condition(text, lambda row: None if row[name] is None else row[name] != value)
    if kinds[name] == "bool":
        return Condition(named(name), lambda row: row[name])
    text = f"{named(name)} >= {written_value(value)}"
    if kinds[name] == "text":
        return Condition(f"{named(name)} == {written_value(value)}", lambda row: equal(row[name], value))
    return Condition(text, lambda row: None if row[name] is None else row[name] >= value)


def equal(cell: Any, value: Any) -> bool | None:
    return None if cell is None else cell == value


@st.composite
def moves(draw: st.DrawFn, before: Applied) -> Move:
    operation = draw(st.sampled_from(sorted(OPERATIONS)))
    move: Move = OPERATIONS[operation](draw, before)
    return move


def _delete(draw: st.DrawFn, before: Applied) -> Move:
    condition = draw(conditions(before.kinds))
    kept = [not gone for gone in mask(before.frame, condition)]
    frame = before.frame.loc[pd.Series(kept, index=before.frame.index, dtype=bool)]
    return Move({"operation": "delete_rows", "where": condition.text}, Applied(frame, before.kinds))


def _update(draw: st.DrawFn, before: Applied) -> Move:
    name = draw(st.sampled_from(sorted(before.kinds)))
    condition = draw(st.none() | conditions(before.kinds))
    chosen = mask(before.frame, condition)
    value = draw(st.none() | CELLS[before.kinds[name]])
    edit: dict[str, Any] = {"operation": "update", "set": {name: "null"}}
    values = [value] * len(before.frame)
    if value is not None:
        edit["set"] = {name: written_value(value)}
    if before.kinds[name] in {"int", "float"} and draw(st.booleans()):
        edit["set"] = {name: f"{named(name)} * 2 + 1"}
        values = [None if cell is None else cell * 2 + 1 for cell in before.frame[name]]
    if condition is not None:
        edit["where"] = condition.text
    return Move(edit, Applied(written(before.frame, name, chosen, values), before.kinds))


def _add(draw: st.DrawFn, before: Applied) -> Move:
    source = draw(st.sampled_from(sorted(before.kinds)))
    name = f"нова {len(before.kinds)}-{draw(st.integers(0, 99))}"
    if name in before.kinds:
        name += "'"
    frame = with_cells(before.frame, name, [cell is None for cell in before.frame[source]])
    edit = {"operation": "add_column", "name": name, "expression": f"{named(source)} is null"}
    return Move(edit, Applied(frame, {**before.kinds, name: "bool"}))


def _drop(draw: st.DrawFn, before: Applied) -> Move:
    names = draw(st.lists(st.sampled_from(list(before.kinds)), min_size=1, max_size=2, unique=True))
    names = names[: max(len(before.kinds) - 1, 1)]
    if len(before.kinds) == 1:
        return _delete(draw, before)
    kinds = {name: kind for name, kind in before.kinds.items() if name not in names}
    frame = before.frame.drop(columns=names)
    return Move({"operation": "drop_columns", "columns": names}, Applied(frame, kinds))


def _rename(draw: st.DrawFn, before: Applied) -> Move:
    names = list(before.kinds)
    first, last = names[0], names[-1]
    renamed = {first: f"{first}°"} if first == last or draw(st.booleans()) else {first: last, last: first}
    kinds = {renamed.get(name, name): kind for name, kind in before.kinds.items()}
    frame = before.frame.rename(columns=renamed)
    return Move({"operation": "rename_columns", "names": renamed}, Applied(frame, kinds), renamed)


CASTS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("int", "text"): str,
    ("int", "float"): float,
    ("bool", "int"): int,
    ("bool", "text"): lambda cell: str(cell).lower(),
    ("date", "datetime"): lambda cell: dt.datetime.combine(cell, dt.time()),
    ("date", "text"): lambda cell: cell.isoformat(),
    ("datetime", "date"): lambda cell: cell.date(),
}


def _cast(draw: st.DrawFn, before: Applied) -> Move:
    ways = [(name, to) for name, kind in before.kinds.items() for frm, to in CASTS if frm == kind]
    if not ways:
        return _delete(draw, before)
    name, to = draw(st.sampled_from(ways))
    convert = CASTS[before.kinds[name], to]
    cells = [None if cell is None else convert(cell) for cell in before.frame[name]]
    edit = {"operation": "cast", "column": name, "type": to}
    return Move(edit, Applied(with_cells(before.frame, name, cells), {**before.kinds, name: to}))


def _fill(draw: st.DrawFn, before: Applied) -> Move:
    name = draw(st.sampled_from(sorted(before.kinds)))
    condition = draw(st.none() | conditions(before.kinds))
    cells = before.frame[name]
    present = [cell for cell in cells if cell is not None]
    method = draw(
        st.sampled_from(["value", "previous", "next", *(["min", "max", "mode"] if present else [])])
    )
    edit: dict[str, Any] = {"operation": "fill_missing", "columns": [name], "method": method}
    match method:
        case "value":
            value = draw(CELLS[before.kinds[name]])
            edit = {"operation": "fill_missing", "columns": [name], "value": json_cell(value)}
            values = [value] * len(cells)
        case "previous" | "next":
            moved = cells.ffill() if method == "previous" else cells.bfill()
            values = list(moved.astype(object).where(moved.notna(), None))
        case "mode":
            counts = pd.Series(present, dtype=object).map(str).value_counts()
            best = [cell for cell in present if counts[str(cell)] == counts.max()]
            values = [min(best)] * len(cells)
        case _:
            values = [min(present) if method == "min" else max(present)] * len(cells)
    if condition is not None:
        edit["where"] = condition.text
    chosen = [
        cell is None and holds for cell, holds in zip(cells, mask(before.frame, condition), strict=True)
    ]
    return Move(edit, Applied(written(before.frame, name, chosen, values), before.kinds))


def _replace(draw: st.DrawFn, before: Applied) -> Move:
    name = draw(st.sampled_from(sorted(before.kinds)))
    cell = st.none() | CELLS[before.kinds[name]]
    pairs = draw(st.lists(st.tuples(cell, cell), min_size=1, max_size=3, unique_by=lambda pair: pair[0]))
    mapping = dict(pairs)
    cells = [mapping.get(value, value) for value in before.frame[name]]
    values = [{"from": json_cell(was), "to": json_cell(now)} for was, now in pairs]
    edit = {"operation": "replace_values", "column": name, "values": values}
    return Move(edit, Applied(with_cells(before.frame, name, cells), before.kinds))


def _deduplicate(draw: st.DrawFn, before: Applied) -> Move:
    names = draw(st.lists(st.sampled_from(list(before.kinds)), max_size=2, unique=True))
    keep: Any = draw(st.sampled_from(["first", "last"]))
    frame = before.frame.drop_duplicates(subset=names or None, keep=keep)
    edit = {"operation": "deduplicate", "keep": keep, **({"columns": names} if names else {})}
    return Move(edit, Applied(frame, before.kinds))


OPERATIONS: dict[str, Callable[[st.DrawFn, Applied], Move]] = {
    "delete_rows": _delete,
    "update": _update,
    "add_column": _add,
    "drop_columns": _drop,
    "rename_columns": _rename,
    "cast": _cast,
    "fill_missing": _fill,
    "replace_values": _replace,
    "deduplicate": _deduplicate,
}
