"""The distinct texts of a table, asked of the engine: all of the short columns, and of longer ones as far as they are held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.types import ColumnKind
from tabchat.planner.kept_values import ListedValues

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine

VALUE_LIMIT: Final = 3_000
"""Distinct texts up to which a column's values are held in the index, in every form of their words."""

TOTAL_LIMIT: Final = 20_000
"""Distinct texts that the index holds in all."""

HELD_LIMIT: Final = 150_000
"""Distinct texts, of all columns together, that are held to be found when they are written out."""

_LONGEST_TEXT: Final = 120
"""Bytes of the longest text of a longer column that anyone writes out in a question."""
_FEW_CELLS: Final = 400_000
"""Cells that are listed without counting first."""


def list_values(engine: Engine, table: Table) -> ListedValues:
    """List the texts of a table in one or two queries over all its text columns."""
    texts = {
        index: column.name for index, column in enumerate(table.schema) if column.kind is ColumnKind.TEXT
    }
    if not texts:
        return ListedValues()
    if 0 <= table.row_count * len(texts) <= _FEW_CELLS:
        values = _distinct_of_few(engine, table, texts)
        short, held = _chosen({index: len(values[index]) for index in texts})
    else:
        short, held = _chosen(_approximate_counts(engine, table, texts))
        values = _distinct(engine, table, {index: texts[index] for index in sorted(short | held)}, held)
    return ListedValues(
        listed={index: values[index] for index in sorted(short)},
        held={index: values[index] for index in sorted(held)},
        unheld=tuple(index for index in texts if index not in short | held),
    )


def _chosen(counts: Mapping[int, int]) -> tuple[frozenset[int], frozenset[int]]:
    """Part the columns, fewest texts first, into those of the index and those that are held besides."""
    short: set[int] = set()
    held: set[int] = set()
    total = 0
    for index, count in sorted(counts.items(), key=lambda item: (item[1], item[0])):
        total += count
        if count <= VALUE_LIMIT and total <= TOTAL_LIMIT:
            short.add(index)
        elif total <= HELD_LIMIT:
            held.add(index)
    return frozenset(short), frozenset(held)


def _approximate_counts(engine: Engine, table: Table, texts: Mapping[int, str]) -> dict[int, int]:
    query = _from(table, *(exp.ApproxDistinct(this=_cell(name)) for name in texts.values()))
    found = engine.rows(query)[0]
    return {index: count for index, count in zip(texts, found, strict=True) if isinstance(count, int)}


def _distinct_of_few(engine: Engine, table: Table, texts: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """List the texts of a table of few rows: one aggregate over all cells sets up faster than one for each column."""
    listed = exp.func("list", exp.Distinct(expressions=[_cell("cell")]), dialect="duckdb")
    query = exp.select(_cell("place"), listed).from_(_pairs(table, texts)).group_by(_cell("place"))
    found = {row[0]: _sorted(row[1]) for row in engine.rows(query)}
    return {index: found.get(index, ()) for index in texts}


def _distinct(
    engine: Engine, table: Table, texts: Mapping[int, str], bounded: frozenset[int]
) -> dict[int, tuple[str, ...]]:
    if not texts:
        return {}
    lists = (_list(name, short=index in bounded) for index, name in texts.items())
    row = engine.rows(_from(table, *lists))[0]
    return {index: _sorted(found) for index, found in zip(texts, row, strict=True)}


def _sorted(found: object) -> tuple[str, ...]:
    return tuple(sorted(item for item in found if isinstance(item, str))) if isinstance(found, list) else ()


def _list(name: str, *, short: bool) -> exp.Expr:
    listed = exp.func("list", exp.Distinct(expressions=[_cell(name)]), dialect="duckdb")
    if not short:
        return listed
    length = exp.func("strlen", _cell(name), dialect="duckdb")
    return exp.Filter(
        this=listed, expression=exp.Where(this=exp.LTE(this=length, expression=_number(_LONGEST_TEXT)))
    )


def look_up(
    engine: Engine, table: Table, columns: Sequence[int], texts: Sequence[str]
) -> Sequence[tuple[int, str]]:
    """Return (column index, cell) of the cells of some columns that fold to one of `texts`."""
    if not columns or not texts:
        return ()
    pairs = _pairs(table, {index: table.schema[index].name for index in columns})
    folded = exp.Lower(this=exp.Trim(this=_cell("cell")))
    found = exp.In(this=folded, expressions=[exp.Literal.string(text) for text in texts])
    query = exp.select(_cell("place"), _cell("cell")).distinct().from_(pairs).where(found)
    return [(int(str(row[0])), str(row[1])) for row in engine.rows(query)]


def _pairs(table: Table, columns: Mapping[int, str]) -> exp.Subquery:
    """Return (place, cell) of every cell of some columns."""
    # One list for each row is cheaper to plan than one query for each of many columns.
    return _from(
        table,
        exp.alias_(_unnested([_number(index) for index in columns]), "place", quoted=True),
        exp.alias_(_unnested([_cell(name) for name in columns.values()]), "cell", quoted=True),
    ).subquery("pairs")


def _from(table: Table, *selected: exp.Expr) -> exp.Select:
    return exp.select(*selected).from_(exp.Table(this=exp.to_identifier(table.name, quoted=True)))


def _cell(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True))


def _number(value: int) -> exp.Expr:
    return exp.Literal.number(value)


def _unnested(items: Sequence[exp.Expr]) -> exp.Expr:
    return exp.func("unnest", exp.Array(expressions=list(items)), dialect="duckdb")
