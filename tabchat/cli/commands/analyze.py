"""`tabchat analyze RECIPE`: named analyses of a table, each with intervals, limits or contributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from typer.core import TyperGroup

from tabchat.cli.computing import compute
from tabchat.cli.options.groups import Output, Reading, Running, expanded
from tabchat.cli.options.recipe_options import given, recipe_options
from tabchat.cli.options.typed import check_stdin
from tabchat.tools.recipes import DESCRIPTIONS
from tabchat.tools.recipes.typed import PLAIN_NAMES, tool_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer._click import Command, Context

    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.types import JsonValue
    from tabchat.session import Session


class RecipeGroup(TyperGroup):
    """The recipes by their plain names, and by the names of their tools."""

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return the command of a recipe; raises `UsageError` with the nearest names for an unknown one."""
        if cmd_name.startswith("-"):
            return super().get_command(ctx, cmd_name)
        plain = {tool: name for name, tool in PLAIN_NAMES.items()}
        return super().get_command(ctx, plain[tool_named(cmd_name)])


analyze = typer.Typer(
    cls=RecipeGroup,
    invoke_without_command=True,
    help="Run an analysis recipe on a table: yields, causes, control limits, capability, what explains a change.",
)


@analyze.callback()
def recipes(context: typer.Context) -> None:
    """Say which recipes there are when none is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


File: TypeAlias = Annotated[str, typer.Argument(help="The table (- for stdin).")]


def _command(name: str, tool: str) -> Callable[..., None]:
    """Return the command of one recipe."""

    def command(file: File, options: Any, reading: Reading, running: Running, output: Output) -> None:
        arguments = given(options)
        second = arguments.pop("children", None)
        files = [file] if second is None else [file, str(second)]

        def run(session: Session) -> Answer:
            more: dict[str, JsonValue] = {"children": list(session.tables)[1]} if len(files) > 1 else {}
            return session.analyze(tool, {**arguments, **more})

        check_stdin(files)
        compute(files, reading, running, output, run)

    command.__name__, command.__doc__ = name, DESCRIPTIONS[tool]
    command.__annotations__["options"] = recipe_options(tool)
    return expanded(command)


for _name, _tool in PLAIN_NAMES.items():
    analyze.command(_name)(_command(_name, _tool))
