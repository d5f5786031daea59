from pathlib import Path

from sqlglot import exp

from tabchat.engine.table import LoadNote, LoadReport, Table
from tabchat.render.load import alarms_of, narrate_load_report, render_load_report
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


def told(*notes: LoadNote) -> str:
    shown = screen(200)
    narrate_load_report(shown.consoles, table(*notes), "/notes")
    assert shown.out == ""
    return shown.err


def test_notes_are_told_in_one_line_with_their_number() -> None:
    inferred, repaired, rejected, warning = NOTES
    name = "ta\\x1b[31mble.csv"
    assert told() == ""
    assert told(inferred) == ""
    assert told(inferred, repaired) == f"{name}: 2 notes on reading: /notes\n"
    assert told(*NOTES) == f"{name}: 4 notes on reading, 2 of them warnings: /notes\n"
    assert told(warning) == f"{name}: warning: Everything is in one column. --delimiter\n"
    assert told(inferred, rejected) == (
        f"{name}: rejected: 'a\\x07' is no number. Records 3, 8 … (1,215 in all). --type a=text"
        " (2 notes on reading: /notes)\n"
    )


def test_what_skews_figures_is_told_beside_other_warnings() -> None:
    name = "ta\\x1b[31mble.csv"
    total = LoadNote(action="warning", message="A record is a total.", rows=(9,), count=1, skews=True)
    assert told(*NOTES, total) == (
        f"{name}: warning: A record is a total. Record 9. (5 notes on reading, 3 of them warnings: /notes)\n"
    )
    assert told(total, total) == f"{name}: warning: A record is a total. Record 9.\n" * 2


def test_a_program_is_told_of_what_was_rejected_and_of_warnings() -> None:
    assert alarms_of([table(*NOTES)]) == [
        "ta\x1b[31mble.csv: 'a\x07' is no number.",
        "ta\x1b[31mble.csv: Everything is in one column.",
    ]


def test_everything_is_told_on_request() -> None:
    shown = screen()
    render_load_report(shown.consoles, table(*NOTES))

    assert shown.err.splitlines()[:2] == [
        "ta\\x1b[31mble.csv: inferred: The delimiter is ';'. --delimiter",
        "ta\\x1b[31mble.csv: repaired: Short records were filled with nulls. Record 7.",
    ]


def test_long_notes_break_between_words() -> None:
    shown = screen(40)
    render_load_report(shown.consoles, table(*NOTES[2:]))

    assert [line.rstrip() for line in shown.err.splitlines()[:3]] == [
        "ta\\x1b[31mble.csv: rejected: 'a\\x07' is",
        "no number. Records 3, 8 … (1,215 in",
        "all). --type a=text",
    ]
