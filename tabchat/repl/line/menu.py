"""What is offered in the menu of completions: inserted exactly, drawn so that no terminal acts on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prompt_toolkit.completion import Completion

from tabchat.render.layout.text import cut, sanitise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHOWN: Final = 40
"""Cells of a completion, and of what is said of it."""


def matching(word: str, choices: Iterable[tuple[str, str]]) -> Iterator[Completion]:
    """Yield the choices, each with what it is, that begin with `word` whatever its case."""
    folded = word.casefold()
    return (offered(text, -len(word), what) for text, what in choices if text.casefold().startswith(folded))


def offered(text: str, start: int, what: str, *, shown: str = "") -> Completion:
    """Return a completion in the place of the last `-start` characters; `shown` is drawn where it says enough."""
    display = cut(sanitise(shown or text), _SHOWN)
    return Completion(text, start, display=display, display_meta=cut(sanitise(what), _SHOWN))
