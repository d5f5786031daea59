"""A list of questions: several at once, each on its own, told in the order of the list, resumable."""

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from tabchat import Session
from tabchat.answers.receipts import Verification
from tabchat.chat.turn.answer import Answer
from tabchat.chat.turn.events import Done, Event, Failed
from tabchat.chat.turn.messages import ToolCall, UserMessage
from tabchat.chat.turn.model import ModelRequest, Piece, Reply
from tabchat.cli import run
from tabchat.config import load_settings
from tabchat.engine.types import JsonValue
from tabchat.errors import ExitCode, ModelError, OutputError, TabchatError, UsageError
from tabchat.session.answers import AnswersFile
from tabchat.session.batch import Batch, may_ask_model
from tests.command import tabchat
from tests.conftest import Example
from tests.fake_provider import FAKE_ENV, FakeProvider, Step, fault, say
from tests.forkserver.client import start
from tests.repl.terminal import Terminal

pytestmark = pytest.mark.examples_read

SLOW = "SELECT count(*) FROM sales a, sales b, sales c WHERE a.revenue + b.revenue > c.revenue"
VERSIONS = {"sales": "v1"}


@dataclass
class LimitModel:
    """Answers `show N rows, please` with the first N rows; safe for threads."""

    meets: threading.Barrier | None = None
    """Where questions wait for each other, so that they do overlap."""
    name: str = "limits"
    planner: Literal["rules", "llm"] = "llm"
    firsts: list[ModelRequest] = field(default_factory=list)

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        asked = next(m.text for m in reversed(request.messages) if isinstance(m, UserMessage))
        wanted = int(asked.split()[1])
        if self.meets is not None:
            self.meets.wait(60)
        if isinstance(request.messages[-1], UserMessage):
            self.firsts.append(request)
            arguments: dict[str, JsonValue] = {"limit": wanted, "columns": ["order_id"]}
            yield Reply(tool_calls=(ToolCall(id="1", name="run_query", arguments=arguments),))
        else:
            yield Reply(text=f"Here they are, as asked: {'x' * wanted}.")


def ask_all(session: Session, questions: list[str], **options: Any) -> list[list[Event]]:
    with Batch(session, dict(enumerate(questions)), **({"jobs": 4} | options)) as batch:
        return [list(batch.events(number)) for number in range(len(questions))]


def test_forty_questions_at_once_are_never_mixed_up(example: Example) -> None:
    questions = [f"show {number} rows, please" for number in range(1, 41)]
    model = LimitModel(meets=threading.Barrier(4))
    told: dict[int, Answer] = {}
    with Session.open([example("sales.csv")], settings=load_settings(), models=[model]) as session:
        happened = ask_all(session, questions, finished=told.__setitem__)
        for number, (question, events) in enumerate(zip(questions, happened, strict=True)):
            assert isinstance(events[-1], Done)
            answer = events[-1].answer
            assert answer is told[number]
            assert answer.question == question
            assert answer.text == f"Here they are, as asked: {'x' * (number + 1)}."
            assert answer.block is not None
            assert len(answer.block.result.frame.rows()) == number + 1
        assert session.conversation.answers == []
    # Each question is the first of its conversation.
    assert [len(request.messages) for request in model.firsts] == [1] * 40


def test_only_questions_for_a_model_are_asked_at_once(example: Example) -> None:
    for flags, expected in (
        ({}, False),
        ({"model": "openai/fake"}, True),
        ({"model": "openai/fake", "planner": "rules"}, False),
        ({"model": "openai/fake", "offline": True}, False),
    ):
        with Session.open([example("sales.csv")], settings=load_settings(flags)) as session:
            assert may_ask_model(session) is expected


def test_questions_are_asked_one_at_a_time_under_a_limit_of_cost(example: Example) -> None:
    class Watched(LimitModel):
        def respond(self, request: ModelRequest) -> Iterator[Piece]:
            assert busy.acquire(blocking=False)
            yield from super().respond(request)
            busy.release()

    busy = threading.Lock()
    with Session.open(
        [example("sales.csv")], settings=load_settings({"max_cost": 1.0}), models=[Watched()]
    ) as session:
        happened = ask_all(session, ["show 2 rows, please"] * 8)
    assert [type(events[-1]) for events in happened] == [Done] * 8


def test_a_question_that_fails_leaves_the_others_alone(example: Example) -> None:
    class Failing(LimitModel):
        def respond(self, request: ModelRequest) -> Iterator[Piece]:
            if any(isinstance(m, UserMessage) and "3" in m.text for m in request.messages):
                message = "The provider failed."
                raise ModelError(message)
            yield from super().respond(request)

    with Session.open([example("sales.csv")], settings=load_settings(), models=[Failing()]) as session:
        happened = ask_all(session, [f"show {number} rows, please" for number in range(1, 6)])
    assert [type(events[-1]) for events in happened] == [Done, Done, Failed, Done, Done]


def test_one_conversation_is_stopped_without_the_others(example: Example) -> None:
    with Session.open([example("sales.csv")], settings=load_settings()) as session:
        slow, other = session.fork(), session.fork()
        failures: list[TabchatError] = []

        def work() -> None:
            try:
                slow.sql(SLOW)
            except TabchatError as error:
                failures.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        while not slow.engine._running:
            time.sleep(0.01)
        for _ in range(20):
            other.cancel()
            session.cancel()
        block = other.sql("SELECT count(*) FROM sales").block
        assert block is not None
        assert block.result.value == 5000
        assert failures == []
        assert thread.is_alive()
        while thread.is_alive():
            slow.cancel()
            thread.join(0.05)
        assert len(failures) == 1


def test_what_goes_wrong_on_a_thread_is_raised_where_the_answer_is_wanted(example: Example) -> None:
    class Broken(LimitModel):
        def respond(self, request: ModelRequest) -> Iterator[Piece]:
            if request.messages:
                message = "a bug"
                raise RuntimeError(message)
            yield Reply()

    with Session.open([example("sales.csv")], settings=load_settings(), models=[Broken()]) as session:
        with pytest.raises(RuntimeError, match="a bug"):
            ask_all(session, ["show 1 rows, please"] * 6)

        def full(_number: int, _answer: Answer) -> None:
            message = "the disk is full"
            raise OutputError(message)

        session.models = [LimitModel()]
        with pytest.raises(OutputError, match="the disk is full"):
            ask_all(session, ["show 1 rows, please"] * 6, finished=full)


# The file of answers


def kept(path: Path, **versions: str) -> AnswersFile:
    return AnswersFile(path, versions or VERSIONS, rows=5)


def answer(question: str, *, status: Literal["verified", "unverified"] = "verified") -> Answer:
    return Answer(question=question, text="Yes.", verification=Verification(status=status))


def failed(question: str) -> Answer:
    return Answer(question=question, error=OutputError("No."))


def taken(path: Path, *questions: str, **versions: str) -> list[int | None]:
    with kept(path, **versions) as file:
        return [file.take(question) for question in questions]


def test_answers_are_taken_once_each_and_failures_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with kept(path) as file:
        for one in (answer("a"), answer("a"), failed("b"), answer("c", status="unverified")):
            file.append(one)
        assert file.take("a") is None
    assert taken(path, "a", "a", "a", "b", "c", "d") == [0, 0, None, None, ExitCode.UNVERIFIED, None]
    assert taken(path, "a", sales="v2") == [None]
    assert taken(path, "a", sales="v1", more="v1") == [None]
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["question"], line["ok"], line["tables"]) for line in lines] == [
        ("a", True, VERSIONS), ("a", True, VERSIONS), ("b", False, VERSIONS), ("c", True, VERSIONS),
    ]  # fmt: skip


@pytest.mark.parametrize("cut", [1, 5, 9, 60])
def test_a_torn_last_line_is_taken_away(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "answers.jsonl"
    with kept(path) as file:
        file.append(answer("a"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:cut])
    assert taken(path, "a", "a") == [0, None]
    assert path.read_bytes() == whole
    path.write_bytes(whole.rstrip(b"\n"))
    assert taken(path, "a", "a") == [0, None]
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "content", ["a,b\n1,2\n", "how many rows?", '{"ok": true}\n', '{"ok": true, "torn\n', "[]\n"]
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other"
    path.write_text(content)
    with pytest.raises(UsageError, match="is no file of answers: line 1 is none"):
        taken(path)
    assert path.read_text() == content


def test_two_runs_do_not_write_to_one_file(tmp_path: Path) -> None:
    with kept(tmp_path / "answers.jsonl"), pytest.raises(UsageError, match="Another run"):
        taken(tmp_path / "answers.jsonl")
    with pytest.raises(OutputError, match="cannot be kept"):
        taken(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a regular file"):
        taken(tmp_path / "pipe")


# The command


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.txt"
    path.write_text("# a comment\nhow many rows?\ntotal frobnication\n\nhow many rows?\n")
    return path


def test_a_batch_goes_on_where_it_stopped(
    example: Example, questions: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answers.jsonl"
    command = ["ask", str(example("sales.csv")), "-f", str(questions), "--json", "--resume", str(path)]
    assert run(command) == ExitCode.NOT_UNDERSTOOD
    first = capfd.readouterr()
    assert [json.loads(line)["ok"] for line in first.out.splitlines()] == [True, False, True]
    assert first.err.splitlines()[-1] == "3 questions: 2 answered, 1 not understood."
    questions.write_text(questions.read_text() + "how many rows?\ntotal revenue by region\n")
    assert run(command) == ExitCode.NOT_UNDERSTOOD
    second = capfd.readouterr()
    asked = [json.loads(line)["question"] for line in second.out.splitlines()]
    assert asked == ["total frobnication", "how many rows?", "total revenue by region"]
    assert second.err.splitlines()[-1] == "5 questions: 2 answered before, 2 answered, 1 not understood."
    assert Counter(json.loads(line)["question"] for line in path.read_text().splitlines()) == {
        "how many rows?": 3, "total frobnication": 2, "total revenue by region": 1,
    }  # fmt: skip


def test_events_name_their_question(
    example: Example, questions: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", str(example("sales.csv")), "-f", str(questions), "--events"]) == 4
    events = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    ends = [(one["question_index"], one["event"]) for one in events if one["event"] in {"done", "error"}]
    assert ends == [(0, "done"), (1, "error"), (2, "done")]
    assert [one["question_index"] for one in events] == sorted(one["question_index"] for one in events)


def test_an_answer_without_source_rows_does_not_end_the_batch(
    example: Example, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "questions.txt"
    listed.write_text("show all orders in Germany\nhow many rows?\n")
    code = run(["ask", str(example("sales.csv")), "-f", str(listed), "--source", "--format", "csv"])
    written = capfd.readouterr()
    assert code == ExitCode.USAGE
    assert "This result has no separate source rows" in written.err
    assert len(written.out.splitlines()) == 5001


def test_resume_needs_a_list(example: Example, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", str(example("sales.csv")), "how many rows?", "--resume", str(tmp_path / "a")]) == 2
    assert "--resume goes on with a file of questions" in capfd.readouterr().err
    assert run(["ask", "-", "-f", "-"]) == 2
    assert "stdin is read once" in capfd.readouterr().err


def test_progress_is_drawn_on_a_terminal_and_gone_at_the_end(example: Example, tmp_path: Path) -> None:
    listed = tmp_path / "questions.txt"
    # As many as take longer than the moment before which nothing is drawn.
    listed.write_text("how many rows?\n" * 150)
    with Terminal("tabchat", "ask", str(example("sales.csv")), "-f", str(listed), "--json") as terminal:
        assert "/150 answered" in terminal.read_until("150 questions: 150 answered.")
        assert not any("/150 answered" in line for line in terminal.screen.lines)


def numbered(body: dict[str, Any], *, hanging: str | None) -> Step:
    asked = str(body["messages"][-1]["content"])
    word = next(word for word in asked.split() if word.startswith("q-"))
    return fault("hang") if word == hanging else say(f"Heard: {word}.")


def word(number: int) -> str:
    return "q-" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:02}")


def test_a_batch_with_a_model_is_stopped_by_ctrl_c_and_goes_on_later(
    example: Example, tmp_path: Path, isolated_home: Path
) -> None:
    listed, path = tmp_path / "questions.txt", tmp_path / "answers.jsonl"
    listed.write_text("".join(f"Please repeat {word(number)} to me\n" for number in range(20)))
    command = ["ask", str(example("sales.csv")), "-f", str(listed), "--json", "--resume", str(path)]
    model = ["--planner", "llm", "-m", "openai/fake", "--api-base"]
    with FakeProvider(lambda body: numbered(body, hanging=word(7))) as provider:
        with (
            Path(os.devnull).open("rb") as nothing,
            (tmp_path / "out").open("wb") as out,
            (tmp_path / "err").open("wb") as err,
        ):
            process = start(
                ["tabchat", *command, *model, provider.base_url],
                streams=(nothing.fileno(), out.fileno(), err.fileno()),
                environment=os.environ | FAKE_ENV,
            )
        until = time.monotonic() + 90
        while not path.exists() or path.read_bytes().count(b"\n") < 19:
            assert process.poll() is None, (tmp_path / "err").read_text()
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == ExitCode.INTERRUPTED
        assert len(provider.chats) == 20
    answers = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    done = [number for number in range(20) if number != 7]
    assert [one["question"] for one in answers] == [f"Please repeat {word(n)} to me" for n in done]
    assert [one["answer"] for one in answers] == [f"Heard: {word(n)}." for n in done]
    summary = "20 questions: 19 answered, 1 not finished.\nopenai/fake, 19 requests, 1,900 + 380 tokens, cost unknown\n"
    assert (tmp_path / "err").read_text().endswith(summary)
    with FakeProvider(lambda body: numbered(body, hanging=None)) as provider:
        finished = tabchat(*command, *model, provider.base_url, env=FAKE_ENV)
        assert len(provider.chats) == 1
    assert finished.code == 0
    assert finished.json["answer"] == f"Heard: {word(7)}."
    assert "20 questions: 19 answered before, 1 answered." in finished.err
    assert len(path.read_text().splitlines()) == 20
