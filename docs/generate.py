"""Write the reference pages from the code, or check that they are up to date.

    python docs/generate.py            # write docs/*.md
    python docs/generate.py --check    # exit 1 and name the pages that differ

Run it after a change to the command line, the settings, the tools or the functions.
"""

from __future__ import annotations

import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import typer.main

from tabchat import config, errors, precedence
from tabchat.cli.app import build_app
from tabchat.cli.stdout import STDOUT_FORMATS
from tabchat.engine.functions import describe_functions
from tabchat.engine.picture import ChartKind
from tabchat.engine.reader.files import FORMATS
from tabchat.export import ExportFormat
from tabchat.settings_file import setting_docs
from tabchat.tools.catalogue import standard_registry
from tabchat.viewer.keys import HELP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DOCS = Path(__file__).parent
COMPLETION = "../tabchat/cli/completion/commands.json"
HEADER = "<!-- Written by docs/generate.py from the code; edit the code instead. -->\n\n"


def cli_page() -> str:
    """Return the reference of every command, its arguments and options."""
    root = typer.main.get_command(build_app())
    lines = ["# Command line", ""]
    for path, command in _commands(root, ("tabchat",)):
        lines += [f"## `{' '.join(path)}`", "", str(command.help or "").strip(), ""]
        lines += _parameters(command)
    lines += exit_code_lines()
    return "\n".join(lines) + "\n"


def _commands(command: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], object]]:
    children = getattr(command, "commands", {})
    if not children:
        yield path, command
    for name, child in children.items():
        yield from _commands(child, (*path, name))


def _parameters(command: object) -> list[str]:
    rows = []
    for parameter in command.params:  # type: ignore[attr-defined]
        if parameter.name == "help":
            continue
        argument = parameter.param_type_name == "argument"
        name = (
            parameter.metavar or parameter.name.upper()
            if argument
            else ", ".join(parameter.opts + parameter.secondary_opts)
        )
        text = (parameter.help or "").replace("|", r"\|").replace("\n", " ")
        rows.append(f"| `{name}` | {text} |")
    return ["| argument or option | meaning |", "|---|---|", *rows, ""] if rows else []


def completion_data() -> str:
    """Return what Tab completes in a shell: every command with its options and the kinds of their values."""
    root = typer.main.get_command(build_app())
    commands = {}
    for path, command in _commands(root, ()):
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


def exit_code_lines() -> list[str]:
    """Return the table of exit codes, with the errors that lead to each."""
    by_code: dict[int, list[str]] = {}
    for kind in _subclasses(errors.TabchatError):
        by_code.setdefault(int(kind.exit_code), []).append(f"`{kind.code}`")
    rows = [
        f"| {code.value} | {code.name.lower().replace('_', ' ')} | {', '.join(dict.fromkeys(by_code.get(code.value, [])))} |"
        for code in errors.ExitCode
    ]
    return ["## Exit codes", "", "| code | meaning | error codes |", "|---|---|---|", *rows]


def _subclasses(kind: type[errors.TabchatError]) -> Iterator[type[errors.TabchatError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _subclasses(child)


def settings_page() -> str:
    """Return the reference of every setting."""
    described = setting_docs()
    rows = [
        f"| `{item.name}` | `{config.ENV_PREFIX}{item.name.upper()}` | {described.get(item.name, '')} |"
        for item in fields(config.Settings)
    ]
    intro = (
        "Flags win over `TABCHAT_*` variables, those over `tabchat.toml` or `[tool.tabchat]` in the current "
        "folder's `pyproject.toml`, and those over the person's own `config.toml`. A project's file, which may come with "
        f"somebody's data, can set {_listed(precedence.CONVENIENCES)}; {_listed(precedence.BOUNDS)} where that is "
        f"stricter than the person's own value or the default; and {_listed(precedence.FILES)}, where they name a small "
        "regular file inside the project's folder. Any other setting there is left out, and told."
    )
    return (
        "\n".join(["# Settings", "", intro, "", "| setting | variable | meaning |", "|---|---|---|", *rows])
        + "\n"
    )


def _listed(names: Iterable[str]) -> str:
    *first, last = (f"`{name}`" for name in sorted(names))
    return f"{', '.join(first)} and {last}"


def tools_page() -> str:
    """Return the reference of the tools that a model may call."""
    lines = ["# Tools", ""]
    for tool in standard_registry().tools.values():
        lines += [f"## `{tool.name}`", "", tool.description, "", "| argument | meaning |", "|---|---|"]
        properties = tool.parameters["properties"]
        required = tool.parameters["required"]
        for name, rule in properties.items():  # type: ignore[union-attr]
            needed = " (required)" if name in required else ""  # type: ignore[operator]
            lines.append(f"| `{name}`{needed} | {rule.get('description', '')} |")
        lines.append("")
    return "\n".join(lines)


def functions_page() -> str:
    """Return the reference of the expression language's functions."""
    return f"# Functions of the expression language\n\n```text\n{describe_functions()}\n```\n"


def keys_page() -> str:
    """Return the reference of the viewer's keys."""
    rows = [f"| {item.keys} | {item.summary} |" for item in HELP]
    intro = "Keys of `tabchat view` and `/open`; `?` shows them there."
    return (
        "\n".join(["# Keys of the viewer", "", intro, "", "| keys | what they do |", "|---|---|", *rows])
        + "\n"
    )


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

PAGES = {
    "cli.md": cli_page,
    "settings.md": settings_page,
    "tools.md": tools_page,
    "functions.md": functions_page,
    "keys.md": keys_page,
}


def main(argv: list[str]) -> int:
    """Write or check every page."""
    stale = []
    for name, build in (*PAGES.items(), (COMPLETION, completion_data)):
        path, text = DOCS / name, (HEADER if name.endswith(".md") else "") + build()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in argv:
            path.write_text(text, encoding="utf-8")
    if stale and "--check" in argv:
        print(f"out of date: {', '.join(stale)}; run: make docs", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
