"""A TOML file, read whole and at once, whatever lies in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabchat.private_files import read_regular

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES: Final = 16 * 1024 * 1024
"""Size above which a file is none that a person wrote."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file says.

    Raises `OSError` for a pipe, a device or a file above `MOST_BYTES`, and `ValueError` for what is no TOML.
    """
    import tomllib

    text = read_regular(path, MOST_BYTES).decode("utf-8")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("its values are nested too deeply") from error
