"""The person's own `config.toml`, begun with every setting in comments and changed a line at a time.

Everything else in the file stays as the person wrote it: order, comments, spacing.
"""

from __future__ import annotations

import ast
import inspect
import tomllib
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat import config
from tabchat.config import Settings, checked_setting, person_file
from tabchat.errors import OutputExistsError, UsageError
from tabchat.inert import is_text
from tabchat.toml_lines import exchange, insert, lines_of, parsed, read_text, statements, write_text, written

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEAD: Final = """\
# Settings of tabchat, yours alone; `tabchat config show` says which hold, and why.
# Take the # away, and change the value. Keys of providers do not belong here: they stay in the providers' own
# variables, such as OPENAI_API_KEY.
"""
_EXAMPLES: Final[Mapping[str, object]] = {
    "timeout": 60.0,
    "memory_limit": "4GB",
    "threads": 4,
    "sessions": {"regular": ("09:30", "16:00")},
    "model": "openai/gpt-5-mini",
    "api_base": "http://localhost:11434/v1",
    "hide": ("email",),
    "max_cost": 1.0,
    "max_tokens": 100_000,
    "context_window": 32_000,
    "context": "/home/me/names.toml",
    "shortcuts": "/home/me/questions.toml",
}
"""What a setting without a default could be."""
_SECRET: Final = ("key", "token", "secret", "password")


def begin() -> Path:
    """Write a file in which every setting stands in a comment, and return its path.

    Raises `OutputExistsError` where there is one, and `OutputError`.
    """
    path = person_file()
    if path.exists() or path.is_symlink():
        message = f"{path} is there already, and stays as it is."
        raise OutputExistsError(message, hint="Change it with: tabchat config set NAME VALUE")
    write_text(path, template())
    return path


def template() -> str:
    """Return the text of a file that sets nothing and explains every setting."""
    defaults = Settings()
    docs = attribute_docs(config.Settings)
    parts = [_HEAD]
    for item in fields(Settings):
        value = getattr(defaults, item.name)
        shown = _EXAMPLES.get(item.name, value) if value in (None, (), {}) else value
        parts.append(f"\n# {docs[item.name]}\n# {item.name} = {written(shown)}\n")
    return "".join(parts)


def attribute_docs(kind: type) -> Mapping[str, str]:
    """Return what each attribute of a class means, in a line, from its docstring."""
    body = ast.parse(inspect.getsource(kind)).body
    own = next(node for node in body if isinstance(node, ast.ClassDef))
    return {
        name: " ".join(str(ast.literal_eval(after.value)).split())
        for before, after in pairwise(own.body)
        if isinstance(after, ast.Expr) and (name := _assigned(before)) is not None
    }


def _assigned(statement: ast.stmt) -> str | None:
    targets: list[ast.expr] = []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    elif isinstance(statement, ast.Assign):
        targets = statement.targets
    return targets[0].id if targets and isinstance(targets[0], ast.Name) else None


def put(name: str, text: str) -> object:
    """Set `name` to what `text` says, as TOML or as a plain text, and return the value; raises as loading does."""
    value = _told_value(name, text)
    found = checked_setting(name, value, "the command line")
    if isinstance(found, Path):
        # It is to mean the same file from every folder.
        found = found.expanduser().absolute()
    if isinstance(found, str) and "@" in found.partition("://")[2].partition("/")[0]:
        message = f"Setting {name!r} would hold a password, and passwords are not kept here."
        hint = "Give the address without it, and the key in the provider's own variable."
        raise UsageError(message, hint=hint)
    _change(name, f"{name} = {written(found)}")
    return found


def take_out(name: str) -> None:
    """Let `name` have its default again; raises `UsageError` where it is not set."""
    if name not in {item.name for item in fields(Settings)}:
        checked_setting(name, "", "the command line")
    _change(name, None)


def _told_value(name: str, text: str) -> object:
    if any(word in name.lower().split("_") for word in _SECRET):
        message = f"{name!r} is no setting: tabchat stores no secrets."
        raise UsageError(message, hint="Keys stay in the provider's own variable, such as OPENAI_API_KEY.")
    if not is_text(text):
        raise UsageError(f"The value of {name!r} is not UTF-8.", hint="Give a name that is text.")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return value if isinstance(value, (bool, int, float, str, list, dict)) else text


def _change(name: str, statement: str | None) -> None:
    """Put `statement` in the place of the one that sets `name`, or take that out; checks what comes of it."""
    path = person_file()
    text = read_text(path)
    before = parsed(text, path)
    lines = lines_of(text)
    place = next(
        (item.lines for item in statements(lines) if item.names == (name,) and not item.is_table), None
    )
    if place is None and (name in before or statement is None):
        missing = (
            f"{path} sets {name!r} in a table of its own."
            if name in before
            else f"{path} does not set {name!r}."
        )
        raise UsageError(missing, hint=f"Edit the file: {path}" if name in before else "tabchat config show")
    if place is not None:
        exchange(lines, place, statement)
    elif statement is not None:
        insert(lines, _place_for(name, lines), statement)
    after = parsed("".join(lines), path)
    wanted = before | (tomllib.loads(statement) if statement is not None else {})
    if after != {key: value for key, value in wanted.items() if statement is not None or key != name}:
        message = f"{path} is written in a way that cannot be changed line by line."
        raise UsageError(message, hint=f"Edit the file: {path}")
    write_text(path, "".join(lines))


def _place_for(name: str, lines: list[str]) -> int:
    """Return where a new statement goes: below its comment, else at the end of what is above the first table."""
    above = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    for at, line in enumerate(lines[:above]):
        if line.lstrip("# \t").partition("=")[0].strip() == name and line.lstrip().startswith("#"):
            return at + 1
    while above and not lines[above - 1].strip():
        above -= 1
    return above
