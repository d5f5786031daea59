"""What each `/` command does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.engine.chart.chart import ChartKind
from tabchat.errors import ExitCode, UsageError
from tabchat.render.block import render_chart
from tabchat.render.layout.text import sanitise
from tabchat.repl.again import AGAIN_COMMANDS
from tabchat.repl.asking import MODEL_COMMANDS
from tabchat.repl.editing import EDIT_COMMANDS
from tabchat.repl.looking import OPEN
from tabchat.repl.registry import Command, commands, find_command
from tabchat.repl.results import COMPUTED_COMMANDS, KEPT_COMMANDS, SHOWN_COMMANDS
from tabchat.repl.setting import SET
from tabchat.repl.shell import LeaveRepl
from tabchat.repl.tables import TABLE_COMMANDS
from tabchat.repl.words import WORD
from tabchat.repl.writing import EXPORT, FORCE, words_of
from tabchat.tools.recipes.typed import read_line

if TYPE_CHECKING:
    from tabchat.repl.shell import Shell

_USAGE: Final = "/chart [bar|line|hist|scatter|box] [FILE] [--force]"
PAST_LISTED: Final = 50


def show_chart(shell: Shell, argument: str) -> ExitCode:
    """Draw the last result, as fits it or as a chart of a kind, here or to a file."""
    words = [word for word in words_of(argument, _USAGE, at_least=0) if word != "--force"]
    kind = ChartKind(words.pop(0)) if words and words[0] in tuple(ChartKind) else None
    if len(words) > 1 or (words and "." not in words[0]):
        raise UsageError(f"/chart cannot use {words[-1]!r}.", hint=_USAGE)
    block = shell.require_block()
    if words:
        from tabchat.session.pictures import draw_to_file

        target = Path(words[0]).expanduser()
        with shell.activity.working("drawing"):
            drawn = draw_to_file(shell.session, block, target, kind, force="--force" in argument.split())
        shell.say(sanitise(drawn, shell.consoles.glyphs))
    elif not render_chart(shell.consoles, block.result, kind, shell.inline):
        message = "The last result has no groups to draw, or the screen is too narrow for them."
        raise UsageError(message, hint="Ask for something by group: total revenue by region.")
    return ExitCode.ANSWERED


CHART: Final = Command(
    name="chart",
    arguments="[KIND] [FILE]",
    summary="draw the last result: bar, line, hist, scatter, box",
    run=show_chart,
    takes=("chart", "path"),
    flags=FORCE,
)


def analyze(shell: Shell, argument: str) -> ExitCode:
    """Run a recipe on the current table; its result becomes the last one."""
    tool, arguments = read_line(argument)
    return shell.computed(lambda: shell.session.analyze(tool, arguments))


ANALYZE: Final = Command(
    name="analyze",
    arguments="RECIPE …",
    summary="run a recipe: ratio, pareto, control-chart …",
    run=analyze,
    takes=("recipe",),
)


def show_help(shell: Shell, argument: str) -> ExitCode:
    """List the commands, or explain one."""
    if argument:
        command = find_command(argument.lstrip("/."))
        shell.consoles.out.print(f"{command.usage}\n  {command.summary}")
        return ExitCode.ANSWERED
    known = commands().values()
    width = max(len(command.usage) for command in known) + 2
    for command in known:
        shell.consoles.prose(shell.consoles.out, f"{command.usage:<{width}}{command.summary}", hang=width)
    shell.explain(
        "Anything else is a question, or SQL (SELECT …). Ctrl-C stops it; Alt-Enter or a final \\ begins a new line."
    )
    return ExitCode.ANSWERED


def list_history(shell: Shell, argument: str) -> ExitCode:
    """List the questions of this conversation, or entries of any that hold a text: the nearest at the end."""
    if argument.strip():
        return _list_past(shell, argument.strip())
    for number, question in enumerate(shell.asked, start=1):
        shell.consoles.out.print(f"{number:>3}  {sanitise(question, shell.consoles.glyphs)}")
    return ExitCode.ANSWERED


def _list_past(shell: Shell, text: str) -> ExitCode:
    table = str(shell.session.current.source) if shell.session.tables else ""
    entries = (*shell.past.over(table), *shell.past.elsewhere(table))
    found = [
        entry for entry in entries if text.casefold() in entry.casefold() and not entry.startswith("/history")
    ]
    for entry in reversed(found[:PAST_LISTED]):
        shell.consoles.out.print(sanitise(entry, shell.consoles.glyphs))
    if not found:
        shell.say(sanitise(f"No entry holds {text!r}.", shell.consoles.glyphs))
    elif len(found) > PAST_LISTED:
        shell.say(f"the nearest {PAST_LISTED} of {len(found):,} entries; more words find fewer")
    return ExitCode.ANSWERED


def leave(_shell: Shell, _argument: str) -> ExitCode:
    """Leave the REPL."""
    raise LeaveRepl


COMMANDS: Final = (
    Command(
        name="help",
        arguments="[command]",
        summary="list the commands, or explain one",
        run=show_help,
        takes=("command",),
        aliases=("h", "?"),
        talks=True,
    ),
    *TABLE_COMMANDS,
    OPEN,
    *SHOWN_COMMANDS,
    CHART,
    EXPORT,
    *COMPUTED_COMMANDS,
    ANALYZE,
    SET,
    WORD,
    *EDIT_COMMANDS,
    *KEPT_COMMANDS,
    *AGAIN_COMMANDS,
    *MODEL_COMMANDS,
    Command(
        name="history",
        arguments="[TEXT]",
        summary="list this conversation's questions, or what holds TEXT",
        run=list_history,
        talks=True,
    ),
    Command(name="quit", summary="leave; also Ctrl-D", run=leave, aliases=("exit", "q"), talks=True),
)
