"""Preparing the headers of a table to be looked up: their stems, meanings, initials and joined forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.catalog import is_note
from tabchat.planner.headers import HeaderIndex
from tabchat.planner.inflection import Inflection, merged
from tabchat.planner.magnitudes import header_magnitudes
from tabchat.planner.spans import header_spans
from tabchat.planner.tokens import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.lexicon import Lexicon, Phrase

_LEAST_INITIALS: Final = 3
_SYMBOL: Final = 2
"""Letters of a word that is a symbol, whose unit says what it is: `T_air (°C)`."""
_CUT_OFF: Final = re.compile(r"([^\W\d_]{3,})\.\s*(?:[\[(][^\[\]()]*[\])]\s*)*$")
"""A word with a point at the end of a header, before units and notes."""


def build_header_index(table: PlannerTable, lexicons: Sequence[Lexicon]) -> HeaderIndex:
    """Prepare the headers of `table` for questions in the languages of `lexicons`."""
    inflection = merged(lexicon.inflection for lexicon in lexicons)
    units = frozenset().union(*(lexicon.units for lexicon in lexicons))
    naming = frozenset().union(*(lexicon.naming for lexicon in lexicons))
    joining = frozenset().union(*(lexicon.joining for lexicon in lexicons))
    groups = _groups(lexicons)
    meant = frozenset().union(*groups.values())
    families = {word: frozenset(sign[1:] for sign in signs) & meant for word, signs in inflection.kin.items()}
    word_meanings = _word_meanings(groups, inflection)
    unit_meanings = _unit_meanings(lexicons)
    by_stem: dict[str, set[int]] = {}
    for column in table.columns:
        for word in column.base:
            if word in joining and len(column.base) > 1:
                continue
            keys = [*inflection.stems(word), *(f"={meaning}" for meaning in word_meanings.get(word, ()))]
            if column.kind.is_numeric or column.kind is ColumnKind.BOOLEAN:
                keys += [f"~{root}" for root in inflection.roots(word)]
            for key in keys:
                by_stem.setdefault(key, set()).add(column.index)
    return HeaderIndex(
        columns=table.columns,
        inflection=inflection,
        units=units,
        naming=naming,
        idle_nouns=frozenset(
            stem
            for word in naming
            if not any(lexicon.find((word,)) for lexicon in lexicons)
            for stem in inflection.stems(word)
        ),
        measured={
            column.index: found
            for column in table.columns
            if column.unit is not None and (found := unit_meanings.get(fold(column.unit)))
        },
        quantifying=frozenset().union(*(lexicon.quantifying for lexicon in lexicons)),
        pricing=frozenset().union(*(lexicon.pricing for lexicon in lexicons)),
        measuring=frozenset().union(*(lexicon.measuring for lexicon in lexicons)),
        joining=joining,
        linking=frozenset(
            word for word in joining if not any("by" in lexicon.find((word,)) for lexicon in lexicons)
        ),
        adjectives=tuple(ending for lexicon in lexicons for ending in lexicon.adjectives),
        lasting=frozenset().union(*(lexicon.timely for lexicon in lexicons)),
        by_stem={stem: frozenset(indexes) for stem, indexes in by_stem.items()},
        groups=groups,
        meanings={
            column.index: found
            for column in table.columns
            if (
                found := _meanings(column, groups, units, naming, families)
                | _meanings_of_unit(column, units, unit_meanings)
            )
        },
        word_meanings=word_meanings,
        initials=_initials(table.columns),
        joined=_joined(table.columns),
        countable=_countable(table.columns, lexicons),
        magnitudes=header_magnitudes(table.columns, lexicons),
        spans=header_spans(table.columns, lexicons),
        shortened=_shortened(table.columns),
        own=tuple((phrase, column) for column in table.columns for phrase in column.synonyms),
    )


def _groups(lexicons: Sequence[Lexicon]) -> dict[Phrase, frozenset[str]]:
    groups: dict[Phrase, set[str]] = {}
    for lexicon in lexicons:
        for meaning, phrases in lexicon.header_groups.items():
            for phrase in phrases:
                groups.setdefault(phrase, set()).add(meaning)
    return {phrase: frozenset(found) for phrase, found in groups.items()}


def _word_meanings(
    groups: Mapping[Phrase, frozenset[str]], inflection: Inflection
) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for phrase, meanings in groups.items():
        if len(phrase) == 1:
            for stem in inflection.stems(phrase[0]):
                found[stem] = found.get(stem, frozenset()) | meanings
    return found


def _meanings_of_unit(
    column: ColumnFacts, units: frozenset[str], unit_meanings: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """Return what a column is by its unit, where its name is no more than a symbol: `T_air (°C)`."""
    bare = (word for word in column.base if word not in units)
    if any(len(word) <= _SYMBOL for word in (*column.base[:1], *bare)):
        return unit_meanings.get(fold(column.unit or ""), frozenset())
    return frozenset()


def _unit_meanings(lexicons: Sequence[Lexicon]) -> dict[str, frozenset[str]]:
    """Return unit → what alone is measured in it: °C → temperature."""
    found: dict[str, frozenset[str]] = {}
    for lexicon in lexicons:
        for meaning, units in lexicon.measured_in.items():
            for unit in units:
                found[unit] = found.get(unit, frozenset()) | {meaning}
    return found


def _meanings(
    column: ColumnFacts,
    groups: Mapping[Phrase, frozenset[str]],
    units: frozenset[str],
    naming: frozenset[str],
    families: Mapping[str, frozenset[str]],
) -> frozenset[str]:
    bare = tuple(word for word in column.base if word not in units and not is_note(word, column))
    unnamed = tuple(word for word in bare if word not in naming)
    return (
        groups.get(column.base, frozenset())
        | groups.get(bare, frozenset())
        | groups.get(unnamed, frozenset())
        | (families.get(bare[0], frozenset()) if len(bare) == 1 and bare not in groups else frozenset())
    )


def _countable(columns: Sequence[ColumnFacts], lexicons: Sequence[Lexicon]) -> frozenset[int]:
    words = frozenset().union(*(lexicon.countable for lexicon in lexicons))
    return frozenset(
        column.index
        for column in columns
        if column.kind is ColumnKind.INTEGER and words.intersection((*column.base[:1], *column.base[-1:]))
    )


def _shortened(columns: Sequence[ColumnFacts]) -> tuple[tuple[str, ColumnFacts], ...]:
    found = ((_CUT_OFF.search(column.name), column) for column in columns)
    return tuple((fold(match.group(1)), column) for match, column in found if match is not None)


def _joined(columns: Sequence[ColumnFacts]) -> dict[str, tuple[ColumnFacts, ...]]:
    found: dict[str, tuple[ColumnFacts, ...]] = {}
    for column in columns:
        if len(column.words) > 1:
            name = "".join(column.words)
            found[name] = (*found.get(name, ()), column)
    return found


def _initials(columns: Sequence[ColumnFacts]) -> dict[str, tuple[ColumnFacts, ...]]:
    found: dict[str, tuple[ColumnFacts, ...]] = {}
    for column in columns:
        if len(column.words) >= _LEAST_INITIALS:
            initials = "".join(word[0] for word in column.words)
            found[initials] = (*found.get(initials, ()), column)
    return found
