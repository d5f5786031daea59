"""Reading the data files of a language: sections of `name = "phrase, phrase"`, a small part of TOML."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tabchat.planner.words.inflection import MIN_STEM, Inflection
from tabchat.planner.words.token import fold, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.planner.words.phrases import Phrase

Sections = dict[str, Any]
"""Name of a section → name of an entry → what it lists; names that stand before the sections → what they list."""
CELL: Final = "cell."
"""Words for cells that tables shorten: `cell.gender.female`."""
_T = TypeVar("_T")
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
    "cells": CELL,
}
_LEVELS: Final = ("plain.max", "more.max", "most.max", "plain.min", "more.min", "most.min")


def read_sections(*texts: str) -> Sections:
    """Return what data files hold: sections, each in one of the files.

    `tomllib` would read the same from them, in four times the time; lists and numbers are written as in JSON.
    """
    found: Sections = {}
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


def listed(section: str, name: str, read: Callable[[str], _T]) -> cached_property[_T]:
    """Return a property of a lexicon that holds one entry of one section, empty when the files have none."""
    return cached_property(lambda lexicon: read(lexicon.sections.get(section, {}).get(name, "")))


def concept_phrases(sections: Sections) -> Iterator[tuple[str, str]]:
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


def read_inflection(sections: Sections, endings: str) -> Inflection:
    """Return the forms of a language's words, by one of its lists of endings."""
    forms = Inflection(
        endings=by_length(sections[endings]),
        alternations=as_pairs(sections["alternations"]),
        beginnings=as_pairs(sections.get("beginnings", "")),
        derivations=by_length(sections.get("derivations", "")),
        softening=as_pairs(sections.get("softening", "")),
    )
    if endings == "endings":
        forms.kin.update(_families(sections["kin"], forms))
    return forms


def as_phrases(said: str) -> list[Phrase]:
    """Split a list of phrases into their folded words."""
    return [tuple(phrase.split()) for phrase in listed_phrases(said)]


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


def as_words(said: str) -> frozenset[str]:
    """Return the folded words of a list of words."""
    return frozenset(fold(said).split(", ")) if said else frozenset()


def as_pairs(said: str) -> tuple[tuple[str, str], ...]:
    """Read `one=other` pairs, parted by spaces."""
    parted = (pair.partition("=") for pair in said.split())
    return tuple((one, other) for one, _, other in parted)


def by_length(said: str) -> tuple[str, ...]:
    """Return endings, the longest first."""
    return tuple(sorted(set(said.split()), key=lambda ending: (-len(ending), ending)))


def _families(kin: Mapping[str, str], forms: Inflection) -> dict[str, frozenset[str]]:
    """Return word → families, and what is left of a longer word without its ending."""
    found: dict[str, set[str]] = {}
    for name, words in kin.items():
        for word in as_words(words):
            base = forms.base(word)
            for form in {word, base} if len(base) > MIN_STEM else {word}:
                found.setdefault(form, set()).add(f"~{name}")
    return {word: frozenset(names) for word, names in found.items()}
