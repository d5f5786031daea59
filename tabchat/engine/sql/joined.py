"""What a join does to the rows of its tables: rows that come up several times under a sum, rows left out, codes taken for numbers.

A join is what was written, so none of this is refused. It is told, because the figures do not show it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.cells import inert
from tabchat.engine.sql.binding import bind_tables, stays
from tabchat.engine.sql.policy import DIALECT
from tabchat.engine.sql.shape import Block, inline_aliases
from tabchat.engine.types import ColumnKind, whole
from tabchat.errors import QueryFailedError, QueryTimeoutError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, Value

REPEATS: Final = "A join repeats rows, and figures take some of them in more than once. To take each once, add up in a subquery before joining."
"""What is warned of, without the numbers: warnings are told to a model that is told no cell, which numbers of joined rows may be."""
_WEIGHED: Final = (
    *(exp.Sum, exp.Avg, exp.Median),
    *(exp.Stddev, exp.StddevSamp, exp.StddevPop, exp.Variance, exp.VariancePop),
)
"""Aggregates that another copy of a row changes; a count of a join is one of its rows."""
_JOINS: Final = frozenset({"", "INNER", "OUTER", "CROSS"})
"""Kinds of join of which both sides can be referred to."""
_LARGE: Final = 1_000_000
"""Rows of a table above which nobody counts those that find no partner: it would take as long as the join itself."""
_TEXT: Final = 60
"""Characters of an expression in a sentence."""


@record
class _Source:
    """One side of a join."""

    name: str
    """As the query calls it."""
    title: str
    """As it is told: the table, where it is one."""
    table: Table | None
    columns: Mapping[str, Column]
    """By their names in one case."""

    @property
    def number(self) -> exp.Column:
        """The number that each of its rows has in a probe."""
        return exp.column(f"__row_of_{self.name.casefold()}__", table=self.name, quoted=True)


@record
class _Joins:
    """The joins of one SELECT of a query."""

    engine: Engine
    tables: Mapping[str, Table]
    select: exp.Select
    sources: Sequence[_Source]
    with_: exp.Expr | None
    """The CTEs of the whole query, which the SELECT may be over."""

    def counted(self, counts: Sequence[exp.Expr], *, filtered: bool) -> list[Value]:
        """Return what `counts` come to over the joined rows, in which each row of each side has a number."""
        probe = _probe(self.select, self.sources, self.with_, filtered=filtered).select(*counts)
        ((*cells,),) = self.engine.rows(bind_tables(probe, self.tables))
        return cells


def joins_told(
    engine: Engine, tables: Mapping[str, Table], query: exp.Query
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the warnings and the notes on the joins of a checked query that `engine` has run.

    What cannot be told by the shape of the query is not. Engines other than DuckDB are asked nothing.
    """
    if engine.dialect != DIALECT or not query.find(exp.Join):
        return (), ()
    with_ = query.args.get("with_")
    warnings: list[str] = []
    notes: list[str] = []
    for select in query.find_all(exp.Select):
        if not select.args.get("joins"):
            continue
        try:
            sources = _sources(engine, tables, select, with_)
            if sources is None:
                continue
            joins = _Joins(engine=engine, tables=tables, select=select, sources=sources, with_=with_)
            warnings += _codes(joins)
            if Block(select).is_aggregate and (repeated := [*_repeated(joins)]):
                warnings.append(REPEATS)
                notes += repeated
            if select is query:
                notes += _alone(joins)
        except QueryFailedError:
            # A part that reads the query around it cannot be asked by itself.
            continue
        except QueryTimeoutError:
            warnings.append("Whether the join repeats rows could not be told in time.")
    return tuple(dict.fromkeys(warnings)), tuple(dict.fromkeys(notes))


def _sources(
    engine: Engine, tables: Mapping[str, Table], select: exp.Select, with_: exp.Expr | None
) -> list[_Source] | None:
    """Return the sides of the joins of a SELECT; nothing where one is no table and no query, or has no name."""
    joins = select.args["joins"]
    from_ = select.args.get("from_")
    if from_ is None or select.args.get("laterals") or any(join.kind not in _JOINS for join in joins):
        return None
    found = []
    for node in (from_.this, *(join.this for join in joins)):
        if not isinstance(node, (exp.Table, exp.Subquery, exp.Values)) or isinstance(node.this, exp.Func):
            return None
        if not node.alias_or_name or any(node.args.get(name) for name in ("joins", "sample", "pivots")):
            return None
        is_table = isinstance(node, exp.Table) and not stays(node)
        table = tables[node.name] if is_table and not node.alias_column_names else None
        schema = table.schema if table else engine.schema(bind_tables(_over(node, with_), tables))
        found.append(
            _Source(
                name=node.alias_or_name,
                title=table.name if table else node.alias_or_name,
                table=table,
                columns={column.name.casefold(): column for column in schema},
            )
        )
    if len({source.name.casefold() for source in found}) < len(found):
        return None
    titles = [source.title for source in found]
    return [
        source if titles.count(source.title) == 1 else replace(source, title=source.name) for source in found
    ]


def _over(node: exp.Expr, with_: exp.Expr | None) -> exp.Select:
    query = exp.select("*").from_(node.copy())
    if with_ is not None:
        query.set("with_", with_.copy())
    return query


def _probe(
    select: exp.Select, sources: Sequence[_Source], with_: exp.Expr | None, *, filtered: bool
) -> exp.Select:
    """Return the join of a SELECT with nothing selected yet, in which each row of each side has a number."""
    joined = exp.Select()
    clauses = ("with_", "from_", "joins", "where") if filtered else ("with_", "from_", "joins")
    for clause in clauses:
        part = select.args.get(clause)
        if part:
            joined.set(clause, [item.copy() for item in part] if isinstance(part, list) else part.copy())
    if with_ is not None:
        joined.set("with_", with_.copy())
    if filtered and (where := joined.args.get("where")):
        known = [name for source in sources for name in source.columns]
        joined.set("where", exp.Where(this=inline_aliases(where.this, select, known)))
    places = [joined.args["from_"], *joined.args["joins"]]
    for source, place in zip(sources, places, strict=True):
        number = exp.alias_(exp.Window(this=exp.RowNumber()), source.number.name, quoted=True)
        rows = exp.select(number, "*").from_(place.this)
        place.set("this", rows.subquery(exp.to_identifier(source.name, quoted=True)))
    return joined


def _repeated(joins: _Joins) -> Iterator[str]:
    """Yield what aggregates take in several times: rows of the sides that they are computed from."""
    sources = joins.sources
    found: dict[tuple[int, ...], list[exp.Expr]] = {}
    for aggregate in _aggregates(joins.select):
        used = _used(aggregate, sources)
        if used:
            found.setdefault(used, []).append(aggregate)
    if not found:
        return
    counts: list[exp.Expr] = []
    for used in found:
        numbers = [sources[place].number for place in used]
        there = exp.Where(this=exp.and_(*(number.copy().is_(exp.null()).not_() for number in numbers)))
        one = numbers[0] if len(numbers) == 1 else exp.Tuple(expressions=numbers)
        counts += [
            exp.Filter(this=exp.Count(this=counted), expression=there.copy())
            for counted in (exp.Star(), exp.Distinct(expressions=[one]))
        ]
    cells = joins.counted(counts, filtered=True)
    for (used, aggregates), rows, different in zip(found.items(), cells[::2], cells[1::2], strict=True):
        if whole(rows) > whole(different):
            titles = " and ".join(dict.fromkeys(inert(sources[place].title) for place in used))
            figures = list(dict.fromkeys(_said(aggregate) for aggregate in aggregates))
            take = "takes" if len(figures) == 1 else "take"
            yield (
                f"The join makes {whole(rows):,} rows of {whole(different):,} of {titles}: {', '.join(figures)} {take} some of "
                "them in more than once"
            )


def _aggregates(select: exp.Select) -> Iterator[exp.Expr]:
    """Yield the aggregates over the block's own rows that a repeated row changes."""
    parts = [*select.expressions, select.args.get("having"), select.args.get("order")]
    waiting = [part for part in parts if part is not None]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, exp.Query):
            continue
        if isinstance(node, _WEIGHED) and not isinstance(node.this, exp.Distinct):
            window = node.find_ancestor(exp.Window, exp.Select)
            if not isinstance(window, exp.Window):
                yield node
            continue
        waiting = [*node.iter_expressions(), *waiting]


def _used(aggregate: exp.Expr, sources: Sequence[_Source]) -> tuple[int, ...]:
    """Return the sides whose columns an aggregate reads; none where one of them cannot be told."""
    used = set()
    for column in aggregate.find_all(exp.Column):
        place = _owner(column, sources)
        if place is None:
            return ()
        used.add(place)
    return tuple(sorted(used))


def _owner(column: exp.Column, sources: Sequence[_Source]) -> int | None:
    if column.table:
        owners = [
            place for place, one in enumerate(sources) if one.name.casefold() == column.table.casefold()
        ]
    else:
        owners = [place for place, one in enumerate(sources) if column.name.casefold() in one.columns]
    return owners[0] if len(owners) == 1 else None


def _codes(joins: _Joins) -> Iterator[str]:
    """Yield which keys of a join are text on one side and numbers on the other."""
    select, sources = joins.select, joins.sources
    pairs: list[tuple[exp.Expr, exp.Expr]] = []
    for place, join in enumerate(select.args["joins"], start=1):
        for name in join.args.get("using") or ():
            before = next((one for one in sources[:place] if name.name.casefold() in one.columns), None)
            if before is not None:
                pairs.append(
                    (
                        exp.column(name.name, table=before.name),
                        exp.column(name.name, table=sources[place].name),
                    )
                )
    conditions = [join.args.get("on") for join in select.args["joins"]] + [select.args.get("where")]
    pairs += [(node.left, node.right) for part in conditions if part for node in part.find_all(exp.EQ)]
    for pair in pairs:
        sides = [_kind(side, sources) for side in pair]
        if None in sides or {side[1] is ColumnKind.TEXT for side in sides if side} != {True, False}:
            continue
        if not all(side[1] is ColumnKind.TEXT or side[1].is_numeric for side in sides if side):
            continue
        text, number = sorted(
            (side for side in sides if side), key=lambda side: side[1] is not ColumnKind.TEXT
        )
        yield (
            f"{inert(text[0])} is text and {inert(number[0])} holds numbers: they are joined as numbers, for which "
            f"'007' and '7' are one. To tell them apart, read both as text: --type '{inert(number[2])}=text'."
        )


def _kind(node: exp.Expr, sources: Sequence[_Source]) -> tuple[str, ColumnKind, str] | None:
    """Return a column with its table, its kind and its name alone."""
    place = _owner(node, sources) if isinstance(node, exp.Column) else None
    if place is None:
        return None
    column = sources[place].columns.get(node.name.casefold())
    return None if column is None else (f"{sources[place].title}.{column.name}", column.kind, column.name)


def _alone(joins: _Joins) -> Iterator[str]:
    """Yield how many rows of the tables an inner join leaves out, because they find no partner."""
    sources = joins.sources
    written = joins.select.args["joins"]
    if any(join.side or not (join.args.get("on") or join.args.get("using")) for join in written):
        return
    if any(source.table is None or source.table.row_count > _LARGE for source in sources):
        return
    numbers = [exp.Count(this=exp.Distinct(expressions=[source.number])) for source in sources]
    cells = joins.counted(numbers, filtered=False)
    left = [
        f"{source.table.row_count - whole(cell):,} of {source.table.row_count:,} rows of {inert(source.title)}"
        for source, cell in zip(sources, cells, strict=True)
        if source.table is not None and whole(cell) < source.table.row_count
    ]
    if left:
        yield f"The join leaves out {' and '.join(left)}, which have no partner"


def _said(aggregate: exp.Expr) -> str:
    text = inert(aggregate.sql(DIALECT))
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"
