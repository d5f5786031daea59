"""Every byte for a model is on disk before it is sent, and comes back exactly, whatever happens around it."""

import datetime as dt
import json
import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.audit import EgressLedger
from tabchat.errors import InputError, OutputError, UsageError
from tests.audit.requests import MODEL, URL, outgoing
from tests.effort import examples


@pytest.fixture
def ledger(tmp_path: Path) -> EgressLedger:
    return EgressLedger(tmp_path / "egress", max_bytes=10**6)


def bodies(ledger: EgressLedger) -> list[bytes | None]:
    return [entry.body for entry in ledger.entries()][::-1]


def test_a_request_comes_back_as_it_was_without_its_secrets(ledger: EgressLedger) -> None:
    body = '{"text": "Київ \u2028 \x1b[31m"}'.encode()
    before = dt.datetime.now(dt.UTC)
    ledger.record(outgoing(body))
    (entry,) = ledger.entries()
    assert (entry.body, entry.size, entry.method, entry.url) == (body, len(body), "POST", URL)
    assert (entry.model, entry.host, entry.pid) == (MODEL, "api.example.com", os.getpid())
    assert before <= entry.time <= dt.datetime.now(dt.UTC)
    assert entry.headers == {"Content-Type": "application/json", "Authorization": "[redacted]"}
    assert b"sk-very-secret" not in ledger.path.read_bytes()
    assert ledger.body_of(entry.id) == ledger.body_of(entry.id[:4]) == body


@settings(
    deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(sent=st.lists(st.binary(max_size=200) | st.text(max_size=80).map(str.encode), max_size=8))
def test_any_bytes_come_back(sent: list[bytes], tmp_path_factory: pytest.TempPathFactory) -> None:
    ledger = EgressLedger(tmp_path_factory.mktemp("any") / "egress", max_bytes=1500)
    for body in sent:
        ledger.record(outgoing(body))
    assert bodies(ledger) == sent
    assert [entry.body for entry in ledger.entries()] == sent[::-1]
    assert ledger.check().problems == ()


def test_nothing_is_made_before_the_first_request(ledger: EgressLedger) -> None:
    assert list(ledger.entries()) == []
    assert (ledger.check().requests, ledger.check().problems) == (0, ())
    assert not ledger.directory.exists()


def test_only_the_owner_can_read_it(ledger: EgressLedger) -> None:
    ledger.directory.mkdir(mode=0o755)
    ledger.record(outgoing())
    assert stat.S_IMODE(ledger.directory.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in ledger.directory.iterdir()} == {0o600}


def test_full_files_are_put_aside_and_none_is_lost(tmp_path: Path) -> None:
    ledger = EgressLedger(tmp_path, max_bytes=2000)
    sent = [b"%d" % number for number in range(30)]
    for body in sent:
        ledger.record(outgoing(body))
    parts = sorted(path.name for path in tmp_path.glob("egress-*.jsonl"))
    today = f"{dt.datetime.now(dt.UTC):%Y%m%d}"
    assert len(parts) > 5
    assert parts[0] == f"egress-000001-{today}.jsonl"
    assert all(path.stat().st_size <= 2000 for path in tmp_path.glob("*.jsonl"))
    assert bodies(ledger) == sent
    assert (ledger.check().requests, ledger.check().files) == (30, len(parts) + 1)


def test_a_request_larger_than_a_file_is_written_all_the_same(tmp_path: Path) -> None:
    ledger = EgressLedger(tmp_path, max_bytes=1000)
    large = b"x" * 300_000
    for body in (b"small", large, b"small again"):
        ledger.record(outgoing(body))
    assert bodies(ledger) == [b"small", large, b"small again"]


def test_requests_are_found_by_time_model_and_number(ledger: EgressLedger) -> None:
    ledger.record(outgoing(b"1", model="a"))
    between = dt.datetime.now(dt.UTC)
    for body in (b"2", b"3", b"4"):
        ledger.record(outgoing(body, model="b"))
    assert [entry.body for entry in ledger.entries(limit=2)] == [b"4", b"3"]
    assert [entry.body for entry in ledger.entries(since=between)] == [b"4", b"3", b"2"]
    assert [entry.body for entry in ledger.entries(model="a")] == [b"1"]
    assert [entry.body for entry in ledger.entries(model="b", limit=1)] == [b"4"]
    assert list(ledger.entries(limit=0)) == []


def test_an_unknown_id_is_an_error_that_says_where_to_look(ledger: EgressLedger) -> None:
    ledger.record(outgoing())
    with pytest.raises(UsageError, match="There is no request 'ffff'") as caught:
        ledger.get("ffff")
    assert caught.value.hint == "List the requests and their ids with: tabchat egress"
    with pytest.raises(UsageError):
        ledger.get("")


def test_a_form_is_withheld_since_it_carries_keys(ledger: EgressLedger) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    ledger.record(outgoing(b"apikey=sk-very-secret", headers=form))
    (entry,) = ledger.entries()
    assert (entry.body, entry.size) == (None, 21)
    assert b"sk-very-secret" not in ledger.path.read_bytes()
    with pytest.raises(UsageError, match="withheld"):
        ledger.body_of(entry.id)


def test_threads_and_processes_write_whole_lines_in_one_chain(tmp_path: Path) -> None:
    script = """
import sys, threading
from pathlib import Path
from tabchat.audit import EgressLedger, Outgoing
ledger = EgressLedger(Path(sys.argv[1]), max_bytes=30_000)
def send(who):
    for number in range(20):
        body = f"{sys.argv[2]}-{who}-{number}".encode() * 20
        ledger.record(Outgoing(method="POST", url="https://h/", headers={}, body=body))
threads = [threading.Thread(target=send, args=(who,)) for who in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(number)]) for number in range(3)
    ]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    ledger = EgressLedger(tmp_path, max_bytes=30_000)
    expected = {f"{p}-{t}-{n}".encode() * 20 for p in range(3) for t in range(3) for n in range(20)}
    assert sorted(filter(None, bodies(ledger))) == sorted(expected)
    found = ledger.check()
    assert (found.requests, found.problems, found.notes) == (180, (), ())
    assert found.files > 1


def test_reading_goes_on_while_files_are_put_aside(tmp_path: Path) -> None:
    ledger = EgressLedger(tmp_path, max_bytes=1500)
    for number in range(5):
        ledger.record(outgoing(b"%d" % number))
    reading = ledger.entries()
    first = next(reading)
    for number in range(5, 12):
        ledger.record(outgoing(b"%d" % number))
    assert [first.body, *(entry.body for entry in reading)] == [b"4", b"3", b"2", b"1", b"0"]


def test_a_folder_that_cannot_be_written_sends_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ledger = EgressLedger(tmp_path / "file" / "egress", max_bytes=1000)
    with pytest.raises(OutputError, match=r"cannot be written .*, so nothing was sent") as caught:
        ledger.record(outgoing())
    assert "TABCHAT_DATA_DIR" in str(caught.value.hint)
    with pytest.raises(InputError, match="cannot be read"):
        list(ledger.entries())


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_nothing_but_a_file_is_written_to(ledger: EgressLedger, tmp_path: Path, kind: str) -> None:
    ledger.directory.mkdir()
    target = tmp_path / "elsewhere"
    target.write_text("")
    match kind:
        case "link":
            ledger.path.symlink_to(target)
        case "pipe":
            os.mkfifo(ledger.path)
        case _:
            ledger.path.mkdir()
    with pytest.raises(OutputError):
        ledger.record(outgoing())
    assert target.read_text() == ""


def test_a_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    ledger = EgressLedger(tmp_path, max_bytes=10**6)
    ledger.record(outgoing(b"before"))
    size = ledger.path.stat().st_size

    def attempt() -> None:
        with pytest.raises(OutputError, match="File too large"):
            ledger.record(outgoing(b"x" * 50_000))

    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10_000, old[1]))
    try:
        attempt()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert ledger.path.stat().st_size == size
    ledger.record(outgoing(b"after"))
    assert bodies(ledger) == [b"before", b"after"]
    assert (ledger.check().problems, ledger.check().notes) == ((), ())


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_torn_line_is_told_and_disturbs_nothing(ledger: EgressLedger, cut: int) -> None:
    for body in (b"1", b"2"):
        ledger.record(outgoing(body))
    whole = ledger.path.read_bytes()
    # A process that dies in the middle of a write does not come to the head either.
    ledger.path.write_bytes(whole + whole[:cut])
    damaged: list[str] = []
    assert [entry.body for entry in ledger.entries(damaged=damaged.append)] == [b"2", b"1"]
    assert damaged == [f"egress.jsonl: the line up to byte {len(whole) + cut:,}"]
    ledger.record(outgoing(b"3"))
    assert bodies(ledger) == [b"1", b"2", b"3"]
    found = ledger.check()
    assert found.problems == ()
    assert found.notes == ("egress.jsonl line 3 was cut off while it was written; nothing was sent then.",)


def test_a_process_that_died_before_the_head_was_written_breaks_nothing(ledger: EgressLedger) -> None:
    ledger.record(outgoing(b"1"))
    head = (ledger.directory / "egress.head").read_bytes()
    ledger.record(outgoing(b"2"))
    (ledger.directory / "egress.head").write_bytes(head)
    assert ledger.check().problems == ()
    ledger.record(outgoing(b"3"))
    assert (bodies(ledger), ledger.check().problems) == ([b"1", b"2", b"3"], ())


def test_a_name_that_is_not_unicode_is_written_down(ledger: EgressLedger) -> None:
    ledger.record(outgoing(model="odd-\udcff"))
    (entry,) = ledger.entries()
    assert entry.model == "odd-\udcff"
    ledger.path.read_text(encoding="utf-8")


def test_one_thread_waits_for_another(ledger: EgressLedger) -> None:
    threads = [threading.Thread(target=ledger.record, args=(outgoing(b"%d" % n),)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(filter(None, bodies(ledger))) == sorted(b"%d" % n for n in range(16))
    assert ledger.check().problems == ()


def test_a_line_is_plain_json(ledger: EgressLedger) -> None:
    ledger.record(outgoing(b'{"a": 1}'))
    value = json.loads(ledger.path.read_text())
    assert list(value) == [
        "id", "kind", "time", "model", "method", "url", "headers", "body", "bytes", "sha256", "session", "pid", "previous",
    ]  # fmt: skip
    assert value["body"] == '{"a": 1}'
    assert value["time"].endswith("Z")
