"""From the query of a recipe to its result: computed once, kept, and shown as SQL over the table's own rows."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.cells import inert
from tabchat.engine.compile.queries import alone_rows
from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.relation import pinned
from tabchat.engine.recipes.columns import measured
from tabchat.engine.result.result import Frame, Result, ResultKind, ResultMetadata
from tabchat.engine.types import ColumnKind, whole
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.rows import RecipeRows
    from tabchat.engine.result.result import Chart
    from tabchat.engine.types import Value


@record
class Shape:
    """What a result is, beside its rows."""

    kind: ResultKind
    source_rows: int | None
    """Rows that went into it; none when the result is rows of the table itself."""
    group_by: tuple[str, ...] = ()
    chart: Chart | None = None
    focus: tuple[str, ...] = ()
    units: Mapping[str, str | None] = field(default_factory=dict)
    """Column → unit."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """Figures of the whole, beside the rows."""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@record
class Computed:
    """An intermediate table that was computed once: what it holds, and how it is written as SQL."""

    kept: exp.Select
    """Query over the kept rows."""
    layer: exp.Expr
    """The same as a layer of the query that people read."""

    def both(self, build: Callable[[exp.Expr], exp.Select]) -> tuple[exp.Select, exp.Select]:
        """Return the query that is run, and the one that is shown."""
        return build(self.kept.subquery("kept")), build(self.layer.copy())


def compute(rows: RecipeRows, query: exp.Select) -> Computed:
    """Run `query` once, for others to go on from."""
    kept = rows.request.engine.materialise(rows.runnable(query))
    return Computed(kept=kept, layer=rows.layer(query))


def result_of(rows: RecipeRows, queries: tuple[exp.Select, exp.Select], shape: Shape) -> Result:
    """Compute the rows of a result.

    `queries` are the one that is run and the one that is shown; a result of kind dict or
    scalar takes its values from its only row.
    """
    engine = rows.request.engine
    run, shown = queries
    kept = engine.materialise(run)
    count = int(engine.rows(exp.select(exp.Count(this=exp.Star())).from_(kept.subquery("kept")))[0][0])  # type: ignore[arg-type] # a count
    schema = tuple(replace(column, unit=shape.units.get(column.name)) for column in engine.schema(kept))
    frame = Frame(engine=engine, query=kept, schema=schema, row_count=count)
    values = shape.values
    if shape.kind is ResultKind.DICT:
        values = dict(zip(frame.columns, frame.rows()[0], strict=True))
    return Result(
        kind=shape.kind,
        frame=frame,
        values=values,
        source=_source(rows, shape.source_rows),
        source_row_count=shape.source_rows,
        chart=shape.chart,
        group_by=shape.group_by,
        focus=shape.focus,
        metadata=ResultMetadata(
            rows=count,
            warnings=shape.warnings,
            notes=(*rows.notes, *shape.notes),
            alone=_alone(rows, shape, count),
        ),
        sql=rows.shown(shown).sql(engine.dialect, pretty=True, identify=True),
    )


def _alone(rows: RecipeRows, shape: Shape, count: int) -> int | None:
    """Return how many of the `count` groups may hold one row alone; nothing where they are not by columns of the rows."""
    keys = rows.keys(shape.group_by)
    if shape.kind is not ResultKind.GROUPED or keys is None or rows.request.children is not None:
        return None
    sizes = rows.select(exp.alias_(exp.Count(this=exp.Star()), "n")).group_by(*(key.column() for key in keys))
    singles = exp.select(alone_rows("n")).from_(sizes.subquery("sizes"))
    return min(count, whole(rows.request.engine.rows(rows.runnable(singles))[0][0]))


def _source(rows: RecipeRows, count: int | None) -> Frame | None:
    if count is None:
        return None
    engine = rows.request.engine
    tables = [table for table in (rows.request.table, rows.request.children) if table is not None]
    query = pinned(rows.narrowed(rows.source()), tables)
    units = {column.name: column.unit for column in rows.request.table.schema}
    schema = tuple(replace(column, unit=units.get(column.name)) for column in engine.schema(query))
    return Frame(engine=engine, query=query, schema=schema, row_count=count)


def without(rows: RecipeRows, field: Field | None) -> tuple[str, ...]:
    """Return the note that says how many of the rows, as they are kept by now, have no value of a number, or of a condition."""
    if field is None:
        return ()
    value = field.column() if field.kind is ColumnKind.BOOLEAN else measured(field)
    counted = rows.select(fill("COUNT(*) - COUNT(:x)", x=value))
    ((cell,),) = rows.request.engine.rows(rows.runnable(counted))
    missing = whole(cell)
    have = "1 row has" if missing == 1 else f"{missing:,} rows have"
    return (f"{have} no value of {inert(field.name)}, and went into no figure",) if missing else ()


def noted(result: Result, notes: Sequence[str]) -> Result:
    """Return a result with `notes` before its own."""
    metadata = replace(result.metadata, notes=(*notes, *result.metadata.notes))
    return replace(result, metadata=metadata)


def one_row(rows: RecipeRows, query: exp.Select) -> dict[str, Value]:
    """Run a query of one row and return it by column."""
    ((*cells,),) = rows.request.engine.rows(query)
    return dict(zip((item.alias_or_name for item in query.expressions), cells, strict=True))
