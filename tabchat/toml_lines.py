"""A TOML file that a person writes, too, changed a statement at a time: order, comments and spacing of the rest stay."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabchat.errors import OutputError, UsageError
from tabchat.private_files import private_folder, read_regular, replace_private
from tabchat.record import record
from tabchat.toml_file import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Names: TypeAlias = tuple[str, ...]


_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
"""A name that needs no quotation marks."""


@record
class Statement:
    """A value, or the header of a table, and the lines that it takes."""

    names: Names
    """The tables that it stands in, and its own name."""
    lines: range
    is_table: bool = False


def read_text(path: Path) -> str:
    """Return what stands in a file, nothing for one that is not there; raises `UsageError`."""
    try:
        return read_regular(path, MOST_BYTES).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise UsageError(message, hint="Mend the file, or move it away.") from error


def parsed(text: str, path: Path) -> dict[str, Any]:
    """Return what the text of a file says; raises `UsageError` that names the file, the line and the cause."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = f"{path} cannot be read as TOML: {error}"
        raise UsageError(message, hint="Mend the file, or move it away.") from error


def write_text(path: Path, text: str) -> None:
    """Put a file that only its owner can read in the place of `path` at once; raises `OutputError`."""
    try:
        # A link into a folder of dotfiles stays one.
        target = path.resolve()
        private_folder(path.parent)
        replace_private(target, text.encode())
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> OutputError:
    """Return the error for a file that cannot be written."""
    message = f"{path} cannot be written: {error.strerror or error}."
    return OutputError(message, hint="Look at the rights of the folder.")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends, as TOML counts them."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def statements(lines: list[str]) -> Iterator[Statement]:
    """Yield what stands in the lines of a file that can be parsed, in order."""
    table: Names = ()
    at = 0
    while at < len(lines):
        stripped = lines[at].strip()
        stop = at + 1
        if stripped and not stripped.startswith("#"):
            is_table = stripped.startswith("[")
            while (found := loads("".join(lines[at:stop]))) is None and stop < len(lines):
                stop += 1
            if is_table:
                table = _table_of(found or {})
                yield Statement(names=table, lines=range(at, stop), is_table=True)
            else:
                for key in found or {}:
                    yield Statement(names=(*table, key), lines=range(at, stop))
        at = stop


def line_of(text: str, names: Names) -> int | None:
    """Return the line in which what has these names is written, or the value or table that holds it."""
    found = [item for item in statements(lines_of(text)) if item.names == names[: len(item.names)]]
    return max(found, key=lambda item: len(item.names)).lines.start + 1 if found else None


def _table_of(found: Any) -> Names:
    """Return the names in the header of a table, from what the header alone is parsed to."""
    names = []
    while isinstance(found, dict) and found:
        ((name, found),) = found.items()
        names.append(name)
    return tuple(names)


def with_value(text: str, names: Names, value: object | None) -> str:
    """Return the text of a file with one value set, in its place or at the end of its table; None takes it out.

    A value that is written in another way, such as inside another one, is not found: see what comes of it.
    """
    lines = lines_of(text)
    found = list(statements(lines))
    place = next((item.lines for item in found if item.names == names and not item.is_table), None)
    statement = None if value is None else f"{_key(names[-1])} = {written(value)}"
    if place is not None:
        exchange(lines, place, statement)
    elif statement is not None:
        end = end_of(lines)
        beside = [item for item in found if names[:-1] == (item.names if item.is_table else item.names[:-1])]
        if not beside:
            blank = end if lines else ""
            statement = f"{blank}[{'.'.join(map(_key, names[:-1]))}]{end}{statement}"
        insert(lines, beside[-1].lines.stop if beside else len(lines), statement)
    return "".join(lines)


def exchange(lines: list[str], place: range, statement: str | None) -> None:
    """Put a statement in the place of another one, whose comment stays; None takes it out."""
    comment = _comment("".join(lines[place.start : place.stop]))
    lines[place.start : place.stop] = [] if statement is None else [f"{statement}{comment}{end_of(lines)}"]


def insert(lines: list[str], at: int, statement: str) -> None:
    """Put a statement before the line `at`."""
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += end_of(lines)
    lines.insert(at, f"{statement}{end_of(lines)}")


def end_of(lines: list[str]) -> str:
    """Return how lines end in a file."""
    return "\r\n" if lines and lines[0].endswith("\r\n") else "\n"


def _comment(statement: str) -> str:
    """Return the comment behind a statement of one line, with the space before it."""
    line = statement.rstrip("\r\n")
    whole = loads(line)
    for at, char in enumerate(line):
        if char == "#" and "\n" not in line and whole is not None and loads(line[:at]) == whole:
            kept = line[:at].rstrip()
            return line[len(kept) :]
    return ""


def loads(text: str) -> dict[str, Any] | None:
    """Return what a text says; None for what is no TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else written(name)


def written(value: object) -> str:
    """Return a value as TOML writes it."""
    match value:
        case bool():
            return str(value).lower()
        case Enum():
            return written(value.value)
        case int() | float():
            return str(value)
        case Mapping():
            return f"{{{', '.join(f'{written(key)} = {written(item)}' for key, item in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(written, value))}]"
        case _:
            # TOML has JSON's escapes, and wants one for this character, too.
            return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
