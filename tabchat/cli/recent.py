"""The files that were asked about last, to choose one from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.config import load_settings
from tabchat.errors import UsageError
from tabchat.render.layout.text import sanitise
from tabchat.render.mutation import can_ask
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.cli.present import Presenter
    from tabchat.store import StoredResult

OFFERED: Final = 9
_HINT: Final = "tabchat repl FILE"
_TRIES: Final = 3


def recent_file(presenter: Presenter) -> str:
    """Ask which of the files behind the newest results is wanted; raises `UsageError` when none is chosen."""
    with Session.open([], settings=load_settings(presenter.running.flags())) as session:
        files = recent_files(session.results())
    if not files:
        message = "The file is missing, and no file was asked about before."
        raise UsageError(message, hint=_HINT)
    glyphs = presenter.consoles.glyphs
    presenter.consoles.say(
        *(f"  {n}. {sanitise(str(path), glyphs)}" for n, path in enumerate(files, start=1))
    )
    if not can_ask():
        message = "The file is missing, and nobody can be asked which one is meant."
        raise UsageError(message, hint=_HINT)
    for _ in range(_TRIES):
        presenter.consoles.err.print("Which one? [1] ", end="", style="bold")
        line = sys.stdin.readline()
        typed = line.strip() or "1"
        if line and typed in map(str, range(1, len(files) + 1)):
            return str(files[int(typed) - 1])
        if not line:
            break
        presenter.consoles.say(
            sanitise(f"There is no file {typed!r} in the list: 1 to {len(files)}.", glyphs)
        )
    raise UsageError("No file was chosen.", hint=_HINT)


def recent_files(results: Iterable[StoredResult]) -> list[Path]:
    """Return the files that the results came from and that are still there, in the order of the results."""
    sources = (table.source for entry in results for table in entry.recipe.tables if table.result_key is None)
    files = (Path(source) for source in dict.fromkeys(sources) if source != "-")
    return [path for path in files if path.is_file()][:OFFERED]
