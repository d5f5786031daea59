"""The line at the bottom fits the screen, and what matters least goes first."""

from dataclasses import replace

import pytest

from tabchat.render.layout.text import ASCII, width_of
from tabchat.repl.line.toolbar import toolbar
from tests.repl.conftest import Talk

EDIT = '/edit --yes {"operation": "delete_rows", "where": "region != \'Oceania\'"}'


@pytest.mark.parametrize(
    "width, line",
    [
        (
            120,
            " sales · 419 rows × 13 columns · openai/gpt-5-mini · summary · not saved: 1 edit of sales · /help",
        ),
        (96, " sales · 419 rows · openai/gpt-5-mini · summary · not saved: 1 edit of sales"),
        (80, " sales · 419 rows · openai/gpt-5-mini · summary · not saved: 1 edit of sales"),
        (75, " sales · openai/gpt-5-mini · summary · not saved: 1 edit of sales"),
        (60, " sales · openai/gpt-5-mini · not saved: 1 edit of sales"),
        (40, " sales · not saved: 1 edit of sales"),
        (20, " sales"),
        (5, " sal…"),
    ],
)
def test_the_least_important_goes_first(talk: Talk, width: int, line: str) -> None:
    talk.say(EDIT)
    talk.say("/model openai/gpt-5-mini")
    assert toolbar(talk.shell, width) == line
    assert width_of(line) <= width


def test_it_is_drawn_with_the_signs_that_the_terminal_has(talk: Talk) -> None:
    talk.shell.consoles = replace(talk.shell.consoles, glyphs=ASCII)
    assert toolbar(talk.shell) == " sales | 5,000 rows x 13 columns | offline | /help"


def test_a_name_that_steers_or_fills_the_screen_is_shown_inert(talk: Talk) -> None:
    table = talk.shell.session.current
    evil = f"\x1b[31m\u202e{'evil' * 30}"
    talk.shell.session.tables[table.name] = replace(table, name=evil)
    line = toolbar(talk.shell)
    assert line.isprintable()
    assert width_of(line) <= 80
