"""Records that sum up others: they stay in the table, but whoever adds the column up should know."""

from __future__ import annotations

import math
import re
import shlex
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.cells import CELL_LIMIT
from tabchat.engine.reader import nodes
from tabchat.engine.reader.text.vocabulary import (
    AVERAGE_WORDS,
    BLANKS,
    PERIOD_LABEL,
    SUBTOTAL_LABEL,
    TOTAL_LABEL,
    TURNOVER_LABEL,
)
from tabchat.engine.table import LoadNote, some, warning_note
from tabchat.engine.types import FILE_ROW, ColumnKind, whole
from tabchat.inert import UNSAFE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.text.noting import Finding
    from tabchat.engine.types import Schema, Value

LAST: Final = 3
"""Records at the end among which a total is looked for: a remark may follow it."""
LABELS: Final = 4
"""Columns of words, from the left, that may hold its label."""
_SHOWN: Final = 5
_REPORT: Final = 100_000
"""Records up to which a table may be a report with subtotals."""
_SPAN: Final = 400
"""Records that one in the midst of others may sum up."""
_GROUP_TOTAL: Final = r"(.+\S)\s+(?:total|итог|всего|підсумок|разом|ergebnis)|(?:total|итого?|всего|разом|всього|усього)\s+(\S.*)"
_MARKED: Final = f"{SUBTOTAL_LABEL}|{_GROUP_TOTAL}"
"""What labels of subtotals look like, which are not looked at otherwise."""
_PROVED: Final = f"{TOTAL_LABEL}|{PERIOD_LABEL}|{TURNOVER_LABEL}"
"""What they look like where the figures have to bear it out."""


def total_notes(
    connection: Connection,
    parquet: Path,
    schema: Schema,
    row_count: int,
    labelled: Mapping[str, Finding],
) -> Iterator[LoadNote]:
    """Point out records that sum up others, or average them.

    Near the end a label is enough, or that a record without one sums up all others. At the head, and of such as `Итого`
    or `1 квартал` in the midst, the figures have to be sums. `labelled` are labels that stood among the dates of a column.
    """
    for name, finding in labelled.items():
        yield _among_dates(name, finding)
    names = [column.name for column in schema if not column.kind.is_numeric]
    figures = [column.name for column in schema if column.kind.is_numeric]
    if not names or not figures or row_count < LAST:
        return
    words = [column.name for column in schema if column.kind is ColumnKind.TEXT][:LABELS]
    source = nodes.table_function("read_parquet", str(parquet), {FILE_ROW: exp.true()})
    bare = not labelled and _is_bare(connection, source, names, row_count)
    if bare and _sums_up(connection, source, figures, row_count):
        yield _total("", row_count, None)
    for row, cells in _ends(connection, source, words, row_count):
        found = label_of(cells)
        if found is not None and (row > row_count - LAST or _sums_up(connection, source, figures, row)):
            yield _total(found[1], row, words[found[0]])
    if words and row_count <= _REPORT:
        above = _Above(connection, source, figures)
        for name, marked in _subtotals(connection, source, words, above, row_count):
            if marked:
                yield _marked(name, marked)


def _among_dates(name: str, finding: Finding) -> LoadNote:
    labels, one = list(dict.fromkeys(map(_short, finding.examples))), finding.count == 1
    return warning_note(
        message=f"{_records(finding.count)} labelled {some([*map(repr, labels)])} among the dates of {name!r} "
        f"{'looks like a total of others, and counts' if one else 'look like totals of others, and count'} all the same; "
        f"the {'label is a missing date' if one else 'labels are missing dates'}.",
        column=name,
        rows=finding.rows,
        count=finding.count,
        told=f"{finding.count:,} records without a date look like totals of others",
        totals=tuple(labels),
        hint=f"To keep the words: --type '{name}=text'.",
        skews=True,
    )


def _total(label: str, row: int, column: str | None) -> LoadNote:
    what = "an average" if _word(label) in AVERAGE_WORDS else "a total"
    return warning_note(
        message=f"The record {f'labelled {_short(label)!r}' if label else 'without a label'} looks like {what} of the others, "
        "and counts as one of them.",
        column=column,
        rows=(row,),
        count=1,
        told=f"row {row} looks like {what} of the others",
        totals=(_short(label) or f"#{row}",),
        hint=_deleting(column, [label]) if column else None,
        skews=True,
    )


def _marked(name: str, found: Sequence[tuple[int, str]]) -> LoadNote:
    labels = list(dict.fromkeys(label for _, label in found))
    one = len(found) == 1
    return warning_note(
        message=f"{_records(len(found))} labelled {some([repr(_short(label)) for label in labels])} "
        f"{'looks like a subtotal' if one else 'look like subtotals'} of others, and "
        f"{'counts as one' if one else 'count as some'} of them.",
        column=name,
        rows=tuple(row for row, _ in found[:_SHOWN]),
        count=len(found),
        told=f"{len(found):,} records look like subtotals of others",
        totals=tuple(map(_short, labels)),
        hint=_deleting(name, labels),
        skews=True,
    )


def _records(count: int) -> str:
    return f"{count:,} record{'' if count == 1 else 's'}"


def _deleting(name: str, labels: Sequence[str]) -> str | None:
    """Return the command that leaves records out, as a person can type it; nothing where it cannot write their cells."""
    listed = " or ".join(f'"{label}"' for label in labels)
    if any('"' in text or UNSAFE.search(text) or _short(text) != text for text in (name, *labels)):
        return None
    edit = shlex.quote(f'delete rows where "{name}" is {listed}')
    return f"To leave {'it' if len(labels) == 1 else 'them'} out: tabchat edit FILE {edit} -o NEW_FILE."


def _is_bare(connection: Connection, source: exp.Table, names: Sequence[str], row: int) -> bool:
    """Tell whether the last record, of number `row`, has nothing but figures where most others have more."""
    own = exp.EQ(this=nodes.column(FILE_ROW), expression=exp.Literal.number(row - 1))
    counts: list[exp.Expr] = [
        exp.Count(this=exp.Star()),
        exp.Filter(this=exp.Count(this=exp.Star()), expression=exp.Where(this=own)),
    ]
    empty = [nodes.is_null(nodes.column(name)) for name in names]
    ((alike, last),) = connection.rows(
        exp.Select(expressions=counts).from_(source.copy()).where(nodes.both(*empty))
    )
    return whole(last) == 1 and 2 * whole(alike) <= row


def _ends(
    connection: Connection, source: exp.Table, words: Sequence[str], row_count: int
) -> Iterator[tuple[int, Sequence[Value]]]:
    """Yield the first and the last records, by their numbers."""
    late = exp.GTE(this=nodes.column(FILE_ROW), expression=exp.Literal.number(row_count - LAST))
    first = exp.EQ(this=nodes.column(FILE_ROW), expression=exp.Literal.number(0))
    query = exp.Select(expressions=[nodes.column(FILE_ROW), *map(nodes.column, words)]).from_(source.copy())
    for number, *cells in connection.rows(
        query.where(nodes.either([late, first])).order_by(nodes.column(FILE_ROW))
    ):
        yield whole(number) + 1, cells


def _subtotals(
    connection: Connection, source: exp.Table, words: Sequence[str], above: _Above, row_count: int
) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield each column with number and label of the records that it calls subtotals.

    A label is one such as `Subtotal`, another cell of its column with a word for a total beside it, as spreadsheet
    programs write it (`North Total` among records of `North`), or one that the figures bear out.
    """
    cells = [nodes.column(name) for name in words]
    looks = [
        nodes.call("regexp_full_match", nodes.call("lower", cell), f"{_MARKED}|{_PROVED}") for cell in cells
    ]
    query = (
        exp.Select(expressions=[nodes.column(FILE_ROW), *cells])
        .from_(source.copy())
        .where(nodes.either(looks))
    )
    rows = connection.rows(query.order_by(nodes.column(FILE_ROW)))
    for place, name in enumerate(words, start=1):
        labelled = [(whole(row[0]) + 1, str(row[place])) for row in rows if row[place]]
        stems = {stem for _, label in labelled for stem in _stems(label)}
        groups = _known(connection, source, name, stems) if stems else set()
        marked = {
            row: label
            for row, label in labelled
            if re.fullmatch(SUBTOTAL_LABEL, label.lower()) or not groups.isdisjoint(_stems(label))
        }
        for row, label in labelled:
            at_end = row > row_count - LAST and label_of([label]) is not None
            if row in marked or at_end or not re.fullmatch(_PROVED, label.lower()):
                continue
            if above.add_up_to(row, marked, every=not re.fullmatch(TOTAL_LABEL, label.lower())):
                marked[row] = label
        yield name, sorted(marked.items())


def _known(connection: Connection, source: exp.Table, name: str, stems: set[str]) -> set[str]:
    """Return those of `stems` that are cells of a column themselves."""
    cell = nodes.column(name)
    query = (
        exp.Select(expressions=[cell])
        .distinct()
        .from_(source.copy())
        .where(nodes.one_of(cell, sorted(stems)))
    )
    return {str(value) for (value,) in connection.rows(query)}


def _stems(label: str) -> set[str]:
    """Return the groups that a label may name beside a word for a total."""
    found = re.fullmatch(_GROUP_TOTAL, label, re.IGNORECASE)
    return {stem for stem in found.groups() if stem} if found else set()


def label_of(cells: Sequence[object]) -> tuple[int, str] | None:
    """Return the first cell that is there, and its place, when it is the label of a total or an average."""
    first = next(((i, cell) for i, cell in enumerate(cells) if isinstance(cell, str) and cell), None)
    if first is None:
        return None
    is_label = _word(first[1]) in AVERAGE_WORDS or re.fullmatch(TOTAL_LABEL, first[1].strip(BLANKS).lower())
    return first if is_label else None


def _short(label: str) -> str:
    return label if len(label) <= CELL_LIMIT else f"{label[: CELL_LIMIT - 1]}…"


def _word(label: str) -> str:
    return label.strip(BLANKS).rstrip(":").lower()


def _sums_up(connection: Connection, source: exp.Table, figures: Sequence[str], row: int) -> bool:
    """Tell whether a record holds the sums of all others, in every column where it holds anything."""
    own = exp.EQ(this=nodes.column(FILE_ROW), expression=exp.Literal.number(row - 1))
    sums = [
        exp.Filter(this=exp.Sum(this=nodes.column(name)), expression=exp.Where(this=condition.copy()))
        for name in figures
        for condition in (own, nodes.negate(own))
    ]
    (found,) = connection.rows(exp.Select(expressions=sums).from_(source.copy()))
    return all(_equal(list(map(_figure, found[::2])), list(map(_figure, found[1::2]))) or [False])


class _Above:
    """Whether records hold the sums of those right above them; the figures are read when that is first asked."""

    def __init__(self, connection: Connection, source: exp.Table, figures: Sequence[str]) -> None:
        query = exp.Select(expressions=[*map(nodes.column, figures)]).from_(source.copy())
        self._connection, self._query = connection, query.order_by(nodes.column(FILE_ROW))

    @cached_property
    def _rows(self) -> list[list[float | None]]:
        return [list(map(_figure, row)) for row in self._connection.rows(self._query)]

    def add_up_to(self, row: int, skipped: Collection[int], *, every: bool) -> bool:
        """Tell whether those above the record of number `row`, less the skipped ones, add up to it.

        That is asked of any of its columns, or of `every` one where it holds anything, and of two records at least.
        """
        own, count = self._rows[row - 1], 0
        sums: list[float | None] = [None] * len(own)
        for number in range(row - 1, max(0, row - 1 - _SPAN), -1):
            if number in skipped:
                continue
            count += 1
            pairs = zip(sums, self._rows[number - 1], strict=True)
            sums = [(one or 0.0) + more if more is not None else one for one, more in pairs]
            equal = _equal(own, sums)
            if (equal and all(equal) and count > 1) if every else any(equal):
                return True
        return False


def _figure(cell: Value) -> float | None:
    return None if cell is None else float(str(cell))


def _equal(totals: Sequence[float | None], sums: Sequence[float | None]) -> list[bool]:
    """Return of each column that has both whether they are equal; nothing where all of them are 0."""
    pairs = [(one, other) for one, other in zip(totals, sums, strict=True) if None not in (one, other)]
    return (
        [math.isclose(one or 0, other or 0, rel_tol=1e-6) for one, other in pairs]
        if any(map(any, pairs))
        else []
    )
