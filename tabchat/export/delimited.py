"""CSV and TSV (RFC 4180, with line feeds): missing cells are empty, empty text is quoted.

The engine builds whole lines, so that a cell never becomes a Python object; of the few rows that are at hand as
such, Python does. Rows that are simply read are written by the engine itself.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.copying import Lines
from tabchat.engine.projection import base_type, cast_to, project
from tabchat.export.cells import encode_columns, quoting
from tabchat.export.formulas import NUMBER, STARTS
from tabchat.export.text_columns import is_repeatable, marked_columns, text_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlglot import exp

    from tabchat.engine.types import Column
    from tabchat.export.job import ExportJob
    from tabchat.export.text import TextOutput

_TEXT: Final = cast_to("TEXT")
_NESTED: Final = frozenset({"STRUCT", "MAP"})


def write_csv(job: ExportJob, out: TextOutput) -> int:
    """Write a frame as CSV; returns the number of rows."""
    return _write_delimited(job, out, ",")


def write_tsv(job: ExportJob, out: TextOutput) -> int:
    """Write a frame as CSV with tabs; returns the number of rows."""
    return _write_delimited(job, out, "\t")


def _write_delimited(job: ExportJob, out: TextOutput, delimiter: str) -> int:
    needs_quotes = re.compile(_quotable(delimiter)).search

    def quote(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if needs_quotes(text) else text

    def cell(text: str) -> str:
        return quote(job.formulas.text(text))

    header = delimiter.join(map(cell, job.names)) + "\n"
    if not (job.is_at_hand or out.is_terminal or len(job.names) == 1) and is_repeatable(job.frame):
        copied = _copied(job, out, header, delimiter)
        if copied is not None:
            return copied
    out.write(header)
    count = 0
    for lines in _few_lines(job, cell, delimiter) if job.is_at_hand else _lines(job, delimiter):
        out.write("\n".join(lines) + "\n")
        count += len(lines)
    return count


def _copied(job: ExportJob, out: TextOutput, header: str, delimiter: str) -> int | None:
    """Let the engine write the lines itself, and quote cells where there are some and its rule is ours for all of them.

    Returns None, with nothing written, where the engine cannot.
    """
    frame = job.frame
    texts = [place for place, textual in enumerate(job.textual) if textual]

    def cell_of(place: int, column: exp.Column) -> exp.Expr:
        return _cell_text(column, frame.schema[place])

    found = text_columns(frame, texts, cell_of)
    odd = {place for place, column in found.items() if column.is_odd}
    others = [place for place in texts if place not in odd]
    # Where the engine's rule is not ours for some cell, it quotes none, and what has to be quoted comes to it so.
    quotable = odd | marked_columns(frame, others, cell_of, delimiter) if odd else odd

    def cells(columns: Sequence[exp.Column]) -> Iterator[exp.Expr]:
        for place, column in enumerate(columns):
            cell = cell_of(place, column)
            if job.formulas.guard and place in found and found[place].formulas:
                cell = _guarded(cell)
            yield _quoted(cell, delimiter) if place in quotable else cell

    query = project(frame.query, frame.schema, lambda columns: [*cells(columns)])
    lines = Lines(header=header, delimiter=delimiter, quotes=not odd)
    count = None if out.file is None else frame.engine.write_into(query, out.file, lines)
    if count is None:
        count = frame.engine.write_lines(query, out.write_bytes, lines)
    if count is not None:
        job.formulas.count += sum(column.formulas for column in found.values())
    return count


def _guarded(cell: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return _if_formula(cell, exp.func("concat", exp.Literal.string("'"), cell.copy()), cell)


def _few_lines(job: ExportJob, cell: Callable[[str], str], delimiter: str) -> Iterator[list[str]]:
    encoders = [quoting(cell, missing=_missing(job))] * len(job.names)
    for rows in job.frame.chunks():
        yield [*map(delimiter.join, zip(*encode_columns(encoders, rows), strict=True))]


def _lines(job: ExportJob, delimiter: str) -> Iterator[list[str]]:
    lines = project(job.frame.query, job.frame.schema, lambda columns: _line(job, columns, delimiter))
    for rows in replace(job.frame, query=lines).chunks():
        yield [str(line) for line, _ in rows]
        job.formulas.count += sum(formulas for _, formulas in rows if isinstance(formulas, int))


def _missing(job: ExportJob) -> str:
    # In a single column, a missing cell alone would be a blank line, which readers skip.
    return "" if len(job.names) > 1 else '""'


def _quotable(delimiter: str) -> str:
    """Return the pattern of a cell that needs quotes; blanks at its ends do because many readers strip them."""
    return rf'["\r\n{delimiter}]|^[ \t]|[ \t]$|^$'


def _line(job: ExportJob, columns: Sequence[exp.Column], delimiter: str) -> list[exp.Expr]:
    """Return the line of a row, and how many of its cells look like formulas.

    No part is copied when it is put into another: over a thousand columns that would take longer than to write the rows.
    """
    from sqlglot import exp

    missing = exp.Literal.string(_missing(job))
    cells: list[exp.Expr] = []
    formulas: list[exp.Expr] = [exp.Literal.string("")]
    for column, described, textual in zip(columns, job.frame.schema, job.textual, strict=True):
        cell = _cell_text(column, described)
        if textual:
            formulas.append(_if_formula(cell, exp.Literal.string("="), exp.Literal.string("")))
            cell = _quoted(_guarded(cell) if job.formulas.guard else cell, delimiter)
        cells.append(exp.func("coalesce", cell, missing.copy(), copy=False))
    line = exp.Anonymous(this="concat_ws", expressions=[exp.Literal.string(delimiter), *cells])
    # One character for each, since a sum of thousands of terms would keep the planner busy for long.
    marks = exp.Anonymous(this="concat", expressions=formulas)
    counted = exp.func("length", marks, copy=False)
    return [exp.alias_(line, "line", copy=False), exp.alias_(counted, "formulas", copy=False)]


def _cell_text(cell: exp.Expr, column: Column) -> exp.Expr:
    """Return a cell as text; nothing for null and NaN."""
    from sqlglot import exp

    base = base_type(column.sql_type)
    if base in {"DOUBLE", "FLOAT"}:
        return exp.Case().when(exp.func("isnan", cell), exp.null()).else_(_TEXT(cell.copy()))
    if base == "BLOB":
        return exp.func("lower", exp.func("hex", cell))
    if base in _NESTED or column.sql_type.endswith("]"):
        return _TEXT(exp.Anonymous(this="to_json", expressions=[cell]))
    return cell if base == "VARCHAR" else _TEXT(cell)


def _if_formula(cell: exp.Expr, then: exp.Expr, otherwise: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    # Two nested cases; the planner takes minutes over thousands of conjunctions.
    starts = exp.RegexpLike(this=cell.copy(), expression=exp.Literal.string(STARTS))
    number = exp.RegexpLike(this=cell.copy(), expression=exp.Literal.string(NUMBER))
    inner = exp.Case().when(number, otherwise.copy(), copy=False).else_(then, copy=False)
    return exp.Case().when(starts, inner, copy=False).else_(otherwise.copy(), copy=False)


def _quoted(cell: exp.Expr, delimiter: str) -> exp.Expr:
    from sqlglot import exp

    mark = exp.Literal.string('"')
    needs = exp.RegexpLike(this=cell.copy(), expression=exp.Literal.string(_quotable(delimiter)))
    doubled = exp.func("replace", cell.copy(), mark, exp.Literal.string('""'), copy=False)
    marked = exp.func("concat", mark.copy(), doubled, mark.copy(), copy=False)
    return exp.Case().when(needs, marked, copy=False).else_(cell, copy=False)
