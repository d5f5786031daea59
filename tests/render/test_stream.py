"""A model's turn on the two streams: results at once, text once its figures are checked."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.chat.turn.answer import Answer, DataBlock, Usage
from tabchat.chat.turn.events import (
    Asking,
    DataReady,
    Done,
    Event,
    Failed,
    Rewriting,
    TextDelta,
    ToolEnd,
    ToolStart,
)
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Chart, ResultKind, ResultMetadata
from tabchat.errors import ModelError
from tabchat.render.answer import AnswerView, render_answer, render_events
from tabchat.render.commands import REPL
from tests.render.screens import SNAPSHOTS, assert_snapshot, screen
from tests.render.test_answer import result
from tests.render.test_table import GROUPED

REGIONS = "ds_rkbx2mwy6eddaalqkz3m"
GERMANY = "ds_bbbbbbbbbbbbbbbbbbbb"
MODEL = "openai/gpt-5-mini"
TEXT = """## Revenue by region

**Asia** leads with **120.5** in mean revenue, which is 12.5 % above Europe; the 636 orders from Germany do not \
change that, however one looks at them.

1. Asia: 120.5, the highest of all the regions that were looked at in this table of sales
2. Oceania: 99.9

| region  | mean      |
|---------|-----------|
| Asia    | 120.5     |
"""


def claim(
    figure: str, status: str, *, nth: int = 0, evidence: str = "", cells: tuple[CitedCell, ...] = ()
) -> Receipt:
    start = -1
    for _ in range(nth + 1):
        start = TEXT.index(figure, start + 1)
    return Receipt(
        text=figure,
        value=figure,
        status=status,  # type: ignore[arg-type]
        start=start,
        evidence=evidence or None,
        cells=cells,
    )


ASIA = CitedCell(data_key=REGIONS, column="mean_revenue", row={"region": "Asia"})
CLAIMS = (
    *(
        claim("120.5", "verified", nth=nth, evidence=f"{REGIONS}[region=Asia].mean_revenue", cells=(ASIA,))
        for nth in range(3)
    ),
    claim(
        "12.5 %",
        "derived",
        evidence=f"percent change of {REGIONS}[region=Asia].mean_revenue and {REGIONS}[region=Europe].mean_revenue",
    ),
    claim("636", "verified", evidence=f"{GERMANY}.value", cells=(CitedCell(data_key=GERMANY),)),
    claim("99.9", "unverified"),
)


@pytest.fixture
def regions(engine: DuckDBEngine) -> DataBlock:
    found = result(
        engine,
        GROUPED,
        ResultKind.GROUPED,
        chart=Chart(category="region", value="mean_revenue"),
        group_by=("region",),
        source_row_count=5_000,
    )
    return DataBlock(
        tool="run_query", result=found, data_key=REGIONS, summary="", title="Mean revenue by region"
    )


@pytest.fixture
def germany(engine: DuckDBEngine) -> DataBlock:
    metadata = ResultMetadata(rows=1, notes=("country is compared as text",))
    found = result(
        engine, "SELECT 636 AS count", ResultKind.SCALAR, value=636, source_row_count=636, metadata=metadata
    )
    return DataBlock(tool="run_query", result=found, data_key=GERMANY, summary="", title="Orders in Germany")


@pytest.fixture
def answer(regions: DataBlock, germany: DataBlock) -> Answer:
    return Answer(
        question="?",
        text=TEXT,
        blocks=(regions, germany),
        planner="llm",
        verification=Verification(status="unverified", receipts=CLAIMS),
        usage=Usage(model=MODEL, prompt_tokens=1_830, completion_tokens=120, cost_usd=0.0012, requests=3),
        warnings=("Unknown session 'x', using all data",),
    )


def events_of(answer: Answer) -> Iterator[Event]:
    """Yield a turn with a failing call, two results, a draft that does not check, and one that does."""
    regions, germany = answer.blocks
    yield Asking(model=MODEL)
    yield ToolStart(tool="run_query", input={"select": "mean(revenu)", "group_by": "region"})
    yield ToolEnd(tool="run_query", duration_ms=3.1, error="PlanError", reason="unknown column 'revenu'")
    yield Asking(model=MODEL)
    yield ToolStart(
        tool="run_query", input={"table": "sales", "select": "mean(revenue)", "group_by": "region"}
    )
    yield ToolEnd(tool="run_query", duration_ms=12.4)
    yield DataReady(input={}, block=regions)
    yield ToolStart(tool="run_query", input={"select": "count()", "where": "country == 'Germany'"})
    yield ToolEnd(tool="run_query", duration_ms=1_240.0)
    yield DataReady(input={}, block=germany)
    yield Asking(model=MODEL)
    yield TextDelta(text="DRAFT: Asia had 12.")
    yield Rewriting(attempt=1, issues=('12: is typed; write {r1.mean_revenue["Asia"]:,.1f}',))
    yield Asking(model=MODEL)
    yield TextDelta(text=TEXT)
    yield Done(answer=answer)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_model_turn(answer: Answer, width: int) -> None:
    shown = screen(width)
    assert render_events(shown.consoles, events_of(answer), AnswerView()) is answer

    assert_snapshot(f"model_turn_{width}", shown.both)
    assert "DRAFT" not in shown.both


def test_each_thing_is_told_as_soon_as_it_is_there_and_tables_come_with_the_text(answer: Answer) -> None:
    shown = screen()
    seen: list[tuple[str, str]] = []

    def watched() -> Iterator[Event]:
        for event in events_of(answer):
            if isinstance(event, (ToolStart, TextDelta, Done)):
                seen.append((shown.out, shown.err))
            yield event

    render_events(shown.consoles, watched(), AnswerView())

    first, second, third, draft, checked, done = seen
    assert first == ("", "")
    assert second == ("", "run_query mean(revenu) by region · failed: unknown column 'revenu'\n")
    assert third[1].endswith("run_query mean(revenue) by region · 12 ms\n")
    assert "run_query count() where country == 'Germany' · 1.2 s\nnote: country is" in draft[1]
    assert checked[1].endswith(
        "1 figure did not check, asking again (1 of 3): 12: is typed; write\n"
        '  {r1.mean_revenue["Asia"]:,.1f}\n'
    )
    assert done == checked
    assert done[0] == ""
    assert shown.err.removeprefix(done[1]).startswith("4 groups from 5,000 rows")
    tables, text = shown.out.split("\nRevenue by region\n\n")
    assert tables.startswith("Mean revenue by region\nregion ")
    assert "Asia          3        120.50  ████" in tables
    assert tables.endswith("\n\nOrders in Germany\ncount: 636\n")
    assert text.startswith("Asia leads with 120.5 in")


FIRST, SECOND = f"[table: Mean revenue by region ({REGIONS})]", f"[table: Orders in Germany ({GERMANY})]"
BOTH = (SNAPSHOTS / "model_turn_200.txt").read_text(encoding="utf-8").removeprefix("--- stdout\n")
FIRST_TABLE, SECOND_TABLE = (f"{block}\n" for block in BOTH.split("\n\n")[:2])


@pytest.mark.parametrize(
    "text, out",
    [
        (
            f"First:\n\n{FIRST}\n\nthen\n\n{SECOND}\n\n7 [x]",
            "First:\n\n<first>\n\nthen\n\n<second>\n\n7 [unverified] [x]\n",
        ),
        (f" {SECOND} \nthen 7", "<first>\n\n<second>\n\nthen 7 [unverified]\n"),
        (
            f"so {FIRST}\n{SECOND}\n{SECOND}\n[table: 7 (ds_x)]",
            f"<first>\n\nso {FIRST}\n\n<second>\n\n{SECOND}\n[table: 7 [unverified] (ds_x)]\n",
        ),
    ],
)
def test_a_table_stands_where_the_text_places_it_once(answer: Answer, text: str, out: str) -> None:
    shown = screen(200)
    doubt = Receipt(text="7", value="7", status="unverified", start=text.rindex("7"))
    placing = replace(answer, text=text, verification=Verification(status="unverified", receipts=(doubt,)))
    events = [event for event in events_of(answer) if not isinstance(event, Done)]
    render_events(shown.consoles, iter([*events, Done(answer=placing)]), AnswerView())
    assert shown.out.replace(FIRST_TABLE, "<first>\n").replace(SECOND_TABLE, "<second>\n") == out


def test_an_answer_comes_again_with_its_tables_in_their_places(answer: Answer) -> None:
    shown = screen(200)
    placing = replace(answer, text=f"First:\n{FIRST}\nend", verification=Verification())
    render_answer(shown.consoles, placing, AnswerView())
    assert shown.out == f"{SECOND_TABLE}\nFirst:\n\n{FIRST_TABLE}\nend\n"


def test_a_turn_that_is_stopped_shows_what_was_computed(answer: Answer) -> None:
    def stopped() -> Iterator[Event]:
        yield from (event for event in events_of(answer) if not isinstance(event, Done))
        raise KeyboardInterrupt

    shown = screen(200)
    with pytest.raises(KeyboardInterrupt):
        render_events(shown.consoles, stopped(), AnswerView())
    assert shown.out == f"{FIRST_TABLE}\n{SECOND_TABLE}"


def test_colour_changes_no_character(answer: Answer) -> None:
    import re

    plain, coloured = screen(), screen(color="always")
    for shown in (plain, coloured):
        render_events(shown.consoles, events_of(answer), AnswerView())

    assert "\x1b[1mAsia\x1b[0m leads with \x1b[1m120.5\x1b[0m in" in coloured.out
    assert "\x1b[1;31m99.9\x1b[0m\x1b[1;31m [unverified]\x1b[0m" in coloured.out
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.out) == plain.out
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.err) == plain.err


def test_quiet_keeps_the_results_the_text_and_the_marks_of_doubt(answer: Answer) -> None:
    shown = screen()
    render_events(shown.consoles, events_of(answer), AnswerView(quiet=True))

    assert shown.err == ""
    assert "Asia leads with 120.5 in mean revenue" in shown.out
    assert "2. Oceania: 99.9 [unverified]\n" in shown.out
    assert "[1]" not in shown.out


def test_the_same_result_twice_is_shown_once(answer: Answer, regions: DataBlock) -> None:
    shown = screen()
    call = ToolStart(tool="run_query", input={"select": "mean(revenue)", "group_by": "region"})
    end = ToolEnd(tool="run_query", duration_ms=1.0)
    ready = DataReady(input={}, block=regions)
    once = replace(answer, text="Done.", verification=Verification())
    events: list[Event] = [Asking(model=MODEL), call, end, ready, call, end, ready, Done(answer=once)]
    render_events(shown.consoles, events, AnswerView())

    assert shown.out.count("Mean revenue by region") == 1
    assert shown.err.count("run_query mean(revenue) by region · 1 ms\n") == 2


def test_commands_beside_a_result_name_the_beginning_of_its_key(answer: Answer) -> None:
    shown = screen()
    render_events(shown.consoles, events_of(answer), AnswerView(rows=1, commands=REPL))

    assert f"1 of 4 rows shown · /show {REGIONS[:7]}\n" in shown.out
    # What has no key in it is about the last result, which need not be this one.
    assert "/export" not in shown.out
    assert shown.err.endswith(" · $0.0012\n")


def test_a_model_that_fails_leaves_what_was_computed(regions: DataBlock) -> None:
    shown = screen()
    error = ModelError("The connection was lost.")
    events: list[Event] = [
        Asking(model=MODEL),
        ToolStart(tool="run_query", input={"select": "mean(revenue)"}),
        ToolEnd(tool="run_query", duration_ms=1.0),
        DataReady(input={}, block=regions),
        Asking(model=MODEL),
        TextDelta(text="DRAFT"),
        Failed(error=error, answer=Answer(question="?", blocks=(regions,), error=error)),
    ]
    returned = render_events(shown.consoles, events, AnswerView())

    assert returned.error is error
    assert shown.out.startswith("Mean revenue by region\n")
    assert shown.out.endswith("Oceania       2          7.00  ██▍\n")
    assert "DRAFT" not in shown.both


def test_source_rows_replace_every_result(answer: Answer, regions: DataBlock, engine: DuckDBEngine) -> None:
    shown = screen()
    source = result(engine, "SELECT 7 AS row", ResultKind.TABLE).frame
    block = replace(regions, result=replace(regions.result, source=source))
    given = replace(answer, blocks=(block,), text="Asia leads with 120.5.", verification=Verification())
    events: list[Event] = [Asking(model=MODEL), DataReady(input={}, block=block), Done(answer=given)]
    render_events(shown.consoles, events, AnswerView(source=True))

    assert shown.out == "row\n───\n  7\n"
    assert "Asia leads with 120.5.\n" in shown.err


def test_an_answer_comes_again_with_its_marks(answer: Answer) -> None:
    shown = screen()
    render_answer(shown.consoles, answer, AnswerView(commands=REPL))

    assert shown.out.startswith("Orders in Germany\ncount: 636\n\nRevenue by region\n\nAsia leads with 120.5")
    assert "/trace lists them" in shown.err


def test_a_turn_that_is_stopped_closes_the_model_stream(answer: Answer) -> None:
    closed = []

    def endless() -> Iterator[Event]:
        try:
            yield Asking(model=MODEL)
            raise KeyboardInterrupt
        finally:
            closed.append(True)

    with pytest.raises(KeyboardInterrupt):
        render_events(screen().consoles, endless(), AnswerView())
    assert closed == [True]
