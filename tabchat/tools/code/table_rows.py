"""How many rows of a result of code are rows of its table, which a model is told few of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.plan.relation import visible_rows
from tabchat.tools.preview import AGGREGATE_ROWS

if TYPE_CHECKING:
    from tabchat.engine.result.result import Result
    from tabchat.engine.table import Table
    from tabchat.engine.types import ColumnKind

_PLACE: Final = "__place__"


def rows_of_table(table: Table, result: Result) -> int | None:
    """Return how many of the rows that may be told hold the cells of exactly one row of `table`.

    Those under the names of its columns are compared, apart from texts, which are not told; rows of groups hold the
    cells of several or of none. Nothing where there is no such row: that code computed them is not known by this.
    """
    shared = [
        column.name
        for column in result.frame.schema
        if column.name in table.by_name and _type(column.kind) == _type(table.by_name[column.name].kind) != ""
    ]
    if not shared or not result.frame.row_count:
        return None
    told = exp.select(
        exp.Window(this=exp.func("row_number")).as_(_PLACE),
        *(exp.column(name, quoted=True) for name in shared),
    ).from_(result.frame.query.limit(AGGREGATE_ROWS).subquery("shown"))
    same = exp.and_(
        *(
            exp.NullSafeEQ(
                this=exp.cast(exp.column(name, table="told", quoted=True), _type(table.by_name[name].kind)),
                expression=exp.cast(
                    exp.column(name, table="held", quoted=True), _type(table.by_name[name].kind)
                ),
            )
            for name in shared
        )
    )
    found = (
        exp.select(exp.column(_PLACE, table="told"))
        .from_(told.subquery("told"))
        .join(visible_rows(table).subquery("held"), on=same)
        .group_by(exp.column(_PLACE, table="told"))
        .having(exp.EQ(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(1)))
    )
    count = exp.select(exp.Count(this=exp.Star())).from_(found.subquery("found"))
    return int(str(result.frame.engine.rows(count)[0][0])) or None


def _type(kind: ColumnKind) -> str:
    """Return the type that cells of a kind are compared as: none for those that are not told."""
    if kind.is_numeric:
        return "DOUBLE"
    return "TIMESTAMP" if kind.is_temporal else ""
