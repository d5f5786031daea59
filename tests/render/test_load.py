from __future__ import annotations

from pathlib import Path

from sqlglot import exp

from tabchat.engine.table import LoadNote, LoadReport, Table
from tabchat.render.load import render_load_report
from tests.render.screens import screen


def table(*notes: LoadNote) -> Table:
    return Table(
        name="t",
        version="0",
        source=Path("/data/ta\x1b[31mble.csv"),
        scan=exp.select("1"),
        stored=True,
        schema=(),
        row_count=0,
        report=LoadReport(input_format="csv", notes=notes),
    )


NOTES = (
    LoadNote(action="inferred", message="The delimiter is ';'.", hint="--delimiter"),
    LoadNote(action="repaired", message="Short records were filled with nulls.", rows=(7,), count=1),
    LoadNote(
        action="rejected", message="'a\x07' is no number.", rows=(3, 8), count=1_215, hint="--type a=text"
    ),
    LoadNote(action="warning", message="Everything is in one column.", hint="--delimiter"),
)


def test_alarms_are_told_with_their_records_and_the_flag() -> None:
    shown = screen(200)
    render_load_report(shown.consoles, table(*NOTES))

    assert shown.both == (
        "--- stdout\n--- stderr\n"
        "ta\\x1b[31mble.csv: rejected: 'a\\x07' is no number. Records 3, 8 … (1,215 in all). --type a=text\n"
        "ta\\x1b[31mble.csv: warning: Everything is in one column. --delimiter\n"
    )


def test_everything_is_told_on_request() -> None:
    shown = screen()
    render_load_report(shown.consoles, table(*NOTES), everything=True)

    assert shown.err.splitlines()[:2] == [
        "ta\\x1b[31mble.csv: inferred: The delimiter is ';'. --delimiter",
        "ta\\x1b[31mble.csv: repaired: Short records were filled with nulls. Record 7.",
    ]


def test_long_notes_break_between_words() -> None:
    shown = screen(40)
    render_load_report(shown.consoles, table(*NOTES))

    assert [line.rstrip() for line in shown.err.splitlines()[:3]] == [
        "ta\\x1b[31mble.csv: rejected: 'a\\x07' is",
        "no number. Records 3, 8 … (1,215 in",
        "all). --type a=text",
    ]
