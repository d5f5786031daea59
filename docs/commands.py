"""The reference of the command line: every command with its own options, and once what many of them share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import typer.main

from tabchat.cli.app import build_app

if TYPE_CHECKING:
    from collections.abc import Iterator

OFTEN = 2
"""Commands that have an option of a shared group, from which on it is told once for all."""


class Option(NamedTuple):
    """One argument or option, as the reference writes it."""

    panel: str
    name: str
    text: str

    @property
    def row(self) -> str:
        """The line of a table."""
        return f"| `{self.name}` | {self.text} |"


def cli_page() -> str:
    """Return the reference of every command, its arguments and options."""
    commands = dict(commands_of(typer.main.get_command(build_app()), ("tabchat",)))
    count = Counter(option for command in commands.values() for option in _options(command))
    shared = [option for option, times in count.items() if times >= OFTEN and option.panel]
    lines = [
        "# Commands",
        "",
        "`tabchat FILE… QUESTION` is `tabchat ask`. Exit codes are [listed here](exit-codes.md).",
        "",
    ]
    for path, command in commands.items():
        lines += [f"## `{' '.join(path)}`", "", str(command.help or "").strip(), ""]
        options = _options(command)
        lines += _table([option for option in options if option not in shared])
        also = dict.fromkeys(option.panel for option in options if option in shared)
        if also:
            links = ", ".join(_link(panel, options, shared) for panel in also)
            lines += [f"Also the options of {links}.", ""]
    for panel in dict.fromkeys(option.panel for option in shared):
        lines += [f"## {panel}", "", *_table([option for option in shared if option.panel == panel])]
    return "\n".join(lines)


def _link(panel: str, options: list[Option], shared: list[Option]) -> str:
    """Return the link to what commands share, with the options of it that this one does not have."""
    lacking = [f"`{option.name}`" for option in shared if option.panel == panel and option not in options]
    text = f"[{panel.lower()}](#{panel.lower().replace(' ', '-')})"
    return f"{text} (without {', '.join(lacking)})" if lacking else text


def commands_of(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command below `command` with the words that call it."""
    children = getattr(command, "commands", {})
    if not children:
        yield path, command
    for name, child in children.items():
        yield from commands_of(child, (*path, name))


def _options(command: Any) -> list[Option]:
    found = []
    for parameter in command.params:
        if parameter.name == "help":
            continue
        if parameter.param_type_name == "argument":
            name = parameter.metavar or parameter.name.upper()
        else:
            name = ", ".join(parameter.opts + parameter.secondary_opts)
        text = (parameter.help or "").replace("|", r"\|").replace("\n", " ")
        found.append(Option(getattr(parameter, "rich_help_panel", None) or "", name, text))
    return found


def _table(options: list[Option]) -> list[str]:
    rows = [option.row for option in options]
    return ["| argument or option | meaning |", "|---|---|", *rows, ""] if rows else []
