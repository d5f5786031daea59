"""`/chart [KIND] [FILE]`: the last result as a chart, in the terminal or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.engine.chart.chart import ChartKind
from tabchat.errors import ExitCode, UsageError
from tabchat.render.block import render_chart
from tabchat.render.layout.text import sanitise
from tabchat.repl.registry import Command
from tabchat.repl.writing import FORCE, words_of

if TYPE_CHECKING:
    from tabchat.repl.shell import Shell

_USAGE: Final = "/chart [bar|line|hist|scatter|box] [FILE] [--force]"


def show_chart(shell: Shell, argument: str) -> ExitCode:
    """Draw the last result, as fits it or as a chart of a kind, here or to a file."""
    words = [word for word in words_of(argument, _USAGE, at_least=0) if word != "--force"]
    kind = ChartKind(words.pop(0)) if words and words[0] in tuple(ChartKind) else None
    if len(words) > 1 or (words and "." not in words[0]):
        message = f"/chart cannot use {words[-1]!r}."
        raise UsageError(message, hint=_USAGE)
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
