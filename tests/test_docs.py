"""The documents say what the program does: every command, setting and exit code has its place, and links lead there."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tabchat.answers.check import AnswerContext, check_answer
from tabchat.answers.results import NumberedResult
from tabchat.cli.app import build_app
from tabchat.config import Settings
from tabchat.errors import ExitCode, TabchatError
from tests.workspace import make_executor, make_workspace

ROOT = Path(__file__).parent.parent


def test_the_template_of_the_readme_is_filled_in_as_it_says(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    written = re.search(r"\n(.*\{r1\..*)\n(.*)\n```", readme)
    assert written is not None
    executor = make_executor(make_workspace(tmp_path, ROOT / "examples" / "data" / "sales.csv"))
    outcome = executor.run("run_query", {"group_by": "region", "select": "sum(revenue) as revenue"})
    assert outcome.result is not None
    context = AnswerContext(results=[NumberedResult(result=outcome.result, number=1)])
    assert check_answer(written[1], context).text == written[2]


def test_the_generated_pages_are_current() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def reference(name: str) -> str:
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


def commands(command: Any, path: tuple[str, ...] = ("tabchat",)) -> Iterator[tuple[str, Any]]:
    """Yield every command of the program with the words that call it."""
    children = getattr(command, "commands", {})
    if not children:
        yield " ".join(path), command
    for name, child in children.items():
        yield from commands(child, (*path, name))


def test_every_command_and_option_is_documented() -> None:
    sections = {part.split("\n")[0]: part for part in reference("cli.md").split("\n## ")[1:]}
    for words, command in commands(typer.main.get_command(build_app())):
        section = sections[f"`{words}`"]
        shared = [
            sections[title] for title in sections if f"](#{title.lower().replace(' ', '-')})" in section
        ]
        told = "\n".join([section, *shared])
        for parameter in command.params:
            if parameter.param_type_name == "option" and parameter.name != "help":
                assert f"| `{', '.join(parameter.opts + parameter.secondary_opts)}` |" in told, words


def test_every_setting_is_documented() -> None:
    page = reference("settings.md")
    for setting in fields(Settings):
        assert f"\n| `{setting.name}` | " in page


def test_every_exit_code_and_error_is_documented() -> None:
    page = reference("exit-codes.md")
    for code in ExitCode:
        assert f"\n| {code.value} | `{code.name}` | " in page
    for kind in all_errors(TabchatError):
        assert f"`{kind.code}`" in page


def all_errors(kind: type[TabchatError]) -> Iterator[type[TabchatError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from all_errors(child)


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


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], ids=lambda page: page.name
)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", text):
        assert (page.parent / target).exists(), target


def test_the_site_is_built_and_asks_no_server(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr.decode()
    pages = [*tmp_path.rglob("*.html"), *tmp_path.rglob("*.svg"), *tmp_path.rglob("*.css")]
    assert len(pages) > 30
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert (
            re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=.?(?:https?:)?//[^>]*", text) == []
        ), page
        assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)]*", text) == [], page
