"""What `/word` does: list the person's own words, teach one, forget one; the next question is read with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.errors import ExitCode, UsageError
from tabchat.render.layout.text import sanitise
from tabchat.render.words import render_words
from tabchat.repl.registry import Command

if TYPE_CHECKING:
    from tabchat.engine.table import Table
    from tabchat.repl.shell import Shell


def teaching_entry(_table: Table, word: str, meaning: str) -> str:
    """Return what teaches a word at the prompt, with `meaning` in the place of what it means."""
    return f"/word {word} = {meaning}"


def word(shell: Shell, argument: str) -> ExitCode:
    """List the person's own words, or teach or forget one."""
    from tabchat.planner.own_words import forget, learn, own_words

    if not argument.strip():
        render_words(shell.consoles, own_words())
        return ExitCode.ANSWERED
    named, sign, meaning = (part.strip() for part in argument.partition(" = " if " = " in argument else "="))
    if not sign or not named:
        hint = "/word WORD = COLUMN, /word WORD = COLUMN: VALUE, or /word WORD = to forget it."
        raise UsageError("/word needs a word, and behind = what it stands for.", hint=hint)
    if meaning:
        planner = shell.session.panel.rules()
        interpreter = planner.interpreter(shell.session.current.name)
        said = str(learn(named, meaning, interpreter, planner.context))
    else:
        said = f"“{named}” is no more {' or '.join(map(str, forget(named)))}."
    shell.session.panel.read_words()
    shell.session.versions.read_anew()
    shell.explain(sanitise(said, shell.consoles.glyphs))
    return ExitCode.ANSWERED


WORD: Command = Command(
    name="word",
    arguments="[WORD = NAME]",
    summary="your own words: list them, teach or forget one",
    run=word,
    takes=("word",),
    aliases=("words",),
    talks=True,
)
