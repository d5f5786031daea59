"""Data keys: opaque names of results that nobody can guess without the person's own secret."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from tabchat.errors import DataKeyError, OutputError
from tabchat.private_files import PRIVATE_FILE, open_private, private_folder
from tabchat.store.recipe import KEY_PREFIX

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.store.recipe import ResultRecipe

KEY_CHARACTERS: Final = 20
"""Characters after the prefix; five bits each, 100 bits in all."""
SECRET_BYTES: Final = 32

_ALPHABET: Final = frozenset("abcdefghijklmnopqrstuvwxyz234567")
_SHOWN_CHARACTERS: Final = 40


def derive_key(secret: bytes, recipe: ResultRecipe) -> str:
    """Return the key of `recipe` under `secret`: `ds_` and 20 characters of lower-case base32."""
    import base64
    import hmac

    digest = hmac.digest(secret, recipe.canonical(), "sha256")
    return KEY_PREFIX + base64.b32encode(digest).decode("ascii").lower()[:KEY_CHARACTERS]


def require_key(key: str) -> str:
    """Return `key` if it has the form of a data key; raises `DataKeyError` otherwise.

    A near miss gets no suggestion: a key is a capability, and to name the nearest
    one would be to hand it out.
    """
    if is_key(key):
        return key
    shown = key if len(key) <= _SHOWN_CHARACTERS else key[: _SHOWN_CHARACTERS - 1] + "…"
    message = f"{shown!r} is not a data key: a key is ds_ and {KEY_CHARACTERS} letters or digits."
    raise DataKeyError(message, hint="List the kept results with: tabchat results")


def is_key(text: str) -> bool:
    """Return whether `text` has the form of a data key."""
    body = text.removeprefix(KEY_PREFIX)
    return text.startswith(KEY_PREFIX) and len(body) == KEY_CHARACTERS and _ALPHABET.issuperset(body)


def begins_key(text: str) -> bool:
    """Return whether `text` is the beginning of a data key and not the whole, with or without an ellipsis behind it."""
    body = text.rstrip("….").removeprefix(KEY_PREFIX)
    return text.startswith(KEY_PREFIX) and 0 < len(body) < KEY_CHARACTERS and _ALPHABET.issuperset(body)


def load_secret(path: Path) -> bytes:
    """Return the person's secret, made on first use; every process gets the same one.

    The folder is 0700 and the file 0600; wider rights are narrowed. Raises
    `OutputError` when the secret belongs to somebody else, is damaged, or can be
    neither read nor made.
    """
    try:
        private_folder(path.parent)
        try:
            return _read(path)
        except FileNotFoundError:
            _create(path)
            return _read(path)
    except OSError as error:
        message = f"The secret behind the data keys, {path}, cannot be used: {error.strerror or error}."
        hint = "Make its folder writable, or choose another one with TABCHAT_DATA_DIR."
        raise OutputError(message, hint=hint) from error


def _create(path: Path) -> None:
    # A whole file appears under its name at once, and the first of several processes wins.
    fresh = path.with_name(f".{path.name}-{os.getpid()}-{os.urandom(4).hex()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(os.urandom(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        _publish(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _publish(fresh: Path, path: Path) -> None:
    try:
        os.link(fresh, path)
    except FileExistsError:
        return
    except OSError:
        # Some file systems have no hard links; there a rename is the nearest thing.
        if not path.exists():
            fresh.replace(path)


def _read(path: Path) -> bytes:
    with os.fdopen(open_private(path, os.O_RDONLY), "rb") as file:
        secret = file.read(SECRET_BYTES + 1)
    if len(secret) != SECRET_BYTES:
        raise OSError(0, f"it does not hold {SECRET_BYTES} bytes; delete it, and keys made with it end")
    return secret
