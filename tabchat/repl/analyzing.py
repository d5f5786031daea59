"""`/analyze RECIPE …`: the analysis recipes in a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.repl.registry import Command
from tabchat.tools.recipes.typed import read_line

if TYPE_CHECKING:
    from tabchat.errors import ExitCode
    from tabchat.repl.shell import Shell


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
