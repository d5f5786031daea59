"""A profile in words: one line a column, bounded, with ranges in units that read well."""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.cells import cell_text, joined, number_text, quoted
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.profile.profile import ColumnProfile, TableProfile
    from tabchat.engine.types import Row, Value

TEXT_LIMIT: Final = 1_000
"""Characters that the text of a profile may have."""

_PREVIEW_LIMIT: Final = 400
_REST_LIMIT: Final = 200
_LISTED: Final = 6
"""Values of a column that are listed."""
_FEW: Final = 20
"""A column with so few values is described by some of them, one with more by their number."""
_VALUE_LIMIT: Final = 30

_FAMILIES: Final[Sequence[Mapping[str, float]]] = (
    {"W": 1, "kW": 1e3, "MW": 1e6, "GW": 1e9, "TW": 1e12},
    {"Вт": 1, "кВт": 1e3, "МВт": 1e6, "ГВт": 1e9, "ТВт": 1e12},
    {"mg": 1e-3, "g": 1, "kg": 1e3, "t": 1e6, "kt": 1e9, "Mt": 1e12},
    {"мг": 1e-3, "г": 1, "кг": 1e3, "т": 1e6},
    {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15},
)
"""Units that are scaled, each family from small to large; `KB` is written `kB`."""

_BEFORE: Final = frozenset("$€£¥")
_TIGHT: Final = frozenset({"%", "‰", "°"})


def profile_text(
    profile: TableProfile, *, preview: bool, more: Sequence[str] = (), whole: bool = False
) -> str:
    """Return the text form of `profile`, at most 1,000 characters; `more` are columns that it does not describe.

    With `whole` it has every column, however long that is.
    """
    head = f"Found {profile.rows} records."
    rows = _preview_lines(profile, whole=whole) if preview else []
    if whole:
        return "\n".join((head, "COLUMN SUMMARY:", *map(_line, profile.columns), *rows))
    room = TEXT_LIMIT - len(head) - sum(len(line) + 1 for line in rows) - len("\nCOLUMN SUMMARY:")
    return "\n".join((head, "COLUMN SUMMARY:", *_column_lines(profile.columns, more, room), *rows))


def measured(value: float | Decimal, unit: str | None) -> str:
    """Write a number with its unit, scaled where the unit has larger and smaller ones: `5.2 GW`."""
    if unit is None:
        return number_text(value)
    if unit in _BEFORE:
        sign, size = ("-", -value) if value < 0 else ("", value)
        return f"{sign}{unit}{number_text(size)}"
    if unit in _TIGHT:
        return f"{number_text(value)}{unit}"
    family = next((family for family in _FAMILIES if _spelled(unit) in family), None)
    if family is None or not value:
        return f"{number_text(value)} {quoted(unit) if family is None else unit}"
    size = float(value) * family[_spelled(unit)]
    fitting = [name for name, factor in family.items() if abs(size) >= factor] or [next(iter(family))]
    return f"{number_text(size / family[fitting[-1]])} {fitting[-1]}"


def _spelled(unit: str) -> str:
    return "kB" if unit == "KB" else unit


def _column_lines(columns: Sequence[ColumnProfile], more: Sequence[str], room: int) -> list[str]:
    lines = list(map(_line, columns))
    if not more and sum(len(line) + 1 for line in lines) <= room:
        return lines
    kept: list[str] = []
    left = room - _REST_LIMIT - 1
    for line in lines:
        if len(line) + 1 > left:
            break
        left -= len(line) + 1
        kept.append(line)
    return [*kept, _rest_line([*(column.name for column in columns[len(kept) :]), *more])]


def _line(column: ColumnProfile) -> str:
    return f"  {quoted(column.name)}: {_described(column)}"


def _rest_line(names: Sequence[str]) -> str:
    """Name the columns that have no line of their own, as far as there is room."""
    head = f"  … +{len(names)} more columns: "
    return head + joined(map(quoted, names), _REST_LIMIT - len(head), "columns")


def _described(column: ColumnProfile) -> str:
    missing = f"; {column.nulls:,} missing" if column.nulls else ""
    return f"{_values(column)}{missing}"


def _values(column: ColumnProfile) -> str:
    if column.distinct == 0:
        return "no values"
    if column.lists_all_values and column.distinct == 1:
        return f"single value {_value(column, column.top_values[0][0])}"
    if column.min is not None and column.max is not None:
        return _range(column)
    listed = [cell_text(value) for value, _ in column.top_values[:_LISTED]]
    number = f"{'' if column.distinct_is_exact else '~'}{column.distinct:,} unique values"
    short = bool(listed) and all(len(text) <= _VALUE_LIMIT for text in listed)
    if not short or column.distinct > _FEW or not column.distinct_is_exact or column.kind is ColumnKind.OTHER:
        return number
    if column.distinct > len(listed):
        return f"{', '.join(listed)} … ({number})"
    return ", ".join(listed)


def _range(column: ColumnProfile) -> str:
    span = f"ranges from {_value(column, column.min)} to {_value(column, column.max)}"
    if column.mean is None:
        return span
    return f"{span}, mean {_value(column, column.mean)}"


def _value(column: ColumnProfile, value: Value) -> str:
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return measured(value, column.unit)
    return cell_text(value)


def _preview_lines(profile: TableProfile, *, whole: bool) -> list[str]:
    if not profile.preview:
        return []
    names = [quoted(column.name) for column in profile.columns]
    lines = [f"PREVIEW (first {len(profile.preview)} rows):"]
    each = (_PREVIEW_LIMIT - len(lines[0])) // len(profile.preview)
    lines += [_preview_line(names, row, sys.maxsize if whole else each) for row in profile.preview]
    return lines


def _preview_line(names: Sequence[str], row: Row, limit: int) -> str:
    fields = [f"{name}={cell_text(value)}" for name, value in zip(names, row, strict=True)]
    return f"  {joined(fields, limit - 3, 'columns')}"
