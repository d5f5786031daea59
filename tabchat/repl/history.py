"""Past entries of the prompt, in a file that only its owner can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from tabchat.private_files import PRIVATE_FILE, private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


def kept_history(folder: Path, tell: Callable[[str], None]) -> History:
    """Return the past entries; where they cannot be kept, `tell` is told so, and those of this conversation stay."""
    path = folder / "history"
    try:
        private_folder(folder)
        path.touch(mode=PRIVATE_FILE)
        path.chmod(PRIVATE_FILE)
        return _KeptHistory(path, tell)
    except OSError as error:
        tell(_unkept(error))
        return InMemoryHistory()


class _KeptHistory(FileHistory):
    """A file of entries; a disk that refuses one costs that entry, not the conversation."""

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        super().__init__(str(path))
        self._tell = tell
        # Read before the prompt is drawn: what fails then could not be told.
        self._past = list(super().load_history_strings())

    def load_history_strings(self) -> Iterable[str]:
        """Return the entries that there were, newest first."""
        return self._past

    def store_string(self, string: str) -> None:
        """Write an entry down."""
        try:
            super().store_string(string)
        except OSError as error:
            self._tell(_unkept(error))


def _unkept(error: OSError) -> str:
    return f"The history cannot be kept: {error.strerror or error}."
