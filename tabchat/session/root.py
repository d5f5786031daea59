"""The folder below which a session keeps its caches, the results there, and the mark of what is kept."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tabchat.errors import InputError, OutputError
from tabchat.private_files import cache_root
from tabchat.sealed import Seal
from tabchat.store import DiskStore, InMemoryDataStore
from tabchat.store.keys import SECRET_BYTES, load_secret

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabchat.config import Settings
    from tabchat.store import DataStore


def check_root(root: Path) -> None:
    """Make the cache folder; raises `InputError` when there is one that is a link, somebody else's or open to others.

    One that cannot be made is told by whoever needs it first.
    """
    try:
        cache_root(root)
    except OSError as error:
        if not (root.is_symlink() or root.is_dir()):
            return
        message = f"The cache folder {root} cannot be used: {error.strerror or error}."
        hint = f"Make it yours alone (chmod go-w {root}), or set TABCHAT_CACHE_DIR to a folder of your own."
        raise InputError(message, hint=hint) from error


def own_seal(data_dir: Path) -> Seal:
    """Return the mark of the person's own secret; one for this run alone where no secret can be kept."""
    try:
        return Seal(secret=load_secret(data_dir / "secret"))
    except OutputError:
        return Seal(secret=os.urandom(SECRET_BYTES))


def result_store(settings: Settings, root: Path) -> DiskStore:
    """Return the results that are kept below `root`; nothing is opened before they are asked for."""
    return DiskStore(
        root / "results",
        secret_path=settings.data_dir / "secret",
        max_bytes=settings.result_size,
        ttl=settings.result_ttl,
    )


@contextmanager
def listed_results(settings: Settings) -> Iterator[DataStore]:
    """Yield the kept results without their rows: for a list of them no engine starts.

    A run that keeps nothing has none.
    """
    if settings.no_cache:
        yield InMemoryDataStore()
        return
    check_root(settings.cache_dir)
    store = result_store(settings, settings.cache_dir)
    try:
        yield store
    finally:
        store.close()
