"""What the words of a language mean to the planner, read from data files: one TOML file for each language."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.inflection import MIN_STEM, Inflection
from tabchat.planner.tokens import fold, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Phrase = tuple[str, ...]
"""Folded words."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Lexicon:
    """One language."""

    language: str
    phrases: Mapping[Phrase, frozenset[str]]
    """Folded words → concept ids. A word that ends in `*` is a stem."""
    stems: frozenset[str]
    """Every stem that is the first word of a phrase with a `*`, for a quick look-up."""
    longest: int
    """Words of the longest phrase."""
    inflection: Inflection
    """Forms of headers."""
    value_inflection: Inflection
    """Forms of cell values."""
    phrase_endings: tuple[str, ...]
    """Endings that a `*` of this lexicon stands for."""
    header_groups: Mapping[str, frozenset[Phrase]]
    scales: Mapping[str, tuple[str, ...]]
    evidence: Mapping[str, frozenset[str]]
    """Entity or event → header words that show that the table has it."""
    dates: Mapping[str, frozenset[str]]
    """`first` → header words of the date on which a row began; `later` → of what became of it since."""
    countable: frozenset[str]
    """Header words for things that a number counts: nights, votes."""
    nonadditive: frozenset[str]
    better: frozenset[str]
    worse: frozenset[str]
    units: frozenset[str]
    naming: frozenset[str]
    timely: frozenset[str]
    """Words that may be said with the name of a column of lengths of time: time."""
    lasting: Mapping[str, str]
    """Units of time that only headers are shortened to (`h`) → their seconds."""
    denying: tuple[tuple[str, str], ...]
    """(beginning that denies a word, the word that does so by itself): un, not."""
    magnitudes: tuple[tuple[str, str], ...]
    """(word of a header, name of a scale): `kusd` says thousands."""
    measuring: frozenset[str]
    """Words of headers that only say that there is a figure: amount, value."""
    totals: frozenset[str]
    """Words of headers for the money that a sale comes to: total, sum."""
    identifying: frozenset[str]
    """Words of headers whose numbers are names: id, code, number."""
    participles: tuple[str, ...]
    """Endings of headers that say what happened to a row."""
    mass: tuple[str, ...]
    """Endings of a noun in the singular after the word for `how many`; none where the word itself tells."""
    stated: tuple[str, ...]
    """Endings of words that are no such nouns although they end like them."""
    joining: frozenset[str]
    located: tuple[str, ...]
    """Endings of a noun behind `на` that says where something is."""
    written: Mapping[str, frozenset[str]]
    """`cell.gender.female` → how cells may say it; empty when the file has none."""
    adjectives: tuple[str, ...]
    """Endings of adjectives, where a noun stands before its genitive; none where it stands behind it."""
    phrasing: Mapping[str, str]
    read_as: Mapping[str, str]
    """English template of a fragment of `read as` → the language's own; empty when English is said."""
    cell_forms: tuple[frozenset[Phrase], ...]
    """Groups of words that stand for one another where one of them is a cell: won, win, winner."""
    cell_names: tuple[frozenset[Phrase], ...]
    """The same of names that no ending tells: United Kingdom, UK, British."""
    quantifying: frozenset[str]
    """Words that add nothing to the name of a column of numbers: `lead concentration`."""
    pricing: frozenset[str]
    """The same of a column of money: `ціна квитка`."""
    measured_in: Mapping[str, frozenset[str]]
    """Meaning of a header → units that only such a thing is measured in."""
    decades: frozenset[str]
    """What stands behind a year to make it ten: `1990s`, `1990-х`."""
    follow_ups: Mapping[str, frozenset[Phrase]]
    """What a follow-up says of itself (`start`, `instead` …) → its phrases; empty when the file has none."""

    def find(self, words: Phrase) -> frozenset[str]:
        """Return the concepts of exactly these words, stems included."""
        exact = self.phrases.get(words)
        if exact is not None or not self.stems:
            return exact or frozenset()
        return self._find_stems(words)

    def moving(self, way: str) -> tuple[frozenset[str], ...]:
        """Return what cells of movements one way (`in`, `out`) are written like."""
        return tuple(
            words for name, words in self.written.items() if name.startswith(f"{CELL}movement.{way}")
        )

    def _find_stems(self, words: Phrase) -> frozenset[str]:
        patterns: list[Phrase] = [()]
        for word in words:
            options = [word, *self._stem_keys(word)]
            patterns = [(*before, option) for before in patterns for option in options]
        for pattern in patterns:
            found = self.phrases.get(pattern)
            if found is not None:
                return found
        return frozenset()

    def _stem_keys(self, word: str) -> list[str]:
        shorter = [word[: len(word) - len(ending)] for ending in self.phrase_endings if word.endswith(ending)]
        return [f"{key}*" for key in (word, *reversed(shorter)) if f"{key}*" in self.stems]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Languages:
    """A folder of data files, one for each language, with `languages.toml` that lists them."""

    folder: Path
    letters: Mapping[str, frozenset[str]]
    """Language → the letters of its script."""
    marks: Mapping[str, frozenset[str]]
    """Language → the letters that no other language of its script has."""
    _loaded: dict[str, Lexicon] = field(default_factory=dict)

    def of(self, text: str) -> tuple[str, ...]:
        """Return the languages that `text` can be in, the likeliest first; all that share its letters in doubt."""
        used = frozenset(text.casefold())
        able = [language for language, letters in self.letters.items() if used & letters]
        marked = [language for language in able if used & self.marks[language]]
        kept = [
            language
            for language in able
            if language in marked or not any(self.letters[language] & self.letters[other] for other in marked)
        ]
        return tuple(kept) or tuple(self.letters)[-1:]

    def load(self, language: str) -> Lexicon:
        """Return one language's lexicon; its file is read once."""
        if language not in self._loaded:
            text = self.folder.joinpath(f"{language}.toml").read_text(encoding="utf-8")
            self._loaded[language] = parse_lexicon(text)
        return self._loaded[language]


def open_languages(folder: Path) -> Languages:
    """Open a folder of language data."""
    index = tomllib.loads(folder.joinpath("languages.toml").read_text(encoding="utf-8"))
    return Languages(
        folder=folder,
        letters={name: frozenset(entry["letters"]) for name, entry in index.items()},
        marks={name: frozenset(entry["marks"]) for name, entry in index.items()},
    )


@lru_cache(maxsize=1)
def shipped_languages() -> Languages:
    """Return the languages that come with the package."""
    return open_languages(Path(__file__).parent / "lexicons")


def parse_lexicon(text: str) -> Lexicon:
    """Build a lexicon from the text of a data file."""
    data = tomllib.loads(text)
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
        stems=frozenset(
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


CELL: Final = "cell."
"""Words for cells that tables shorten: `cell.gender.female`."""
_FAMILIES: Final = {
    "concepts": "",
    "stop": "stop.",
    "refuse": "refuse.",
    "numbers": "number.",
    "months": "month.",
    "weekdays": "weekday.",
    "quarters": "quarter.",
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
