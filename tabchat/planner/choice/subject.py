"""What a reading shows of a table: readings that show the same figures do not rival each other.

`when did Luna arrive` may be read as the different dates of her rows, as these rows with that column, or as these rows whole:
whichever is answered, the date is in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import COUNT, Intent, Key, Measure, Operator, Order, Output, plain_conditions
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

_ENDS: Final = {"max": True, "min": False}
"""Functions whose figure the first row of an order shows, too; whether that order descends."""
_COUNTED: Final[frozenset[Hashable]] = frozenset({COUNT, Output.EXISTS})
"""How many there are, and whether there are any."""
_EVERYTHING: Final[Hashable] = (frozenset(), frozenset(), ())
"""The scope of a question about all rows."""
_OF_ONE: Final = frozenset({"sum", "mean", "median", "min", "max", "first", "last", "mode"})
"""Functions that give the cell itself, of one row."""


@record
class Subject:
    """The rows or groups that a reading shows, and what it shows of each."""

    rows: Hashable
    shown: frozenset[Hashable] | None
    """Columns and measures; None: all columns."""

    def agrees(self, other: Subject) -> bool:
        """Tell whether one of both shows all that the other shows."""
        if self.rows != other.rows:
            return False
        if self.shown is None or other.shown is None:
            return True
        return self.shown <= other.shown or other.shown <= self.shown

    def tells(self, other: Subject) -> bool:
        """Tell whether the other is how many there are of what is shown, or whether there are any: both are told beside it.

        So are the same cells, or some of them, read in another way.
        """
        if not (isinstance(self.rows, tuple) and isinstance(other.rows, tuple)):
            return False
        kind, scope = self.rows[:2]
        if kind == "rows":
            whole = self.shown is None and not self.rows[2]
            if self.rows == other.rows and (whole or self.shown == other.shown):
                return True
            told = self.rows == ("rows", scope, ()) and other.rows == ("value", scope)
            return told and other.shown is not None and other.shown <= _COUNTED
        if self.rows != other.rows or self.shown is None or other.shown is None:
            return False
        if kind == "value":
            return Output.EXISTS in self.shown and other.shown <= _COUNTED
        # The different values of some rows may be asked of one of them: `what breed is Max`, of two that are called so.
        return scope == _EVERYTHING and COUNT in other.shown and other.shown - {COUNT} == self.shown


def subject_of(intent: Intent, unique: Collection[str]) -> Subject:
    """Return what an intent shows, where the columns of `unique` hold no cell twice."""
    scope: tuple[Hashable, ...] = (frozenset(intent.clauses), frozenset(intent.periods), intent.having)
    if intent.window is None and intent.change is None:
        found = _of_cells(intent, scope, unique) or _of_figures(intent, scope)
        if found is not None:
            return found
    return Subject(rows=intent, shown=None)


def _of_cells(intent: Intent, scope: tuple[Hashable, ...], unique: Collection[str]) -> Subject | None:
    """Return what is shown of single rows, if that is what an intent shows."""
    one = any(clause.column in unique for clause in plain_conditions(intent.clauses, Operator.EQ))
    match intent.output:
        case Output.ROWS:
            ends = () if one or (intent.limit is None and not intent.offset) else _ends(intent)
            return Subject(rows=("rows", scope, ends), shown=frozenset(intent.columns) or None)
        case Output.VALUES if one:
            return Subject(rows=("rows", scope, ()), shown=frozenset(intent.columns))
        case Output.GROUPS:
            return _of_groups(intent, scope, unique, one=one)
        case Output.HEAD:
            ends = (intent.orders, intent.limit, intent.offset, intent.with_ties)
            return Subject(rows=("head", scope, ends), shown=frozenset(intent.columns) or None)
        case Output.VALUE if not intent.keys:
            return _of_a_cell(intent.measures, scope, one=one)
    return None


def _of_groups(
    intent: Intent, scope: tuple[Hashable, ...], unique: Collection[str], *, one: bool
) -> Subject | None:
    """Return what is shown of the one row there is, or of groups each of which is one row: its cells."""
    if one and not intent.limit and all(key.unit is None for key in intent.keys):
        return Subject(rows=("rows", scope, ()), shown=frozenset(key.column for key in intent.keys))
    (key, *others) = intent.keys
    if others or key.column not in unique or key.unit is not None or key.width is not None:
        return None
    cells = [_cell_of(measure) for measure in intent.measures]
    orders = tuple(filter(None, (_of_rows(order, cells) for order in intent.orders)))
    if len(orders) < len(intent.orders) or any(
        cell is None and measure != COUNT for cell, measure in zip(cells, intent.measures, strict=True)
    ):
        return None
    plain = replace(intent, output=Output.ROWS, orders=orders, limit_keys=intent.limit_keys)
    ends = () if intent.limit is None and not intent.offset else _ends(plain)
    return Subject(rows=("rows", scope, ends), shown=frozenset({key.column, *cells} - {None}))


def _cell_of(measure: Measure) -> str | None:
    """Return the column whose cell a measure of one row is."""
    is_plain = measure == Measure(function=measure.function, column=measure.column)
    return measure.column if is_plain and measure.function in _OF_ONE else None


def _of_rows(order: Order, cells: Sequence[str | None]) -> Order | None:
    """Return the order of rows that is an order of groups of one row each; None where rows have no such order."""
    if order.column is not None:
        return order
    name = cells[order.measure] if order.measure < len(cells) else None
    return None if name is None else Order(column=name, descending=order.descending)


def _of_a_cell(measures: tuple[Measure, ...], scope: tuple[Hashable, ...], *, one: bool) -> Subject | None:
    """Return what measures show that give cells of the table."""
    if any(measure != Measure(function=measure.function, column=measure.column) for measure in measures):
        return None
    if one and all(measure.function in _OF_ONE for measure in measures):
        return Subject(rows=("rows", scope, ()), shown=frozenset(measure.column for measure in measures))
    if len(measures) == 1 and measures[0].function in _ENDS:
        order = Order(column=measures[0].column, descending=_ENDS[measures[0].function])
        return Subject(rows=("rows", scope, ((order,), 1, 0, ())), shown=frozenset({measures[0].column}))
    return None


def _of_figures(intent: Intent, scope: tuple[Hashable, ...]) -> Subject | None:
    """Return what is shown of groups, or of all rows together."""
    measures = frozenset(intent.measures)
    if intent.output is Output.VALUES:
        keys = frozenset(Key(column=name) for name in intent.columns)
        return Subject(rows=("groups", scope, keys, ()), shown=keys)
    if intent.output is Output.GROUPS:
        keys = frozenset(intent.keys)
        ends = () if intent.limit is None and not intent.offset else _ends(intent)
        # `the mean of Japan` by country, where only rows of Japan are looked at, is one figure.
        single = not ends and keys <= _settled(intent)
        rows = ("value", scope) if single else ("groups", scope, keys, ends)
        return Subject(rows=rows, shown=keys | measures)
    if intent.output is Output.VALUE and not intent.keys:
        if len(intent.measures) == 1 and intent.measures[0].function == "mode":
            key = Key(column=intent.measures[0].column)
            ends = ((Order(),), (COUNT,), 1, 0, ())
            return Subject(rows=("groups", scope, frozenset({key}), ends), shown=frozenset({key}))
        return Subject(rows=("value", scope), shown=measures)
    if intent.output is Output.EXISTS:
        return Subject(rows=("value", scope), shown=frozenset({COUNT, Output.EXISTS}))
    return None


def _settled(intent: Intent) -> frozenset[Key]:
    """Return the keys of which the conditions leave one value."""
    return frozenset(
        Key(column=clause.column)
        for clause in plain_conditions(intent.clauses, Operator.EQ)
        if clause.part is None
    )


def _ends(intent: Intent) -> tuple[Hashable, ...]:
    """Return what decides which rows or groups come first, and how many of them are shown."""
    by_measure = any(order.column is None for order in intent.orders)
    measured = (intent.measures,) if by_measure and intent.output is Output.GROUPS else ()
    return (intent.orders, *measured, intent.limit, intent.offset, intent.limit_keys)
