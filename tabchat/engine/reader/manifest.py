"""What a version in the cache of tables consists of: one sealed JSON text over its facts and its files.

A file that nobody wrote to since it was stamped is believed without being read, so that opening a table does not cost
more the larger it is; any other is hashed again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tabchat.record import record
from tabchat.sealed import bears_stamp, file_stamp, is_untouched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tabchat.sealed import Seal


@record
class Manifest:
    """A version that was found sound."""

    facts: dict[str, Any]
    is_fresh: bool
    """False when a file was moved or copied since, so that it had to be read; signing it again spares that."""


def signed(seal: Seal, version: str, facts: Mapping[str, Any], files: Mapping[str, Path]) -> str:
    """Return the text that says what `version` is: its `facts`, and each of its `files` by a name; raises `OSError`."""
    stamps = {name: file_stamp(path) for name, path in files.items()}
    return seal.sealed(_scope(version), json.dumps({"facts": facts, "files": stamps}))


def verified(
    seal: Seal, version: str, text: str, files_of: Callable[[Mapping[str, Any]], Mapping[str, Path]]
) -> Manifest:
    """Read what `signed` wrote of exactly the files that its facts call for.

    Raises `OSError`, and `ValueError`, `KeyError` or `TypeError` when the text or a file is not as it was signed.
    """
    content = json.loads(seal.opened(_scope(version), text))
    stamps, files = content["files"], files_of(content["facts"])
    if stamps.keys() != files.keys():
        raise ValueError("it has other files")
    fresh = all(is_untouched(path, stamps[name]) for name, path in files.items())
    for name, path in files.items():
        if not fresh and not bears_stamp(path, stamps[name]):
            message = f"its file of {name} is not the one that was kept"
            raise ValueError(message)
    return Manifest(facts=content["facts"], is_fresh=fresh)


def _scope(version: str) -> str:
    return f"table version {version}"
