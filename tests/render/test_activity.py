"""A sign of life while a person waits: on a terminal, after a moment, and gone before anything else is written."""

import io
import time
from collections.abc import Iterator

import pytest

from tabchat.chat.turn.answer import Answer
from tabchat.chat.turn.events import Asking, Done, Event, ToolStart
from tabchat.render.terminal.activity import Activity
from tabchat.render.terminal.console import make_consoles
from tests.conftest import Example
from tests.repl.terminal import Terminal

ENDLESS = "SELECT count(*) FROM sales a, sales b, sales c WHERE a.revenue + b.revenue > c.revenue"
ERASED = "\r\x1b[J"


class Tty(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Tty:
    monkeypatch.setenv("TERM", "xterm")
    return Tty()


def activity_on(stream: io.StringIO, *, quiet: bool = False) -> Activity:
    consoles = make_consoles("never", out=io.StringIO(), err=stream, environ={"COLUMNS": "40"})
    return Activity(consoles, quiet=quiet)


def test_the_share_is_drawn_inert_and_erased(stream: Tty) -> None:
    with activity_on(stream) as activity:
        activity.begin("reading")
        activity(0.3, "reading a\x1b[31m file")
        time.sleep(0.6)
    drawn = stream.getvalue()
    assert "30% reading a\\x1b[31m file" in drawn
    assert drawn.endswith(ERASED)


def test_what_takes_a_moment_draws_nothing(stream: Tty) -> None:
    with activity_on(stream).working("computing"):
        pass
    assert stream.getvalue() == ""


class Engine:
    """Knows how far its query is."""

    def __init__(self, share: float | None) -> None:
        self.share = share
        self.is_watched = False

    def watch(self) -> None:
        self.is_watched = True

    def share_done(self) -> float | None:
        return self.share


@pytest.mark.parametrize(
    "share, told", [(0.42, "42% computing"), (0.998, "99% computing"), (None, " computing")]
)
def test_the_share_of_a_query_is_drawn_where_it_is_known(stream: Tty, share: float | None, told: str) -> None:
    activity, engine = activity_on(stream), Engine(share)
    activity.follow(engine)
    with activity.working("computing"):
        time.sleep(0.6)
    assert engine.is_watched
    assert told in stream.getvalue()
    assert ("%" in stream.getvalue()) is (share is not None)


def test_what_tells_its_own_share_is_not_told_another(stream: Tty) -> None:
    activity = activity_on(stream)
    activity.follow(Engine(0.42))
    with activity:
        activity(0.7, "reading")
        time.sleep(0.6)
    assert "70% reading" in stream.getvalue()
    assert "42%" not in stream.getvalue()


def test_nobody_counts_progress_for_a_pipe() -> None:
    engine = Engine(0.5)
    activity_on(io.StringIO()).follow(engine)
    assert not engine.is_watched


@pytest.mark.parametrize("how", ["a pipe", "quiet", "dumb"])
def test_elsewhere_nothing_is_drawn(stream: Tty, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    written = io.StringIO() if how == "a pipe" else stream
    with activity_on(written, quiet=how == "quiet") as activity:
        activity(0.5, "reading")
        time.sleep(0.5)
    assert written.getvalue() == ""


@pytest.mark.parametrize("last", [Done(answer=Answer(question="?"), messages=()), Asking(model="m")])
def test_the_line_is_gone_before_the_answer_and_before_a_model_is_asked(stream: Tty, last: Event) -> None:
    def slow() -> Iterator[Event]:
        yield ToolStart(tool="run_query", input={})
        time.sleep(0.5)
        yield last
        time.sleep(0.5)

    drawn = []
    for event in activity_on(stream).along(slow(), "answering"):
        drawn.append(stream.getvalue())
        assert isinstance(event, ToolStart) or drawn[-1].endswith(ERASED)
    assert "answering" in drawn[-1]
    assert stream.getvalue() == drawn[-1]


def test_a_long_query_counts_its_seconds_and_stops_at_once(example: Example) -> None:
    with Terminal("tabchat", "sql", str(example("sales.csv")), ENDLESS) as terminal:
        terminal.read_until("computing · 1 s")
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert "computing" not in terminal.screen.text


def test_a_long_query_of_a_conversation_is_cancelled_alone(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.enter(f"/sql {ENDLESS}", "computing · 1 s")
        terminal.type_until("\x03", "Stopped.")
        terminal.read_until("sales>")
        terminal.enter("SELECT 40 + 2 AS answer", "answer: 42")
