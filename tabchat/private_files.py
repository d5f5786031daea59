"""Folders and files that only their owner can read, opened so that nothing in their place can hang or mislead.

Also what puts on the disk what is written, whole.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from typing import TextIO

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600
MOST_TEXT: Final = 1 << 24
"""Characters of a text that a person wrote, such as a question, a plan or code."""

_WORK: Final = ".work-"
_DRAFT: Final = ".draft-"
_OWN_NAME: Final = re.compile(rf"{_WORK}[0-9a-f]{{32}}|{_DRAFT}[a-z0-9_]{{8}}".replace(".", r"\."))
_OF_OTHERS: Final = 0o077
_WRITABLE_BY_OTHERS: Final = 0o022
_MAKING: Final = threading.Lock()


def private_folder(path: Path) -> None:
    """Make `path` a folder that only its owner can open; raises `OSError`."""
    _make(path)
    if stat.S_IMODE(path.stat().st_mode) & _OF_OTHERS:
        path.chmod(PRIVATE_FOLDER)


def cache_folder(path: Path) -> None:
    """Make `path` a private folder, and refuse a link or somebody else's folder in its place; raises `OSError`."""
    _make(path)
    if stat.S_IMODE(_own_folder(path).st_mode) & _OF_OTHERS:
        path.chmod(PRIVATE_FOLDER)


def cache_root(path: Path) -> None:
    """Make `path` a folder for caches; raises `OSError` for a link and for a folder of, or writable by, others.

    Rights to read are left as they are: what lies in the root is private itself.
    """
    _make(path)
    if stat.S_IMODE(_own_folder(path).st_mode) & _WRITABLE_BY_OTHERS:
        raise PermissionError(0, "others can write to it")


def _make(path: Path) -> None:
    """Make a folder and those above it; each that is new is private, whatever the umask."""
    if path.is_symlink() or path.is_dir():
        return
    _make(path.parent)
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=PRIVATE_FOLDER)
        path.chmod(PRIVATE_FOLDER)
    if not path.is_dir():
        raise NotADirectoryError(0, "it is not a folder")


def _own_folder(path: Path) -> os.stat_result:
    facts = path.lstat()
    if stat.S_ISLNK(facts.st_mode):
        raise OSError(0, "it is a link")
    if facts.st_uid != os.geteuid():
        raise PermissionError(0, "it belongs to another user")
    return facts


def open_private(path: Path, flags: int) -> int:
    """Open a regular file of our own, made if `flags` say so, that nobody else can read; raises `OSError`."""
    # A pipe or a device in this place must not hang, and a link must not lead elsewhere.
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        _make_private(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def private_database(path: Path) -> None:
    """Make `path` a regular file of our own that nobody else can read, and open none that is there; raises `OSError`.

    Closing any descriptor of a file drops all locks that the process has on it: those of a database that it has open
    elsewhere, too, whose log the next process would then take away (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    with _MAKING:
        try:
            made = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
        except FileExistsError:
            if _is_open_to_others(path.lstat()):
                path.chmod(PRIVATE_FILE)
            return
        try:
            _make_private(made)
        finally:
            os.close(made)


def replace_private(path: Path, content: bytes) -> None:
    """Put a file of `content`, which only its owner can read, in the place of `path` at once; raises `OSError`."""
    import tempfile

    handle, draft = tempfile.mkstemp(prefix=_DRAFT, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            # The umask counts for mkstemp, too.
            os.fchmod(file.fileno(), PRIVATE_FILE)
            file.write(content)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Make the names of new and renamed files outlive a power cut; raises `OSError` where they cannot be."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def append_whole(descriptor: int, size: int, text: bytes) -> int:
    """Append `text` to a file of `size` bytes that is open for appending, and wait until the disk has it.

    On failure the piece that was written is taken back, if the disk lets us, and
    `OSError` is raised. Returns the length of `text`.
    """
    left = memoryview(text)
    try:
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise
    return len(text)


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep out of a folder whoever asks for the same; raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """Give a private folder below `parent`, removed afterwards whatever happens; raises `OSError`.

    It is locked as long as it is in use, so that `sweep_work` finds those of processes that were killed.
    """
    import shutil

    folder = parent / f"{_WORK}{os.urandom(16).hex()}"
    with alone_in(parent):
        private_folder(folder)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_SH)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def sweep_work(parent: Path) -> tuple[Path, ...]:
    """Remove the work folders and the drafts in `parent` that no process is at work on, and return them."""
    found = [path for path in parent.glob(".[wd]*") if _OWN_NAME.fullmatch(path.name)]
    if not found:
        return ()
    with alone_in(parent):
        return tuple(path for path in sorted(found) if _removed(path))


def _removed(path: Path) -> bool:
    """Remove a file or a folder of our own unless somebody has it locked, and tell whether it is gone."""
    import shutil

    try:
        lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        if os.fstat(lock).st_uid != os.geteuid():
            return False
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if stat.S_ISDIR(os.fstat(lock).st_mode):
            shutil.rmtree(path)
        else:
            path.unlink()
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(lock)


def read_regular(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes; raises `OSError` for anything else, at once."""
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(0, f"it is larger than {most:,} bytes")
    return content


def read_text(file: Path | TextIO) -> str:
    """Return the UTF-8 text that a person named, or what stands at a stream; raises `OSError` for one without an end."""
    if isinstance(file, Path):
        with file.open(encoding="utf-8-sig") as opened:
            return read_text(opened)
    text = file.read(MOST_TEXT + 1)
    if len(text) > MOST_TEXT:
        raise OSError(0, f"it is longer than {MOST_TEXT:,} characters")
    return text


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file for reading; raises `OSError` for a pipe, a device or a folder, and never waits for one."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(0, "it is not a regular file")


def _make_private(descriptor: int) -> None:
    if _is_open_to_others(os.fstat(descriptor)):
        os.fchmod(descriptor, PRIVATE_FILE)


def _is_open_to_others(facts: os.stat_result) -> bool:
    """Whether others have rights to a regular file of our own; raises `OSError` for anything else."""
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(0, "it is not a regular file")
    if facts.st_uid != os.geteuid():
        raise PermissionError(0, "it belongs to another user")
    return bool(stat.S_IMODE(facts.st_mode) & _OF_OTHERS)
