"""Cells looked up in a stored version, for columns with more texts than the facts of a table hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.facts.nouns import folded
from tabchat.engine.facts.source import Source, cell_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine

MOST_FOUND: Final = 200
"""Cells that are returned at most, of each column."""
_APOSTROPHES: Final = "'’ʼ`"
_REPLACED: Final = f"ёЁßẞ{_APOSTROPHES}"
"""Characters of a cell that its folded text does not have."""


def find_texts(
    engine: Engine, table: Table, columns: Sequence[str], texts: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return (column, cell) of the cells in text `columns` that are one of `texts`, whatever their case.

    Apostrophes, spaces around and the dots of `ё` do not count. Frequent cells come first, at most `MOST_FOUND` of a
    column. Only a stored version is searched: a file that is scanned where it lies has no such cells.
    """
    wanted = sorted({_folded(text) for text in texts} - {""})
    if not table.stored or not wanted:
        return ()
    source = Source.of(engine, table, table.scan)
    return tuple(
        (name, cell) for name in columns for cell in _cells(source, name, wanted) if _folded(cell) in wanted
    )


def _cells(source: Source, name: str, wanted: Sequence[str]) -> list[str]:
    cell = cell_of(name)
    is_one = exp.In(this=_folded_cell(cell), expressions=list(map(exp.Literal.string, wanted)))
    query = (
        source.query(cell, names=[name])
        .where(is_one)
        .group_by(cell.copy())
        .order_by(exp.Ordered(this=exp.Count(this=exp.Star()), desc=True, nulls_first=False), cell.copy())
        .limit(MOST_FOUND)
    )
    return [str(found) for (found,) in source.run(query)]


def _folded(text: str) -> str:
    return folded(text).strip().translate(str.maketrans("", "", _APOSTROPHES))


def _folded_cell(cell: exp.Column) -> exp.Expr:
    """Return the expression that folds a cell as `_folded` does, as far as the engine can.

    Few cells have what is replaced, which is sooner seen than replaced.
    """
    lower: exp.Expr = exp.Lower(this=exp.Trim(this=cell.copy()))
    replaced = lower
    for written, meant in (("ё", "е"), ("ß", "ss"), *((mark, "") for mark in _APOSTROPHES)):
        replaced = exp.func(
            "replace", replaced, exp.Literal.string(written), exp.Literal.string(meant), dialect="duckdb"
        )
    odd = [
        exp.func("contains", cell.copy(), exp.Literal.string(mark), dialect="duckdb") for mark in _REPLACED
    ]
    return exp.Case(ifs=[exp.If(this=exp.or_(*odd), true=replaced)], default=lower.copy())
