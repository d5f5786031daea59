"""What a load report says about the columns of a text, and the schema that follows from their plans."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tabchat.engine.reader.text.units import header_unit
from tabchat.engine.table import LoadNote, inferred_note, repaired_note, some, warning_note
from tabchat.engine.types import Column, ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.reader.text.dialect import Dialect, Layout
    from tabchat.engine.reader.text.encoding import Encoding
    from tabchat.engine.reader.text.infer import Guess
    from tabchat.engine.reader.text.noting import Finding
    from tabchat.engine.reader.text.settle import Settled
    from tabchat.engine.types import Schema

_EXAMPLE: int = 40
_SUCH_AS = ", such as"
"""What examples of cells stand behind, where a reason gives any."""
_WORDS = {
    ColumnKind.INTEGER: ("a whole number", "whole numbers"),
    ColumnKind.NUMBER: ("a number", "numbers"),
    ColumnKind.BOOLEAN: ("a truth value", "truth values"),
    ColumnKind.DATE: ("a date", "dates"),
    ColumnKind.DATETIME: ("a date with a time", "dates with times"),
    ColumnKind.TIME: ("a time of day", "times of day"),
}
_OF_CLOCK = re.compile(r"\b(?:час|время|time|початок|начало|start|кінець|конец|end)\b", re.IGNORECASE)
_ORDERS = {"dmy": "day before month", "mdy": "month before day"}
_FLIPPED = {"dmy": "mdy", "mdy": "dmy"}


def schema(guesses: Sequence[Guess], names: Sequence[str]) -> Schema:
    """Return the visible columns; units come from the cells, else from the header of a numeric column."""
    columns = []
    for guess, name in zip(guesses, names, strict=True):
        plan = guess.plan
        stated = header_unit(name) if plan.kind.is_numeric else None
        # Cells of `12,3 ₽` under a header `млн руб.` are millions.
        unit = stated if stated and plan.unit and plan.unit in stated else plan.unit or stated
        columns.append(
            Column(
                name=name,
                kind=plan.kind,
                sql_type=plan.sql_type,
                unit=unit if plan.kind.is_numeric else None,
            )
        )
    return tuple(columns)


def decimal_of(guesses: Sequence[Guess]) -> str | None:
    """Return the decimal mark of the file's fractions, when it has any."""
    marks = {guess.plan.decimal for guess in guesses if guess.plan.kind is ColumnKind.NUMBER}
    return "," if "," in marks else "." if marks else None


def encoding_notes(found: Encoding, replaced: int) -> list[LoadNote]:
    """Say which encoding was taken, and how many bytes were not in it."""
    notes = []
    if found.guessed:
        notes.append(
            inferred_note(
                message=f"The text was taken to be in the encoding {found.codec}.",
                hint=f"If letters look wrong, say which it is, such as --encoding {found.other}.",
            )
        )
    if replaced:
        notes.append(
            warning_note(
                message=f"{replaced:,} byte{' is' if replaced == 1 else 's are'} not valid {found.codec} and became "
                f"{'a replacement character' if replaced == 1 else 'replacement characters'}.",
                count=replaced,
                hint=f"If letters look wrong, say which encoding it is, such as --encoding {found.other}.",
            )
        )
    return notes


def layout_notes(
    layout: Layout, dialect: Dialect, names: Sequence[str], row_count: int
) -> Iterator[LoadNote]:
    """Say what is doubtful about records and header."""
    if len(names) == 1 and (layout.blanks or any(mark in names[0] for mark in ",;\t|:")):
        yield warning_note(
            message=f"Only one column was found, named {_shortened(names[0])!r}.",
            hint="If cells are separated by something else, say by what: "
            f"--delimiter '{' ' if layout.blanks else ';'}'.",
        )
    if layout.header is None:
        yield inferred_note(
            message=f"No header record: {_called(names)}.",
            hint="If the first record holds names: --header.",
        )
    elif not layout.sure:
        yield inferred_note(
            message="The first record was taken for the header.",
            hint="If it is data: --no-header.",
        )
    if row_count == 0:
        yield warning_note(message="The table has a header and no records.")
    if not dialect.quote:
        yield warning_note(
            message="A quote is never closed, so quotes were read as ordinary characters.",
            hint="Close the quote, or double it if it belongs to the cell.",
        )
    if dialect.spaced:
        yield inferred_note(message=f"Blanks between {dialect.delimiter!r} and a quote were left out.")


def _called(names: Sequence[str]) -> str:
    return (
        f"columns are called {names[0]} … {names[-1]}"
        if len(names) > 1
        else f"the column is called {names[0]}"
    )


def column_notes(settled: Settled, names: Sequence[str], misfits: Sequence[Finding]) -> Iterator[LoadNote]:
    """Say what each column's cells made the reader decide, repair or reject."""
    yield from judgement_notes(settled.guesses, names, has_rows=settled.row_count > 0)
    for finding in settled.rejected:
        guess, name = settled.guesses[finding.column], names[finding.column]
        yield LoadNote(
            action="rejected",
            message=f"{_cells(finding.count)} of {name!r} {_are_not(finding.count, guess.plan.kind)} "
            f"and became missing, such as {_example(finding)}.",
            column=name,
            rows=finding.rows,
            count=finding.count,
            hint=f"Leave out --type {name}=… to keep them as text.",
            told=f"{_cells(finding.count)} {_are_not(finding.count, guess.plan.kind)} and became missing",
        )
    for finding in misfits:
        near, name = settled.guesses[finding.column].near, names[finding.column]
        if near is not None:
            yield _nearly(near.kind, name, finding)
    for finding in settled.missing:
        name = names[finding.column]
        yield repaired_note(
            message=f"{_cells(finding.count)} of {name!r} with a word for a missing value, such as "
            f"{_example(finding)}, became missing.",
            column=name,
            rows=finding.rows,
            count=finding.count,
            hint="If such words are values: --null-words ''.",
        )
    for finding in settled.padded:
        name = names[finding.column]
        yield repaired_note(
            message=f"{_cells(finding.count)} of {name!r} had blanks around them, which were removed.",
            column=name,
            rows=finding.rows,
            count=finding.count,
        )


def judgement_notes(
    guesses: Sequence[Guess], names: Sequence[str], *, has_rows: bool = True
) -> Iterator[LoadNote]:
    """Say what is unsure about the columns' plans themselves."""
    for guess, name in zip(guesses, names, strict=True):
        yield from _judgement(guess, name, has_rows=has_rows)


def _nearly(kind: ColumnKind, name: str, finding: Finding) -> LoadNote:
    return warning_note(
        message=f"Column {name!r} is kept as text: {_cells(finding.count).lower()} {_are_not(finding.count, kind)}, "
        f"such as {_example(finding)}.",
        column=name,
        rows=finding.rows,
        count=finding.count,
        hint=f"To turn the rest into {_WORDS[kind][1]}: --type '{name}={kind.value}'.",
        told=f"{_WORDS[kind][1]} but for {_cells(finding.count)}",
    )


def _judgement(guess: Guess, name: str, *, has_rows: bool) -> Iterator[LoadNote]:
    plan = guess.plan
    # Whoever puts points between them writes the day first.
    if guess.order_open and any("%d.%m." not in shape.date_format for shape in plan.shapes):
        yield warning_note(
            message=f"Dates of {name!r} could be read either way; {_ORDERS[guess.order_open]} was assumed.",
            column=name,
            hint=f"If that is wrong: --date-order {_FLIPPED[guess.order_open]}.",
            told=f"{_ORDERS[guess.order_open]} assumed",
            skews=True,
        )
    yield from _doubtful_numbers(guess, name)
    if guess.kept:
        yield LoadNote(
            action="warning" if guess.unlike else "inferred",
            message=f"Column {name!r} is kept as text: {guess.kept}.",
            column=name,
            hint=f"To calculate with it: --type '{name}={guess.kept_kind.value}'.",
            told=guess.kept.partition(_SUCH_AS)[0],
        )
    if plan.blank and has_rows:
        yield inferred_note(message=f"Column {name!r} is empty.", column=name)
    if guess.doubtful:
        yield inferred_note(
            message=f"Cells of {name!r} that say {guess.doubtful!r} are kept as words.",
            column=name,
            hint=f"If they mean a missing value: --null-words '{guess.doubtful}'.",
        )
    if plan.utc:
        why = f"are written in the offset {guess.offset}" if guess.offset else "have different offsets"
        yield LoadNote(
            # A day in one offset may be another one in UTC, and so may a month.
            action="inferred" if guess.offset else "warning",
            message=f"Times of {name!r} {why} and were brought to UTC.",
            column=name,
            told="brought to UTC",
            skews=not guess.offset,
        )
    elif guess.offset:
        yield inferred_note(
            message=f"Times of {name!r} are kept as written, in the offset {guess.offset.strip()} of every cell.",
            column=name,
        )
    if len(plan.shapes) > 1:
        formats = ", ".join(dict.fromkeys(_pictured(shape.date_format) for shape in plan.shapes))
        yield inferred_note(message=f"Dates of {name!r} are written in several ways: {formats}.", column=name)


def _doubtful_numbers(guess: Guess, name: str) -> Iterator[LoadNote]:
    plan = guess.plan
    if guess.decimal_open and plan.kind.is_numeric:
        meaning = "thousands" if plan.kind is ColumnKind.INTEGER else "fractions"
        yield warning_note(
            message=f"Numbers of {name!r} could be read either way; their marks were taken to separate {meaning}.",
            column=name,
            told=f"marks taken to separate {meaning}",
            skews=True,
            hint=f"If that is wrong: --decimal '{',' if plan.decimal == '.' else '.'}'.",
        )
    if plan.minus_behind:
        yield inferred_note(
            message=f"Numbers of {name!r} with a minus behind them, such as '5.00-', were read as negative.",
            column=name,
            told="a minus behind a number means negative",
            hint=f"If it means something else: --type '{name}=text'.",
        )
    if guess.scientific and plan.kind.is_numeric:
        yield warning_note(
            message=f"Cells of {name!r} such as {guess.scientific!r} were read as powers of ten.",
            column=name,
            hint=f"If they are codes: --type '{name}=text'.",
        )
    if guess.dated and plan.kind.is_numeric:
        yield inferred_note(
            message=f"Numbers of {name!r}, such as {guess.dated}, are written like dates.",
            column=name,
            told="numbers written like dates",
            hint=f"If they are: --type '{name}=date'.",
        )
    if guess.clocked and plan.kind.is_numeric and _OF_CLOCK.search(name):
        yield warning_note(
            message=f"Numbers of {name!r}, such as {guess.clocked}, may be times of day with a point before the minutes.",
            column=name,
            told="numbers that may be times of day",
            skews=True,
        )
    if guess.signed and plan.kind.is_numeric:
        yield warning_note(
            message=f"Few cells of {name!r} have the sign of a currency, such as {guess.signed!r}; "
            f"the others were taken to be in {plan.unit} as well.",
            column=name,
            told="few cells have the sign of a currency, which was taken to be that of all",
        )
    if guess.rounded and plan.kind.is_numeric:
        yield warning_note(
            message=f"Numbers of {name!r} have more digits than are calculated with: "
            f"{guess.rounded[0]!r} became {guess.rounded[1]}.",
            column=name,
            hint=f"To keep every digit: --type '{name}=text'.",
            told="the last digits of long numbers were rounded",
        )
    if guess.mixed:
        yield warning_note(
            message=f"Cells of {name!r} have different units, such as {' and '.join(map(repr, guess.mixed))}; "
            "their signs were dropped.",
            column=name,
            told="different units, dropped",
        )


def above_notes(layout: Layout, what: str) -> Iterator[LoadNote]:
    """Say how many lines or rows above the header are no part of the table, and whether two of them are the header."""
    if count := layout.titles - layout.joined:
        told = (
            f"{count:,} {what}{' above the header was' if count == 1 else 's above the header were'} left out"
        )
        yield warning_note(message=f"{told} of the table.", count=count, told=told)
    if layout.joined:
        names = some([*map(repr, layout.header or ())])
        yield inferred_note(message=f"Two {what}s of names were joined to one: {names}.")


def _pictured(date_format: str) -> str:
    """Return a strptime format as people picture it: `%d.%m.%Y` → `DD.MM.YYYY`."""
    pictures = {"%Y": "YYYY", "%y": "YY", "%m": "MM", "%d": "DD", "%b": "Mon", "%B": "Month"}
    for code, picture in pictures.items():
        date_format = date_format.replace(code, picture)
    return date_format or "a time of day"


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count:,} cells"


def _are_not(count: int, kind: ColumnKind) -> str:
    one, several = _WORDS[kind]
    return f"is not {one}" if count == 1 else f"are not {several}"


def _example(finding: Finding) -> str:
    return repr(_shortened(finding.examples[0])) if finding.examples else "blank"


def _shortened(text: str) -> str:
    return text if len(text) <= _EXAMPLE else text[: _EXAMPLE - 1] + "…"
