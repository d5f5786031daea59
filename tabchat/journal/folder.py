"""Where sessions are kept: a sealed file each, and a lock while a process goes on with one."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from typing import TYPE_CHECKING, Final

from tabchat.errors import DataKeyError, OutputError, UsageError
from tabchat.journal.kept import KeptSession
from tabchat.private_files import cache_folder, open_private
from tabchat.sealed import SealedFolder
from tabchat.store.naming import NEWEST

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabchat.session import Session

_HINT: Final = "List the kept sessions with: tabchat session list"
_DAMAGED: Final = (ValueError, KeyError, TypeError, LookupError, AttributeError, RecursionError)
"""What reading a session of another form raises."""


class SessionFolder:
    """The kept sessions of one person, for all of the person's processes at once."""

    def __init__(self, session: Session) -> None:
        """Look below the cache folder of `session`; nothing is made before something is kept."""
        self.path = session.root / "sessions"
        self._ttl = session.settings.session_ttl
        kept = max(session.settings.session_count, 1)
        self._texts = SealedFolder(path=self.path, seal=session.seal, kept=kept)

    def list(self) -> tuple[KeptSession, ...]:
        """Return every session that is sound, the one that was gone on with last first."""
        found = (self._read(name, uses=False) for name in self._texts.names())
        return tuple(sorted(filter(None, found), key=lambda kept: -kept.ended))

    def get(self, name: str = NEWEST) -> KeptSession:
        """Return the session that `name` begins the id of, the newest for `_`; raises `DataKeyError`."""
        if name == NEWEST:
            kept = self.list()
            if not kept:
                message = "No session is kept."
                raise DataKeyError(message, hint="tabchat repl FILE begins one.", code="session_unknown")
            return kept[0]
        found = [known for known in self._texts.names() if name and known.startswith(name.lower())]
        if len(found) > 1:
            message = f"{len(found):,} sessions have an id that begins with {name!r}."
            raise DataKeyError(message, hint="Write more of it; tabchat session list shows them.")
        session = self._read(found[0]) if found else None
        if session is None:
            known = "is not kept as you left it: it was changed" if found else "is not kept"
            raise DataKeyError(f"The session {name!r} {known}.", hint=_HINT, code="session_unknown")
        return session

    def write(self, session_id: str, body: str) -> bool:
        """Keep a session, whose JSON is `body`; returns whether the disk took it."""
        return self._texts.write(session_id, body)

    def delete(self, session: KeptSession) -> None:
        """Forget a session; raises `UsageError` for one that a process goes on with, and `OutputError`."""
        lock = self.claim(session.id)
        if lock is None:
            message = f"The session {session.name} is open in another tabchat."
            raise UsageError(message, hint="Leave it there first.")
        try:
            self._texts.remove(session.id)
            self._lock_path(session.id).unlink(missing_ok=True)
        except OSError as error:
            message = f"The session {session.name} cannot be deleted: {error.strerror or error}."
            raise OutputError(message, hint=f"Look into {self.path}.") from error
        finally:
            lock()

    def clear(self) -> int:
        """Forget every session that no process goes on with, damaged ones too; returns how many."""
        return sum(self._forget(name) for name in self._texts.names())

    def check(self) -> tuple[str, ...]:
        """Return a sentence for each file that is no sound session of the person's."""
        damaged = [name for name in self._texts.names() if self._read(name, uses=False) is None]
        return tuple(
            f"Session {name} is damaged; tabchat cache clear --sessions removes it." for name in damaged
        )

    def sizes(self) -> tuple[int, int]:
        """Return how many sessions are kept, and the bytes that they take."""
        names = self._texts.names()
        return len(names), sum((self.path / f"{name}.json").lstat().st_size for name in names)

    def unsaved(self) -> int:
        """Return how many sessions hold edits that were written to no file."""
        return sum(kept.workspace.has_unsaved for kept in self.list())

    def claim(self, session_id: str) -> Callable[[], None] | None:
        """Take a session for this process; returns what lets go of it, nothing when another process has it.

        A folder that cannot be written to keeps no session, so that none is in use there.
        """
        try:
            cache_folder(self.path)
            lock = open_private(self._lock_path(session_id), os.O_RDWR | os.O_CREAT)
        except OSError:
            return lambda: None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return None
        return lambda: os.close(lock)

    def expire(self) -> None:
        """Forget what was not used for longer than the person wants it kept."""
        for name in self._texts.names():
            with contextlib.suppress(OSError):
                if time.time() - (self.path / f"{name}.json").lstat().st_mtime > self._ttl:
                    self._forget(name)

    def _forget(self, name: str) -> bool:
        release = self.claim(name)
        if release is None:
            return False
        try:
            self._texts.remove(name)
            self._lock_path(name).unlink(missing_ok=True)
        except OSError:
            return False
        finally:
            release()
        return True

    def _read(self, name: str, *, uses: bool = True) -> KeptSession | None:
        body = self._texts.read(name, uses=uses)
        if body is None:
            return None
        try:
            return KeptSession.from_json(json.loads(body))
        except _DAMAGED:
            return None

    def _lock_path(self, name: str) -> Path:
        return self.path / f"{name}.lock"
