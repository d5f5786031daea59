"""What Tab completes in a shell: the commands, their options, and the kinds of values of these."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer.main
from commands import commands_of

from tabchat import config
from tabchat.cli.app import build_app
from tabchat.cli.stdout import STDOUT_FORMATS
from tabchat.engine.chart.chart import ChartKind
from tabchat.engine.reader.source.files import FORMATS
from tabchat.export import ExportFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

ARGUMENTS = {
    **dict.fromkeys(("show", "export"), "key"),
    "egress": "request",
    "config set": "setting",
    "model set": "model",
}
"""Command → what its first argument is, when that is no file."""
OPTION_VALUES: dict[str, object] = {
    "--privacy": list(config.PrivacyLevel),
    "--planner": list(config.Planner),
    "--format": list(STDOUT_FORMATS),
    "export --format": list(ExportFormat),
    "--chart": list(ChartKind),
    "--color": ["auto", "always", "never"],
    "--rows-as": ["arrays", "objects"],
    "--input-format": list(FORMATS),
    "--date-order": ["dmy", "mdy", "ymd"],
    **dict.fromkeys(("--pin", "--unpin"), "key"),
    "--raw": "request",
    "--model": "model",
}
"""Option, or command and option → the choices, or the kind of thing, that its value can be."""


def completion_data() -> str:
    """Return what Tab completes in a shell: every command with its options and the kinds of their values."""
    root = typer.main.get_command(build_app())
    commands = {}
    for path, command in commands_of(root, ()):
        group = root.commands[path[0]] if len(path) > 1 else None  # type: ignore[attr-defined]
        name = " ".join(path)
        commands[name] = {
            "help": command.get_short_help_str(80),  # type: ignore[attr-defined]
            **({"group": group.get_short_help_str(80)} if group else {}),
            "argument": ARGUMENTS.get(name, "file"),
            "options": dict(_completed_options(command, name)),
        }
    lines = (f"{json.dumps(name)}: {json.dumps(command)}" for name, command in sorted(commands.items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _completed_options(command: object, path: str) -> Iterator[tuple[str, dict[str, object]]]:
    for parameter in command.params:  # type: ignore[attr-defined]
        if parameter.param_type_name != "option":
            continue
        for name in (*parameter.opts, *parameter.secondary_opts):
            if name.startswith("--"):
                value = (
                    None
                    if parameter.is_flag
                    else OPTION_VALUES.get(f"{path} {name}", OPTION_VALUES.get(name, "text"))
                )
                yield name, {"help": (parameter.help or "").split(". ")[0], "value": value}
