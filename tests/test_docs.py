"""The documents say what the program does: generated pages are current, and the README's transcripts are real."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabchat.answers.check import AnswerContext, check_answer
from tabchat.answers.results import NumberedResult
from tests.workspace import make_executor, make_workspace

ROOT = Path(__file__).parent.parent
KEY = re.compile(r"ds_[a-z2-7]{20}|ds_[a-z2-7]{4}(?![a-z2-7])…?")


def transcripts() -> list[tuple[str, str]]:
    """Return (command, what it printed) for every `$ tabchat …` in the README."""
    found = []
    for block in re.findall(
        r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    ):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


@pytest.mark.parametrize("command, printed", transcripts())
def test_the_transcripts_of_the_readme_are_real(command: str, printed: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "tabchat"
    done = subprocess.run(
        [sys.executable, "-m", "tabchat", *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "92"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=120,
    )
    assert KEY.sub("ds_…", done.stdout.decode()).split() == KEY.sub("ds_…", printed).split()


def test_the_template_of_the_readme_is_filled_in_as_it_says(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    written = re.search(r"\n    (.*\{r1\..*)\n    (.*)\n", readme)
    assert written is not None
    executor = make_executor(make_workspace(tmp_path, ROOT / "examples" / "data" / "sales.csv"))
    outcome = executor.run("run_query", {"group_by": "region", "select": "sum(revenue) as revenue"})
    assert outcome.result is not None
    context = AnswerContext(results=[NumberedResult(result=outcome.result, number=1)])
    assert check_answer(written[1], context).text == written[2]


def test_the_python_of_the_documents_gives_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(ROOT / "examples" / "data" / "sales.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    names: dict[str, object] = {}
    told = 0
    for statement in ast.parse(code).body:
        source = ast.get_source_segment(code, statement) or ""
        _, comment, expected = code.splitlines()[statement.lineno - 1].partition("  # ")
        if comment and isinstance(statement, ast.Expr):
            assert repr(eval(source, names)) == expected.strip()  # noqa: S307 - the documents are ours
            told += 1
        else:
            exec(source, names)  # noqa: S102 - as above
    assert told == 15
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.search(r"\n    (import tabchat)\n    (.*)\n", readme)
    assert lines is not None
    exec(lines[1], names)  # noqa: S102 - as above
    shown = eval(lines[2], names)  # noqa: S307 - as above
    assert list(shown.columns) == ["region", "mean_revenue"]


def test_the_generated_pages_are_current() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_every_command_is_documented() -> None:
    from tabchat.cli.app import COMMANDS

    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"## `tabchat {name}" in page


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_outline_of_the_commands_says_what_they_say(width: int) -> None:
    from typer.main import get_command
    from typer.testing import CliRunner

    from tabchat.cli.app import build_app, build_outline

    whole, outline = (
        CliRunner().invoke(app, ["--help"], prog_name="tabchat", terminal_width=width)
        for app in (build_app(), build_outline())
    )
    assert "Commands:" in whole.stdout
    assert outline.stdout == whole.stdout
    assert list(get_command(build_outline()).commands) == list(get_command(build_app()).commands)  # type: ignore[attr-defined]


def test_the_architecture_fits_on_a_few_screens() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?://)([^)#]+)\)", text):
        assert (ROOT / target).exists(), target
