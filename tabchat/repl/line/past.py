"""Past entries of every conversation, in one file that only its owner can read, each with the table it was typed over.

Several programs may write at once: they take turns by a lock beside the file. Only the newest entries are kept. The
form is that of prompt-toolkit's own history, with one more comment line for the table.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import json
import os
from typing import TYPE_CHECKING, Final

from tabchat.private_files import open_private, open_regular, private_folder, replace_private
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MOST_BYTES: Final = 1_000_000
"""Size of the file from which its oldest half goes."""
LONGEST_ENTRY: Final = 50_000
"""Characters of the longest entry that is kept."""
_TABLE: Final = "# table "


@record
class PastEntry:
    """One entry."""

    text: str
    table: str = ""
    """Path of the file that it was typed over; empty where none was open, or nobody wrote it down."""


class PastEntries:
    """The entries of all conversations, this one's among them even where they cannot be written."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        self._path = folder / "history"
        self._tell = tell
        self._told = ""
        self._seen: tuple[int, int, int] | None = None
        self._read: tuple[PastEntry, ...] = ()
        self._unwritten: list[PastEntry] = []
        self._split: tuple[object, tuple[str, ...], tuple[str, ...]] | None = None
        """What was sorted last, and from what: a line asks for it with each key."""
        try:
            private_folder(folder)
            os.close(open_private(self._path, os.O_RDONLY | os.O_CREAT))
            self._refresh()
        except OSError as error:
            self._complain(error)

    def over(self, table: str) -> tuple[str, ...]:
        """Return every different entry over `table` once, the newest first."""
        return self._sorted(table)[0]

    def elsewhere(self, table: str) -> tuple[str, ...]:
        """Return every different entry that was typed only over other tables, or none, once, the newest first."""
        return self._sorted(table)[1]

    def add(self, entry: PastEntry) -> None:
        """Write an entry down; a disk that refuses it is told of, and it is remembered as long as this lasts."""
        if len(entry.text) > LONGEST_ENTRY:
            self._unwritten.append(entry)
            return
        try:
            self._append(_written(entry, dt.datetime.now().astimezone()))
        except OSError as error:
            self._unwritten.append(entry)
            self._complain(error)

    def _append(self, block: bytes) -> None:
        with _locked(self._path.with_name("history.lock")):
            descriptor = open_private(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            with os.fdopen(descriptor, "wb") as file:
                file.write(block)
                file.flush()
                size = os.fstat(descriptor).st_size
            if size > MOST_BYTES:
                replace_private(self._path, _newest_half(self._path))

    def _sorted(self, table: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        # What cannot be read again while a line is drawn could not be told; what was read before stays.
        with contextlib.suppress(OSError):
            self._refresh()
        state = (table, self._seen, len(self._unwritten))
        if self._split is None or self._split[0] != state:
            entries = [*self._read, *self._unwritten][::-1]
            own = dict.fromkeys(entry.text for entry in entries if entry.table == table)
            others = dict.fromkeys(entry.text for entry in entries if entry.text not in own)
            self._split = (state, tuple(own), tuple(others))
        return self._split[1:]

    def _refresh(self) -> None:
        """Read the file again when it is not what was read last."""
        with open_regular(self._path) as file:
            facts = os.fstat(file.fileno())
            seen = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
            if seen != self._seen:
                file.seek(max(facts.st_size - 2 * MOST_BYTES, 0))
                self._read, self._seen = tuple(_parsed(file.read(2 * MOST_BYTES))), seen

    def _complain(self, error: OSError) -> None:
        """Tell why entries are not kept, once for each reason."""
        told = f"The history cannot be kept: {error.strerror or error}."
        if told != self._told:
            self._told = told
            self._tell(told)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    descriptor = open_private(path, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        # Closing lets go of the lock.
        os.close(descriptor)


def _written(entry: PastEntry, time: dt.datetime) -> bytes:
    # JSON spells out whatever a path holds that would end the line.
    head = f"\n# {time:%Y-%m-%d %H:%M:%S}\n{_TABLE}{json.dumps(entry.table)}\n"
    lines = "".join(f"+{line}\n" for line in entry.text.split("\n"))
    return f"{head}{lines}".encode(errors="replace")


def _newest_half(path: Path) -> bytes:
    with open_regular(path) as file:
        file.seek(-MOST_BYTES // 2, os.SEEK_END)
        # What begins in the middle of an entry begins with the next one.
        _, _, rest = file.read(MOST_BYTES).partition(b"\n\n")
    return b"\n" + rest


def _parsed(content: bytes) -> Iterator[PastEntry]:
    table, lines = "", []
    for line in [*content.decode(errors="replace").split("\n"), ""]:
        if line.startswith("+"):
            lines.append(line[1:])
            continue
        if lines:
            yield PastEntry(text="\n".join(lines), table=table)
            table, lines = "", []
        if line.startswith(_TABLE):
            with contextlib.suppress(ValueError):
                table = str(json.loads(line.removeprefix(_TABLE)))
