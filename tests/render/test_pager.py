"""What is longer than the screen goes through the pager, in a real terminal and nowhere else."""

from pathlib import Path

import pytest

from tabchat.render.terminal.pager import pager_command
from tests.command import tabchat
from tests.conftest import EXAMPLES
from tests.repl.terminal import Terminal

SALES = str(EXAMPLES / "sales.csv")
PLAN = '{"limit": 40}'


@pytest.fixture
def pager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set a pager that keeps what it is given, and return the file where."""
    kept = tmp_path / "paged.txt"
    program = tmp_path / "pager"
    program.write_text(f"#!/bin/sh\ncat > {kept}\necho pager ended\n")
    program.chmod(0o700)
    monkeypatch.setenv("PAGER", str(program))
    return kept


@pytest.mark.parametrize("columns, rows", [(80, 24), (200, 24)])
def test_a_table_longer_than_the_screen_goes_through_the_pager_and_its_key_stays_on_the_screen(
    pager: Path, columns: int, rows: int
) -> None:
    with Terminal("tabchat", "query", SALES, PLAN, columns=columns, rows=rows) as terminal:
        terminal.read_until("pager ended")
        terminal.read_until(" · ds_")
        assert terminal.wait() == 0
    text = pager.read_text(encoding="utf-8")
    assert " · ds_" not in text
    assert len(text.splitlines()) == 42 + 2 * (columns == 80)


def test_a_chart_stays_on_the_screen_when_its_table_does_not_fit(pager: Path) -> None:
    with Terminal("tabchat", "ask", SALES, "revenue by month", columns=80, rows=24) as terminal:
        terminal.read_until("pager ended")
        terminal.read_until(" · ds_")
        assert terminal.wait() == 0
        shown = terminal.screen.text.partition("pager ended")[2]
    assert "86640.3 │" in shown
    assert "month                          2024-12" in shown
    text = pager.read_text(encoding="utf-8")
    assert "86640.3 │" not in text
    assert "2024-12     86640.28" in text


def test_what_fits_is_printed(pager: Path) -> None:
    with Terminal("tabchat", "query", SALES, PLAN, columns=200, rows=50) as terminal:
        terminal.read_until(" · ds_")
        assert terminal.wait() == 0
    assert not pager.exists()


def test_a_setting_turns_it_off(pager: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABCHAT_PAGER", "false")
    with Terminal("tabchat", "query", SALES, PLAN, columns=80, rows=24) as terminal:
        terminal.read_until(" · ds_")
        assert terminal.wait() == 0
    assert not pager.exists()


def test_a_pipe_gets_everything_and_no_pager(pager: Path) -> None:
    assert len(tabchat("query", SALES, PLAN).out.splitlines()) >= 42
    assert not pager.exists()


@pytest.mark.parametrize(
    "environ, words",
    [
        ({"PAGER": "sh -c 'x y'"}, ["sh", "-c", "x y"]),
        ({"PAGER": "cat"}, None),
        ({"PAGER": ""}, None),
        ({"PAGER": "no-such-program-anywhere"}, None),
        ({"PAGER": "'open"}, None),
    ],
)
def test_the_pager_is_the_persons_own(environ: dict[str, str], words: list[str] | None) -> None:
    assert pager_command(environ) == words
