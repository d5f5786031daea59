"""Commands of the shell as a hint names them: what teaches a word, what joins tables."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.engine.table import Table

_PLAIN: Final = re.compile(r"[\w ,.'’-]+")
"""What means nothing to a shell between double quotation marks."""


def teaching_command(table: Table, word: str, meaning: str) -> str:
    """Return what teaches a word about a table, with `meaning` in the place of what it means."""
    said = f'"{word}"' if _PLAIN.fullmatch(word) else shlex.quote(word)
    return f'tabchat words {_file(table.source)} {said} "{meaning}"'


def joining_command(tables: Iterable[Table], sql: str) -> str:
    """Return what runs a SELECT over several tables."""
    files = " ".join(_file(table.source) for table in tables)
    return f"tabchat sql {files} {shlex.quote(sql)}"


def _file(source: Path) -> str:
    """Return a file as it is typed in the current folder."""
    if str(source) == "-":
        return "FILE"
    with contextlib.suppress(OSError, ValueError):
        source = source.relative_to(Path.cwd())
    name = str(source)
    return shlex.quote(f"./{name}" if name.startswith("-") else name)
