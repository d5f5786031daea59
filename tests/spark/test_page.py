"""The page about Spark shows what its commands print."""

import shlex
from pathlib import Path

import pytest

from tabchat.cli import run
from tests.conftest import Example
from tests.documents.blocks import ROOT, blocks_of, commands_of
from tests.spark.both import same_cell

PAGE = ROOT / "docs" / "how-to" / "spark.md"
TITLE = "Run with the tests of Spark"


@pytest.mark.usefixtures("engine")
def test_the_page_shows_one_question_on_both(
    tmp_path: Path, example: Example, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sales.csv").write_bytes(example("sales.csv").read_bytes())
    monkeypatch.chdir(tmp_path)
    (block,) = (block for block in blocks_of(PAGE.read_text(encoding="utf-8")) if block.title == TITLE)
    commands = commands_of(block.body)
    assert [("--engine" in command.line) for command in commands] == [False, True]
    for command in commands:
        _, *arguments = shlex.split(command.line)
        # On the Spark that runs already.
        code = run(arguments)
        out, err = capfd.readouterr()
        assert (code, err) == (0, "")
        found, shown = (text.split() for text in (out.replace(",", " "), command.printed.replace(",", " ")))
        assert len(found) == len(shown)
        assert all(map(same_cell, map(_cell, found), map(_cell, shown)))


def _cell(text: str) -> float | str:
    """Return what a cell says: the last digits of a sum of doubles are not the same each time."""
    try:
        return float(text)
    except ValueError:
        return text
