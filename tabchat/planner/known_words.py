"""Which words exist, as the older modules of the planner ask for it."""

from __future__ import annotations

from tabchat.planner.words.languages import shipped_languages


def is_known(word: str, language: str) -> bool | None:
    """Tell whether `word` is in the language's list; None when the list cannot tell."""
    return shipped_languages().is_word(word, language)
