"""The entry point under whoever closed its streams."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tabchat.cli import run as command_line
from tests.conftest import Example

pytestmark = pytest.mark.examples_read


def run(redirection: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run tabchat from a shell that closes what `redirection` says."""
    command = [sys.executable, "-m", "tabchat", *map(str, arguments)]
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("redirection", ["<&-", "2>&-", "<&- 2>&-"])
def test_an_answer_needs_neither_stdin_nor_stderr(example: Example, redirection: str) -> None:
    done = run(redirection, "ask", example("sales.csv"), "how many rows?")
    assert (done.returncode, done.stdout) == (0, "The table has 5,000 rows.\n")


@pytest.mark.parametrize("form", [[], ["--json"], ["--format", "csv"]])
def test_an_answer_that_nobody_can_get_is_an_error(example: Example, form: list[str]) -> None:
    done = run(">&-", "ask", example("sales.csv"), "how many rows?", "-q", *form)
    assert done.returncode == 1
    assert "cannot be written" in done.stderr or "could not be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert "ignored" not in done.stderr


@pytest.mark.parametrize("arguments, code", [(["ask", "-", "how many rows?"], 3), (["repl"], 0)])
def test_a_closed_stdin_is_an_empty_one(example: Example, arguments: list[str], code: int) -> None:
    files = [] if "-" in arguments else [example("sales.csv")]
    done = run("<&-", *arguments, *files)
    assert done.returncode == code
    assert "internal error" not in done.stderr


_QUERY = '{"select": "meen(revenue)"}'
_CODES = [
    (["ask", "sales.csv", "revenue by planet", "-q"], 4),
    (["ask", "nope.csv", "x"], 3),
    (["query", "sales.csv", _QUERY], 9),
    (["ask", "--nonsense"], 2),
    (["ask", "sales.csv", "how many rows?"], 0),
]


def code_of(redirection: str, arguments: list[str], kept: Path) -> int:
    """Return the exit code of tabchat in a shell; what it writes to a pipe has lost its reader before."""
    command = shlex.join([sys.executable, "-m", "tabchat", *arguments])
    script = f"{{ sleep 0.3; {command}; echo $? >{shlex.quote(str(kept))}; }} {redirection}"
    subprocess.run(["sh", "-c", script], capture_output=True, timeout=60, check=False)
    return int(kept.read_text(encoding="ascii"))


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&1 >/dev/null | true", "2>&1 | true"])
@pytest.mark.parametrize("arguments, code", _CODES)
def test_the_exit_code_is_the_same_when_nobody_hears_what_is_said(
    example: Example, tmp_path: Path, arguments: list[str], code: int, redirection: str
) -> None:
    words = [str(example(word)) if word == "sales.csv" else word for word in arguments]
    assert code_of(redirection, words, tmp_path / "code") == code


def test_ctrl_c_while_a_module_loads_is_no_internal_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_argv: object) -> int:
        message = "Error calling __set_name__ on 'Field' instance 'answers' in 'Conversation'"
        raise RuntimeError(message) from KeyboardInterrupt()

    monkeypatch.setattr("tabchat.cli.invocation.invoke", interrupted)
    assert command_line(["ask"]) == 130
    assert capsys.readouterr().err == "tabchat: error: Interrupted.\n"


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_ctrl_c_while_a_command_works_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], example: Example, options: list[str]
) -> None:
    def interrupted(*_sources: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tabchat.session.Session.open", interrupted)
    assert command_line(["ask", str(example("sales.csv")), "how many rows?", *options]) == 130
    told = capsys.readouterr()
    assert told.err == "tabchat: error: Interrupted.\n"
    assert [json.loads(line)["error"]["code"] for line in told.out.splitlines()] == ["interrupted"] * len(
        options
    )


@pytest.mark.parametrize("before", [[], ["sales.csv"]])
def test_a_text_too_long_for_the_name_of_a_file_is_a_text(example: Example, before: list[str]) -> None:
    done = run("", *map(example, before), "x" * 5000)
    assert done.returncode not in {0, 1}
    assert "File name too long" not in done.stderr
    assert "internal error" not in done.stderr
    assert "Traceback" not in done.stderr
