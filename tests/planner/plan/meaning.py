"""What an intent means, evaluated in plain Python over a list of records: an independent reading of every output."""

from __future__ import annotations

import calendar
import datetime as dt
import math
import statistics
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabchat.planner.intent import AnyOf, Operator, Output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tabchat.planner.intent import Clause, Condition, Having, Intent, Key, Measure, Order, Period

Record = dict[str, Any]


def meaning(intent: Intent, records: Sequence[Record]) -> list[tuple[Any, ...]]:  # noqa: C901, PLR0911, PLR0912 - a case each
    """Return the rows of the answer; those of ROWS are whole records."""
    kept = [row for row in records if in_scope(row, intent, records)]
    match intent.output:
        case Output.EXISTS:
            return [(bool(kept), len(kept))]
        case Output.VALUE:
            if intent.keys:
                groups = _groups(kept, intent)
                return [
                    (len([group for group in groups if None not in group[0] and _bounded(group[1], intent)]),)
                ]
            return [tuple(figure(measure, kept) for measure in intent.measures)]
        case Output.GROUPS:
            return _grouped(intent, kept)
        case Output.ROWS:
            return [tuple(row.values()) for row in _limited_rows(intent, kept)]
        case Output.HEAD:
            last = bool(intent.orders and intent.orders[0].descending)
            return [
                tuple(row.values())
                for row in (kept[-(intent.limit or 1) :] if last else kept[: intent.limit])
            ]
        case Output.VALUES:
            found = {tuple(row[name] for name in intent.columns) for row in kept}
            return [
                (*cells, len([row for row in kept if tuple(row[name] for name in intent.columns) == cells]))
                for cells in found
                if any(cell is not None for cell in cells)
            ]
        case Output.COMPARISON:
            return [_compared(intent, kept, records)]
        case Output.CHANGE:
            return _changes(intent, kept)
        case Output.DUPLICATES:
            names = intent.columns or tuple(records[0])
            cells = [tuple(row[name] for name in names) for row in kept]
            return [(len(cells) - len(set(cells)),)]
        case Output.OUTLIERS:
            return [(len(_outliers(kept, intent.columns[0])),)]
        case Output.CORRELATION:
            return [(_correlation(kept, *intent.columns),)]
        case _:
            raise NotImplementedError(intent.output)


def in_scope(row: Record, intent: Intent, records: Sequence[Record]) -> bool:
    return meets_all(row, intent.clauses) and _in_periods(row, intent.periods, records)


def meets_all(row: Record, clauses: Iterable[Clause]) -> bool:
    return all(
        any(_meets(row, item) for item in clause.conditions)
        if isinstance(clause, AnyOf)
        else _meets(row, clause)
        for clause in clauses
    )


_PARTS: dict[str, Callable[[Any], int]] = {
    "year": lambda day: day.year,
    "quarter": lambda day: (day.month + 2) // 3,
    "month": lambda day: day.month,
    "weekday": lambda day: day.weekday(),
    "day": lambda day: day.day,
    "month_day": lambda day: day.month * 100 + day.day,
}


def _meets(row: Record, condition: Condition) -> bool:  # noqa: C901, PLR0911, PLR0912 - a case each
    cell = row[condition.column]
    if condition.operator is Operator.MISSING:
        return cell is None
    if cell is None:
        return False
    part: Callable[[Any], Any] = _PARTS[condition.part] if condition.part else lambda value: value
    values: list[Any] = [*condition.values]
    if condition.other is not None:
        if row[condition.other] is None:
            return False
        values = [part(row[condition.other])]
    cell = part(cell)
    match condition.operator:
        case Operator.PRESENT:
            return True
        case Operator.EQ | Operator.IN:
            return cell in values
        case Operator.NE | Operator.NOT_IN:
            return cell not in values
        case Operator.GT:
            return bool(cell > values[0])
        case Operator.GE:
            return bool(cell >= values[0])
        case Operator.LT:
            return bool(cell < values[0])
        case Operator.LE:
            return bool(cell <= values[0])
        case Operator.BETWEEN:
            return bool(values[0] <= cell <= values[1])
        case Operator.NOT_BETWEEN:
            return not values[0] <= cell <= values[1]
        case Operator.CONTAINS:
            return values[0].lower() in cell.lower()
        case Operator.NOT_CONTAINS:
            return values[0].lower() not in cell.lower()
        case Operator.STARTS:
            return bool(cell.lower().startswith(values[0].lower()))
        case _:
            return bool(cell.lower().endswith(values[0].lower()))


def _in_periods(row: Record, periods: Sequence[Period], records: Sequence[Record]) -> bool:
    columns = {period.column or "d" for period in periods}
    return all(
        any(
            _in_period(row[name], period, name, records)
            for period in periods
            if (period.column or "d") == name
        )
        for name in columns
    )


def _in_period(day: dt.date | None, period: Period, name: str, records: Sequence[Record]) -> bool:
    if day is None:
        return False
    start, end = span(period, max(row[name] for row in records if row[name] is not None))
    return (start is None or start <= day) and (end is None or day <= end)


def span(period: Period, last: dt.date) -> tuple[dt.date | None, dt.date | None]:
    unit = period.unit or "day"
    if period.count is not None:
        if unit == "day":
            return last - dt.timedelta(days=period.count - 1), last
        months = {"month": 1, "quarter": 3, "year": 12}.get(unit)
        if months is None:
            return last - dt.timedelta(days=7 * period.count - 1), last
        return _months_before(last, months * period.count) + dt.timedelta(days=1), last
    if period.ago is not None:
        return _unit(last, unit, period.ago)
    return period.start, period.end


def _unit(last: dt.date, unit: str, ago: int) -> tuple[dt.date, dt.date]:
    if unit == "day":
        return (last - dt.timedelta(days=ago),) * 2
    if unit == "week":
        monday = last - dt.timedelta(days=last.weekday() + 7 * ago)
        return monday, monday + dt.timedelta(days=6)
    length = {"month": 1, "quarter": 3, "year": 12}[unit]
    number = ((last.year * 12 + last.month - 1) // length - ago) * length
    end = number + length - 1
    last_day = calendar.monthrange(end // 12, end % 12 + 1)[1]
    return dt.date(number // 12, number % 12 + 1, 1), dt.date(end // 12, end % 12 + 1, last_day)


# Figures


def figure(measure: Measure, rows: Sequence[Record], everything: Sequence[Record] | None = None) -> Any:
    if measure.share:
        total = figure_of(measure, everything or rows)
        part = figure_of(measure, rows)
        return None if not total or part is None else part * 100 / total
    if measure.part:
        whole = figure_of(measure, rows)
        part = figure_of(measure, [row for row in rows if meets_all(row, measure.part)])
        if part is None and measure.function == "sum":
            part = 0
        return None if not whole or part is None else part * 100 / whole
    return figure_of(measure, rows)


def figure_of(measure: Measure, rows: Sequence[Record]) -> Any:
    if measure.per is not None:
        below = [row[measure.per] for row in rows if row[measure.per] is not None]
        things = measure.each or any(isinstance(cell, str) for cell in below)
        divisor = len(set(below)) if things else sum(below) if below else None
        above = len(rows) if measure.column is None else _sum(rows, measure.column)
        return None if not divisor or above is None else above / divisor * (100 if measure.percent else 1)
    if measure.less is not None:
        names = (measure.column, measure.less)
        one, other = (figure_of(replace(measure, column=name, less=None), rows) for name in names)
        return None if one is None or other is None else one - other
    if measure.column is None:
        return len(rows)
    cells = [row[measure.column] for row in rows if row[measure.column] is not None]
    if measure.function == "count":
        return len(cells)
    if measure.function == "count_distinct":
        return len(set(cells))
    return _aggregated(measure, cells) if cells else None


def _sum(rows: Sequence[Record], name: str) -> Any:
    cells = [row[name] for row in rows if row[name] is not None]
    return math.fsum(cells) if cells else None


def _aggregated(measure: Measure, cells: list[Any]) -> Any:  # noqa: C901, PLR0911 - a case each
    match measure.function:
        case "sum":
            return math.fsum(cells)
        case "mean":
            return math.fsum(cells) / len(cells)
        case "median":
            return statistics.median(cells)
        case "min":
            return min(cells)
        case "max":
            return max(cells)
        case "std":
            return statistics.stdev(cells) if len(cells) > 1 else None
        case "var":
            return statistics.variance(cells) if len(cells) > 1 else None
        case "percentile":
            return quantile(cells, measure.parameter or 0)
        case "mode":
            return min(cells, key=lambda cell: (-cells.count(cell), cell))
        case "range":
            return (
                (max(cells) - min(cells)).days if isinstance(cells[0], dt.date) else max(cells) - min(cells)
            )
        case _:
            raise NotImplementedError(measure.function)


def quantile(cells: Sequence[float], fraction: float) -> float:
    ordered = sorted(cells)
    place = fraction * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


# Groups


def key_of(row: Record, key: Key) -> Any:  # noqa: C901, PLR0911 - a case each
    cell = row[key.column or "d"]
    if cell is None:
        return None
    if key.width is not None:
        return math.floor(cell / key.width) * key.width
    match key.unit:
        case None:
            return cell
        case "year":
            return cell.year
        case "quarter":
            return f"{cell.year}-Q{(cell.month + 2) // 3}"
        case "month":
            return f"{cell:%Y-%m}"
        case "week":
            return cell - dt.timedelta(days=cell.weekday())
        case "day":
            return cell
        case "month_name":
            return calendar.month_name[cell.month]
        case "quarter_name":
            return f"Q{(cell.month + 2) // 3}"
        case "weekday":
            return calendar.day_name[cell.weekday()]
        case _:
            return cell.year // 10 * 10


def _groups(rows: Sequence[Record], intent: Intent) -> list[tuple[tuple[Any, ...], list[Record]]]:
    found: dict[tuple[Any, ...], list[Record]] = {}
    for row in rows:
        found.setdefault(tuple(key_of(row, key) for key in intent.keys), []).append(row)
    return [*found.items()]


def _bounded(rows: Sequence[Record], intent: Intent) -> bool:
    return all(_within(figure(bound.measure, rows), bound) for bound in intent.having)


def _within(value: Any, bound: Having) -> bool:
    if value is None:
        return False
    signs: dict[Operator, bool] = {
        Operator.GT: value > bound.values[0],
        Operator.GE: value >= bound.values[0],
        Operator.LT: value < bound.values[0],
        Operator.LE: value <= bound.values[0],
        Operator.EQ: value == bound.values[0],
        Operator.NE: value != bound.values[0],
        Operator.BETWEEN: bound.values[0] <= value <= bound.values[-1],
    }
    return signs[bound.operator]


def _grouped(intent: Intent, kept: Sequence[Record]) -> list[tuple[Any, ...]]:
    """Return the groups; with ties and limits those whose place among the others is early enough."""
    made = [
        (*key, *(figure(measure, rows, kept) for measure in intent.measures))
        for key, rows in _groups(kept, intent)
        if _bounded(rows, intent)
    ]
    if intent.having:
        made = [row for row in made if None not in row[: len(intent.keys)]]
    if intent.limit is None:
        return made
    order = intent.orders[0]
    place = len(intent.keys) + order.measure
    made = [row for row in made if None not in row[: len(intent.keys)] and row[place] is not None]
    parts = [next(at for at, item in enumerate(intent.keys) if item == key) for key in intent.limit_keys]
    return _best(
        made, lambda row: row[place], order, intent.limit, lambda row: tuple(row[at] for at in parts)
    )


def _best(
    rows: Sequence[Any], cell: Callable[[Any], Any], order: Order, limit: int, part: Callable[[Any], Any]
) -> list[Any]:
    """Return the rows that fewer than `limit` others of their part are better than."""
    return [
        row
        for row in rows
        if sum(
            1
            for other in rows
            if part(other) == part(row)
            and (cell(other) > cell(row) if order.descending else cell(other) < cell(row))
        )
        < limit
    ]


def _limited_rows(intent: Intent, kept: Sequence[Record]) -> list[Record]:
    if intent.limit is None:
        return [*kept]
    order = intent.orders[0]
    name = str(order.column)
    ranked = [row for row in kept if row[name] is not None]
    ranked = [row for row in ranked if all(key_of(row, key) is not None for key in intent.limit_keys)]
    return _best(
        ranked,
        lambda row: row[name],
        order,
        intent.limit,
        lambda row: tuple(key_of(row, key) for key in intent.limit_keys),
    )


# Comparisons and changes


def _compared(intent: Intent, kept: Sequence[Record], records: Sequence[Record]) -> tuple[Any, ...]:
    sides = [
        [
            row
            for row in kept
            if meets_all(row, side.clauses)
            and (side.period is None or _in_periods(row, (side.period,), records))
        ]
        for side in intent.sides
    ]
    found = [figure(intent.measures[0], rows) for rows in sides]
    if intent.comparison is None:
        return tuple(found)
    if intent.comparison == "which":
        least = bool(intent.orders) and not intent.orders[0].descending
        there = [value for value in found if value is not None]
        best = (min(there) if least else max(there)) if there else None
        names = [
            side.label
            for side, value in zip(intent.sides, found, strict=True)
            if best is not None and value == best
        ]
        return (", ".join(names), *found)
    return (*found, _difference(intent.comparison, *found))


def _difference(kind: str, one: Any, two: Any) -> Any:
    if one is None or two is None:
        return None
    if kind == "difference":
        return one - two
    if kind == "ratio":
        return one / two if two else None
    return (two - one) / one * 100 if one > 0 else None


def _changes(intent: Intent, kept: Sequence[Record]) -> list[tuple[Any, ...]]:
    groups = {key: rows for key, rows in _groups(kept, intent) if key[0] is not None}
    made = []
    for key in sorted(groups, key=lambda key: (key[0], repr(key[1:]))):
        now = figure(intent.measures[0], groups[key])
        earlier = sorted(other for other in groups if other[1:] == key[1:] and other[0] < key[0])
        if intent.against == "year":
            earlier = [other for other in earlier if other[0] == _year_before(key[0])]
        elif not _follows(earlier[-1:], key[0]):
            earlier = []
        before = figure(intent.measures[0], groups[earlier[-1]]) if earlier else None
        made.append((*key, now, _step(intent.change, before, now)))
    return made


def _follows(earlier: Sequence[tuple[Any, ...]], now: Any) -> bool:
    """Tell whether no year, quarter or month was left out between; of days a weekend may be."""
    return not earlier or isinstance(now, dt.date) or _number(str(now)) == _number(str(earlier[-1][0])) + 1


def _number(name: str) -> int:
    year, _, part = name.partition("-")
    return int(year) * (4 if part.startswith("Q") else 12 if part else 1) + int(part.lstrip("Q") or 0)


def _year_before(name: str) -> str:
    return f"{int(name[:4]) - 1:04d}{name[4:]}"


def _step(kind: str | None, before: Any, now: Any) -> Any:
    if before is None or now is None:
        return None
    if kind == "percent":
        return (now - before) / before * 100 if before > 0 else None
    return now - before


def _outliers(rows: Sequence[Record], name: str) -> list[Record]:
    cells = [row[name] for row in rows if row[name] is not None]
    if not cells:
        return []
    low, high = quantile(cells, 0.25), quantile(cells, 0.75)
    reach = 1.5 * (high - low)
    return [row for row in rows if row[name] is not None and not low - reach <= row[name] <= high + reach]


def _correlation(rows: Sequence[Record], one: str, two: str) -> float | None:
    pairs = [(row[one], row[two]) for row in rows if row[one] is not None and row[two] is not None]
    if len({a for a, _ in pairs}) < 2 or len({b for _, b in pairs}) < 2:
        return None
    return statistics.correlation([a for a, _ in pairs], [b for _, b in pairs])


def _months_before(day: dt.date, months: int) -> dt.date:
    """Return the same day of an earlier month, or that month's last one."""
    count = day.year * 12 + day.month - 1 - months
    first = dt.date(count // 12, count % 12 + 1, 1)
    following = dt.date((count + 1) // 12, (count + 1) % 12 + 1, 1)
    return min(first + dt.timedelta(days=day.day - 1), following - dt.timedelta(days=1))
