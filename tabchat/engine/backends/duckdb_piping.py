"""The text of a query's rows, block by block: the engine writes it into a pipe, so that no cell becomes a Python object."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import select
import threading
from typing import TYPE_CHECKING, Final

from tabchat.engine.backends.duckdb_copying import copy_to, line_options
from tabchat.engine.backends.duckdb_running import attempt
from tabchat.errors import InterruptedByUserError
from tabchat.private_files import PRIVATE_FILE
from tabchat.waiting import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tabchat.engine.backends.duckdb_running import Prepared
    from tabchat.engine.copying import Lines

_BLOCK: Final = 1 << 20
"""Bytes that the pipe holds where the system lets it, and that are read at once."""
_SOON: Final = 0.001


class _Writer:
    """The engine at work on a thread of its own, which writes rows into a pipe."""

    def __init__(self, prepared: Prepared, sql: str) -> None:
        self.done = threading.Event()
        self.rows = 0
        self.error: BaseException | None = None
        self._prepared, self._sql = prepared, sql
        threading.Thread(target=self._work, name="tabchat-copy", daemon=True).start()

    def _work(self) -> None:
        cursor = self._prepared.cursor
        try:
            ((self.rows,),) = attempt(self._prepared, lambda: cursor.execute(self._sql).fetchall())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that reads
            self.error = error
        finally:
            self.done.set()

    def stop(self, pipe: int) -> None:
        """Stop the engine, and wait until it has let go of its cursor: what it still writes is thrown away."""
        while not self.done.is_set():
            with contextlib.suppress(KeyboardInterrupt):
                self._prepared.interrupt()
                while _block(pipe):
                    pass
                self.done.wait(LOOK_EVERY)


def write_lines(
    prepared: Prepared, folder: Path, lines: Lines, write: Callable[[bytes], object]
) -> int | None:
    """Hand the rows to `write` in blocks of UTF-8; returns how many rows they were.

    What `write` raises stops the query.
    Returns None, with nothing written, where no pipe can be made in `folder`.
    """
    with _pipe(folder) as (path, pipe):
        if pipe < 0:
            return None
        writer = _Writer(prepared, copy_to(prepared.sql, path, line_options(lines)))
        try:
            write(lines.header.encode("utf-8", "replace"))
            for block in _blocks(pipe, writer):
                for files in prepared.sources:
                    files.require_unchanged()
                write(block)
        except KeyboardInterrupt:
            raise InterruptedByUserError("The query was stopped.") from None
        finally:
            writer.stop(pipe)
    if writer.error is not None:
        raise writer.error
    return writer.rows


@contextlib.contextmanager
def _pipe(folder: Path) -> Iterator[tuple[Path, int]]:
    """Give a pipe with a name, and the end that is read, open: whoever opens the other waits for nobody.

    The end is -1 where the file system knows no pipes, or nothing can be written.
    """
    path = folder / f".{secrets.token_hex(8)}.pipe"
    pipe = -1
    try:
        os.mkfifo(path, PRIVATE_FILE)
    except OSError:
        yield path, pipe
        return
    try:
        pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with contextlib.suppress(AttributeError, OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _BLOCK)
        yield path, pipe
    finally:
        if pipe >= 0:
            os.close(pipe)
        path.unlink(missing_ok=True)


def _blocks(pipe: int, writer: _Writer) -> Iterator[bytes]:
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    while True:
        is_ready = poll.poll(LOOK_EVERY * 1000)
        # Whatever a writer that has ended wrote is in the pipe by now.
        was_done = writer.done.is_set()
        block = _block(pipe)
        if block:
            yield block
        elif was_done:
            return
        elif is_ready:
            # The other end is closed, and its writer about to end.
            writer.done.wait(_SOON)


def _block(pipe: int) -> bytes:
    """Return what is in the pipe; nothing where it is empty, or nobody writes."""
    try:
        return os.read(pipe, _BLOCK)
    except BlockingIOError:
        return b""
