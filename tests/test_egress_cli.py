"""`tabchat egress`: a person can read every byte that was ever sent to a model."""

import json
from pathlib import Path

import pytest

from tabchat.audit import EgressLedger, Outgoing
from tabchat.cli import run
from tabchat.config import load_settings
from tests.command import tabchat
from tests.conftest import Example
from tests.fake_provider import FAKE_ENV, FAKE_KEY, FakeProvider, call, say

HOSTILE = '{"note": "Київ \u202e \u009b31m", "list": [1, 2]}'.encode()


@pytest.fixture
def ledger(isolated_home: Path) -> EgressLedger:
    return EgressLedger(isolated_home / ".local" / "share" / "tabchat" / "egress", max_bytes=10**6)


def send(ledger: EgressLedger, *bodies: bytes, model: str = "openai/gpt-5-mini") -> None:
    url = "https://api.example.com/v1/chat?key=secret"
    for body in bodies:
        ledger.record(Outgoing(method="POST", url=url, headers={"Accept": "*/*"}, body=body, model=model))


def shown(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    """Run `tabchat egress` in this process; return what it wrote to stdout and stderr."""
    assert run(["egress", *arguments]) == code
    written = capfd.readouterr()
    return written.out, written.err


def test_an_empty_ledger_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    assert shown(capfd) == ("", "Nothing was ever sent to a model.\n")
    assert shown(capfd, "--json") == ('{"ok": true, "requests": []}\n', "")
    assert shown(capfd, "--check") == ("The ledger is whole: 0 requests in 0 files.\n", "")


def test_requests_are_listed_newest_first(ledger: EgressLedger, capfd: pytest.CaptureFixture[str]) -> None:
    send(ledger, b"1" * 10, b"2" * 2000)
    second, first = ledger.entries()
    out, err = shown(capfd)
    assert [line.split() for line in out.splitlines()[2:]] == [
        [
            entry.id,
            *f"{entry.time.astimezone():%Y-%m-%d %H:%M:%S}".split(),
            entry.model,
            "api.example.com",
            *size,
        ]
        for entry, size in ((second, ("2.0", "kB")), (first, ("10", "B")))
    ]
    assert out.splitlines()[0].split() == ["id", "when", "model", "host", "sent"]
    assert err == ""


def test_json_has_everything_in_one_object(ledger: EgressLedger, capfd: pytest.CaptureFixture[str]) -> None:
    send(ledger, b"first", HOSTILE)
    out, _ = shown(capfd, "--json")
    assert "\u202e" not in out
    assert json.loads(out) == {"ok": True, "requests": [entry.to_json() for entry in ledger.entries()]}
    assert "secret" not in out


def test_a_request_is_laid_out_for_reading_and_inert(
    ledger: EgressLedger, capfd: pytest.CaptureFixture[str]
) -> None:
    send(ledger, HOSTILE, b"\xff\x00", b"plain \x1b[31m text")
    plain, binary, hostile = ledger.entries()
    out, err = shown(capfd, hostile.id[:6])
    assert out == '{\n  "note": "Київ \\u202e \\x9b31m",\n  "list": [\n    1,\n    2\n  ]\n}\n'
    assert err.splitlines() == [
        "POST https://api.example.com/v1/chat?key=[redacted]",
        "Accept: */*",
        f"sent {hostile.time:%Y-%m-%d %H:%M:%S} UTC for openai/gpt-5-mini: {len(HOSTILE)} bytes, SHA-256 {hostile.sha256}",
        f"exact bytes: tabchat egress --raw {hostile.id}",
    ]
    assert shown(capfd, binary.id)[0] == "(2 bytes that are not text)\n"
    assert shown(capfd, plain.id)[0] == "plain \\x1b[31m text\n"


def test_the_exact_bytes_are_written_to_stdout(
    ledger: EgressLedger, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    body = bytes(range(256))
    send(ledger, body)
    (entry,) = ledger.entries()
    assert run(["egress", "--raw", entry.id]) == 0
    assert capfdbinary.readouterr().out == body


def test_the_list_is_short_unless_more_is_asked_for(
    ledger: EgressLedger, capfd: pytest.CaptureFixture[str]
) -> None:
    send(ledger, *(b"x" for _ in range(52)))
    out, err = shown(capfd)
    assert len(out.splitlines()) == 52
    assert err == "the newest 50 requests; --last N shows more, --last 0 all\n"
    assert len(shown(capfd, "--last", "0")[0].splitlines()) == 54
    assert len(shown(capfd, "-n", "3")[0].splitlines()) == 5
    assert len(json.loads(shown(capfd, "--json")[0])["requests"]) == 52
    assert len(shown(capfd, "--since", "2020-01-01")[0].splitlines()) == 54
    assert shown(capfd, "--since", "2999-01-01") == ("", "No such request was sent.\n")
    assert shown(capfd, "--model", "other") == ("", "No such request was sent.\n")


def test_a_ledger_that_was_changed_is_noticed(
    ledger: EgressLedger, capfd: pytest.CaptureFixture[str]
) -> None:
    send(ledger, b"one", b"two")
    assert shown(capfd, "--check") == ("The ledger is whole: 2 requests in 1 file.\n", "")
    ledger.path.write_bytes(ledger.path.read_bytes().replace(b'"one"', b'"eno"') + b'{"torn')
    out, _ = shown(capfd, "--check", code=1)
    assert out.splitlines() == [
        "egress.jsonl line 1: its body is not the one that was written down.",
        "egress.jsonl line 2: a line before it was changed, put in or taken out.",
        "egress.jsonl line 3 was cut off while it was written; nothing was sent then.",
        "The ledger is not whole: 2 requests in 1 file.",
    ]
    found = json.loads(shown(capfd, "--check", "--json", code=1)[0])
    assert (found["ok"], found["requests"], len(found["problems"]), len(found["notes"])) == (False, 2, 2, 1)
    assert "is not whole" in shown(capfd)[1]


def test_the_file_can_be_found_and_mistakes_are_told(
    ledger: EgressLedger, capfd: pytest.CaptureFixture[str]
) -> None:
    assert shown(capfd, "--path") == (f"{ledger.path}\n", "")
    assert "There is no request 'nobody'" in shown(capfd, "nobody", code=2)[1]
    assert "--since cannot be 'soon'" in shown(capfd, "--since", "soon", code=2)[1]
    assert "different questions" in shown(capfd, "abcd", "--check", code=2)[1]


def test_what_a_provider_received_is_what_the_command_shows(example: Example) -> None:
    script = [call("run_query", {"select": "count()"}), say("There are 5,000 rows.")]
    with FakeProvider(script) as provider:
        asked = tabchat(
            *("ask", example("sales.csv"), "How big is it?", "--planner", "llm", "--json"),
            *("-m", "openai/fake", "--api-base", provider.base_url),
            env=FAKE_ENV,
        )
    assert asked.code == 0
    listed = tabchat("egress", "--json").json["requests"]
    assert [entry["body"].encode() for entry in reversed(listed)] == [one.body for one in provider.requests]
    assert [entry["model"] for entry in listed] == ["openai/fake"] * 2
    assert [entry["url"] for entry in listed] == [f"{provider.base_url}/chat/completions"] * 2
    assert FAKE_KEY not in load_settings().data_dir.joinpath("egress", "egress.jsonl").read_text()
    assert tabchat("egress", "--raw", listed[0]["id"]).out.encode() == provider.requests[-1].body


def test_nothing_is_sent_when_it_cannot_be_written_down(example: Example, ledger: EgressLedger) -> None:
    ledger.directory.parent.mkdir(parents=True)
    ledger.directory.write_text("in the way")
    with FakeProvider([say("Never.")]) as provider:
        asked = tabchat(
            *("ask", example("sales.csv"), "How big is it?", "--planner", "llm"),
            *("-m", "openai/fake", "--api-base", provider.base_url),
            env=FAKE_ENV,
        )
    assert provider.requests == []
    assert asked.code == 1
    assert "so nothing was sent" in asked.err
