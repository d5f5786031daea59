"""Which session is gone on with."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from tabchat.errors import DataKeyError, UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tabchat.journal.folder import SessionFolder
    from tabchat.journal.kept import KeptSession


@record
class Chosen:
    """A session that this process has claimed."""

    kept: KeptSession
    release: Callable[[], None]
    told: tuple[str, ...] = ()


def choose(folder: SessionFolder, files: Sequence[Path], session_id: str | None) -> Chosen:
    """Claim the session of that id, else the newest, of all or of those about every one of `files`.

    One that is open in another process is passed over, which is told. Raises `DataKeyError` when there is none, and
    `UsageError` when the one that is named, or every one, is open elsewhere.
    """
    if session_id is not None:
        kept = folder.get(session_id)
        release = folder.claim(kept.id)
        if release is None:
            message = f"The session {kept.name} is open in another tabchat."
            raise UsageError(message, hint="Leave it there first, or begin another: tabchat repl FILE")
        return Chosen(kept=kept, release=release)
    wanted = {_absolute(path) for path in files}
    found = [kept for kept in folder.list() if wanted <= set(map(_absolute, kept.files))]
    told: list[str] = []
    for kept in found:
        release = folder.claim(kept.id)
        if release is not None:
            return Chosen(kept=kept, release=release, told=tuple(told))
        told.append(f"The session {kept.name} is open in another tabchat.")
    if found:
        message = f"{told[0][:-1]}, and there is no other to go on with."
        raise UsageError(message, hint="Leave it there first, or begin another: tabchat repl FILE")
    about = f" about {', '.join(map(str, files))}" if files else ""
    hint = f"Begin one: tabchat repl {shlex.quote(str(files[0])) if files else 'FILE'}"
    raise DataKeyError(f"No session{about} is kept.", hint=hint, code="session_unknown")


def _absolute(path: Path) -> str:
    return os.path.abspath(path)  # noqa: PTH100 - resolve() would follow links, and tables are called by them
