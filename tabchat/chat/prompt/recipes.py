"""Which analysis recipes a question calls for: telling a model of all of them would cost more than the tables do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.prompt.ranking import tokens
from tabchat.chat.prompt.texts import data

if TYPE_CHECKING:
    from collections.abc import Sequence

TOLD: Final = 2
"""Recipes that one question is told of at most."""

_WHOLE: Final = "$"


def called_recipes(question: str) -> tuple[str, ...]:
    """Return the recipes whose words stand in `question`; the phrases are in `recipes.toml`."""
    words = tokens(question)
    called = [
        name
        for name, needs in data("recipes").items()
        if any(_stands(_stems(phrase), words) for phrase in needs["phrases"])
    ]
    return tuple(called[:TOLD])


def _stems(phrase: str) -> list[str]:
    return [
        f"{stem}{_WHOLE}" if part.endswith(_WHOLE) else stem
        for part in phrase.split()
        for stem in tokens(part)
    ]


def _stands(stems: Sequence[str], words: Sequence[str]) -> bool:
    return any(
        all(_begins(word, stem) for word, stem in zip(words[start:], stems, strict=False))
        for start in range(len(words) - len(stems) + 1)
    )


def _begins(word: str, stem: str) -> bool:
    return word == stem.removesuffix(_WHOLE) if stem.endswith(_WHOLE) else word.startswith(stem)
