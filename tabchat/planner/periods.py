"""Time in a question: months, quarters, years, ranges and relative periods become `Period` nodes."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.calendar_days import pinned, read_days
from tabchat.planner.decades import decade_of
from tabchat.planner.nodes import Match, Node, Period, match_at, replaced
from tabchat.planner.period_pairs import (
    DAY,
    either,
    end_of,
    in_year,
    inside,
    listed_parts,
    longer,
    month_of,
    open_ended,
    part_number,
    quarter_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.scene import Scene

_FIRST_YEAR: Final = 1500
_LAST_YEAR: Final = 2200
_UNITS: Final = ("year", "quarter", "month", "week", "day")
_RELATIVE_UNITS: Final = frozenset(_UNITS)


def year_of(node: Node | None) -> int | None:
    """Return the year that a bare number can stand for."""
    if node is None or node.sense is None or node.sense.number is None or node.sense.percent:
        return None
    number = node.sense.number
    if node.sense.concepts:
        # `2000 seconds` are no year.
        return None
    plain = number.is_integer() and _FIRST_YEAR <= number <= _LAST_YEAR and len(node.text) == 4  # noqa: PLR2004 - four digits make a year
    return int(number) if plain else None


def whole_year(year: int) -> Period:
    """Return a calendar year."""
    return Period(text=str(year), start=dt.date(year, 1, 1), end=dt.date(year, 12, 31), level="year")


def _half(year: int, half: int) -> Period:
    first, last = month_of(year, half * 6 - 5), month_of(year, half * 6)
    return Period(text=f"{year}-H{half}", start=first.start, end=last.end, level="quarter")


def _concept_number(node: Node, prefix: str) -> int | None:
    found = node.sense.family(prefix) if node.sense is not None and node.has(prefix) else None
    return int(found) if found is not None else None


def _atom_month_year(match: Match) -> Period | None:
    year, month = year_of(match["year"]), _concept_number(match["month"], "month.")
    return month_of(year, month) if year and month else None


def _atom_quarter_year(match: Match) -> Period | None:
    year, quarter = year_of(match["year"]), _concept_number(match["quarter"], "quarter.")
    return quarter_of(year, quarter) if year and quarter else None


def _atom_half_year(match: Match) -> Period | None:
    year = year_of(match["year"])
    return _half(year, 1 if match["half"].has("half.first") else 2) if year else None


def _atom_day(match: Match) -> Period | None:
    month, year = _concept_number(match["month"], "month."), year_of(match["year"])
    number = match["day"].sense.number if match["day"].sense else None
    if month is None or year is None or number is None or not number.is_integer():
        return None
    try:
        day = dt.date(year, month, int(number))
    except ValueError:
        return None
    return Period(text=day.isoformat(), start=day, end=day)


def _atom_date(match: Match) -> Period | None:
    sense = match["date"].sense
    day = sense.date if sense else None
    return Period(text=day.isoformat(), start=day, end=day) if day else None


def _atom_year(match: Match) -> Period | None:
    year = year_of(match["year"])
    return whole_year(year) if year else None


def _recurring(prefix: str, function: str, level: str) -> Callable[[Match], Period | None]:
    def build(match: Match) -> Period | None:
        number = _concept_number(match["part"], prefix)
        if number is None:
            return None
        return Period(
            text=match["part"].text.casefold(), recurring=f"{function}({{t}}) == {number}", level=level
        )

    return build


def _weekday(match: Match) -> Period | None:
    days = match["part"].sense.family("weekday.") if match["part"].sense else None
    if days is None:
        return None
    condition = " or ".join(f"dayofweek({{t}}) == {day}" for day in days)
    return Period(text=match["part"].text.casefold(), recurring=f"({condition})", level="weekday")


def _unit_of(node: Node) -> str | None:
    unit = node.sense.family("unit.") if node.sense is not None and node.has("unit.") else None
    return unit if unit in _RELATIVE_UNITS else None


def _last_units(match: Match) -> Period | None:
    unit, counted = _unit_of(match["unit"]), match["n"].sense
    number = (
        counted.number if counted and counted.number is not None else _concept_number(match["n"], "number.")
    )
    if unit is None or not number or not float(number).is_integer():
        return None
    return Period(text=f"last {int(number)} {unit}s", relative=f"last_{int(number)}_{unit}s", level=unit)


def _last_unit(match: Match) -> Period | None:
    unit = _unit_of(match["unit"])
    return Period(text=f"last {unit}", relative=f"last_{unit}", level=unit) if unit else None


def _this_unit(match: Match) -> Period | None:
    unit = _unit_of(match["unit"])
    return Period(text=f"this {unit}", anchored=unit, level=unit) if unit else None


_ATOMS: Final[tuple[tuple[str, Callable[[Match], Period | None]], ...]] = (
    ("date=date", _atom_date),
    ("day=num month=month. comma? year=num", _atom_day),
    ("month=month. day=num comma? year=num", _atom_day),
    ("month=month. in|comma? year=num unit.year?", _atom_month_year),
    ("year=num month=month.", _atom_month_year),
    ("quarter=quarter. in? unit.year? year=num unit.year?", _atom_quarter_year),
    ("year=num quarter=quarter.", _atom_quarter_year),
    ("half=half.first|half.second in? year=num unit.year?", _atom_half_year),
    ("rel.last|rel.past n=num|number. unit=unit.", _last_units),
    ("rel.last unit=unit.", _last_unit),
    ("rel.this|super.late unit=unit.", _this_unit),
    ("lastyear=rel.lastyear", lambda _match: Period(text="last year", relative="last_year", level="year")),
    ("unit.year pred|cmp.eq? year=num", _atom_year),
    ("year=num unit.year", _atom_year),
    ("part=decade. unit.year?", decade_of),
    ("part=quarter.", _recurring("quarter.", "quarter", "quarter")),
    ("part=month.", _recurring("month.", "month", "month")),
    ("part=weekday.", _weekday),
)
"""What stands for a period by itself, the longest first."""


def read_periods(nodes: Sequence[Node], scene: Scene) -> tuple[Node, ...]:
    """Exchange every mention of time for a period node."""
    row = _atoms(read_days(tuple(nodes)))
    row = pinned(_years(row), scene)
    for pattern, build in _RANGES:
        row = _apply(row, pattern, build)
    return row


def _atoms(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    row, position = nodes, 0
    while position < len(row):
        for pattern, build in _ATOMS:
            match = match_at(pattern, row, position)
            period = build(match) if match is not None else None
            if match is not None and period is not None:
                row = replaced(row, match, Node(period=period))
                break
        position += 1
    return row


def _years(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Read bare four-digit numbers as years where nothing makes them a number of something."""
    row = list(nodes)
    for position, node in enumerate(row):
        year = year_of(node)
        if year is None:
            continue
        before = row[position - 1] if position else None
        after = row[position + 1] if position + 1 < len(row) else None
        compared = before is not None and (
            before.has("cmp.", "top.max", "top.min") or _is_than(row, position - 1)
        )
        counted = after is not None and after.has("post.ge", "post.le")
        if not compared and not counted:
            row[position] = replace(node, sense=None, period=whole_year(year))
    return tuple(row)


def _is_than(row: Sequence[Node], position: int) -> bool:
    """Tell whether a word ends a comparison; some also open a time (`за 2023`), where nothing is compared."""
    node = row[position]
    before = row[position - 1] if position else None
    compares = before is not None and before.has("cmp.", "more", "fewer", "scale.")
    return node.has("than") and (compares or not node.has("in"))


def _both(match: Match) -> Period | None:
    first, last = match["a"].period, match["b"].period
    if first is None or last is None:
        return None
    if first.recurring and last.start and last.level == first.level:
        first = in_year(first, last.start.year) or first
    if first.start is None or last.end is None:
        return _recurring_range(first, last)
    ends = (first, last)
    if first.start > last.start if last.start else False:
        first, last = last, first
    return Period(
        text=f"{first.text} to {last.text}", start=first.start, end=last.end, level=first.level, ends=ends
    )


def _recurring_range(first: Period, last: Period) -> Period | None:
    """Read `from March to May` without a year: the same months of every year."""
    if not first.recurring or not last.recurring or first.level != last.level:
        return None
    if first.level in {"weekday", "day"}:
        return None
    low, high = part_number(first), part_number(last)
    if low is None or high is None or low > high:
        return None
    function = first.recurring.partition("(")[0]
    return Period(
        text=f"{first.text} to {last.text}",
        recurring=f"{low} <= {function}({{t}}) and {function}({{t}}) <= {high}",
        level=first.level,
    )


def opened(side: str, base: Period) -> Period | None:
    """Return the time since, after, before or until `base`."""
    if base.start is None or base.end is None or base.ends:
        return None
    bounds: dict[str, tuple[dt.date | None, dt.date | None]] = {
        "since": (base.start, None),
        "after": (base.end + DAY, None),
        "before": (None, base.start - DAY),
        "until": (None, base.end),
    }
    start, end = bounds[side]
    return Period(text=f"{side} {base.text}", start=start, end=end, level=base.level)


def _open(side: str) -> Callable[[Match], Period | None]:
    def build(match: Match) -> Period | None:
        base = match["a"].period
        return opened(side, base) if base is not None else None

    return build


def _over(match: Match) -> Period | None:
    """Read `over the last 30 days`, where `over` compares nothing."""
    period = match["a"].period
    return period if period is not None and (period.relative or period.anchored) else None


def _through(match: Match) -> Period | None:
    """Read `за 2023 рік`, where the word for `by` also means `during`."""
    return match["a"].period if match["prep"].has("in") else None


_RANGES: Final[tuple[tuple[str, Callable[[Match], Period | None]], ...]] = (
    ("a=<period> in? b=<period>", end_of),
    ("a=<period> tie=and|or|comma|compare b=<period>", listed_parts),
    ("a=<period> tie=and|or|comma|compare b=<period>", listed_parts),
    ("a=<period> in? b=<period>", inside),
    ("cmp.gt a=<period>", _over),
    ("between a=<period> and|to b=<period>", _both),
    ("from|since a=<period> to|until|and b=<period>", _both),
    ("a=<period> to|until|sign.dash b=<period>", _both),
    ("since|post.since a=<period>", _open("since")),
    ("after a=<period>", _open("after")),
    ("before a=<period>", _open("before")),
    ("until|to a=<period>", _open("until")),
    ("since|before|after a=<period>", open_ended),
    ("a=<period> tie=and|or|compare b=<period>", either),
    ("a=<period> tie=comma b=<period>", longer),
    ("a=<period> tie=comma b=<period>", longer),
    ("prep=by a=<period>", _through),
    ("a=<period> post.ge", _open("since")),
    ("a=<period> post.le", _open("until")),
)


def _apply(
    nodes: tuple[Node, ...], pattern: str, build: Callable[[Match], Period | None]
) -> tuple[Node, ...]:
    row, position = nodes, 0
    while position < len(row):
        match = match_at(pattern, row, position)
        period = build(match) if match is not None else None
        if match is not None and period is not None:
            row = replaced(row, match, Node(period=period))
        else:
            position += 1
    return row
