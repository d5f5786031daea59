"""Dates and times: their parts, their beginnings and what lies between them, as DuckDB counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.trees import (
    TEMPORAL,
    Kind,
    binary,
    call,
    cast,
    double,
    kind_of,
    micros,
    number,
    paren,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.backends.spark.sql.trees import Translate

_SECOND: Final = 1_000_000
_MICROS: Final = {
    "MICROSECOND": 1,
    "MILLISECOND": 1_000,
    "SECOND": _SECOND,
    "MINUTE": 60 * _SECOND,
    "HOUR": 3_600 * _SECOND,
    "DAY": 86_400 * _SECOND,
}
_PARTS: Final = {
    "YEAR": "YEAR",
    "QUARTER": "QUARTER",
    "MONTH": "MONTH",
    "DAY": "DAYOFMONTH",
    "DAYOFMONTH": "DAYOFMONTH",
    "HOUR": "HOUR",
    "MINUTE": "MINUTE",
    "WEEK": "WEEKOFYEAR",
    "DOY": "DAYOFYEAR",
    "DAYOFYEAR": "DAYOFYEAR",
}
_FORMATS: Final = {
    "%Y": "yyyy",
    "%m": "MM",
    "%d": "dd",
    "%H": "HH",
    "%M": "mm",
    "%S": "ss",
    "%B": "MMMM",
    "%b": "MMM",
    "%A": "EEEE",
    "%a": "EEE",
    "%j": "DDD",
    "%y": "yy",
}
_STEPS: Final = re.compile(r"(%.?)|([^%]+)", re.DOTALL)
_TRUNCATED: Final = frozenset({"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"})
_MONTHS: Final = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}


def _unit(node: exp.Expr | None) -> str:
    return node.name.upper().removesuffix("S") if isinstance(node, exp.Expr) else ""


def part(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    """Return the translation of a part of a date by Spark's own name."""

    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        return call(name, go(node.this))

    return build


def _iso_day(node: exp.Expr, go: Translate) -> exp.Expr:
    return paren(binary(exp.Add, call("WEEKDAY", go(node.this)), exp.Literal.number(1)))


def _day_of_week(node: exp.Expr, go: Translate) -> exp.Expr:
    return paren(binary(exp.Sub, call("DAYOFWEEK", go(node.this)), exp.Literal.number(1)))


def _named(pattern: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        return call("DATE_FORMAT", go(node.this), pattern)

    return build


def _extract(node: exp.Expr, go: Translate) -> exp.Expr:
    unit, operand = _unit(node.this), node.args["expression"]
    if unit in _PARTS:
        return call(_PARTS[unit], go(operand))
    if unit in {"ISODOW", "DOW", "DAYOFWEEK"}:
        whole = (
            exp.DayOfWeekIso(this=operand.copy()) if unit == "ISODOW" else exp.DayOfWeek(this=operand.copy())
        )
        return (_iso_day if unit == "ISODOW" else _day_of_week)(whole, go)
    if unit == "EPOCH":
        return _epoch(exp.TimeToUnix(this=operand), go)
    raise not_on_spark(f"The part {unit.lower()!r} of a date")


def _epoch(node: exp.Expr, go: Translate) -> exp.Expr:
    return paren(binary(exp.Div, double(micros(go(node.this))), number(float(_SECOND))))


def _formatted(node: exp.Expr, go: Translate) -> exp.Expr:
    given = node.args["format"]
    if not isinstance(given, exp.Literal):
        raise not_on_spark("strftime() with a format that is not constant")
    made = ""
    for step, letters in _STEPS.findall(given.this):
        if step and step not in _FORMATS:
            raise not_on_spark(f"strftime() with {step!r}")
        made += _FORMATS[step] if step else "'" + letters.replace("'", "''") + "'"
    return call("DATE_FORMAT", go(node.this), made)


def _truncated(node: exp.Expr, go: Translate) -> exp.Expr:
    unit = _unit(node.args.get("unit"))
    if unit not in _TRUNCATED:
        raise not_on_spark(f"date_trunc() to {unit.lower()!r}")
    return cast(call("DATE_TRUNC", unit, go(node.this)), "TIMESTAMP")


def _bucket(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return the beginning of a bucket of some minutes or hours; a day holds a whole number of them."""
    width = node.this
    # `INTERVAL '15 minutes'` and `INTERVAL '15' MINUTE` are the same.
    amount, _, written = width.this.name.partition(" ") if isinstance(width, exp.Interval) else ("", "", "")
    unit = (
        _unit(width.args.get("unit")) or written.upper().removesuffix("S")
        if isinstance(width, exp.Interval)
        else ""
    )
    size = int(amount) * _MICROS.get(unit, 0) if amount.isdigit() else 0
    if not size or _MICROS["DAY"] % size or node.args.get("zone"):
        raise not_on_spark("time_bucket() by parts that do not divide a day")
    at = micros(go(node.args["expression"]))
    start = exp.Sub(this=at, expression=call("PMOD", at.copy(), exp.Literal.number(size)))
    return cast(call("TIMESTAMP_MICROS", start), "TIMESTAMP")


def _difference(node: exp.Expr, go: Translate) -> exp.Expr:
    unit = _unit(node.args.get("unit")) or "DAY"
    end, start = go(node.this), go(node.args["expression"])
    if unit == "DAY":
        return call("DATEDIFF", cast(end, "DATE"), cast(start, "DATE"))
    if unit in _MONTHS:
        return paren(binary(exp.Sub, _months(end, unit), _months(start, unit)))
    if unit == "WEEK":
        # Whole weeks between them, not Mondays.
        days = call("DATEDIFF", cast(end, "DATE"), cast(start, "DATE"))
        return paren(exp.IntDiv(this=days, expression=exp.Literal.number(7)))
    if unit not in _MICROS:
        raise not_on_spark(f"date_diff() in {unit.lower()!r}")
    size = exp.Literal.number(_MICROS[unit])
    edges = [binary(exp.Sub, at, call("PMOD", at.copy(), size.copy())) for at in (micros(end), micros(start))]
    return paren(exp.IntDiv(this=paren(binary(exp.Sub, *edges)), expression=size))


def _months(at: exp.Expr, unit: str) -> exp.Expr:
    """Return the number of a month, quarter or year, counted without a gap."""
    year = call("YEAR", at)
    if unit == "YEAR":
        return year
    name, per_year = ("MONTH", 12) if unit == "MONTH" else ("QUARTER", 4)
    return binary(exp.Add, binary(exp.Mul, year, exp.Literal.number(per_year)), call(name, at.copy()))


def interval(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return an interval of days or months, or of hours and less."""
    if isinstance(node, exp.ToDays):
        return call("MAKE_DT_INTERVAL", call("INT", go(node.this)))
    value, unit = node.this, _unit(node.args.get("unit"))
    if isinstance(value, exp.Literal) and not unit:
        amount, _, unit = value.this.partition(" ")
        value, unit = exp.Literal.number(amount), unit.upper().removesuffix("S")
    count = exp.Literal.number(value.this) if isinstance(value, exp.Literal) else go(value)
    if unit in _MONTHS:
        return call(
            "MAKE_YM_INTERVAL", 0, call("INT", binary(exp.Mul, count, exp.Literal.number(_MONTHS[unit])))
        )
    if unit in {"DAY", "WEEK"}:
        days = binary(exp.Mul, count, exp.Literal.number(7)) if unit == "WEEK" else count
        return call("MAKE_DT_INTERVAL", call("INT", days))
    places = {"HOUR": (0,), "MINUTE": (0, 0), "SECOND": (0, 0, 0)}
    if unit not in places:
        raise not_on_spark(f"An interval in {unit.lower()!r}")
    return call("MAKE_DT_INTERVAL", *places[unit], count)


def moved(node: exp.Expr, go: Translate) -> exp.Expr | None:
    """Return a date with an interval or days added or taken away; nothing where no date is moved."""
    left, right = node.this, node.args["expression"]
    kinds = kind_of(left), kind_of(right)
    if Kind.INTERVAL in kinds and TEMPORAL.intersection(kinds):
        sides = [
            cast(go(side), "TIMESTAMP") if kind is Kind.DATE else go(side)
            for side, kind in zip((left, right), kinds, strict=True)
        ]
        return type(node)(this=sides[0], expression=sides[1])
    if isinstance(node, exp.Sub) and kinds == (Kind.DATE, Kind.DATE):
        return call("DATEDIFF", go(left), go(right))
    if isinstance(node, exp.Sub) and TEMPORAL.issuperset(kinds):
        raise not_on_spark("The interval between two times", "Take date_diff('second', a, b).")
    if Kind.INTERVAL in kinds or (TEMPORAL.intersection(kinds) and Kind.DATE not in kinds):
        raise not_on_spark("Arithmetic of intervals")
    return None


CALENDAR: Final[Mapping[type[exp.Expr], Callable[[exp.Expr, Translate], exp.Expr]]] = {
    exp.Year: part("YEAR"),
    exp.Quarter: part("QUARTER"),
    exp.Month: part("MONTH"),
    exp.Day: part("DAYOFMONTH"),
    exp.DayOfMonth: part("DAYOFMONTH"),
    exp.DayOfYear: part("DAYOFYEAR"),
    exp.Hour: part("HOUR"),
    exp.Minute: part("MINUTE"),
    exp.Week: part("WEEKOFYEAR"),
    exp.WeekOfYear: part("WEEKOFYEAR"),
    exp.DayOfWeekIso: _iso_day,
    exp.DayOfWeek: _day_of_week,
    exp.Dayname: _named("EEEE"),
    exp.Monthname: _named("MMMM"),
    exp.Extract: _extract,
    exp.TimeToUnix: _epoch,
    exp.TimeToStr: _formatted,
    exp.TimestampTrunc: _truncated,
    exp.DateTrunc: _truncated,
    exp.DateBin: _bucket,
    exp.DateDiff: _difference,
    exp.Interval: interval,
    exp.ToDays: interval,
}
