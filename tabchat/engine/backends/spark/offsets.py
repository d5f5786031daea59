"""LAG and LEAD by a number of rows that differs from row to row, which Spark does not take: as a join by place."""

from __future__ import annotations

from sqlglot import exp

from tabchat.engine.backends.spark.errors import not_on_spark

_PLACE, _AT, _VALUE = "__place_{}", "__at_{}", "__value_{}"


def join_offsets(query: exp.Query) -> exp.Query:
    """Return `query` with every LAG whose offset is no constant made a join of the rows with themselves."""
    found = [
        window
        for window in query.find_all(exp.Window)
        if isinstance(window.this, exp.Lag)
        and window.this.args.get("offset") is not None
        and window.this.args["offset"].find(exp.Column) is not None
    ]
    for number, window in enumerate(found):
        _join(window, number)
    return query


def _join(window: exp.Window, number: int) -> None:
    select = window.find_ancestor(exp.Select)
    lag, order = window.this, window.args.get("order")
    source = select.args["from_"].this if select is not None else None
    if (
        select is None
        or order is None
        or source is None
        or select.args.get("joins")
        or window.args.get("partition_by")
    ):
        raise not_on_spark("LAG by a number of rows that is not constant")
    place, at, value = (name.format(number) for name in (_PLACE, _AT, _VALUE))
    over = exp.Window(this=exp.RowNumber(), order=order.copy())
    left = exp.select("*", exp.alias_(over.copy(), place, quoted=True)).from_(source.copy())
    right = exp.select(
        exp.alias_(over.copy(), at, quoted=True), exp.alias_(lag.this.copy(), value, quoted=True)
    ).from_(source.copy())
    name = source.alias_or_name
    lagged = exp.Sub(this=exp.column(place, table=name, quoted=True), expression=lag.args["offset"].copy())
    earlier = f"__earlier_{number}"
    window.replace(exp.column(value, table=earlier, quoted=True))
    select.set("from_", exp.From(this=left.subquery(exp.to_identifier(name, quoted=True))))
    select.join(
        right.subquery(exp.to_identifier(earlier, quoted=True)),
        on=exp.EQ(this=exp.column(at, table=earlier, quoted=True), expression=lagged),
        join_type="left",
        copy=False,
    )
