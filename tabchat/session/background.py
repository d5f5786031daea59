"""Reading a large file into the cache after its first question was answered."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.config import ENV_PREFIX
from tabchat.private_files import open_private

if TYPE_CHECKING:
    import subprocess

    from tabchat.engine.table import ReadOptions, Table

LOCK_FILE: Final = "background.lock"
"""File in the cache folder that is locked while a background reader runs."""
_NICENESS: Final = 19
"""How far a background reader steps back: a question that is asked meanwhile has the processors."""


def cache_in_background(table: Table, root: Path, data_dir: Path) -> subprocess.Popen[bytes] | None:
    """Leave a detached process behind that reads the file of `table` into the cache below `root`.

    `data_dir` holds the secret that its entry is signed with. One at a time: the process inherits a lock that is released when it ends, however it ends.
    Returns the process; nothing when there is one already, or none can be started.
    """
    # The question is answered: what cannot be kept ready for the next one is no error of it.
    with contextlib.suppress(OSError):
        lock = open_private(root / LOCK_FILE, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return _start(table, root, data_dir, lock)
        finally:
            os.close(lock)
    return None


def _start(table: Table, root: Path, data_dir: Path, lock: int) -> subprocess.Popen[bytes]:
    import subprocess

    process = subprocess.Popen(
        [sys.executable, "-m", "tabchat", "cache", "build", str(table.source), *_flags(table.options)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
        # The settings of the current folder do not reach a process that runs elsewhere.
        env={
            **os.environ,
            f"{ENV_PREFIX}CACHE_DIR": str(root.absolute()),
            f"{ENV_PREFIX}DATA_DIR": str(data_dir.absolute()),
        },
        pass_fds=(lock,),
    )
    _step_back(process.pid)
    return process


def _step_back(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, _NICENESS)
    # Linux shares the processors out by sessions first, where it groups them: among these, only the session's own number counts.
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(_NICENESS), encoding="ascii")


def _flags(options: ReadOptions) -> list[str]:
    """Return the command-line flags that say what `options` say."""
    flags = [
        part
        for name, value in (
            ("--input-format", options.input_format),
            ("--sheet", options.sheet),
            ("--delimiter", options.delimiter),
            ("--encoding", options.encoding),
            ("--decimal", options.decimal),
            ("--date-order", options.date_order),
        )
        if value is not None
        for part in (name, value)
    ]
    if options.header is not None:
        flags.append("--header" if options.header else "--no-header")
    if options.null_words is not None:
        flags += ["--null-words", ",".join(options.null_words)]
    for name, kind in options.types:
        flags += ["--type", f"{name}={kind}"]
    return flags
