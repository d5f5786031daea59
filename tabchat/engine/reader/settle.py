"""From a sample's plans to plans that hold for every cell: convert in one pass, look at what did not fit, widen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import conversion, nodes
from tabchat.engine.reader.infer import Conventions, Guess, infer
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.plans import ColumnPlan

FLAG: Final = "__noted__"
"""Hidden column of a stored table: true for records with a repaired, missing or rejected cell."""
_ROUNDS: Final = 6
_PATIENCE: Final = 3
"""Rounds after which a column that still has misfits becomes text."""
_EXAMPLES: Final = 2000
_SHOWN: Final = 5
_CHUNK: Final = 150
"""Columns looked at in one query, so that very wide tables stay cheap to plan."""


@record
class Relation:
    """A regular delimited text that the engine reads as text columns called `c0`, `c1` and so on."""

    path: Path
    width: int
    delimiter: str = ","
    quote: str = '"'
    escape: str = '"'
    header: bool = False
    null_mark: str = ""
    """How a missing value is written; quoted cells are then never missing."""
    uneven: bool = False
    """Records may lack their last cells."""
    longest: int = 0
    """Bytes of the longest record known; the engine's own limit is 2 MB."""

    def source(self) -> exp.Table:
        """Return the table function call that reads it."""
        columns = exp.Struct(
            expressions=[
                exp.PropertyEQ(this=exp.to_identifier(f"c{i}"), expression=nodes.text("VARCHAR"))
                for i in range(self.width)
            ]
        )
        options: dict[str, exp.Expression] = {
            "auto_detect": exp.false(),
            "delim": nodes.text(self.delimiter),
            "quote": nodes.text(self.quote),
            "escape": nodes.text(self.escape),
            "header": exp.true() if self.header else exp.false(),
            "compression": nodes.text("none"),
            "hive_partitioning": exp.false(),
            "columns": columns,
        }
        if self.null_mark:
            options["nullstr"] = nodes.text(self.null_mark)
            options["allow_quoted_nulls"] = exp.false()
        if self.uneven:
            options["null_padding"] = exp.true()
            options["parallel"] = exp.false()
        if self.longest:
            options["max_line_size"] = exp.Literal.number(self.longest)
        return nodes.table_function("read_csv", str(self.path), options)

    def numbered(self, columns: Sequence[int]) -> exp.Subquery:
        """Return some columns together with the record number."""
        number = exp.Window(this=nodes.call("row_number"), over="OVER")
        picked = [nodes.named(number, "r"), *(nodes.column(f"c{i}") for i in columns)]
        return exp.Select(expressions=picked).from_(self.source()).subquery("numbered")


@record
class Finding:
    """Cells of one column that are worth a note; rows are the first record numbers."""

    column: int
    count: int
    rows: tuple[int, ...]
    examples: tuple[str, ...]


@record
class Settled:
    """A converted table and everything that was found on the way."""

    guesses: tuple[Guess, ...]
    row_count: int
    missing: tuple[Finding, ...] = ()
    padded: tuple[Finding, ...] = ()
    rejected: tuple[Finding, ...] = ()


def settle(
    connection: Connection,
    relation: Relation,
    guesses: Sequence[Guess],
    samples: Sequence[Counter[str]],
    conventions: Conventions,
    names: Sequence[str],
    target: Path,
    progress: Callable[[float], None] | None = None,
) -> Settled:
    """Write `relation` to the Parquet file `target` under plans that every cell fits.

    A plan that some cell does not fit is judged again with those cells in the
    sample, at last as text, which everything fits; forced plans reject the cells.
    """
    connection.expect(len(guesses))
    current = list(guesses)
    widened = [Counter(sample) for sample in samples]
    barred: dict[int, set[ColumnKind]] = {}
    tried: dict[int, set[str]] = {}
    for round_number in range(_ROUNDS):
        plans = [guess.plan for guess in current]
        row_count = _copy(connection, relation, plans, names, target, progress)
        noted = _noted_columns(connection, relation, plans, target)
        misfits = _find(connection, relation, {i: plans[i] for i in noted}, conversion.misfit)
        wrong = [finding for finding in misfits if not plans[finding.column].forced]
        if not wrong:
            break
        for finding in wrong:
            column, failed = finding.column, current[finding.column].plan
            examples = _examples(connection, relation, column, failed)
            refused = barred.setdefault(column, set())
            if tried.setdefault(column, set()).issuperset(examples):
                refused.add(failed.kind)
            tried[column].update(examples)
            if round_number >= _PATIENCE:
                refused.update(ColumnKind)
            # What did not fit comes first: only some of a long column's dates are looked at.
            widened[column] = Counter(examples) + widened[column]
            again = infer(widened[column], replace(conventions, dates_only=failed.typed), refused)
            current[column] = replace(again, plan=replace(again.plan, plain=False))
    plans_noted = {i: current[i].plan for i in noted}
    return Settled(
        guesses=tuple(current),
        row_count=row_count,
        missing=_find(connection, relation, plans_noted, conversion.missing),
        padded=_find(connection, relation, plans_noted, conversion.padded),
        rejected=tuple(finding for finding in misfits if plans[finding.column].forced),
    )


def _copy(
    connection: Connection,
    relation: Relation,
    plans: Sequence[ColumnPlan],
    names: Sequence[str],
    target: Path,
    progress: Callable[[float], None] | None,
) -> int:
    cells = [nodes.column(f"c{i}") for i in range(len(plans))]
    columns = [
        nodes.named(conversion.value(plan, cell), name)
        for plan, cell, name in zip(plans, cells, names, strict=True)
    ]
    noted = nodes.either(conversion.noteworthy(plan, cell) for plan, cell in zip(plans, cells, strict=True))
    query = exp.Select(expressions=[*columns, nodes.named(noted, FLAG)]).from_(relation.source())
    return copy_to_parquet(connection, query, target, progress)


def copy_to_parquet(
    connection: Connection,
    query: exp.Query,
    target: Path,
    progress: Callable[[float], None] | None = None,
) -> int:
    """Write a query's rows, in order, to a Parquet file; return how many they are."""
    settings = [
        exp.CopyParameter(this=exp.var("FORMAT"), expression=exp.var("parquet")),
        exp.CopyParameter(this=exp.var("COMPRESSION"), expression=exp.var("lz4")),
    ]
    statement = exp.Copy(this=query.subquery(), kind=False, files=[nodes.text(str(target))], params=settings)
    ((rows,),) = connection.rows(statement, progress)
    return int(str(rows))


def _noted_columns(
    connection: Connection, relation: Relation, plans: Sequence[ColumnPlan], target: Path
) -> list[int]:
    """Return the columns with cells worth a note, without reading the text again when there are none."""
    flagged = exp.Select(expressions=[nodes.call("bool_or", nodes.column(FLAG))]).from_(
        nodes.table_function("read_parquet", str(target), {})
    )
    if connection.rows(flagged) != [(True,)]:
        return []
    noted: list[int] = []
    for start in range(0, len(plans), _CHUNK):
        chunk = range(start, min(start + _CHUNK, len(plans)))
        checks = [
            nodes.call("bool_or", conversion.noteworthy(plans[i], nodes.column(f"c{i}"))) for i in chunk
        ]
        ((*found,),) = connection.rows(exp.Select(expressions=checks).from_(relation.source()))
        noted += [i for i, any_noted in zip(chunk, found, strict=True) if any_noted]
    return noted


def _find(
    connection: Connection,
    relation: Relation,
    plans: Mapping[int, ColumnPlan],
    condition: Callable[[ColumnPlan, exp.Expression], exp.Expression],
) -> tuple[Finding, ...]:
    """Count the cells that meet a condition, column by column, with the first rows and contents."""
    findings: list[Finding] = []
    columns = [i for i in plans if condition(plans[i], nodes.column(f"c{i}")) != exp.false()]
    for start in range(0, len(columns), _CHUNK):
        chunk = columns[start : start + _CHUNK]
        facts = [fact for i in chunk for fact in _facts(condition(plans[i], nodes.column(f"c{i}")), i)]
        ((*found,),) = connection.rows(exp.Select(expressions=facts).from_(relation.numbered(chunk)))
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


def _examples(connection: Connection, relation: Relation, column: int, plan: ColumnPlan) -> list[str]:
    cell = nodes.column(f"c{column}")
    query = (
        exp.Select(expressions=[cell])
        .distinct()
        .from_(relation.source())
        .where(conversion.misfit(plan, cell))
        .limit(_EXAMPLES)
    )
    return [str(example) for (example,) in connection.rows(query)]


def count_misfits(
    connection: Connection, relation: Relation, plans: Mapping[int, ColumnPlan]
) -> tuple[Finding, ...]:
    """Count the cells that keep columns from the kinds which nearly all their cells fit."""
    return _find(connection, relation, plans, conversion.misfit)
