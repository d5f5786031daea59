"""Versions whose rows came from code: matched with the rows before by their numbers, where code kept them.

A frame may bring an integer column `__row__`. A number of a row that is there before the edit says that this is
the same row; null, a number that no row has, or one that occurred already is a row that was added, which gets a
number of its own. Rows are kept in the order of their numbers, added ones at the end: an order is no edit.

Without `__row__`, rows are matched by place only when there are as many as before. A frame with fewer or more
rows then has no row in common with the version before: all of those are counted as removed, and all of the
frame's as added.

Columns that the code was not shown stay with the rows that stayed, and are missing in rows that were added.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.edits.comparing import compare_versions
from tabchat.engine.edits.versions import (
    FRAME,
    EditedTable,
    next_version,
    nothing_changes,
    whole_table,
    with_unit_of,
    write_version,
)
from tabchat.engine.functions.templates import fill
from tabchat.engine.types import HELPER_PREFIX, ROW
from tabchat.errors import PlanError

if TYPE_CHECKING:
    import pyarrow as pa

    from tabchat.engine.reader import TableCache
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, JsonValue


def frame_version(
    engine: Engine, cache: TableCache, table: Table, rows: pa.Table, *, label: str
) -> EditedTable:
    """Make the version of `table` that holds `rows`; `label` says in a line what the code did.

    Raises `PlanError` for a frame without columns, with a name twice, or that changes nothing.
    """
    base = whole_table(table)
    shown = [name for name in rows.column_names if name != ROW]
    _check_names(shown, table.hidden)
    names = [*shown, *table.hidden]
    said: dict[str, JsonValue] = {"operation": FRAME, "label": label, "digest": _digest(rows)}
    record_of_edit: dict[str, JsonValue] = {"edit": said}
    version = next_version(base, record_of_edit)
    kept = cache.load(version, name=table.name)
    after = kept or write_version(
        engine,
        cache,
        base,
        query=_with_hidden(_numbered(engine, base, rows, shown), base, shown, table.hidden),
        names=names,
        record_of_edit=record_of_edit,
        column_of=lambda column: with_unit_of(base.by_name.get(column.name), column),
        gone=[name for name in base.by_name if name not in names],
    )
    summary = compare_versions(engine, base, after, renamed={}, adds_rows=True)
    if summary.changes_nothing:
        if kept is None:
            cache.discard(version)
        raise nothing_changes(said)
    return EditedTable(
        before=base,
        after=after,
        summary=summary,
        edit=said,
        is_new=kept is None,
        reads=frozenset(table.by_name),
    )


def _check_names(names: list[str], hidden: tuple[str, ...]) -> None:
    folded = [name.casefold() for name in (*names, *hidden)]
    if not names:
        raise PlanError("The frame has no columns.", hint="Return a frame with at least one column.")
    for name in names:
        if folded.count(name.casefold()) > 1:
            raise PlanError(f"The name {name!r} is taken.", hint="Give columns different names.")
        if name.startswith(HELPER_PREFIX) or not name.strip() or not name.isprintable():
            raise PlanError(f"{name!r} cannot be the name of a column.", hint="Choose another name.")


def _numbered(engine: Engine, base: Table, rows: pa.Table, names: list[str]) -> exp.Select:
    """Return the query over the frame's rows with the numbers that they keep or get."""
    held = engine.hold(rows)
    given = ROW in rows.column_names
    last = base.last_row or base.row_count
    if given:
        number = exp.cast(exp.column(ROW, quoted=True), "BIGINT", dialect="duckdb")
    elif rows.num_rows == base.row_count:
        return _by_place(base, held, names)
    else:
        number = exp.cast(exp.Null(), "BIGINT", dialect="duckdb")
    cells = [exp.column(name, quoted=True) for name in names]
    placed = exp.select(
        exp.alias_(number, "__given", quoted=True),
        exp.alias_(fill("ROW_NUMBER() OVER ()"), "__place", quoted=True),
        *cells,
    ).from_(held.subquery("frame"))
    known = exp.select(exp.alias_(exp.column(ROW, quoted=True), "__known", quoted=True)).from_(
        base.scan.copy().subquery("base")
    )
    first = fill('ROW_NUMBER() OVER (PARTITION BY "__given" ORDER BY "__place")')
    counted = (
        exp.select(
            exp.alias_(fill('CASE WHEN :first = 1 THEN "__known" END', first=first), "__kept", quoted=True),
            exp.column("__place", quoted=True),
            *(cell.copy() for cell in cells),
        )
        .from_(placed.subquery("placed"))
        .join(known.subquery("known"), on=fill('"__known" = "__given"'), join_type="left")
    )
    added = fill(
        'COALESCE("__kept", :last + ROW_NUMBER() OVER (PARTITION BY "__kept" IS NULL ORDER BY "__place"))',
        last=last,
    )
    return (
        exp.select(exp.alias_(added, ROW, quoted=True), *(cell.copy() for cell in cells))
        .from_(counted.subquery("counted"))
        .order_by(exp.column(ROW, quoted=True))
    )


def _with_hidden(query: exp.Select, base: Table, shown: list[str], hidden: tuple[str, ...]) -> exp.Select:
    """Return the rows of `query` with the columns of the version before that the code was not shown."""
    if not hidden:
        return query
    mine = [exp.column(name, table="rows", quoted=True) for name in (ROW, *shown)]
    theirs = [exp.column(name, table="base", quoted=True) for name in hidden]
    same = fill(":a = :b", a=mine[0], b=exp.column(ROW, table="base", quoted=True))
    return (
        exp.select(*mine, *theirs)
        .from_(query.subquery("rows"))
        .join(base.scan.copy().subquery("base"), on=same, join_type="left")
        .order_by(mine[0].copy())
    )


def _by_place(base: Table, held: exp.Select, names: list[str]) -> exp.Select:
    cells = [exp.column(name, quoted=True) for name in names]
    placed = exp.select(exp.alias_(fill("ROW_NUMBER() OVER ()"), "__place", quoted=True), *cells)
    ordered = fill("ROW_NUMBER() OVER (ORDER BY :row)", row=exp.column(ROW, quoted=True))
    known = exp.select(exp.column(ROW, quoted=True), exp.alias_(ordered, "__known", quoted=True)).from_(
        base.scan.copy().subquery("base")
    )
    return (
        exp.select(exp.column(ROW, quoted=True), *(cell.copy() for cell in cells))
        .from_(placed.from_(held.subquery("frame")).subquery("placed"))
        .join(known.subquery("known"), on=fill('"__known" = "__place"'))
        .order_by(exp.column(ROW, quoted=True))
    )


def _digest(rows: pa.Table) -> str:
    """Return a hash of the frame's names, types and cells."""
    import pyarrow as pa

    digest = hashlib.blake2b(str(rows.schema).encode(), digest_size=20)
    for batch in rows.combine_chunks().to_batches():
        digest.update(pa.record_batch([*batch.columns], schema=rows.schema).serialize())
    return digest.hexdigest()
