"""Cells worth a note, found with one more look at the text: their columns, counts, first rows and contents.

While a text is converted, every stored record keeps a number whose bits say which of its cells are noteworthy.
Only records with such cells are read again, and only the columns that have some.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final, Protocol

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.relation import copy_to_parquet
from tabchat.engine.reader.text import conversion
from tabchat.engine.types import FILE_ROW, whole
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.relation import Relation
    from tabchat.engine.reader.text.plans import ColumnPlan

FLAG: Final = "__noted__"
"""Hidden column of a stored table: a bit for each column whose cell of the record is noteworthy, null without one."""
_BITS: Final = 60
"""Columns this far apart share a bit."""
_EXAMPLES: Final = 2000
_SHOWN: Final = 5
_CHUNK: Final = 150
"""Columns looked at in one query, so that very wide tables stay cheap to plan."""


class Cells(Protocol):
    """Text cells in columns called `c0`, `c1` and so on, with the number of their record."""

    def numbered(self, columns: Sequence[int]) -> exp.Subquery:
        """Return some columns together with the record number `r`."""


@record
class Finding:
    """Cells of one column that are worth a note; rows are the first record numbers."""

    column: int
    count: int
    rows: tuple[int, ...]
    examples: tuple[str, ...]


@record
class Noted:
    """The noteworthy cells of a text, kept apart; other cells are missing."""

    path: Path
    columns: tuple[int, ...] = ()
    """Columns that have such cells, or share a bit with one that has."""

    def numbered(self, columns: Sequence[int]) -> exp.Subquery:
        """Return some columns together with the record number `r`."""
        marked = [
            nodes.named(nodes.case((_has_bit(i), _cell(i)), default=nodes.null()), f"c{i}") for i in columns
        ]
        picked = exp.Select(expressions=[nodes.column("r"), *marked])
        return picked.from_(_parquet(self.path)).subquery("numbered")


def noted_bits(plans: Sequence[ColumnPlan], *, underscored: bool) -> exp.Expression:
    """Return the number whose bits say which columns of `conversion.converted` have a noteworthy cell; null where none has.

    `underscored` says whether there may be numbers such as `1_000`.
    """
    shared: dict[int, list[exp.Expression]] = {}
    for i, plan in enumerate(plans):
        condition = conversion.noteworthy(plan, _cell(i), nodes.column(f"v{i}"), underscored=underscored)
        if condition != exp.false():
            shared.setdefault(i % _BITS, []).append(condition)
    bits = [
        nodes.case((nodes.either(conditions), _number(1 << bit)), default=_number(0))
        for bit, conditions in shared.items()
    ]
    total = reduce(lambda left, right: exp.BitwiseOr(this=left, expression=right), bits or [_number(0)])
    # A missing number takes less time to write than a zero, and most records have none.
    return nodes.cast(nodes.call("nullif", total, 0), "BIGINT")


def noted_cells(connection: Connection, relation: Relation, width: int, target: Path) -> Noted:
    """Gather the noteworthy cells of a text that was just written to `target`, its flags among the columns."""
    flag = nodes.column(FLAG)
    facts = [
        nodes.call("bit_or", flag),
        nodes.call("count_if", exp.NEQ(this=flag, expression=_number(0))),
        exp.Count(this=exp.Star()),
    ]
    ((bits, noted, rows),) = connection.rows(exp.Select(expressions=facts).from_(_parquet(target)))
    columns = tuple(i for i in range(width) if isinstance(bits, int) and bits >> i % _BITS & 1)
    path = target.with_name("noted.parquet")
    if columns:
        # When most records are noted, telling the others apart costs more than it spares.
        few = 2 * whole(noted) < whole(rows)
        copy_to_parquet(connection, _few(relation, columns, target) if few else _all(relation, columns), path)
    return Noted(path=path, columns=columns)


def _few(relation: Relation, columns: Sequence[int], target: Path) -> exp.Select:
    row = exp.Add(this=nodes.column(FILE_ROW), expression=_number(1))
    flagged = (
        exp.Select(expressions=[nodes.named(row, "row"), nodes.column(FLAG)])
        .from_(_parquet(target, numbered=True))
        .where(exp.NEQ(this=nodes.column(FLAG), expression=_number(0)))
        .subquery("flagged")
    )
    same = exp.EQ(this=nodes.column("r"), expression=nodes.column("row"))
    picked = [nodes.column("r"), nodes.column(FLAG), *map(_cell, columns)]
    return exp.Select(expressions=picked).from_(relation.numbered(columns)).join(flagged, on=same)


def _all(relation: Relation, columns: Sequence[int]) -> exp.Select:
    every = nodes.named(nodes.cast(_number((1 << _BITS) - 1), "BIGINT"), FLAG)
    return exp.Select(expressions=[nodes.column("r"), every, *map(_cell, columns)]).from_(
        relation.numbered(columns)
    )


def _parquet(path: Path, *, numbered: bool = False) -> exp.Table:
    return nodes.table_function("read_parquet", str(path), {FILE_ROW: exp.true()} if numbered else {})


def _has_bit(column: int) -> exp.Expression:
    bit = exp.BitwiseAnd(this=nodes.column(FLAG), expression=_number(1 << column % _BITS))
    return exp.NEQ(this=exp.Paren(this=bit), expression=_number(0))


def _cell(column: int) -> exp.Expression:
    return nodes.column(f"c{column}")


def _number(value: int) -> exp.Expression:
    return exp.Literal.number(value)


def find(
    connection: Connection,
    cells: Cells,
    plans: Mapping[int, ColumnPlan],
    condition: Callable[[ColumnPlan, exp.Expression], exp.Expression],
) -> tuple[Finding, ...]:
    """Count the cells that meet a condition, column by column, with the first rows and contents."""
    findings: list[Finding] = []
    columns = [i for i in plans if condition(plans[i], nodes.column(f"c{i}")) != exp.false()]
    for start in range(0, len(columns), _CHUNK):
        chunk = columns[start : start + _CHUNK]
        facts = [fact for i in chunk for fact in _facts(condition(plans[i], nodes.column(f"c{i}")), i)]
        ((*found,),) = connection.rows(exp.Select(expressions=facts).from_(cells.numbered(chunk)))
        for position, column in enumerate(chunk):
            count, rows, examples = found[3 * position : 3 * position + 3]
            if count:
                findings.append(
                    Finding(column=column, count=count, rows=tuple(rows), examples=tuple(examples))  # type: ignore[arg-type]
                )
    return tuple(findings)


def _facts(condition: exp.Expression, column: int) -> list[exp.Expression]:
    where = exp.Where(this=condition)
    row, shown = exp.column("r"), _SHOWN
    return [
        exp.Filter(this=exp.Count(this=exp.Star()), expression=where.copy()),
        exp.Filter(this=nodes.call("min", row, shown), expression=where.copy()),
        exp.Filter(
            this=nodes.call("arg_min", nodes.column(f"c{column}"), row, shown), expression=where.copy()
        ),
    ]


def misfit_examples(connection: Connection, cells: Cells, column: int, plan: ColumnPlan) -> list[str]:
    """Return different cells of a column that do not fit its plan."""
    cell = nodes.column(f"c{column}")
    query = (
        exp.Select(expressions=[cell])
        .distinct()
        .from_(cells.numbered([column]))
        .where(conversion.misfit(plan, cell))
        .limit(_EXAMPLES)
    )
    return [str(example) for (example,) in connection.rows(query)]


def count_misfits(
    connection: Connection, relation: Relation, plans: Mapping[int, ColumnPlan]
) -> tuple[Finding, ...]:
    """Count the cells that keep columns from the kinds which nearly all their cells fit."""
    return find(connection, relation, plans, conversion.misfit)
