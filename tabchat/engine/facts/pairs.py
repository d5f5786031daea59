"""Which columns of few texts settle others: every city has one country."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.gather import Source
    from tabchat.engine.facts.records import ColumnFacts

MOST_COLUMNS: Final = 12
"""Columns that are looked at, those of the fewest texts first."""


def settled_pairs(source: Source, columns: Sequence[ColumnFacts]) -> Mapping[str, tuple[str, ...]]:
    """Return column → columns with one cell, or none, beside each of its cells; a missing cell counts as one."""
    short = [
        column
        for column in columns
        if column.kind is ColumnKind.TEXT and column.complete and (column.distinct or 0) > 1
    ]
    short = sorted(short, key=lambda column: column.distinct or 0)[:MOST_COLUMNS]
    found = {}
    for column in short:
        # One cell beside each of its own: there are no fewer of its own.
        others = [
            other
            for other in short
            if other is not column and (other.distinct or 0) <= (column.distinct or 0)
        ]
        settled = _settled(source, column.name, [other.name for other in others])
        if settled:
            found[column.name] = settled
    return found


def _settled(source: Source, name: str, others: Sequence[str]) -> tuple[str, ...]:
    if not others:
        return ()
    key = exp.column(name, quoted=True)
    cells = [exp.column(other, quoted=True) for other in others]
    alone = [
        exp.and_(
            exp.NullSafeEQ(this=exp.Min(this=cell), expression=exp.Max(this=cell.copy())),
            exp.In(
                this=exp.Count(this=cell.copy()),
                expressions=[exp.Literal.number(0), exp.Count(this=exp.Star())],
            ),
        )
        for cell in cells
    ]
    grouped = (
        source.query(*(exp.alias_(test, f"c{i}") for i, test in enumerate(alone)), names=[name, *others])
        .where(key.is_(exp.null()).not_())
        .group_by(key.copy())
    )
    tests = (exp.func("bool_and", exp.column(f"c{i}"), dialect="duckdb") for i in range(len(others)))
    row = source.run(exp.select(*tests).from_(grouped.subquery("groups")))[0]
    return tuple(other for other, holds in zip(others, row, strict=True) if holds)
