"""Years of two digits: which century was taken for them, where it may be the wrong one."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.table import LoadNote
from tabchat.engine.types import FILE_ROW, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.text.infer import Guess

_AHEAD: Final = 10
"""Years from now up to which a date is taken for one to come: what is planned, what expires."""
_SHOWN: Final = 5


def has_short_years(guess: Guess) -> bool:
    """Tell whether some dates of a column have a year of two digits."""
    return any("%y" in shape.date_format for shape in guess.plan.shapes)


def century_notes(
    connection: Connection, parquet: Path, guesses: Sequence[Guess], names: Sequence[str]
) -> Iterator[LoadNote]:
    """Point out dates with a year of two digits that come to lie far ahead: 19.07.68 may be a day of 1968."""
    last = dt.datetime.now(tz=dt.UTC).year + _AHEAD
    number = nodes.column(FILE_ROW)
    for guess, name in zip(guesses, names, strict=True):
        if not has_short_years(guess):
            continue
        year = nodes.call("year", nodes.column(name))
        row = exp.Add(this=number, expression=exp.Literal.number(1))
        query = (
            exp.Select(
                expressions=[
                    exp.Count(this=exp.Star()),
                    nodes.call("min", row, _SHOWN),
                    nodes.call("max", year),
                ]
            )
            .from_(nodes.table_function("read_parquet", str(parquet), {FILE_ROW: exp.true()}))
            .where(exp.GT(this=year.copy(), expression=exp.Literal.number(last)))
        )
        ((count, rows, latest),) = connection.rows(query)
        if count:
            yield LoadNote(
                action="warning",
                message=f"Years of two digits of {name!r} were taken for 1969 to 2068, so that "
                f"{whole(count):,} date{' lies' if count == 1 else 's lie'} after {last}, up to {whole(latest)}.",
                column=name,
                rows=tuple(rows),  # type: ignore[arg-type] # a list of numbers
                count=whole(count),
                hint=f"If they belong to the century before, keep them as written: --type '{name}=text'.",
                told=f"years of two digits taken for 1969 to 2068, {whole(count):,} of them far ahead",
                skews=True,
            )
