"""The queries of a compiled step: the answer, the rows behind it, and the SQL that people read."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.group import named
from tabchat.engine.compile.layers import ordering
from tabchat.engine.compile.step import LAYER
from tabchat.engine.plan.relation import find_field
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import ROW
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.compile.layers import Names
    from tabchat.engine.compile.step import Step
    from tabchat.engine.functions import Label
    from tabchat.engine.plan.relation import Field, Relation

_LABELS: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = MappingProxyType(
    {
        "weekday": (0, ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")),
        "month": (1, ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")),
        "hour": (0, tuple(f"{hour:02d}:00" for hour in range(24))),
    }
)
"""Label → its first number and its words."""


@record
class Counts:
    """Hidden columns of an aggregation, all but one the same in every row."""

    rows: str
    """How many rows went into all of it."""
    used: str
    """How many of these the aggregates used."""
    groups: str
    """How many groups there are, before any are filtered or cut."""
    behind: str
    """How many rows of the table a row stands for: of each row its own number."""

    @property
    def names(self) -> tuple[str, str, str, str]:
        """All of the names."""
        return *self.of_all, self.behind

    @property
    def of_all(self) -> tuple[str, str, str]:
        """The names of those that are the same in every row."""
        return self.rows, self.used, self.groups


def table_query(step: Step, *, stored_order: bool) -> exp.Select:
    """Return the rows of a table, and beside rows that an earlier step gathered how many each stands for."""
    behind = [exp.column(step.before.behind, quoted=True)] if step.before.behind is not None else []
    query = from_rows([*_projection(step.fields), *behind], step.rows.current, step.rows.condition)
    keys = step.order or (() if stored_order else step.before.shown)
    return ended(query, ordering(keys, step.rows.current), step.limit)


def aggregation(step: Step, behind: str, *, counts: Counts | None = None) -> exp.Select:
    """Return the aggregation itself; beside it, as `behind`, how many rows of the table each row of it stands for.

    Under the other names of `counts` stands how many rows went into all of it.
    """
    made = step.aggregation
    columns = [*made.columns, *made.helpers] if made is not None else []
    columns.append(exp.alias_(rows_behind(step.before), behind, quoted=True))
    if counts is not None:
        used = made.used if made is not None else None
        columns.append(exp.alias_(_counted(step, None), counts.rows, quoted=True))
        columns.append(exp.alias_(_counted(step, used), counts.used, quoted=True))
        columns.append(exp.alias_(_groups(step), counts.groups, quoted=True))
    select = from_rows([column.copy() for column in columns], step.rows.current, step.rows.condition)
    keys = made.keys if made is not None else ()
    return select.group_by(*(key.copy() for key in keys), copy=False) if keys else select


def rows_behind(rows: Relation) -> exp.Expr:
    """Return the aggregate that counts the rows of the table behind a group of `rows`."""
    if rows.behind is None:
        return exp.Count(this=exp.Star())
    return exp.Sum(this=exp.column(rows.behind, quoted=True))


def alone_rows(behind: str) -> exp.Expr:
    """Return the aggregate that counts the rows which stand for no more than one row of the table."""
    single = exp.column(behind, quoted=True) <= exp.Literal.number(1)
    return exp.Filter(this=exp.Count(this=exp.Star()), expression=exp.Where(this=single))


def _counted(step: Step, used: exp.Expr | None) -> exp.Expr:
    """Count the rows of all groups, or those of them that `used` holds of."""
    count: exp.Expr = exp.Count(this=exp.Star())
    match used:
        case exp.Not(this=exp.Is(this=value, expression=exp.Null())):
            # The same count without a pass over the rows that sorts them out.
            count = exp.Count(this=value.copy())
        case exp.Expr():
            count = exp.Filter(this=count, expression=exp.Where(this=used.copy()))
    return exp.Window(this=exp.Sum(this=count)) if step.kind is ResultKind.GROUPED else count


def _groups(step: Step) -> exp.Expr:
    grouped = step.kind is ResultKind.GROUPED
    return exp.Window(this=exp.Count(this=exp.Star())) if grouped else exp.Literal.number(1)


def aggregate_query(
    step: Step, layers: list[tuple[str, exp.Select]], names: Names, counts: Counts
) -> exp.Select:
    """Return the answer of an aggregation, with its `counts`; adds to `layers` what it reads."""
    inner = aggregation(step, counts.behind, counts=counts)
    made = step.aggregation
    if made is not None and step.having is None and not made.helpers:
        given = [column.alias_or_name for column in made.columns]
        if given == [item.name for item in step.fields] and not any(item.label for item in step.fields):
            return ended(inner, [key.ordered() for key in step.order], step.limit)
    name = names.fresh(LAYER)
    layers.append((name, inner))
    columns = [*_projection(step.fields), *(exp.column(count, quoted=True) for count in counts.names)]
    return ended(from_rows(columns, name, step.having), ordering(step.order, name), step.limit)


def source_query(step: Step, *, stored_order: bool, is_numbered: bool) -> exp.Select:
    """Return the rows behind an aggregation, each with its number in the file while it has one."""
    columns = _projection(step.before.fields)
    if step.before.has_row and is_numbered:
        name = "row" if find_field(step.before.fields, "row") is None else "file_row"
        columns.insert(0, named(exp.column(ROW, quoted=True), name))
    keys = () if stored_order else step.before.shown
    return ended(
        from_rows(columns, step.rows.current, step.rows.condition), ordering(keys, step.rows.current), None
    )


def count_query(step: Step) -> exp.Select:
    """Return the number of rows behind an aggregation."""
    return from_rows([exp.Count(this=exp.Star())], step.rows.current, step.rows.condition)


def for_people(query: exp.Select, relation: str, names: Names, hidden: Sequence[str] = ()) -> exp.Select:
    """Return `query` without its `hidden` columns, and with row numbers made from the table's own order."""
    shown = query.copy()
    for select in shown.find_all(exp.Select):
        select.set("expressions", [item for item in select.expressions if item.alias_or_name not in hidden])
    if not any(column.name == ROW for column in shown.find_all(exp.Column)):
        return shown
    numbered = names.fresh("rows_{number}")
    for table in shown.find_all(exp.Table):
        if table.name == relation:
            table.set("this", exp.to_identifier(numbered, quoted=True))
    number = exp.alias_(exp.Window(this=exp.RowNumber()), ROW, quoted=True)
    rows = exp.select(exp.Star(), number).from_(exp.table_(relation, quoted=True))
    layers = list(shown.ctes)
    shown.set("with_", None)
    shown = shown.with_(exp.to_identifier(numbered, quoted=True), as_=rows, copy=False)
    shown.args["with_"].set("expressions", [*shown.ctes, *layers])
    return shown


def from_rows(columns: list[exp.Expr], source: str, condition: exp.Expr | None) -> exp.Select:
    """Return `columns` of the rows of `source` that fulfil a condition.

    The columns are the query's own from here on, and a builder changes it: of a wide table each copy would cost as much as
    all the rest.
    """
    select = exp.Select(expressions=columns).from_(exp.table_(source, quoted=True), copy=False)
    return select.where(condition.copy(), copy=False) if condition is not None else select


def ended(query: exp.Select, order: Sequence[exp.Ordered], limit: int | None) -> exp.Select:
    """Return the query itself, sorted and cut."""
    query = query.order_by(*order, copy=False) if order else query
    return query.limit(limit, copy=False) if limit is not None else query


def _projection(fields: Iterable[Field]) -> list[exp.Expr]:
    return [named(labelled(item.column(), item.label), item.name) for item in fields]


def labelled(column: exp.Expr, label: Label | None) -> exp.Expr:
    """Return a number that stands for a weekday, a month or an hour in its words."""
    if label is None:
        return column
    first, words = _LABELS[label]
    branches = [
        exp.If(this=exp.Literal.number(first + place), true=exp.Literal.string(word))
        for place, word in enumerate(words)
    ]
    return exp.Case(this=column, ifs=branches)
