"""Finding a table's columns in the words of a question."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import is_note
from tabchat.planner.inflection import is_family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.inflection import Inflection
    from tabchat.planner.lexicon import Phrase
    from tabchat.planner.tokens import Token

EXACT: Final = 0.0
SHORTENED: Final = 0.1
INFLECTED: Final = 0.3
KIN: Final = 0.5
"""Another word of the same root, or an abbreviation."""
NAMING: Final = 0.6
HEAD: Final = 1.0
SYNONYM: Final = 1.0
DERIVED: Final = 1.1
"""What it costs when another form of the verb in a header was said: `сплатили` of `Сплачено`."""
PART: Final = 2.0
IDENTIFIER: Final = 1.2
UNIT_ONLY: Final = 3.0
"""What it costs when only the unit of a header was said."""
OWN_SYNONYM: Final = 0.5
"""Behind a column of exactly that name, before what the lexicon takes the word for."""

COLUMN_WINDOW: Final = 0.45
"""Columns that a word fits this much worse than the best one are not rivals of it."""
_MONEY: Final = frozenset("$€£¥₴₽₹₺₩₪₸")
_LONGEST_NAME: Final = 8
_CROWDED: Final = 32
"""Columns that share a word from which it pays to look at the next word first."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class ColumnMatch:
    """A column named by some tokens in a row."""

    column: ColumnFacts
    length: int
    cost: float


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class HeaderIndex:
    """The headers of one table, ready to be looked up in the words of one set of languages."""

    columns: Sequence[ColumnFacts]
    inflection: Inflection
    units: frozenset[str]
    naming: frozenset[str]
    idle_nouns: frozenset[str]
    """Stems of the words of `naming` that say nothing else."""
    measured: Mapping[int, frozenset[str]]
    """Column → meanings of what is measured in its unit."""
    quantifying: frozenset[str]
    pricing: frozenset[str]
    measuring: frozenset[str]
    """Words of headers that only say that there is a figure: amount, value."""
    joining: frozenset[str]
    linking: frozenset[str]
    """Those of them that may stand in a name that lacks them; `per` would open a group."""
    adjectives: tuple[str, ...]
    """Endings of adjectives, in languages where a noun stands before its genitive."""
    by_stem: Mapping[str, frozenset[int]]
    groups: Mapping[Phrase, frozenset[str]]
    """Header phrase → meanings, such as (qty,) → {quantity}."""
    meanings: Mapping[int, frozenset[str]]
    """Column → meanings of its whole name."""
    word_meanings: Mapping[str, frozenset[str]]
    initials: Mapping[str, tuple[ColumnFacts, ...]]
    joined: Mapping[str, tuple[ColumnFacts, ...]]
    """Names of several words written as one: `petallength`."""
    countable: frozenset[int]
    """Columns of whole numbers that are named by things that a number counts."""
    magnitudes: Mapping[int, float]
    lasting: frozenset[str]
    """Words that say that a column holds lengths of time: time, duration."""
    spans: Mapping[int, float]
    """Columns whose headers state a unit of time → its seconds."""
    shortened: Sequence[tuple[str, ColumnFacts]]
    """(beginning, column) of names whose last word is cut off by a point: `Inv.`, `Avg. att.`."""
    own: Sequence[tuple[Phrase, ColumnFacts]]
    """Names that the person gave columns."""

    def find(self, tokens: Sequence[Token], start: int) -> list[ColumnMatch]:
        """Return the columns whose names begin at token `start`, in any form."""
        named = self._named(tokens, start)
        return [
            *named,
            *self._with_idle_noun(tokens, start, named),
            *self._with_quantity(tokens, start, named),
        ]

    def _with_quantity(
        self, tokens: Sequence[Token], start: int, named: Sequence[ColumnMatch]
    ) -> list[ColumnMatch]:
        """Return the columns of numbers that are said with a word for any such: `lead concentration`, `ціна квитка`."""
        found = [
            ColumnMatch(column=match.column, length=match.length + 1, cost=match.cost + SHORTENED)
            for match in named
            if self._quantifies(tokens, start + match.length, match.column)
        ]
        if start + 1 < len(tokens) and not named:
            place = start + 2 if tokens[start + 1].norm in self.joining else start + 1
            found += [
                ColumnMatch(
                    column=match.column, length=match.length + place - start, cost=match.cost + SHORTENED
                )
                for match in (self._named(tokens, place) if place < len(tokens) else ())
                if self._quantifies(tokens, start, match.column)
            ]
        return found

    def _quantifies(self, tokens: Sequence[Token], place: int, column: ColumnFacts) -> bool:
        """Tell whether a word says no more than that the column holds amounts, and names no other column."""
        if place >= len(tokens) or not column.kind.is_numeric:
            return False
        word = tokens[place].norm
        idle = (
            word in self.quantifying
            or (word in self.pricing and column.unit in _MONEY)
            or bool(self.measured.get(column.index, frozenset()) & self.word_meanings.get(word, frozenset()))
        )
        return idle and not self._named(tokens, place)

    def _with_idle_noun(
        self, tokens: Sequence[Token], start: int, named: Sequence[ColumnMatch]
    ) -> list[ColumnMatch]:
        """Return the columns that are said with a noun for names beside them: `iata code`, `код товару`."""
        names = [match for match in named if _holds_names(match)]
        ends = {match.length for match in names}
        followed = {length for length in ends if self._is_idle_noun(tokens, start + length)}
        found = [match for match in names if match.length in followed]
        if self._is_idle_noun(tokens, start) and start + 1 < len(tokens):
            found += [match for match in self._named(tokens, start + 1) if _holds_names(match)]
        return [
            ColumnMatch(column=match.column, length=match.length + 1, cost=match.cost + SHORTENED)
            for match in found
        ]

    def _is_idle_noun(self, tokens: Sequence[Token], place: int) -> bool:
        """Tell whether a word is a noun for names and codes that no column of this table is called by."""
        if place >= len(tokens):
            return False
        word = tokens[place].norm
        return bool(self.inflection.stems(word) & self.idle_nouns) and not self._named(tokens, place)

    def _named(self, tokens: Sequence[Token], start: int) -> list[ColumnMatch]:
        matches = [*self._by_name(tokens, start), *self._by_meaning(tokens, start)]
        matches += [
            ColumnMatch(column=column, length=1, cost=SYNONYM)
            for column in self.initials.get(tokens[start].norm, ())
        ]
        matches += [
            ColumnMatch(column=column, length=1, cost=EXACT)
            for column in self.joined.get(tokens[start].norm, ())
        ]
        matches += [
            ColumnMatch(column=column, length=1, cost=SYNONYM)
            for beginning, column in self.shortened
            if tokens[start].norm.startswith(beginning) and len(tokens[start].norm) > len(beginning) + 1
        ]
        matches += [
            ColumnMatch(column=column, length=len(phrase), cost=OWN_SYNONYM)
            for phrase, column in self.own
            if self._says(tokens[start : start + len(phrase)], phrase)
        ]
        best: dict[tuple[int, int], ColumnMatch] = {}
        for match in matches:
            key = (match.column.index, match.length)
            if key not in best or match.cost < best[key].cost:
                best[key] = match
        return list(best.values())

    def _says(self, tokens: Sequence[Token], phrase: Phrase) -> bool:
        return len(tokens) == len(phrase) and all(
            self.inflection.alike(token.norm, word) for token, word in zip(tokens, phrase, strict=True)
        )

    def _by_name(self, tokens: Sequence[Token], start: int) -> list[ColumnMatch]:
        indexes = self._holding(tokens[start].norm)
        if len(indexes) > _CROWDED and start + 1 < len(tokens):
            # Longer matches win, so of `measure 1` … `measure 300` only those need a look that hold both words.
            both = self._matches(indexes & self._holding(tokens[start + 1].norm), tokens, start)
            if any(match.length > 1 for match in both):
                return both
        return self._matches(indexes, tokens, start)

    def _holding(self, word: str) -> frozenset[int]:
        """Return the columns whose names hold a form of `word`, or a word of the same meaning."""
        return frozenset().union(*(self.by_stem.get(stem, frozenset()) for stem in self._keys(word)))

    def _matches(self, indexes: frozenset[int], tokens: Sequence[Token], start: int) -> list[ColumnMatch]:
        found = [self._match(self.columns[index], tokens, start) for index in sorted(indexes)]
        return [match for match in found if match is not None]

    def _keys(self, word: str) -> list[str]:
        return [
            *self.inflection.stems(word),
            *(f"={meaning}" for meaning in self.word_meanings.get(word, ())),
            *(f"~{root}" for root in self.inflection.roots(word)),
        ]

    def _match(self, column: ColumnFacts, tokens: Sequence[Token], start: int) -> ColumnMatch | None:
        left = list(column.base)
        cost, length, position = 0.0, 0, start
        order: list[int] = []
        while position < min(len(tokens), start + _LONGEST_NAME) and left:
            word = tokens[position].norm
            place, extra = self._place(word, left)
            if place is None:
                if length and column.index in self.spans and word in self.lasting and position > start:
                    # `transit time` is the column `transit_days`.
                    position += 1
                    length, cost = position - start, cost + SHORTENED
                    continue
                if length and (word in self.linking or word == "/"):
                    position += 1
                    continue
                break
            index = list(column.base).index(left[place])
            if word.isdigit() and index != len(order):
                # `5 label` is not the column `label 5`.
                break
            order.append(index)
            left.pop(place)
            cost += extra
            position += 1
            length = position - start
        if not length or (
            len(column.base[0]) == 1 and len(column.base) == 1 and tokens[start].text != column.name
        ):
            return None
        left = [word for word in left if word not in self.joining]
        cost += 0.05 if order != sorted(order) else 0.0
        return ColumnMatch(column=column, length=length, cost=cost + self._missing_cost(column, left))

    def _place(self, word: str, left: Sequence[str]) -> tuple[int | None, float]:
        if word in left:
            return left.index(word), EXACT
        stems = self.inflection.stems(word)
        shared = [stems & self.inflection.stems(other) for other in left]
        for place, found in enumerate(shared):
            if any(not is_family(stem) for stem in found):
                return place, INFLECTED
        for place, found in enumerate(shared):
            if found:
                return place, KIN
        return self._place_of_meaning(word, left)

    def _place_of_meaning(self, word: str, left: Sequence[str]) -> tuple[int | None, float]:
        meanings = self.word_meanings.get(word, frozenset())
        for place, other in enumerate(left):
            if meanings & self.word_meanings.get(other, frozenset()):
                return place, SYNONYM
        roots = self.inflection.roots(word)
        for place, other in enumerate(left):
            if roots & self.inflection.roots(other):
                return place, DERIVED
        return None, 0.0

    def _missing_cost(self, column: ColumnFacts, left: Sequence[str]) -> float:
        """Return what it costs that the words `left` of a name were not said."""
        if not left:
            return EXACT
        said = [word for word in column.base if word not in left and word not in self.joining]
        if all(word in self.units or is_note(word, column) for word in said):
            return UNIT_ONLY
        rest = [word for word in left if word not in self.units and not is_note(word, column)]
        if not rest:
            return SHORTENED
        if all(word in self.measuring for word in rest):
            return SYNONYM
        if all(word in self.naming for word in rest):
            return IDENTIFIER if set(rest) & {"id", "serial", "key"} else NAMING
        head = self._head(column)
        return HEAD if head is not None and head not in left else PART

    def _head(self, column: ColumnFacts) -> str | None:
        """Return the noun that a header is about: `imdb rating`, but `спосіб оплати`."""
        words = [word for word in column.base if not self._idle(word, column)]
        if not words:
            return None
        # A genitive stands behind its noun, an adjective before it.
        shortened = f"{words[0]}." in column.name.casefold()
        genitive = not (words[0].isascii() or shortened or words[0].endswith(self.adjectives))
        return words[0] if self.adjectives and genitive else words[-1]

    def _idle(self, word: str, column: ColumnFacts) -> bool:
        """Tell whether a word of a header says nothing of what the column holds."""
        return word in self.units or word in self.joining or is_note(word, column)

    def _by_meaning(self, tokens: Sequence[Token], start: int) -> list[ColumnMatch]:
        found = []
        for length in range(1, min(4, len(tokens) - start) + 1):
            phrase = tuple(token.norm for token in tokens[start : start + length])
            wanted = self.groups.get(phrase, frozenset())
            if not wanted:
                wanted = self._inflected_meaning(phrase[0]) if length == 1 else self._inflected_phrase(phrase)
            for index, meanings in self.meanings.items():
                if wanted & meanings:
                    found.append(ColumnMatch(column=self.columns[index], length=length, cost=SYNONYM))
        return found

    def _inflected_phrase(self, phrase: Phrase) -> frozenset[str]:
        """Return the meanings of a header of several words that was said in another case: `способу оплаты`."""
        return frozenset().union(
            *(
                meanings
                for words, meanings in self._long_groups.get(len(phrase), ())
                if all(self.inflection.alike(one, word) for one, word in zip(phrase, words, strict=True))
            )
        )

    @cached_property
    def _long_groups(self) -> Mapping[int, Sequence[tuple[Phrase, frozenset[str]]]]:
        """Length → the header phrases of so many words whose meaning some column has."""
        held = frozenset().union(*self.meanings.values())
        found: dict[int, list[tuple[Phrase, frozenset[str]]]] = {}
        for words, meanings in self.groups.items():
            if len(words) > 1 and meanings & held:
                found.setdefault(len(words), []).append((words, meanings))
        return found

    @cached_property
    def headed(self) -> list[tuple[str, ColumnFacts]]:
        """(meaning, column) of the meanings that the noun of one header alone has: `imdb_rating`."""
        found: dict[str, list[ColumnFacts]] = {}
        for column in self.columns:
            words = (
                [] if column.unit == "%" else [word for word in column.base if not self._idle(word, column)]
            )
            for meaning in self._inflected_meaning(self._head(column) or "") if len(words) > 1 else ():
                found.setdefault(meaning, []).append(column)
        return [(meaning, listed[0]) for meaning, listed in found.items() if len(listed) == 1]

    def _inflected_meaning(self, word: str) -> frozenset[str]:
        found: set[str] = set()
        for stem in self.inflection.stems(word):
            found |= self.word_meanings.get(stem, frozenset())
        return frozenset(found)


def _holds_names(match: ColumnMatch) -> bool:
    """Tell whether a column was said by its own name, and holds names or codes."""
    return match.cost <= INFLECTED and not (match.column.kind.is_temporal or match.column.kind.is_numeric)
