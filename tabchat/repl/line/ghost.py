"""What stands dim behind a line that is typed: an entry of before that begins so, else a question that is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.document import Document


class Ghost(AutoSuggest):
    """Suggests how a line goes on: `entries` returns what it may become, the likeliest first."""

    def __init__(self, entries: Callable[[], Iterable[str]]) -> None:
        self._entries = entries

    def get_suggestion(self, _buffer: Buffer, document: Document) -> Suggestion | None:
        """Return the rest of the first entry that begins with the text; nothing for a text of several lines."""
        typed = document.text
        if not typed.strip() or "\n" in typed:
            return None
        for entry in self._entries():
            begins = entry[: len(typed)]
            # What is accepted is added to what was typed, in the case in which that was typed.
            if len(begins) < len(entry) and begins.casefold() == typed.casefold() and "\n" not in entry:
                return Suggestion(entry[len(typed) :])
        return None
