"""Nothing that a model writes steers the terminal: not its text, its tool calls, its titles, or its evidence."""

import io
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.chat.turn.answer import Answer, Usage
from tabchat.chat.turn.events import Asking, DataReady, Done, Event, Rewriting, TextDelta, ToolEnd, ToolStart
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import ResultKind
from tabchat.inert import UNSAFE
from tabchat.render.answer import AnswerView, render_events
from tabchat.render.layout.text import width_of
from tabchat.render.receipts import render_receipts
from tabchat.render.terminal.console import can_draw
from tabchat.render.terminal.region import KEPT_CHARACTERS, Region
from tests.effort import examples
from tests.render.screens import Screen, screen
from tests.render.test_answer import answer as answer_of
from tests.render.test_answer import result

EVIL = (
    "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "\u202etxt.exe\u2066\u200b\u200e\ufeff",
    "[bold red]markup[/] [link=https://example.org]x[/link] :smile:",
    "first\rsecond\r\nthird\x0bfourth\x0c\x85\u2028fifth",
    "\t\x00\x07\x08\x7f\U000e0041",
    "a\u0301" + "\u0301" * 500,
    "word" * 2_500,
    "**bold** `code` | # 7 1. ```",
    "x" * 10_000,
)
HOSTILE = st.lists(st.sampled_from(EVIL) | st.text(max_size=20), min_size=1, max_size=4).map("12 ".join)


def assert_inert(written: str) -> None:
    """Everything but line ends is printable, whatever it came from."""
    for line in written.split("\n"):
        assert UNSAFE.search(line) is None, line


def hostile_turn(
    engine: DuckDBEngine, evil: str
) -> Iterator[Asking | TextDelta | ToolStart | ToolEnd | DataReady | Rewriting | Done]:
    """Yield a turn in which a model puts `evil` wherever it can."""
    found = result(engine, "SELECT 'a' AS region, 12.0 AS mean", ResultKind.GROUPED, source_row_count=2)
    (block,) = answer_of(found).blocks
    block = replace(block, title=evil, summary=evil)
    trace = CitedCell(data_key=evil, column=evil, row={evil: evil})
    claims = (
        Receipt(text="12", value="12", status="verified", evidence=evil, cells=(trace,)),
        Receipt(text="7", value="7", status="derived", evidence=evil),
        Receipt(text=evil[:40], value=evil, status="unverified", start=0),
    )
    text = f"{evil} 12 and 7\n# {evil}\n- {evil}\n| {evil} |\n"
    yield Asking(model=evil)
    for tool in ("run_query", "run_sql", evil):
        yield ToolStart(tool=tool, input={"select": evil, "where": [evil], "sql": evil, evil: {evil: evil}})
        yield ToolEnd(tool=tool, duration_ms=1.0, error=evil, reason=evil)
    yield ToolStart(tool=evil, input={"steps": [{"select": evil}, evil], evil: [evil]})
    yield ToolEnd(tool=evil, duration_ms=1.0)
    yield DataReady(input={}, block=block)
    yield TextDelta(text=evil)
    yield Rewriting(attempt=1, issues=(evil, evil))
    yield Done(
        answer=Answer(
            question="?",
            text=text,
            blocks=(block,),
            planner="llm",
            interpretation=evil,
            verification=Verification(status="unverified", receipts=claims),
            usage=Usage(model=evil, requests=1),
            warnings=(evil,),
        )
    )


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_a_model_writes_is_a_control_sequence(engine: DuckDBEngine, evil: str) -> None:
    plain, coloured = screen(60), screen(60, color="always")
    given_answer = render_events(plain.consoles, hostile_turn(engine, evil), AnswerView())
    render_events(coloured.consoles, hostile_turn(engine, evil), AnswerView())
    render_receipts(plain.consoles, given_answer, plain.consoles.out)
    render_receipts(coloured.consoles, given_answer, coloured.consoles.out)

    assert_inert(plain.out)
    assert_inert(plain.err)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.both) == plain.both


@settings(deadline=None, max_examples=examples(60))
@given(evil=HOSTILE)
def test_no_text_reaches_the_streams_as_control(evil: str) -> None:
    shown = screen(60)
    done = Answer(
        question="?",
        text=evil,
        planner="llm",
        verification=Verification(
            status="unverified", receipts=(Receipt(text="12", value="12", status="unverified"),)
        ),
    )
    events: list[Event] = [
        Asking(model="m"),
        ToolStart(tool="run_sql", input={"sql": evil}),
        ToolEnd(tool="run_sql", duration_ms=1.0, error="E", reason=evil),
        Done(answer=done),
    ]
    render_events(shown.consoles, events, AnswerView())

    assert_inert(shown.out)
    assert_inert(shown.err)
    # Whatever stands around it, a doubtful figure is never left unmarked.
    assert shown.out.count("[unverified]") >= len(re.findall(r"(?<![\w.,])12(?!\w)", evil))


class _Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def region_on(screen_of: Screen) -> tuple[Region, _Tty]:
    stream = _Tty()
    screen_of.consoles.err.file = stream
    return Region(screen_of.consoles), stream


@pytest.mark.parametrize("evil", EVIL)
@pytest.mark.parametrize("color", ["never", "always"])
def test_a_draft_is_drawn_inert_and_within_its_lines(evil: str, color: str) -> None:
    region, stream = region_on(screen(60, color=color))
    region.wait_for(evil)
    region._draw()
    region.write(evil, evil)
    region.write(evil, "writing")
    region._draw()
    with region.paused():
        pass

    written = re.sub(r"\x1b\[[20]m", "", re.sub(r"\r(?:\x1b\[\d+A)?\x1b\[J", "\n", stream.getvalue()))
    assert_inert(written)
    assert all(width_of(line) <= 59 for line in written.split("\n"))
    assert len(stream.getvalue()) < 8 * 60 * 20
    assert stream.getvalue().endswith("\x1b[J")


def test_a_draft_of_any_length_keeps_only_its_end() -> None:
    region, stream = region_on(screen(60))
    for _ in range(3):
        region.write("long " * 100_000, "writing")
    region.write("the end", "writing")
    region._draw()

    assert len(region._draft) == KEPT_CHARACTERS
    assert "the end" in stream.getvalue()
    assert stream.getvalue().count("\n") == 6


def test_only_a_terminal_that_moves_its_cursor_is_drawn_on(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = screen()
    monkeypatch.setenv("TERM", "xterm-256color")
    assert not can_draw(shown.consoles)
    shown.consoles.err.file = _Tty()
    assert can_draw(shown.consoles)
    for term in ("dumb", ""):
        monkeypatch.setenv("TERM", term)
        assert not can_draw(shown.consoles)
