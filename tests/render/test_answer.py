from typing import Any

import pytest

from tabchat.answers.receipts import Receipt, Verification
from tabchat.chat.turn.answer import Answer, DataBlock
from tabchat.chat.turn.events import DataReady, Done, Event, Failed, TextDelta, ToolEnd, ToolStart
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Chart, Result, ResultKind, ResultMetadata
from tabchat.engine.types import JsonValue
from tabchat.errors import NotUnderstoodError, TabchatError, UsageError
from tabchat.render.answer import AnswerView, render_answer, render_events
from tabchat.render.block import describe_size
from tests.render.screens import assert_snapshot, frame_of, screen
from tests.render.test_table import GROUPED, KEY


def result(engine: DuckDBEngine, sql: str, kind: ResultKind, **fields: Any) -> Result:
    frame = frame_of(engine, sql)
    metadata = fields.pop("metadata", ResultMetadata(rows=frame.row_count))
    return Result(kind=kind, frame=frame, metadata=metadata, sql=sql, **fields)


def answer(given: Result, **fields: Any) -> Answer:
    block = DataBlock(tool="run_query", result=given, data_key=KEY, summary="")
    return Answer(question="?", blocks=(block,), **fields)


@pytest.fixture
def grouped(engine: DuckDBEngine) -> Result:
    return result(
        engine,
        GROUPED,
        ResultKind.GROUPED,
        chart=Chart(category="region", value="mean_revenue"),
        group_by=("region",),
        source=frame_of(engine, "SELECT range AS row FROM range(11)"),
        source_row_count=5_000,
    )


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_grouped_answer(grouped: Result, width: int) -> None:
    shown = screen(width)
    given = answer(
        grouped,
        text="Asia has the highest mean revenue, 120.5.",
        interpretation="mean of revenue by region",
        warnings=("Unknown session 'x', using all data",),
    )
    render_answer(shown.consoles, given, AnswerView())

    assert_snapshot(f"answer_grouped_{width}", shown.both)


def test_a_scalar_answer_is_its_sentence(engine: DuckDBEngine) -> None:
    shown = screen()
    given = result(engine, "SELECT 80 AS count", ResultKind.SCALAR, value=80, source_row_count=500)
    render_answer(shown.consoles, answer(given, text="There are 80 orders."), AnswerView())

    assert shown.out == "There are 80 orders.\n"
    assert shown.err == "from 500 rows · ds_abcd…\n"


def test_a_text_of_several_lines_keeps_them(engine: DuckDBEngine) -> None:
    shown = screen()
    given = result(engine, "SELECT 1 AS result", ResultKind.SCALAR, value="a  1\n\x1b[2Jb  2")
    render_answer(shown.consoles, answer(given), AnswerView())
    assert shown.out == "result:\na  1\n\\x1b[2Jb  2\n"


@pytest.mark.parametrize(
    "value, source_rows, line",
    [(67.25, 500, "mean_gap: 67.25"), (None, 0, "mean_gap: no rows"), (None, 3, "mean_gap: no values")],
)
def test_a_scalar_without_a_sentence_is_named(
    engine: DuckDBEngine, value: float | None, source_rows: int, line: str
) -> None:
    shown = screen()
    given = result(
        engine, "SELECT 67.25 AS mean_gap", ResultKind.SCALAR, value=value, source_row_count=source_rows
    )
    render_answer(shown.consoles, answer(given), AnswerView())

    assert shown.out == f"{line}\n"


def test_a_dict_is_listed(engine: DuckDBEngine) -> None:
    shown = screen()
    given = result(
        engine,
        "SELECT 80 AS count, 67.3 AS mean",
        ResultKind.DICT,
        values={"count": 80, "mean": 67.3, "max\x1b[31m": None},
        source_row_count=500,
    )
    render_answer(shown.consoles, answer(given, text="80 rows."), AnswerView(quiet=True))

    assert shown.out.splitlines() == [
        "80 rows.",
        "",
        "count               80",
        "mean              67.3",
        "max\\x1b[31m  no values",
    ]
    assert shown.err == ""


def test_source_rows_replace_the_result(grouped: Result, engine: DuckDBEngine) -> None:
    shown = screen()
    render_answer(shown.consoles, answer(grouped, text="Asia leads."), AnswerView(source=True, rows=1))

    assert shown.out == (
        "row\n───\n  0\n"
        "1 of 11 rows shown · tabchat show ds_abcd --source --rows 11\n"
        "tabchat export ds_abcd --source -o out.csv\n"
    )
    assert shown.err == "Asia leads.\n11 source rows behind ds_abcd…\n"

    kept = screen()
    source = frame_of(engine, "SELECT 'kept' AS row")
    render_answer(kept.consoles, answer(grouped), AnswerView(source=True, quiet=True), source=source)
    assert kept.out == "row\n────\nkept\n"


def test_a_table_has_no_source_rows(engine: DuckDBEngine) -> None:
    given = answer(result(engine, "SELECT 1 AS a", ResultKind.TABLE))

    with pytest.raises(UsageError, match="no separate source rows"):
        render_answer(screen().consoles, given, AnswerView(source=True))


def test_unverified_figures_are_marked_where_they_stand() -> None:
    shown = screen()
    claims = (
        Receipt(text="1,234", value=1234, status="unverified"),
        Receipt(text="12", value=12, status="verified"),
    )
    given = Answer(
        question="?",
        text="Sales of 1,234 in 12 shops, not 11,234 or 1,2345.\nHostile \x1b[31mtext[/]",
        verification=Verification(status="unverified", receipts=claims),
    )
    render_answer(shown.consoles, given, AnswerView())

    assert shown.out == (
        "Sales of 1,234 [unverified] in 12 shops, not 11,234 or 1,2345.\nHostile \\x1b[31mtext[/]\n"
    )


def test_a_turn_is_shown_once_it_is_checked(grouped: Result) -> None:
    shown = screen()
    given = answer(grouped, text="Checked.")
    assert given.block is not None
    events: list[Event] = [
        ToolStart(tool="run_query", input={"select": "mean(revenue)"}),
        ToolEnd(tool="run_query", duration_ms=12.4),
        DataReady(input={}, block=given.block),
        TextDelta(text="Unchecked."),
        Done(answer=given),
    ]
    returned = render_events(shown.consoles, events, AnswerView())

    assert returned is given
    assert shown.out.startswith("Checked.\n")
    assert "Unchecked" not in shown.out
    assert "run_query" not in shown.err


def test_a_failed_turn_returns_its_error_and_leaves_it_to_the_caller() -> None:
    shown = screen()
    error = NotUnderstoodError("I do not understand.", words=("frob",))
    events: list[Event] = [
        ToolEnd(tool="run_query", duration_ms=1.0, error="QueryFailedError"),
        Failed(error=error, answer=Answer(question="?", error=error)),
    ]
    returned = render_events(shown.consoles, events, AnswerView())

    assert returned.error is error
    assert (shown.out, shown.err) == ("", "")


def test_a_turn_without_an_end_is_an_error() -> None:
    with pytest.raises(TabchatError, match="without an answer"):
        render_events(screen().consoles, [], AnswerView())


@pytest.mark.parametrize(
    "kind, source_rows, size",
    [
        (ResultKind.SCALAR, 1, "from 1 row"),
        (ResultKind.SCALAR, None, "1 value"),
        (ResultKind.DICT, 1_234, "from 1,234 rows"),
        (ResultKind.GROUPED, 5_000, "4 groups from 5,000 rows"),
        (ResultKind.TABLE, None, "4 rows"),
    ],
)
def test_sizes_are_told_exactly(
    engine: DuckDBEngine, kind: ResultKind, source_rows: int | None, size: str
) -> None:
    assert describe_size(result(engine, GROUPED, kind, source_row_count=source_rows)) == size


def test_each_value_of_a_dict_without_source_rows_is_counted(engine: DuckDBEngine) -> None:
    values: dict[str, JsonValue] = {"count": 80, "mean": 67.3, "max": None}
    assert describe_size(result(engine, GROUPED, ResultKind.DICT, values=values)) == "3 values"


def test_notes_are_told_before_the_answer(engine: DuckDBEngine) -> None:
    shown = screen()
    given = result(
        engine,
        "SELECT 1 AS a",
        ResultKind.TABLE,
        metadata=ResultMetadata(rows=1, notes=("last_month is 2024-05-01 to 2024-05-31",)),
    )
    render_answer(shown.consoles, answer(given), AnswerView())

    assert shown.err.splitlines()[0] == "note: last_month is 2024-05-01 to 2024-05-31"


def test_the_export_is_proposed_once_and_only_where_rows_are_left_out(grouped: Result) -> None:
    for rows, proposed in ((1, 1), (50, 0)):
        shown = screen()
        render_answer(shown.consoles, answer(grouped), AnswerView(rows=rows))
        assert (shown.out + shown.err).count("tabchat export") == proposed
