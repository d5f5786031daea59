"""A reply is given again when everything that the model was told is the same, and only then."""

import json
import sqlite3
import stat
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from tabchat.answers.receipts import Receipt
from tabchat.chat.provider.cached_model import CachedModel
from tabchat.chat.provider.response_cache import ResponseCache
from tabchat.chat.turn.answer import Usage
from tabchat.chat.turn.messages import ToolCall, UserMessage
from tabchat.chat.turn.model import Delta, ModelRequest, Piece, Reply
from tabchat.config import load_settings
from tabchat.errors import OutputError
from tabchat.sealed import Seal
from tabchat.store import load_secret
from tests.command import tabchat
from tests.seals import SEAL

PAID = Usage(model="model", prompt_tokens=100, completion_tokens=20, cost_usd=0.5, requests=1)
REPLY = Reply(text="Hello, Київ.", finish="stop", usage=PAID, extra={"thinking": [{"signature": "x"}]})
CALLS = Reply(
    tool_calls=(ToolCall(id="call_1", name="run_query", arguments={"select": "count()", "limit": 3}),),
    finish="tool_calls",
    interpretation="all rows",
    usage=PAID,
)


@dataclass
class CountingModel:
    """Gives one reply in two pieces, and counts how often."""

    reply: Reply
    name: str = "model"
    planner: Literal["rules", "llm"] = "llm"
    asked: list[ModelRequest] = field(default_factory=list)

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        self.asked.append(request)
        if self.reply.text:
            yield Delta(text=self.reply.text[:3])
            yield Delta(text=self.reply.text[3:])
        yield self.reply

    def request_bytes(self, request: ModelRequest) -> bytes:
        return "\n".join(str(message) for message in request.messages).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "responses"


def request(text: str = "hello", **fields: Any) -> ModelRequest:
    return ModelRequest(messages=(UserMessage(text=text),), **fields)


def ask(inner: CountingModel, folder: Path, asked: ModelRequest | None = None, **scope: Any) -> list[Piece]:
    return list(CachedModel(inner, folder, SEAL, **scope).respond(asked or request()))


@pytest.mark.parametrize("reply", [REPLY, CALLS])
def test_a_reply_is_given_again_at_no_cost(reply: Reply, folder: Path) -> None:
    inner = CountingModel(reply)
    first = ask(inner, folder)
    again = ask(inner, folder)
    assert len(inner.asked) == 1
    assert first[-1] == reply
    assert again[-1] == replace(reply, usage=Usage(model="model"))
    assert [piece.text for piece in again[:-1]] == ([reply.text] if reply.text else [])


def test_time_and_room_that_are_left_make_no_difference(folder: Path) -> None:
    inner = CountingModel(REPLY)
    ask(inner, folder, request(timeout=3.0))
    ask(inner, folder, request(timeout=2.5, max_output_tokens=77))
    assert len(inner.asked) == 1


@pytest.mark.parametrize(
    "scope", [{"versions": ("v2",)}, {"versions": ("v", "1")}, {"api_base": "http://localhost:1/v1"}]
)
def test_another_table_version_or_server_is_another_request(scope: dict[str, Any], folder: Path) -> None:
    inner = CountingModel(REPLY)
    ask(inner, folder, versions=("v1",))
    ask(inner, folder, **({"versions": ("v1",)} | scope))
    assert len(inner.asked) == 2


def test_another_question_model_or_environment_is_another_request(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = CountingModel(REPLY)
    ask(inner, folder)
    ask(inner, folder, request("hello?"))
    ask(replace(inner, name="other"), folder)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    ask(inner, folder)
    assert len(inner.asked) == 4


def test_fresh_asks_again_and_keeps_the_new_reply(folder: Path) -> None:
    ask(CountingModel(REPLY), folder)
    newer = replace(REPLY, text="Newer.")
    assert ask(CountingModel(newer), folder, fresh=True)[-1] == newer
    known = ask(CountingModel(REPLY), folder)[-1]
    assert isinstance(known, Reply)
    assert known.text == "Newer."


@pytest.mark.parametrize(
    "reply",
    [
        replace(REPLY, finish="length"),
        replace(REPLY, text=" "),
        replace(CALLS, tool_calls=(ToolCall(id="1", name="x", arguments={}, malformed="{"),)),
        replace(REPLY, receipts=(Receipt(text="5", value=5, status="verified"),)),
    ],
)
def test_what_is_worth_asking_for_again_is_not_kept(reply: Reply, folder: Path) -> None:
    inner = CountingModel(reply)
    assert ask(inner, folder)[-1] is reply
    ask(inner, folder)
    assert len(inner.asked) == 2


def test_a_reply_that_was_not_read_to_its_end_is_not_kept(folder: Path) -> None:
    inner = CountingModel(REPLY)
    reading = CachedModel(inner, folder, SEAL).respond(request())
    assert next(reading) == Delta(text="Hel")
    del reading
    ask(inner, folder)
    assert len(inner.asked) == 2


def test_a_model_that_fails_leaves_nothing(folder: Path) -> None:
    class Failing(CountingModel):
        def respond(self, request: ModelRequest) -> Iterator[Piece]:
            yield Delta(text="Hel")
            raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        ask(Failing(REPLY), folder)
    assert ResponseCache(folder, seal=SEAL).info().entries == 0


def test_only_the_owner_can_read_what_is_kept(folder: Path) -> None:
    ask(CountingModel(REPLY), folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def change_entries(folder: Path, mode: int, value: object) -> None:
    with sqlite3.connect(folder / "cache.db") as connection:
        connection.execute("UPDATE Cache SET mode = ?, value = ?", (mode, value))
    connection.close()


PICKLE = b"cposix\nsystem\n(S'touch /tmp/never'\ntR."


@pytest.mark.parametrize(
    "mode, value",
    [
        (1, "{"),
        (1, "[]"),
        (1, '{"text": 5}'),
        (1, json.dumps({"text": "x"})),
        (4, PICKLE),
        (2, b"\0"),
        (1, 7),
    ],
)
def test_a_damaged_entry_is_asked_for_again_and_can_be_removed(
    mode: int, value: object, folder: Path
) -> None:
    inner = CountingModel(REPLY)
    ask(inner, folder)
    change_entries(folder, mode, value)
    (problem,) = ResponseCache(folder, seal=SEAL).check()
    assert problem == f"1 damaged reply was removed from {folder}."
    assert ResponseCache(folder, seal=SEAL).check() == ()
    ask(inner, folder)
    change_entries(folder, mode, value)
    ask(inner, folder)
    assert len(inner.asked) == 3
    ask(inner, folder)
    assert len(inner.asked) == 3


def test_an_index_that_is_no_database_fails_no_answer(folder: Path) -> None:
    folder.mkdir()
    (folder / "cache.db").write_bytes(b"not a database, however long it is" * 100)
    inner = CountingModel(REPLY)
    assert ask(inner, folder)[-1] == REPLY
    with pytest.raises(OutputError, match="cannot be used"):
        ResponseCache(folder, seal=SEAL).info()
    (problem,) = ResponseCache(folder, seal=SEAL).check()
    assert "was damaged" in problem
    ask(inner, folder)
    ask(inner, folder)
    assert len(inner.asked) == 2


def test_a_folder_that_cannot_be_made_fails_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    inner = CountingModel(REPLY)
    for _ in range(2):
        assert ask(inner, tmp_path / "file" / "responses")[-1] == REPLY
    assert len(inner.asked) == 2


def test_old_replies_make_room_and_expire(folder: Path) -> None:
    kept = ResponseCache(folder, seal=SEAL, max_bytes=200_000)
    for number in range(30):
        kept.put(f"{number:02}", replace(REPLY, text="x" * 40_000))
    assert 0 < kept.info().entries < 15
    assert kept.info().bytes < 400_000
    assert kept.get("00") is None
    assert kept.get("29") is not None
    short = ResponseCache(folder, seal=SEAL, ttl=0.0)
    short.put("short", REPLY)
    assert short.get("short") is None


def test_many_threads_use_it_at_once(folder: Path) -> None:
    failures: list[object] = []

    def work(number: int) -> None:
        reply = replace(REPLY, text=f"reply {number % 4}")
        for _ in range(5):
            *_, last = ask(CountingModel(reply), folder, request(f"question {number % 4}"))
            if not isinstance(last, Reply) or last.text != reply.text:
                failures.append(last)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert ResponseCache(folder, seal=SEAL).info().entries == 4


def test_the_command_line_counts_and_clears_replies(isolated_home: Path) -> None:
    folder = isolated_home / ".cache" / "tabchat" / "responses"
    assert "replies         0 in 0 B" in tabchat("cache", "info").out
    own = Seal(secret=load_secret(load_settings().data_dir / "secret"))
    ResponseCache(folder, seal=own).put("0" * 64, REPLY)
    assert "replies         1 in" in tabchat("cache", "info").out
    assert tabchat("cache", "clear", "--yes", "--replies").err == "1 reply deleted.\n"
    assert ResponseCache(folder, seal=SEAL).info().entries == 0
    ResponseCache(folder, seal=own).put("0" * 64, REPLY)
    change_entries(folder, 1, "{")
    assert "1 damaged reply was removed" in tabchat("cache", "check").err
    told = ["0 table versions deleted.", "0 results deleted.", "0 replies deleted.", "0 sessions deleted."]
    assert tabchat("cache", "clear", "--yes").err.splitlines() == told
