"""Rows of typed values on their way into the engine: written as regular text, their types remembered exactly.

JSON and workbooks say themselves what each cell is, so text stays text and numbers
stay numbers; only text that is dates throughout becomes dates.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.reader.connection import translated
from tabchat.engine.reader.description import Loaded
from tabchat.engine.reader.relation import Relation
from tabchat.engine.reader.text import report
from tabchat.engine.reader.text.delimited import forced_kinds, judge_columns
from tabchat.engine.reader.text.headers import column_names
from tabchat.engine.reader.text.infer import INT64, Conventions, Guess, infer
from tabchat.engine.reader.text.noting import count_misfits
from tabchat.engine.reader.text.numbers import EXACT_LIMIT
from tabchat.engine.reader.text.overall import overall_notes
from tabchat.engine.reader.text.plans import ColumnPlan
from tabchat.engine.reader.text.settle import settle
from tabchat.engine.table import LoadNote, LoadReport, inferred_note, not_finite_notes, warning_note
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.table import ReadOptions
    from tabchat.engine.types import Schema

_NULL: Final = "\\N"
_HALF: Final = re.compile("[\ud800-\udfff]")
_SAMPLED: Final = 5000
"""Distinct cells of a column that are remembered for judging it."""


@dataclass
class StagedColumn:
    """What one column was seen to hold."""

    label: str
    types: set[str] = field(default_factory=set)
    sample: Counter[str] = field(default_factory=Counter)
    largest: int = 0
    """Largest whole number by absolute value."""
    infinite: int = 0
    no_number: int = 0
    """Cells that are NaN."""
    halved: int = 0
    """Texts that hold half of a character, which is none (`\\ud83d` without the other half)."""
    unit: str | None = None
    """The unit in which the file says that its numbers are."""
    codes: bool = False
    """Whether they are codes, filled up with zeros."""


@dataclass
class Staging:
    """A text file that grows record by record; columns appear as they are first met."""

    path: Path
    columns: dict[Hashable, StagedColumn] = field(default_factory=dict)
    rows: int = 0
    uneven: bool = False

    def declare(self, labels: Iterable[tuple[Hashable, str]]) -> None:
        """Make columns exist that no record has a cell of."""
        for key, label in labels:
            self.columns.setdefault(key, StagedColumn(label=label))

    def write(self, rows: Iterable[Iterable[tuple[Hashable, str, Any]]]) -> None:
        """Write records given as (key, label, value) cells."""
        with translated(), self.path.open("w", encoding="utf-8", newline="", errors="surrogatepass") as out:
            for row in rows:
                texts: dict[Hashable, str] = {}
                for key, label, cell in row:
                    column = self.columns.get(key)
                    if column is None:
                        column = self.columns[key] = StagedColumn(label=label)
                        self.uneven = self.uneven or self.rows > 0
                    texts[key] = _written(column, cell)
                out.write(",".join([texts.get(key, _NULL) for key in self.columns] or [_NULL]))
                out.write("\n")
                self.rows += 1


def _written(column: StagedColumn, cell: Any) -> str:  # noqa: PLR0911 - one return for each type of cell
    """Return a cell as text of the staging file, and remember what it is."""
    match cell:
        case None:
            return _NULL
        case bool():
            return _remember(column, "bool", "true" if cell else "false")
        case int():
            column.largest = max(column.largest, abs(cell + (cell < 0)))
            return _remember(column, "int", str(cell))
        case float():
            if not math.isfinite(cell):
                column.infinite += math.isinf(cell)
                column.no_number += math.isnan(cell)
                return _NULL
            return _remember(column, "float", repr(cell))
        case str():
            return _quoted(_remember(column, "str", cell))
        case dt.date():
            # A datetime is a date too, and prints with a space before its time.
            return _remember(column, "date", str(cell))
        case dt.time():
            return _remember(column, "time", str(cell))
        case dt.timedelta():
            return _remember(column, "other", _clock(cell))
        case _:
            return _quoted(_remember(column, "other", json.dumps(cell, ensure_ascii=False)))


def _clock(duration: dt.timedelta) -> str:
    """Return a duration as spreadsheets show it, in hours: `30:05:00`, also where it is longer than a day."""
    sign, positive = ("-", -duration) if duration < dt.timedelta() else ("", duration)
    seconds = positive.days * 86_400 + positive.seconds
    fraction = f".{positive.microseconds:06}".rstrip("0") if positive.microseconds else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"


def _remember(column: StagedColumn, type_name: str, text: str) -> str:
    column.types.add(type_name)
    if not text.isascii() and _HALF.search(text):
        column.halved += 1
        text = _HALF.sub("\ufffd", text)
    if text in column.sample or len(column.sample) < _SAMPLED:
        column.sample[text] += 1
    return text


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def load_staged(
    staging: Staging,
    options: ReadOptions,
    connection: Connection,
    *,
    facts: LoadReport,
    progress: Callable[[float], None] | None = None,
) -> Loaded:
    """Convert staged rows into a Parquet file; `facts` is the report so far."""
    columns = list(staging.columns.values())
    names, name_notes = column_names([column.label for column in columns])
    samples = [column.sample for column in columns]
    conventions, judged = judge_columns(samples, names, options, dates_only=[_is_text(c) for c in columns])
    forced = forced_kinds(names, options)
    guesses = tuple(
        guess if i in forced else _guess(column, guess)
        for i, (column, guess) in enumerate(zip(columns, judged, strict=True))
    )
    relation = Relation(
        path=staging.path,
        width=len(columns),
        null_mark=_NULL,
        uneven=staging.uneven,
        longest=max(staging.path.stat().st_size, 1) if staging.path.stat().st_size < (1 << 28) else 1 << 28,
    )
    target = connection.workspace / "table.parquet"
    settled = settle(connection, relation, guesses, samples, conventions, names, target, progress)
    near = {i: guess.near for i, guess in enumerate(settled.guesses) if guess.near is not None}
    schema = _in_units(report.schema(settled.guesses, names), columns)
    notes = [
        *facts.notes,
        *name_notes,
        *_not_finite(columns, names),
        *_halved(columns, names),
        *_numbers_as_text(columns, names, settled.guesses),
        *report.column_notes(settled, names, count_misfits(connection, relation, near)),
        *overall_notes(connection, target, settled, names, schema),
    ]
    return Loaded(
        parquet=target,
        schema=schema,
        row_count=settled.row_count,
        report=replace(facts, notes=tuple(notes)),
    )


def _in_units(schema: Schema, columns: Sequence[StagedColumn]) -> Schema:
    """Return the columns with the units that the file states, which those of headers give way to."""
    return tuple(
        replace(column, unit=staged.unit) if staged.unit and column.kind.is_numeric else column
        for column, staged in zip(schema, columns, strict=True)
    )


def _is_text(column: StagedColumn) -> bool:
    return column.types <= {"str"}


def _guess(column: StagedColumn, judged: Guess) -> Guess:  # noqa: PLR0911 - one return for each mix of types
    """Return the plan that the types call for; `judged` is what the cells look like as text."""
    match column.types:
        case _ if column.codes:
            return Guess(plan=ColumnPlan(kind=ColumnKind.TEXT, typed=True), kept="zero-padded codes")
        case types if not types:
            return Guess(plan=ColumnPlan(kind=ColumnKind.TEXT, typed=True))
        case types if types == {"int"} and column.largest < INT64:
            return Guess(plan=ColumnPlan(kind=ColumnKind.INTEGER, plain=True))
        case types if types <= {"int", "float"} and "float" in types and _exact(column):
            return Guess(plan=ColumnPlan(kind=ColumnKind.NUMBER))
        case types if types == {"bool"}:
            return Guess(plan=ColumnPlan(kind=ColumnKind.BOOLEAN, truths=("true", "false"), plain=True))
        case types if types == {"str"} or types <= {"date", "str"} or types == {"time"}:
            return _faithful(judged)
        case types if types <= {"int", "float", "str"} and "str" in types:
            return _faithful(judged)
        case types if types <= {"int", "float"}:
            kept = "whole numbers too large to be held exactly"
            return Guess(plan=ColumnPlan(kind=ColumnKind.TEXT, typed=True), kept=kept)
        case types if types & {"int", "float"} and len(types) > 1 and "other" not in types:
            kept = "values of different types"
            return Guess(plan=ColumnPlan(kind=ColumnKind.TEXT, typed=True), kept=kept)
        case _:
            return Guess(plan=ColumnPlan(kind=ColumnKind.TEXT, typed=True))


def _exact(column: StagedColumn) -> bool:
    return column.largest < EXACT_LIMIT


def _faithful(judged: Guess) -> Guess:
    if judged.plan.kind is ColumnKind.TEXT:
        return replace(judged, plan=replace(judged.plan, typed=True, blank=False))
    return judged


def _not_finite(columns: Sequence[StagedColumn], names: Sequence[str]) -> Iterable[LoadNote]:
    for column, name in zip(columns, names, strict=True):
        yield from not_finite_notes(name, infinite=column.infinite, no_number=column.no_number)


def _halved(columns: Sequence[StagedColumn], names: Sequence[str]) -> Iterable[LoadNote]:
    for column, name in zip(columns, names, strict=True):
        if column.halved:
            yield warning_note(
                message=f"{column.halved:,} text{' holds' if column.halved == 1 else 's hold'} half of a character in "
                f"{name!r}, which became a replacement character.",
                column=name,
                count=column.halved,
                told="half characters were replaced",
            )


def _numbers_as_text(
    columns: Sequence[StagedColumn], names: Sequence[str], guesses: Sequence[Guess]
) -> Iterable[LoadNote]:
    """Point out columns whose text cells are all numbers: the file may not mean that."""
    for column, name, guess in zip(columns, names, guesses, strict=True):
        if not _is_text(column) or guess.plan.kind is not ColumnKind.TEXT or not column.sample:
            continue
        looks = infer(column.sample, Conventions())
        if looks.plan.kind.is_numeric:
            yield inferred_note(
                message=f"Column {name!r} holds numbers that the file stores as text.",
                column=name,
                told="numbers stored as text",
                hint=f"To calculate with them: --type '{name}=number'.",
            )
