"""Folders and files that only their owner can read, opened so that nothing in their place can hang or mislead."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600

_OF_OTHERS: Final = 0o077


def private_folder(path: Path) -> None:
    """Make `path` a folder that only its owner can open; raises `OSError`."""
    path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    if stat.S_IMODE(path.stat().st_mode) & _OF_OTHERS:
        path.chmod(PRIVATE_FOLDER)


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


def _make_private(descriptor: int) -> None:
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(0, "it is not a regular file")
    if facts.st_uid != os.geteuid():
        raise PermissionError(0, "it belongs to another user")
    if stat.S_IMODE(facts.st_mode) & _OF_OTHERS:
        os.fchmod(descriptor, PRIVATE_FILE)
