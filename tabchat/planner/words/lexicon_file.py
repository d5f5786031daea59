"""Reading the data files of a language: sections of `name = "phrase, phrase"`, a small part of TOML."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.words.token import fold, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LINE: Final = re.compile(r'\[(\w+)\]|"?([^"=#]+?)"? = (?:"([^"\\]*)"|(.+))')
_BETWEEN: Final = str.maketrans("", "", " ,*'")
"""What may stand between the letters of phrases of which the words are what spaces part."""
_FAMILIES: Final = {
    "concepts": "",
    "stop": "stop.",
    "refuse": "refuse.",
    "numbers": "number.",
    "ordinals": "ordinal.",
    "amounts": "amount.",
    "measures": "measure.",
    "months": "month.",
    "weekdays": "weekday.",
    "quarters": "quarter.",
    "halves": "half.",
    "seasons": "season.",
    "decade_words": "decade.",
    "dayparts": "daypart.",
    "clock": "clock.",
    "thirds": "third.",
    "relative": "relative.",
    "verbs": "verb.",
    "entities": "entity.",
    "events": "event.",
    "cells": "cell.",
}
_LEVELS: Final = ("plain.max", "more.max", "most.max", "plain.min", "more.min", "most.min")


def read_sections(*texts: str) -> dict[str, Any]:
    """Return what data files hold: name of a section → name of an entry → what it lists.

    Each section stands in one of the files; names that stand before the sections are among them.
    `tomllib` would read the same from them, in four times the time; lists and numbers are written as in JSON.
    """
    found: dict[str, Any] = {}
    for text in texts:
        section = found
        for line in text.splitlines():
            match = _LINE.fullmatch(line)
            if match is None:
                continue
            head, name, plain, other = match.groups()
            if head is not None:
                section = found.setdefault(head, {})
            else:
                section[name] = plain if plain is not None else json.loads(other)
    return found


def concept_phrases(sections: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (phrase, concept that it says)."""
    for section, prefix in _FAMILIES.items():
        for name, said in sections.get(section, {}).items():
            concept = f"{prefix}{name}"
            for phrase in listed_phrases(said):
                yield phrase, concept
    for name, levels in sections["scales"].items():
        for level, said in zip(_LEVELS, levels, strict=True):
            for phrase in listed_phrases(said):
                yield phrase, f"scale.{level}.{name}"


def listed_phrases(said: str) -> list[str]:
    """Split a list of phrases: each folded, its words parted by single spaces."""
    phrases = fold(said).split(", ")
    return phrases if _is_plain(said) else [words for phrase in phrases if (words := _parted(phrase))]


def _parted(phrase: str) -> str:
    if "*" in phrase or _is_plain(phrase):
        return phrase
    return " ".join(word.norm for word in tokenize(phrase)) or phrase


def _is_plain(said: str) -> bool:
    """Tell whether a text is letters alone, of which the words are what spaces part."""
    return said.translate(_BETWEEN).isalpha()


def listed_words(said: str) -> list[str]:
    """Split a list of words: each folded."""
    return fold(said).split(", ") if said else []


def by_length(said: str) -> list[str]:
    """Return endings, the longest first."""
    return sorted(set(said.split()), key=lambda ending: (-len(ending), ending))
