"""`tabchat words`: the person's own words for columns and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.computing import opened
from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Local, Output, Reading
from tabchat.cli.present import Presenter
from tabchat.config import words_file
from tabchat.errors import UsageError
from tabchat.planner.own_words import forget, learn, own_words
from tabchat.render.words import render_words

if TYPE_CHECKING:
    from tabchat.planner.own_words import Target
    from tabchat.values import JsonValue

_TAUGHT = 3
"""A file, a word, and what it stands for."""


def words(
    reading: Reading,
    running: Local,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE WORD MEANING]",
            help="A table, a word of yours, and the column of the table, or the cell, that it stands for; "
            "COLUMN: CELL where several columns have that cell.",
        ),
    ] = None,
    forgotten: Annotated[
        str | None, typer.Option("--forget", metavar="WORD", help="Take a word out again.")
    ] = None,
    json: Json = False,
) -> None:
    """List your own words for columns and cells, or teach one.

    What is taught holds for every table that has such a column or cell, and is never sent to a model.
    """
    given = arguments or []
    if len(given) not in {0, _TAUGHT} or (given and forgotten is not None):
        hint = 'tabchat words FILE "takings" "Fee", or tabchat words --forget "takings"'
        raise UsageError("A word is taught by a file, the word and what it stands for.", hint=hint)
    with Presenter(running, Output(json=json)) as presenter:
        if given:
            _teach(presenter, given, reading)
        elif forgotten is not None:
            before = forget(forgotten)
            presenter.say(f"“{forgotten}” is no more {' or '.join(map(str, before))}.")
            if json:
                presenter.json({"ok": True, "path": str(words_file()), "forgot": _listed(forgotten, before)})
        elif json:
            listed: list[JsonValue] = [own.to_json() for own in own_words()]
            presenter.json({"ok": True, "path": str(words_file()), "words": listed})
        else:
            render_words(presenter.consoles, own_words())


def _teach(presenter: Presenter, given: list[str], reading: Reading) -> None:
    file, word, meaning = given
    with opened(presenter, [file], reading) as session:
        presenter.loaded(session)
        planner = session.panel.rules()
        lesson = learn(word, meaning, planner.interpreter(session.current.name), planner.context)
    presenter.say(str(lesson))
    if presenter.output.json:
        before = _listed(lesson.own.word, lesson.before)
        presenter.json({"ok": True, "path": str(words_file()), **lesson.own.to_json(), "before": before})


def _listed(word: str, targets: tuple[Target, ...]) -> list[JsonValue]:
    return [{"word": word, "column": target.column, "cell": target.cell} for target in targets]
