"""Numbers that stand for months and weekdays in the columns of SQL, with their names.

Plans say the names themselves (`dow=Fri`); SQL gives numbers, and each of its functions counts weekdays from another day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlglot import exp

    from tabchat.engine.result.result import Result

Names = dict[int, str]

_PART_FIRST: Final = frozenset({"date_part", "datepart"})

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_FROM_MONDAY: Final = dict(enumerate(_DAYS, start=1))
_FROM_SUNDAY: Final = dict(enumerate((_DAYS[-1], *_DAYS[:-1])))
_MONTHS: Final = dict(
    enumerate(
        (
            *("January", "February", "March", "April", "May", "June"),
            *("July", "August", "September", "October", "November", "December"),
        ),
        start=1,
    )
)
_PARTS: Final[Mapping[str, Names]] = {
    "month": _MONTHS,
    "mon": _MONTHS,
    "dayofweek": _FROM_SUNDAY,
    "weekday": _FROM_SUNDAY,
    "dow": _FROM_SUNDAY,
    "isodow": _FROM_MONDAY,
}
"""What DuckDB's functions, and its parts of dates, count."""


def calendar_numbers(result: Result) -> Mapping[str, Mapping[int, str]]:
    """Return column → number → name, for the columns of `result` that SQL computed as a month or a weekday."""
    text = result.sql.casefold()
    if result.plan is not None or not any(part in text for part in ("mon", "dow", "week")):
        return {}
    from sqlglot import exp, parse_one

    from tabchat.engine.sql.policy import DIALECT

    query = parse_one(result.sql, dialect=DIALECT)
    if not isinstance(query, exp.Query):
        return {}
    by_alias = dict(_computed(query))
    outermost = query.selects if isinstance(query, exp.Select) else ()
    found: dict[str, Names] = {}
    for column, projection in zip(result.frame.schema, outermost, strict=False):
        value = projection.unalias()
        named = by_alias.get(value.name.casefold()) if isinstance(value, exp.Column) else _named(value)
        if column.kind is ColumnKind.INTEGER and named is not None:
            found[column.name] = named
    return {} if any(item.is_star for item in outermost) else found


def _computed(query: exp.Expr) -> Iterator[tuple[str, Names | None]]:
    """Yield the names that SELECTs within `query` give to months and weekdays; nothing for a name of two meanings."""
    from sqlglot import exp

    given: dict[str, list[Names | None]] = {}
    for projection in (item for select in query.find_all(exp.Select) for item in select.expressions):
        if isinstance(projection, exp.Alias) and not isinstance(projection.this, exp.Column):
            given.setdefault(projection.alias.casefold(), []).append(_named(projection.this))
    for name, meanings in given.items():
        yield name, meanings[0] if all(meaning is meanings[0] for meaning in meanings) else None


def _named(value: exp.Expr) -> Names | None:
    """Return the names of the numbers that `value` gives."""
    from sqlglot import exp

    match value:
        case exp.Cast() | exp.Paren():
            return _named(value.this)
        case exp.Month():
            part = "month"
        case exp.DayOfWeek():
            part = "dayofweek"
        case exp.DayOfWeekIso():
            part = "isodow"
        case exp.Anonymous() if value.name.casefold() in _PART_FIRST and value.expressions:
            part = value.expressions[0].name
        case exp.Extract() | exp.Anonymous():
            part = value.name
        case _:
            part = ""
    return _PARTS.get(part.casefold())
