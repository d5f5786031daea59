"""`tabchat config`: which settings hold and why, and the person's own file of them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Local, Output, expanded
from tabchat.cli.present import Presenter
from tabchat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.config import Settings
    from tabchat.engine.types import JsonValue

DEFAULT: Final = "default"
"""Where the value of a setting comes from that nobody set."""

config = typer.Typer(
    invoke_without_command=True,
    rich_markup_mode=None,
    short_help="Show the settings, and change your own file of them.",
    help="Show the settings, and change your own file of them. Without a command, shows them.",
)


@config.callback()
@expanded
def shown(context: typer.Context, running: Local, json: Json = False) -> None:
    """Show every setting when no command is named."""
    if context.invoked_subcommand is None:
        _show(running, json=json)


@config.command("show")
@expanded
def show(running: Local, json: Json = False) -> None:
    """Print every setting, its value, and where that comes from: a flag, a variable, a file or the default."""
    _show(running, json=json)


@config.command("init")
@expanded
def init(running: Local, json: Json = False) -> None:
    """Write your own settings file, with every setting explained in a comment. A file that is there stays."""
    from tabchat.settings_file import begin

    with Presenter(running, Output(json=json)) as presenter:
        path = begin()
        if json:
            presenter.json({"ok": True, "path": str(path)})
        presenter.say(f"Written: {path}. Every line in it is a comment until you change it.")


@config.command("set")
@expanded
def put(
    running: Local,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The setting, such as rows.")],
    value: Annotated[
        str | None,
        typer.Argument(metavar="[VALUE]", help="Its value, as text or as TOML: 20, summary, '[\"a\"]'."),
    ] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Take the setting out of the file.")] = False,
    json: Json = False,
) -> None:
    """Set a value in your own settings file; comments and order in it stay."""
    with Presenter(running, Output(json=json)) as presenter:
        set_value(presenter, name, value, unset=unset)


@config.command("path")
@expanded
def path(running: Local, json: Json = False) -> None:
    """Print where your own settings file is, whether or not there is one."""
    from tabchat.config import person_file

    with Presenter(running, Output(json=json)) as presenter:
        if json:
            presenter.json({"ok": True, "path": str(person_file()), "exists": person_file().is_file()})
        else:
            presenter.text(str(person_file()))


def set_value(presenter: Presenter, name: str, value: str | None, *, unset: bool = False) -> None:
    """Change one setting of the person's file, and say what holds now if something stronger stands above it."""
    from tabchat.config import person_file
    from tabchat.settings_file import put, take_out

    if unset == (value is not None):
        message = f"The value of {name} is missing." if value is None else "--unset takes no value."
        hint = f"tabchat config set {name} VALUE, or tabchat config set {name} --unset"
        raise UsageError(message, hint=hint)
    found = None
    if value is None:
        take_out(name)
    else:
        found = put(name, value)
    if presenter.output.json:
        presenter.json(
            {"ok": True, "path": str(person_file()), "name": name, "value": _json(found), "unset": unset}
        )
    presenter.say(f"{name} is {'not set' if unset else shown_value(found)} in {person_file()}.")
    _say_what_holds(presenter, name)


def _say_what_holds(presenter: Presenter, name: str) -> None:
    from tabchat.config import origins, person_file

    origin = origins(presenter.running.flags()).get(name)
    if origin not in {None, str(person_file())}:
        presenter.say(
            f"Here {origin} stands above it: {name} is {shown_value(getattr(presenter.settings(), name))}."
        )


def _show(running: Local, *, json: bool) -> None:
    from tabchat.config import config_files, origins

    with Presenter(running, Output(json=json)) as presenter:
        settings = presenter.settings()
        found = origins(running.flags())
        files = config_files(Path.cwd())
        if json:
            presenter.json(_settings_json(settings, found, [str(file) for file in files]))
            return
        presenter.lines(
            {
                item.name: f"{shown_value(getattr(settings, item.name))}  ({found.get(item.name, DEFAULT)})"
                for item in fields(settings)
            }
        )
        presenter.say(f"Read from: {', '.join(map(str, files)) or 'no file'}.")


def _settings_json(settings: Settings, found: Mapping[str, str], files: list[str]) -> dict[str, JsonValue]:
    return {
        "ok": True,
        "settings": {
            item.name: {"value": _json(getattr(settings, item.name)), "origin": found.get(item.name, DEFAULT)}
            for item in fields(settings)
        },
        "files": list(files),
    }


def _json(value: object) -> JsonValue:
    match value:
        case None | bool() | int() | float():
            return value
        case dict():
            return {str(key): _json(item) for key, item in value.items()}
        case list() | tuple():
            return [_json(item) for item in value]
        case _:
            return shown_value(value)


def shown_value(value: object) -> str:
    """Return a value of a setting for reading; of an address, nothing that may be a secret."""
    match value:
        case None:
            return "not set"
        case bool():
            return str(value).lower()
        case list() | tuple():
            return ", ".join(map(str, value)) or "none"
        case dict():
            return ", ".join(f"{key} {'-'.join(pair)}" for key, pair in value.items()) or "none"
        case str() if "://" in value:
            from tabchat.audit.redaction import redact_url

            return redact_url(value)
        case _:
            return str(value)
