"""Writing the ledger, and finding requests in it again."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
from typing import TYPE_CHECKING, Final

from tabchat.audit import folder as files
from tabchat.audit.entry import GENESIS, DamagedLineError, from_line, line_hash, new_request, to_line
from tabchat.audit.folder import CURRENT, Head, opened
from tabchat.audit.lines import backwards
from tabchat.errors import InputError, OutputError, UsageError
from tabchat.private_files import append_whole, open_private, private_folder, sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from tabchat.audit.checking import LedgerCheck
    from tabchat.audit.entry import Outgoing, SentRequest

LEAST_ID: Final = 4
"""Characters of an id that name a request, when no other one begins with them."""

_CLOCK_SLACK: Final = dt.timedelta(days=1)
"""How far clocks may have been set back between two requests."""


class EgressLedger:
    """The requests of one person's processes, in a private folder; safe for threads and processes at once.

    A file of more than `max_bytes` is put aside under a number and a date, and
    kept. Nothing is made before the first request.
    """

    def __init__(self, directory: Path, *, max_bytes: int) -> None:
        self.directory = directory
        self._max_bytes = max_bytes
        self._session = os.urandom(4).hex()

    @property
    def path(self) -> Path:
        """The file that new requests are written to."""
        return self.directory / CURRENT

    def record(self, outgoing: Outgoing) -> None:
        """Write `outgoing` down, and return when it is on the disk; raises `OutputError` when it cannot be."""
        try:
            private_folder(self.directory)
            with files.locked(self.directory) as head:
                self._append(head, outgoing)
        except OSError as error:
            cause = error.strerror or str(error)
            message = f"The egress ledger {self.path} cannot be written ({cause}), so nothing was sent."
            hint = "Free some space or mend the folder, or choose another one with TABCHAT_DATA_DIR."
            raise OutputError(message, hint=hint) from error

    def entries(
        self,
        *,
        since: dt.datetime | None = None,
        model: str | None = None,
        limit: int | None = None,
        damaged: Callable[[str], None] | None = None,
    ) -> Iterator[SentRequest]:
        """Yield the requests, the newest first and one in memory at a time.

        `since` has a zone; `model` is the whole name. `damaged` is told of every
        line that is no request, such as one that a power cut tore; such lines are
        passed over. Raises `InputError` when the files cannot be read.
        """
        left = limit
        for request in self._read(damaged):
            if left is not None and left <= 0:
                return
            if since is not None and request.time < since:
                if request.time < since - _CLOCK_SLACK:
                    return
                continue
            if model is not None and request.model != model:
                continue
            left = None if left is None else left - 1
            yield request

    def get(self, name: str) -> SentRequest:
        """Return the request whose id is `name`, or begins with it; raises `UsageError` unless there is just one."""
        found: list[SentRequest] = []
        for request in self._read():
            if request.id == name:
                return request
            if len(name) >= LEAST_ID and request.id.startswith(name) and len(found) < 2:  # noqa: PLR2004 - two are too many
                found.append(request)
        if len(found) == 1:
            return found[0]
        several = f"Several requests begin with {name!r}." if found else f"There is no request {name!r}."
        raise UsageError(several, hint="List the requests and their ids with: tabchat egress")

    def body_of(self, name: str) -> bytes:
        """Return the very bytes that a request sent; raises `UsageError` when they are not known."""
        request = self.get(name)
        if request.body is None:
            message = f"The body of {request.id} was withheld: it was a form, and forms carry keys."
            raise UsageError(message, hint=f"Its {request.size} bytes have the SHA-256 {request.sha256}.")
        return request.body

    def check(self) -> LedgerCheck:
        """Verify every line, its place in the chain, and the end of it; raises `InputError`."""
        from tabchat.audit.checking import check_ledger

        with self._readable(), files.snapshot(self.directory) as seen:
            return check_ledger(seen)

    # Writing

    def _append(self, head: int, outgoing: Outgoing) -> None:
        known = files.read_head(head)
        with self._opened() as descriptor:
            size = os.fstat(descriptor).st_size
            previous = self._end_of_chain(known, descriptor, size)
        line = to_line(new_request(outgoing, session=self._session, previous=previous))
        if size and size + len(line) >= self._max_bytes:
            files.rotate(self.directory)
            size = 0
        with self._opened() as descriptor:
            torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            written = append_whole(descriptor, size, b"%s%s\n" % (b"\n" if torn else b"", line))
        if not size:
            sync_folder(self.directory)
        files.write_head(head, Head(hash=line_hash(line), size=size + written))

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        descriptor = open_private(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _end_of_chain(self, known: Head | None, descriptor: int, size: int) -> str:
        """Return the hash of the last line.

        What the head knows stands, also when lines are gone from the end of the
        file: the next line then names one that is not there, and `check` tells. A
        file that is longer than the head knows was written by a process that died
        before it came to the head.
        """
        if known is not None and size <= known.size:
            return known.hash
        if size:
            with os.fdopen(os.dup(descriptor), "rb") as file:
                return _last_hash(file, size)
        parts = files.parts_of(self.directory)
        if known is not None or not parts:
            return GENESIS
        with parts[-1].open("rb") as file:
            return _last_hash(file, os.fstat(file.fileno()).st_size)

    # Reading

    def _read(self, damaged: Callable[[str], None] | None = None) -> Iterator[SentRequest]:
        with self._readable(), files.snapshot(self.directory) as seen:
            for file in opened(seen, newest_first=True):
                for line in backwards(file.stream, file.size):
                    try:
                        yield from_line(line.content)
                    except DamagedLineError:
                        if damaged is not None:
                            damaged(f"{file.name}: the line up to byte {line.end:,}")

    @contextlib.contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            message = f"The egress ledger {self.directory} cannot be read: {error.strerror or error}."
            raise InputError(message, hint="Look at the rights of the folder and its files.") from error


def _last_hash(file: BinaryIO, size: int) -> str:
    last = next(backwards(file, size), None)
    return line_hash(last.content) if last is not None else GENESIS
