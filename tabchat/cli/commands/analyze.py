"""`tabchat analyze RECIPE`: named analyses of a table, each with intervals, limits or contributions."""

from __future__ import annotations

from dataclasses import field, make_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer
from typer.core import TyperGroup

from tabchat.cli.computing import compute
from tabchat.cli.options.groups import Output, Reading, Running, expanded
from tabchat.cli.options.typed import check_stdin
from tabchat.tools.recipes import DESCRIPTIONS
from tabchat.tools.recipes.schemas import SCOPE, parameters
from tabchat.tools.recipes.typed import OTHER_NAMES, PLAIN_NAMES, listed, option_of, tool_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer._click import Command, Context

    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.types import JsonValue
    from tabchat.session import Session

_ROWS: Final = "Which rows"
_UNSAID: Final = frozenset({"table", "title"})
"""Arguments of the tool that a command has no option for."""
_COLUMNS: Final = frozenset(
    {"by", "value", "order", "subgroup", "measure", "other", "key", "children_key", "parent", "time_column"}
)
"""Arguments that name columns."""
_FILES: Final = {"children": "A second file whose rows belong to the unit."}
"""Arguments that are a table of the tool, and a file of the command."""


def recipe_options(tool: str) -> type[Any]:
    """Return the group of options of the recipe that `tool` computes."""
    schema: Any = parameters(tool)
    described = [
        (f"{name}_", *_option(name, rule, is_needed=name in schema["required"]))
        for name, rule in schema["properties"].items()
        if name not in _UNSAID
    ]
    return make_dataclass(tool, described, frozen=True, kw_only=True)


def given(options: Any) -> dict[str, JsonValue]:
    """Return the arguments of the tool that were given as options."""
    return {
        # `from` is no name of a field.
        name.removesuffix("_"): value
        for name, value in vars(options).items()
        if value not in (None, [])
    }


def _checked(name: str, rule: dict[str, Any]) -> Callable[[str | None], str | None]:
    """Return what refuses a word that an option does not take."""

    def check(word: str | None) -> str | None:
        return None if word is None else listed(name, rule, word)

    return check


def _option(name: str, rule: dict[str, Any], *, is_needed: bool) -> tuple[object, Any]:
    kinds = {kind["type"] for kind in rule.get("anyOf", [rule])}
    one: type = float if rule.get("items", rule).get("type") == "number" else str
    is_list = "array" in kinds
    text = rule["description"]
    if is_list:
        text = f"{text.removesuffix('.')}; repeatable."
    if "enum" in rule:
        text += f" One of {', '.join(rule['enum'])}."
    metavar = "COLUMN" if name in _COLUMNS and "number" not in kinds else None
    option = typer.Option(
        *dict.fromkeys((option_of(name), option_of(OTHER_NAMES.get(name, name)))),
        help=_FILES.get(name, text),
        metavar="FILE" if name in _FILES else metavar,
        rich_help_panel=_ROWS if name in SCOPE else None,
        callback=_checked(name, rule) if "enum" in rule else None,
    )
    kind: Any = list[one] if is_list else one  # type: ignore[valid-type] # one of two types
    if is_needed:
        return Annotated[kind, option], field()
    return Annotated[kind | None, option], field(default=None)


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
