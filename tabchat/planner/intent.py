"""What a question asks of a table: one frozen record that every stage after the words speaks of.

An `Intent` names columns, cells, numbers and calendar units only. It knows no words of any language (those stay in the
reading that made it) and no plan fields (`planner.plan` writes those).
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator

Scalar: TypeAlias = "str | int | float | bool | dt.date | dt.datetime | dt.time"


class Output(StrEnum):
    """What comes out."""

    VALUE = "value"
    """Measures over the rows in scope, with a limit over the first ones: one row. With keys: the number of groups that meet `having`, or their share."""
    GROUPS = "groups"
    """Measures for each group of the keys."""
    STANDING = "standing"
    """The places of some groups among all, by the first order: only those that meet `placed` are told."""
    ROWS = "rows"
    """Rows of the file: `columns` of them (all when empty), in `orders`, at most `limit`."""
    VALUES = "values"
    """The different values of `columns`."""
    COMPARISON = "comparison"
    """The first measure on each of `sides`, and how they differ."""
    CHANGE = "change"
    """Measures by a calendar key, each with its change since the one before, or with its moving mean or sum; orders are by that."""
    EXISTS = "exists"
    """Whether any row is in scope: yes or no, with their number."""
    CORRELATION = "correlation"
    """Pearson's correlation of the two columns of `columns`."""
    DISTRIBUTION = "distribution"
    """Rows by value or by equal bins of the first key's column."""
    OUTLIERS = "outliers"
    """Rows whose cell of the first of `columns` lies more than 1.5 IQR outside the quartiles."""
    DUPLICATES = "duplicates"
    """Rows that repeat an earlier row (in `columns`, or in all of them)."""
    MISSING = "missing"
    """Missing cells for each column (of `columns`, or of all)."""
    ODDITIES = "oddities"
    """Missing cells and outliers for each column (of `columns`, or of all), and repeated rows: what there is of them."""
    SCHEMA = "schema"
    """Names and kinds of the columns."""
    PROFILE = "profile"
    """Summary figures of `columns`, or of all."""
    HEAD = "head"
    """The first rows of the file (`limit`), or the last ones when the first order descends."""


class Operator(StrEnum):
    """How a cell is compared."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GE = "ge"
    LT = "lt"
    LE = "le"
    IN = "in"
    NOT_IN = "not_in"
    BETWEEN = "between"
    NOT_BETWEEN = "not_between"
    CONTAINS = "contains"
    NOT_CONTAINS = "not_contains"
    STARTS = "starts"
    ENDS = "ends"
    MISSING = "missing"
    PRESENT = "present"


CLOCK_PARTS: Final = frozenset({"hour", "minute"})  # parts of a moment that a date lacks
OWN_MEAN: Final = "own_mean"  # part of what lies above the mean of all that meets the others; `mean`: of all
MONTH_DAY: Final = "month_day"
"""Part of a date: 100 × month + day, so that March 1 is 301 and days of every year lie in its order."""


@record
class Condition:
    """One condition on a row. Missing cells meet none but `MISSING`."""

    column: str
    operator: Operator
    values: tuple[Scalar, ...] = ()
    """One value; two (both included) for `BETWEEN`; any number for `IN` and `NOT_IN`; none for `MISSING`."""
    part: str | None = None
    """Calendar part of a date that is compared: year, quarter, month (1-12), weekday (Monday = 0), day, hour, `MONTH_DAY`.
    Of a number: its change against the row before, by date, as a difference (`change`) or in percent (`change_pct`);
    how far it lies above the mean of all rows (`mean`). Of any cell: that of the row before or after it, by date, in
    the order of the file where the table has none (`row_before`, `row_after`)."""
    other: str | None = None  # another column that the cell is compared with, instead of a value


@record
class AnyOf:
    """At least one of several conditions."""

    conditions: tuple[Condition, ...]


Clause: TypeAlias = "Condition | AnyOf"


@record
class Period:
    """A stretch of calendar time, both ends included; absolute, or relative to the last date of the data."""

    start: dt.date | None = None
    end: dt.date | None = None
    column: str | None = None
    """The date column; the table's time column when absent."""
    unit: str | None = None
    """year, quarter, month, week or day: of a relative period, or the grain that an absolute one was named in."""
    count: int | None = None  # the last `count` units, which end on the last date
    ago: int | None = None
    """0: the unit that holds the last date; 1: the whole unit before it; 12 months ago: unit month, ago 12."""


@record
class Measure:
    """A figure over rows."""

    function: str = "count"
    """count, count_distinct, sum, mean, median, min, max, std, var, percentile, mode, first, last, range."""
    column: str | None = None
    """None counts rows."""
    parameter: float | None = None  # 0.9 for the 90th percentile
    part: tuple[Clause, ...] = ()
    """The figure is that of the rows that meet these, as a percentage of that of all rows in scope."""
    share: bool = False
    """With keys: as a percentage of the total over all groups."""
    less: str | None = None  # the same of this column is taken away: what was spent less what was planned
    per: str | None = None
    """The sum of `column` divided by the sum of this column (a ratio), or by its distinct count when it is text, or with `each`."""
    each: bool = False  # whether numbers of `per` number things: the orders of their lines
    percent: bool = False  # whether a ratio is told in percent
    per_unit: str | None = None
    """The measure divided by the number of calendar units (year, quarter, month, week, day) in which there are rows."""


@record
class Key:
    """What rows are grouped by."""

    column: str | None = None
    """None: the table's time column, with `unit`."""
    unit: str | None = None
    """year, quarter, month, week, day, hour: each of each year (month: 2024-03). month_name, quarter_name, weekday,
    hour_of_day: the same part of all years. decade."""
    width: float | None = None
    """Width of equal bins of a column of numbers."""


@record
class Order:
    """One key of an order."""

    column: str | None = None
    """A column of the file or a key; None: the measure at place `measure`."""
    measure: int = 0
    descending: bool = True


@record
class Having:
    """A condition on a measure of a group."""

    measure: Measure
    operator: Operator
    values: tuple[float, ...]


@record
class Side:
    """One of the things that are compared."""

    label: str
    clauses: tuple[Clause, ...] = ()
    period: Period | None = None


@record
class Intent:
    """A reading of a question, in terms of a table alone."""

    output: Output
    measures: tuple[Measure, ...] = ()
    keys: tuple[Key, ...] = ()
    clauses: tuple[Clause, ...] = ()
    """All of them hold."""
    periods: tuple[Period, ...] = ()
    """Several of one column: any of them."""
    having: tuple[Having, ...] = ()
    placed: tuple[Clause, ...] = ()
    """Of a standing: which of the groups are told, of all that are ranked; conditions on cells of the keys."""
    columns: tuple[str, ...] = ()
    orders: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int = 0
    """Rows passed over first: 1 for `the second highest`."""
    limit_keys: tuple[Key, ...] = ()
    """The limit holds in each group of these: the top 3 of each region."""
    with_ties: bool = False
    """Whether all that equal the last one within the limit come, too (`which … has the most`)."""
    sides: tuple[Side, ...] = ()
    comparison: str | None = None
    """difference (first minus second), ratio (first by second), percent (change from the first to the second), or
    which (the greatest, or with an ascending order the least)."""
    against: str | None = None  # of a change: previous (the group before) or year (a year before)
    change: str | None = None
    """difference or percent; or total, the sum of all up to there, or with `window` of so many."""
    window: int | None = None  # calendar units of a moving mean, or total, of the first measure
    chart: str | None = None  # line, bar, hist or scatter, when a picture was asked for

    def __hash__(self) -> int:
        return self._hash  # each reading of a question is looked up a dozen times

    @cached_property
    def _hash(self) -> int:
        what = (self.output, self.measures, self.keys, self.columns, self.sides, self.comparison)
        return hash((what, self.clauses, self.periods, self.having, self.orders, self.limit, self.with_ties))

    @cached_property
    def used_columns(self) -> frozenset[str]:
        """Names of the columns that it compares, groups, sorts or aggregates."""
        measures = (*self.measures, *(bound.measure for bound in self.having))
        parts = (clause for measure in measures for clause in measure.part)
        sided = (clause for side in self.sides for clause in side.clauses)
        periods = (*self.periods, *(side.period for side in self.sides if side.period is not None))
        found = {
            *(measure.column for measure in measures if measure.function != "count"),
            *(name for measure in measures for name in (measure.less, measure.per)),
            *(key.column for key in (*self.keys, *self.limit_keys)),
            *(period.column for period in periods),
            *(order.column for order in self.orders),
            *_of_clauses((*self.clauses, *self.placed, *parts, *sided)),
            *(self.columns if self.output in _MEASURING else ()),
        }
        return frozenset(name for name in found if name is not None)


def single_conditions(clauses: Iterable[Clause]) -> Iterator[Condition]:
    """Yield conditions one by one, those of which only one must hold, too."""
    for clause in clauses:
        yield from clause.conditions if isinstance(clause, AnyOf) else (clause,)


def plain_conditions(clauses: Iterable[Clause], *operators: Operator) -> list[Condition]:
    """Return the conditions that must hold by themselves, of some operators or of any."""
    plain = [clause for clause in clauses if isinstance(clause, Condition)]
    return [one for one in plain if one.operator in operators] if operators else plain


def all_conditions(intent: Intent) -> Iterator[Condition]:
    """Yield all conditions of an intent one by one, those of parts and of sides, too."""
    clauses: list[Clause] = [*intent.clauses, *intent.placed]
    clauses += [clause for measure in intent.measures for clause in measure.part]
    clauses += [clause for item in intent.having for clause in item.measure.part]
    clauses += [clause for side in intent.sides for clause in side.clauses]
    yield from single_conditions(clauses)


COUNT: Final = Measure()
"""How many rows there are."""
BOUNDING: Final = frozenset({Operator.GT, Operator.GE, Operator.LT, Operator.LE, Operator.BETWEEN})
"""What keeps cells on one side of a number, or between two."""
EXCLUDING: Final = frozenset({Operator.NE, Operator.NOT_IN})
"""What keeps cells other than some."""
DENYING: Final = EXCLUDING | {Operator.NOT_CONTAINS, Operator.NOT_BETWEEN, Operator.MISSING}
"""What keeps cells that are not so."""
_MEASURING: Final = frozenset({Output.CORRELATION, Output.OUTLIERS, Output.PROFILE})
"""Outputs that compute with `columns`."""
_LOOSE: Final = frozenset({Operator.MISSING, Operator.PRESENT})
"""What is asked of a cell as the file writes it."""


def told_columns(intent: Intent) -> frozenset[str]:
    """Return the names of all columns that an intent says anything of: those that it uses, shows, or asks for gaps in."""
    return intent.used_columns | set(intent.columns) | {clause.column for clause in all_conditions(intent)}


def _of_clauses(clauses: Iterable[Clause]) -> Iterator[str | None]:
    for one in single_conditions(clauses):
        if one.operator not in _LOOSE:
            yield from (one.column, one.other)


def month_day(date: dt.date) -> int:
    """Return the place of a day in every year, as `MONTH_DAY` has it."""
    return 100 * date.month + date.day
