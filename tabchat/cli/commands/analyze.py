"""`tabchat analyze RECIPE`: named analyses of a table, each with intervals, limits or contributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from typer.core import TyperGroup

from tabchat.cli.computing import compute
from tabchat.cli.options.groups import Output, Reading, Running, expanded
from tabchat.cli.options.recipe_options import (
    Capability,
    Change,
    Control,
    Measurements,
    Pareto,
    Ratio,
    Scope,
    Test,
    Unit,
    given,
)
from tabchat.cli.options.typed import check_stdin
from tabchat.tools.recipes.typed import PLAIN_NAMES, tool_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


@analyze.command("ratio")
@expanded
def ratio(
    file: File, options: Ratio, scope: Scope, reading: Reading, running: Running, output: Output
) -> None:
    """Compare the rate of a condition by group, with counts and Wilson score intervals: yield by station."""
    _run("ratio", [file], given(options, scope), reading, running, output)


@analyze.command("pareto")
@expanded
def pareto(
    file: File, options: Pareto, scope: Scope, reading: Reading, running: Running, output: Output
) -> None:
    """Rank causes by how much they bring about, with cumulative shares."""
    _run("pareto", [file], given(options, scope), reading, running, output)


@analyze.command("measurements")
@expanded
def measurements(
    file: File, options: Measurements, scope: Scope, reading: Reading, running: Running, output: Output
) -> None:
    """Describe a number by group: n, missing, mean, sd, percentiles, outliers."""
    _run("measurements", [file], given(options, scope), reading, running, output)


@analyze.command("control-chart")
@expanded
def control_chart(
    file: File, options: Control, scope: Scope, reading: Reading, running: Running, output: Output
) -> None:
    """Draw a control chart of single values or subgroup means: limits, and the points that break rules."""
    _run("control-chart", [file], given(options, scope), reading, running, output)


@analyze.command("capability")
@expanded
def capability(
    file: File, options: Capability, scope: Scope, reading: Reading, running: Running, output: Output
) -> None:
    """Measure Cp, Cpk, Pp and Ppk of a number against specification limits."""
    _run("capability", [file], given(options, scope), reading, running, output)


@analyze.command("explain-change")
@expanded
def explain_change(file: File, options: Change, reading: Reading, running: Running, output: Output) -> None:
    """Show which groups explain the change of a measure between two periods."""
    _run("explain-change", [file], given(options), reading, running, output)


@analyze.command("test")
@expanded
def test(file: File, options: Test, scope: Scope, reading: Reading, running: Running, output: Output) -> None:
    """Test a difference, a dependence or a correlation: n, statistic, exact p, effect size; needs SciPy."""
    _run("test", [file], given(options, scope), reading, running, output)


@analyze.command("unit")
@expanded
def unit(file: File, options: Unit, reading: Reading, running: Running, output: Output) -> None:
    """Show every row of one unit by its key, and the rows that belong to it, also in a second file."""
    arguments = given(options)
    second = arguments.pop("children", None)
    _run("unit", [file] if second is None else [file, str(second)], arguments, reading, running, output)


def _run(
    recipe: str,
    files: Sequence[str],
    arguments: Mapping[str, JsonValue],
    reading: Reading,
    running: Running,
    output: Output,
) -> None:
    def run(session: Session) -> Answer:
        second: dict[str, JsonValue] = {"children": list(session.tables)[1]} if len(files) > 1 else {}
        return session.analyze(PLAIN_NAMES[recipe], {**arguments, **second})

    check_stdin(files)
    compute(files, reading, running, output, run)
