"""Other ways to say a cell: a country by its name where cells hold codes, and a person by one of the names.

Only a word that means nothing else is looked for here, and only one cell may fit it.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import folded_value
from tabchat.planner.cells import ValueMatch
from tabchat.planner.known_words import is_known
from tabchat.planner.tokens import TokenKind, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.evidence import Evidence
    from tabchat.planner.inflection import Inflection
    from tabchat.planner.tokens import Token

COST: Final = 0.6
_COUNTRY: Final = "country"
"""The name under which lexicons list the headers of countries."""
_LONGEST_COUNTRY: Final = 4
"""Words of the longest name of a country."""
_LONGEST_NAME: Final = 4
"""Words of the longest name that is said by one of them."""
_SHORTEST_NAME: Final = 3
"""Letters of the shortest part of a name that stands for the whole."""


def find_namesakes(
    tokens: Sequence[Token],
    start: int,
    table: PlannerTable,
    evidence: Evidence,
    inflection: Inflection,
    languages: Sequence[str],
) -> tuple[ValueMatch, ...]:
    """Return the cells that the words from token `start` on stand for, though the table writes them otherwise."""
    if tokens[start].kind is not TokenKind.WORD:
        return ()
    countries = _country_cells(tokens, start, table, evidence, inflection)
    return (
        countries
        or _of_one_root(tokens[start], table, evidence)
        or _partly_named(tokens[start], table, evidence, inflection, languages)
    )


def _of_one_root(token: Token, table: PlannerTable, evidence: Evidence) -> tuple[ValueMatch, ...]:
    """Find `Cancelled` by `cancellation`, where one cell alone is of that root."""
    families = evidence.families(token.norm)
    found = [
        (index, value)
        for index, values in table.values().items()
        for value in values
        if families and families & evidence.families(fold(value))
    ]
    return (_match(table.columns[found[0][0]], found[0][1], 1),) if len(found) == 1 else ()


def _partly_named(
    token: Token,
    table: PlannerTable,
    evidence: Evidence,
    inflection: Inflection,
    languages: Sequence[str],
) -> tuple[ValueMatch, ...]:
    """Find `Grace Obi` by `Grace`: one cell alone has the word, and names a person or is no common word."""
    if len(token.norm) < _SHORTEST_NAME or not token.norm.isalpha():
        return ()
    people = {column.index for column in evidence.people()}
    base = inflection.base(token.norm)
    common = any(is_known(word, language) for language in languages for word in (base, token.norm))
    found: list[tuple[int, str]] = []
    for index, values in table.values().items():
        if index in people or not (common or len(token.norm) <= _SHORTEST_NAME):
            # Only a person is called by any part of the name, unless that is a common word: `ads` is not `Google Ads`.
            most = _LONGEST_NAME if index in people and not common else 1
            begun = [value for value in values if token.norm[:_SHORTEST_NAME] in value.casefold()]
            found += [(index, value) for value in begun if _has_part(value, token, inflection, most)]
    if len(found) != 1:
        return ()
    index, value = found[0]
    others = [other for other in table.values()[index] if other != value]
    if any(_has_part(other, token, inflection, _LONGEST_NAME) for other in others):
        # `Львів` begins one route and ends another.
        return ()
    return (_match(table.columns[index], value, 1),)


def _has_part(value: str, token: Token, inflection: Inflection, most: int) -> bool:
    if token.norm[:_SHORTEST_NAME] not in value.casefold():
        return False
    words = folded_value(value)
    return 1 < len(words) <= _LONGEST_NAME and any(
        inflection.alike(token.norm, word) for word in words[:most]
    )


def _match(column: ColumnFacts, value: str, length: int) -> ValueMatch:
    return ValueMatch(column=column, value=value, length=length, cost=COST, inflected=False)


def _country_cells(
    tokens: Sequence[Token],
    start: int,
    table: PlannerTable,
    evidence: Evidence,
    inflection: Inflection,
) -> tuple[ValueMatch, ...]:
    """Find `DE` by `Germany` or `German`, in the one column whose texts mostly are countries."""
    said = _country_said(tokens, start, inflection)
    if said is None:
        return ()
    code, length = said
    written, named = _written(), evidence.columns(_COUNTRY)
    found: list[ValueMatch] = []
    for index, values in table.values().items():
        codes = [written.get(fold(value)) for value in values]
        shortened = any(len(value) <= _SHORTEST_NAME for value in values)
        if 2 * sum(item is not None for item in codes) < len(values):
            continue
        if shortened and table.columns[index] not in named:
            # `DE` in a column of states is Delaware.
            continue
        found += [
            _match(table.columns[index], value, length)
            for value, item in zip(values, codes, strict=True)
            if item == code
        ]
    return tuple(found) if len(found) == 1 else ()


def _country_said(tokens: Sequence[Token], start: int, inflection: Inflection) -> tuple[str, int] | None:
    for length in range(min(_LONGEST_COUNTRY, len(tokens) - start), 0, -1):
        words = [token.norm for token in tokens[start : start + length]]
        if sum(map(len, words)) <= _SHORTEST_NAME:
            # A code is found as it is written; `in` and `it` are words.
            continue
        for name, code in _names().items():
            if len(name) == length and all(
                one == other or (len(other) > _SHORTEST_NAME and inflection.alike(one, other))
                for one, other in zip(words, name, strict=True)
            ):
                return code, length
    return None


@lru_cache(maxsize=1)
def _names() -> Mapping[tuple[str, ...], str]:
    """Return the words of each name of a country → its code."""
    return {folded_value(name): code for name, code in _written().items()}


@lru_cache(maxsize=1)
def _written() -> Mapping[str, str]:
    """Return each name and code of a country, folded → its two letters."""
    path = Path(__file__).parent / "lexicons" / "countries.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))
    return {fold(name): code for code, names in listed.items() for name in names.split(", ")}
