"""The same edits in pandas, and the same counts from an independent comparison of two frames."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

Cell = Any
Frame = pd.DataFrame
"""Object columns with None for missing cells; the index holds the row numbers."""


@dataclass(frozen=True)
class Condition:
    """A condition as the edits write it, and as a function of one row; None stands for null."""

    text: str
    holds: Callable[[dict[str, Cell]], bool | None]


@dataclass(frozen=True)
class Applied:
    """A frame and what is known of its columns."""

    frame: Frame
    kinds: dict[str, str]


def frame_of(rows: list[tuple[Cell, ...]], names: list[str]) -> Frame:
    frame = pd.DataFrame({name: pd.Series(dtype=object) for name in names})
    if rows:
        frame = pd.DataFrame([list(row) for row in rows], columns=names, dtype=object)
    frame.index = pd.Index(range(1, len(rows) + 1))
    return frame.astype(object).where(frame.notna(), None)


def mask(frame: Frame, condition: Condition | None) -> list[bool]:
    """Rows for which the condition is true, neither false nor null."""
    if condition is None:
        return [True] * len(frame)
    names = list(frame.columns)
    rows = (dict(zip(names, row, strict=True)) for row in frame.itertuples(index=False, name=None))
    return [condition.holds(row) is True for row in rows]


def with_cells(frame: Frame, name: str, cells: list[Cell]) -> Frame:
    return frame.assign(**{name: pd.Series(cells, index=frame.index, dtype=object)})


def written(frame: Frame, name: str, chosen: list[bool], values: list[Cell]) -> Frame:
    old = list(frame[name])
    cells = [new if take else was for new, was, take in zip(values, old, chosen, strict=True)]
    return with_cells(frame, name, cells)


def rows_of(frame: Frame) -> list[tuple[Cell, ...]]:
    return [
        (index, *row)
        for index, row in zip(frame.index, frame.itertuples(index=False, name=None), strict=True)
    ]


def differs(before: Cell, after: Cell, kinds: tuple[str, str]) -> bool:
    if before is None or after is None:
        return before is not after
    numeric = {"int", "float"}
    days = {"date", "datetime"}
    if kinds[0] != kinds[1] and not (set(kinds) <= numeric or set(kinds) <= days):
        return True
    return bool(as_time(before) != as_time(after))


def as_time(value: Cell) -> Cell:
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return dt.datetime.combine(value, dt.time())
    return value


def diff(before: Applied, after: Applied, renamed: dict[str, str]) -> dict[str, Any]:
    """Compare two frames by their indexes and columns, cell by cell."""
    old, new = before.frame, after.frame
    pairs = [(name, renamed.get(name, name)) for name in old.columns]
    pairs = [(was, now) for was, now in pairs if now in new.columns]
    common = [index for index in old.index if index in set(new.index)]
    cells = [
        {"row": index, "column": now, "before": was_cell, "after": now_cell}
        for index in common
        for was, now in pairs
        for was_cell, now_cell in [(old.loc[index, was], new.loc[index, now])]
        if differs(was_cell, now_cell, (before.kinds[was], after.kinds[now]))
    ]
    kept = {now for _, now in pairs}
    return {
        "rows_before": len(old),
        "rows_after": len(new),
        "added_rows": len(set(new.index) - set(old.index)),
        "removed_rows": len(set(old.index) - set(new.index)),
        "added_columns": [name for name in new.columns if name not in kept],
        "removed_columns": [name for name in old.columns if name not in {was for was, _ in pairs}],
        "renamed_columns": {was: now for was, now in renamed.items() if was != now},
        "changed_cells_count": len(cells),
        "changed_cells": cells[:20],
    }
