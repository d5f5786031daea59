"""Reading the data file of a language."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.words.inflection import MIN_STEM, Inflection
from tabchat.planner.words.lexicon import CELL, Lexicon
from tabchat.planner.words.token import fold, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.planner.words.phrases import Phrase


def parse_lexicon(*texts: str) -> Lexicon:
    """Build a lexicon from the texts of its data files: each has sections of its own."""
    data: dict[str, Any] = {}
    for text in texts:
        data |= tomllib.loads(text)
    phrases: dict[Phrase, set[str]] = {}
    for phrase, concept in _entries(data):
        phrases.setdefault(phrase, set()).add(concept)
    parts = data["header_parts"]
    alternations = _pairs(data["alternations"])
    forms = Inflection(
        endings=_by_length(data["endings"]),
        alternations=alternations,
        beginnings=_pairs(data.get("beginnings", "")),
        derivations=_by_length(data.get("derivations", "")),
        softening=_pairs(data.get("softening", "")),
    )
    return Lexicon(
        language=data["language"],
        phrases={phrase: frozenset(concepts) for phrase, concepts in phrases.items()},
        stems_of_phrases=frozenset(
            word for phrase in phrases for word in phrase if word.endswith("*") and len(word) > 1
        ),
        longest=max(len(phrase) for phrase in phrases),
        inflection=replace(forms, kin=_families(data["kin"], forms)),
        value_inflection=replace(forms, endings=_by_length(data["value_endings"])),
        phrase_endings=_by_length(f"{data['endings']} {data['verb_endings']}"),
        header_groups={name: frozenset(_phrases(listed)) for name, listed in data["headers"].items()},
        scales={name: tuple(levels) for name, levels in data["scales"].items()},
        evidence={name: _words(listed) for name, listed in data["evidence"].items()},
        dates={name: _words(listed) for name, listed in data["dates"].items()},
        countable=_words(data["countable"]["words"]),
        nonadditive=_words(data["nonadditive"]["words"]),
        better=_words(data["judged"]["better"]),
        worse=_words(data["judged"]["worse"]),
        units=_words(parts["units"]),
        naming=_words(parts["naming"]),
        timely=_words(parts["timely"]),
        lasting=dict(_pairs(parts["lasting"])),
        denying=_pairs(parts["denying"]),
        magnitudes=_pairs(parts.get("magnitudes", "")),
        measuring=_words(parts["measuring"]),
        totals=_words(parts["totals"]),
        identifying=_words(parts["identifying"]),
        participles=_by_length(parts["participles"]),
        mass=_by_length(parts.get("mass", "")),
        stated=_by_length(parts.get("stated", "")),
        joining=_words(parts["joining"]),
        located=_by_length(parts.get("located", "")),
        written={f"{CELL}{name}": _words(listed) for name, listed in data.get("written", {}).items()},
        adjectives=_by_length(parts.get("adjectives", "")),
        phrasing=data["phrasing"],
        read_as=data.get("read_as", {}),
        cell_forms=_groups(data.get("cell_forms", {})),
        cell_names=_groups(data.get("cell_names", {})),
        quantifying=_words(parts.get("quantifying", "")),
        pricing=_words(parts.get("pricing", "")),
        measured_in={name: _words(listed) for name, listed in data.get("measured_in", {}).items()},
        decades=_words(parts.get("decades", "")),
        follow_ups={name: frozenset(_phrases(listed)) for name, listed in data.get("follow_ups", {}).items()},
    )


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


def _entries(data: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[Phrase, str]]:
    for section, prefix in _FAMILIES.items():
        for name, listed in data.get(section, {}).items():
            for phrase in _phrases(listed):
                yield phrase, f"{prefix}{name}"
    for name, levels in data["scales"].items():
        for level, listed in zip(_LEVELS, levels, strict=True):
            for phrase in _phrases(listed):
                yield phrase, f"scale.{level}.{name}"


def _phrases(listed: str) -> Iterator[Phrase]:
    for part in fold(listed).split(", "):
        words = tuple(_split(part))
        if words:
            yield words


def _split(part: str) -> list[str]:
    plain = part.replace(" ", "").replace("*", "")
    if plain.isalpha() or "*" in part:
        return part.split()
    return [token.norm for token in tokenize(part)] or part.split()


def _groups(section: Mapping[str, str]) -> tuple[frozenset[Phrase], ...]:
    return tuple(frozenset(_phrases(listed)) for listed in section.values())


def _words(listed: str) -> frozenset[str]:
    return frozenset(fold(word) for word in listed.split(", ") if word)


def _families(listed: Mapping[str, str], forms: Inflection) -> dict[str, frozenset[str]]:
    """Return word → families, and what is left of a longer word without its ending."""
    found: dict[str, frozenset[str]] = {}
    for name, words in listed.items():
        for word in _words(words):
            base = forms.base(word)
            for form in {word, base} if len(base) > MIN_STEM else {word}:
                found[form] = found.get(form, frozenset()) | {f"~{name}"}
    return found


def _pairs(listed: str) -> tuple[tuple[str, str], ...]:
    parted = (pair.partition("=") for pair in listed.split())
    return tuple((one, other) for one, _, other in parted)


def _by_length(listed: str) -> tuple[str, ...]:
    return tuple(sorted(listed.split(), key=lambda ending: (-len(ending), ending)))
