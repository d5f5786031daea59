"""Rows in the order of time: which column of a result tells its periods, and the rows of some groups along it."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.selection import FEW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View, Wanted
    from tabchat.engine.types import Value

_PERIOD: Final = re.compile(r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?")


def time_key(view: View) -> str | None:
    """Return the only key of a small frame whose labels are years, quarters, months or days."""
    if view.is_single or view.held is None or not view.row_count:
        return None
    keys = [key for key in view.keys if all(_is_period(value) for value in view.labels(key))]
    return keys[0] if len(keys) == 1 else None


def in_time(selection: Selection, key: str) -> list[Mapping[str, Value]]:
    """Return the rows of a selection in the order of time; none where two are of one period."""
    if selection.count > FEW or selection.distinct(key) != selection.count:
        return []
    return sorted(selection.rows(), key=lambda row: str(row[key]))


def rows_of(rows: Sequence[Mapping[str, Value]], key: str, wanted: Wanted) -> list[Mapping[str, Value]]:
    """Return those rows whose period is wanted."""
    if isinstance(wanted, frozenset):
        return [row for row in rows if row[key] in wanted]
    low, high = wanted
    return [row for row in rows if isinstance(day := _day(row[key]), dt.date) and low <= day <= high]


def _day(value: Value) -> Value:
    return value.date() if isinstance(value, dt.datetime) else value


def _is_period(value: Value) -> bool:
    return isinstance(value, dt.date) or (
        isinstance(value, int | str) and _PERIOD.fullmatch(str(value)) is not None
    )
