"""Finding cell values in the words of a question, through the table's value index."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import folded_value
from tabchat.planner.inflection import IOTATED
from tabchat.planner.tokens import without_apostrophe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.inflection import Inflection
    from tabchat.planner.lexicon import Lexicon, Phrase
    from tabchat.planner.tokens import Token

EXACT: Final = 0.0
INFLECTED: Final = 0.3
VERB: Final = 0.8
"""What it costs to read a verb for the participle or the noun that a cell holds."""
_VERBAL_NOUNS: Final = ("ння", "нню", "нням", "нні", "нь", "ние", "ния", "нию", "нием", "нии", "ний")
_SHORT_ENDING: Final = 2
"""Letters that a form of a short cell may have more than the cell."""
_DASHES: Final = frozenset("-–—")
OTHERWISE: Final = 0.4
"""Another word for a cell, behind every form of a cell that is written so."""
_LONGEST_VALUE: Final = 10
_CODE_LENGTH: Final = 3
_SIGNS: Final = " \t/\\\"'«(“[#*.-–—"
_SHORT: Final = 5
"""Letters up to which a change of the stem may touch the key."""
_CROWDED: Final = 32
"""Values of one beginning from which it pays to look at the second word before splitting them."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class ValueMatch:
    """A cell value named by some tokens in a row."""

    column: ColumnFacts
    value: str
    length: int
    cost: float
    inflected: bool


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CellIndex:
    """The listed values of a table by their first letters; a value is only split when a question comes near it."""

    table: PlannerTable
    inflection: Inflection
    by_key: Mapping[str, Mapping[int, Sequence[str]]]
    """First letters → column index → values; few containers, for each one costs the collector time."""
    words: frozenset[Phrase] = frozenset()
    """Other names that are also words of a language, and names in capitals only: `US`."""
    others: Mapping[str, Sequence[tuple[Phrase, frozenset[Phrase], bool]]] = field(default_factory=dict)
    """First word → (phrase, what it may be in a cell, whether it is a form of the same word)."""
    _words: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def _folded(self, value: str) -> tuple[str, ...]:
        if value not in self._words:
            self._words[value] = folded_value(value)
        return self._words[value]

    def find(self, tokens: Sequence[Token], start: int) -> list[ValueMatch]:
        """Return the values that begin at token `start`."""
        after = _key(tokens[start + 1].norm) if start + 1 < len(tokens) else None
        found: list[ValueMatch] = [*self._own(tokens, start), *self._named_otherwise(tokens, start)]
        for index, values in self.by_key.get(_key(tokens[start].norm), {}).items():
            crowded = len(values) > _CROWDED
            near = [value for value in values if _may_follow(value, after)] if crowded else values
            matches = (self._match(index, value, tokens, start) for value in near)
            found += [match for match in matches if match is not None]
        return found

    def _own(self, tokens: Sequence[Token], start: int) -> list[ValueMatch]:
        """Return the cells whose other names, which the person gave, begin at token `start`."""
        return [
            ValueMatch(
                column=column,
                value=self._written(column, cell),
                length=len(words),
                cost=EXACT,
                inflected=False,
            )
            for column in self.table.columns
            for words, cell in column.aliases
            if [token.norm for token in tokens[start : start + len(words)]] == list(words)
        ]

    def _named_otherwise(self, tokens: Sequence[Token], start: int) -> list[ValueMatch]:
        """Return the cells that a language has other words for: `wins` for Won, `British` for United Kingdom."""
        found = []
        for phrase, names, is_form in self.others.get(tokens[start].norm, ()):
            said = tokens[start : start + len(phrase)]
            shouted = phrase not in self.words or said[0].text.isupper()
            if tuple(token.norm for token in said) != phrase or not shouted:
                continue
            found += [
                ValueMatch(
                    column=self.table.columns[index],
                    value=value,
                    length=len(phrase),
                    cost=OTHERWISE,
                    inflected=is_form,
                )
                for name in names
                for index, values in self.by_key.get(_key(name[0]), {}).items()
                for value in values
                if self._folded(value) == name
            ]
        return found

    def _written(self, column: ColumnFacts, cell: str) -> str:
        """Return a cell as the table writes it, whatever case the person used."""
        listed = self.table.values().get(column.index, ())
        if cell in listed:
            return cell
        return next((value for value in listed if value.casefold() == cell.casefold()), cell)

    def _match(self, index: int, value: str, tokens: Sequence[Token], start: int) -> ValueMatch | None:
        words = self._folded(value)
        if not words or len(words) > _LONGEST_VALUE:
            return None
        said, end = _words_from(tokens, start, len(words))
        if len(said) < len(words):
            return None
        inflected, derived = 0, False
        for token, word in zip(said, words, strict=True):
            if token.norm == word:
                continue
            if not self.inflection.alike(token.norm, word):
                derived = len(words) == 1 and self._is_verb_of(token.norm, word)
                if not derived:
                    return None
            inflected += 1
        if (
            inflected
            and sum(len(word) for word in words) <= _CODE_LENGTH
            and not _is_form(said, words, value)
        ):
            return None
        return ValueMatch(
            column=self.table.columns[index],
            value=value,
            length=end - start,
            cost=VERB if derived else INFLECTED if inflected else EXACT,
            inflected=inflected > 0,
        )

    def _is_verb_of(self, word: str, cell: str) -> bool:
        """Tell whether a verb says what a cell does: `скасували` of `скасовано`, but not the noun `скасування`."""
        if word.endswith(_VERBAL_NOUNS):
            return False
        return bool(self.inflection.roots(word) & self.inflection.roots(cell))


def _is_form(said: Sequence[Token], words: Sequence[str], value: str) -> bool:
    """Tell whether what was said can be a form of a cell as short as a code: чаю of Чай, but not чайові."""
    plain = value.islower() or (value.istitle() and not value.isascii())
    return plain and sum(len(token.norm) for token in said) <= sum(map(len, words)) + _SHORT_ENDING


def _words_from(tokens: Sequence[Token], start: int, count: int) -> tuple[list[Token], int]:
    """Return the next words, dashes between them left out (`Київ — Одеса`), and the token behind them."""
    said: list[Token] = []
    place = start
    while place < len(tokens) and len(said) < count:
        if not (said and tokens[place].norm in _DASHES):
            said.append(tokens[place])
        place += 1
    return said, place


def build_cell_index(
    table: PlannerTable, inflection: Inflection, lexicons: Sequence[Lexicon] = ()
) -> CellIndex:
    """Index the listed values of `table`."""
    by_key: dict[str, dict[int, list[str]]] = {}
    for index, values in table.values().items():
        for value in values:
            for key in _keys(_lowered(value), inflection):
                by_key.setdefault(key, {}).setdefault(index, []).append(value)
    others = _other_names(lexicons)
    return CellIndex(
        table=table, inflection=inflection, by_key=by_key, others=others, words=_also_words(others, lexicons)
    )


def _other_names(
    lexicons: Sequence[Lexicon],
) -> Mapping[str, Sequence[tuple[Phrase, frozenset[Phrase], bool]]]:
    found: dict[str, list[tuple[Phrase, frozenset[Phrase], bool]]] = {}
    for lexicon in lexicons:
        for groups, is_form in ((lexicon.cell_forms, True), (lexicon.cell_names, False)):
            for group in groups:
                for phrase in group:
                    found.setdefault(phrase[0], []).append((phrase, group - {phrase}, is_form))
    return found


def _also_words(
    others: Mapping[str, Sequence[tuple[Phrase, frozenset[Phrase], bool]]], lexicons: Sequence[Lexicon]
) -> frozenset[Phrase]:
    return frozenset(
        phrase
        for listed in others.values()
        for phrase, _, is_form in listed
        if not is_form and any(lexicon.find(phrase) for lexicon in lexicons)
    ) - {phrase for listed in others.values() for phrase, _, _ in listed if len(phrase) > 1}


def _keys(value: str, inflection: Inflection) -> tuple[str, ...]:
    """Return the keys under which a value is found: `Київ` under that of `Києва`, too."""
    text = value if value[:1].isalnum() else value.lstrip(_SIGNS)
    word = text[:_SHORT]
    if " " in word or len(text) > _SHORT:
        return (_key(text),)
    changed = (
        word.removesuffix(nominative) + oblique
        for nominative, oblique in inflection.alternations
        if word.endswith(nominative)
    )
    short = (word[:-1] + ending for ending in IOTATED if len(word) == _CODE_LENGTH and word[-1] in "яй")
    return tuple(dict.fromkeys((_key(text), *map(_key, changed), *map(_key, short))))


def _lowered(value: str) -> str:
    lowered = value.casefold().replace("ё", "е")
    return lowered if lowered.isalnum() else without_apostrophe(lowered.replace("’", "'").replace("ʼ", "'"))


def _may_follow(value: str, after: str | None) -> bool:
    """Tell whether a value's second word can be the token whose key is `after`; None when none follows."""
    if " " not in value or not value[-1].isalnum():
        return True
    if value.isascii() and "'" not in value:
        # Most of many values are of this kind, and each of them is looked at for each word of a question.
        return after is not None and after in value.lower()
    return not unicodedata.is_normalized("NFKC", value) or (after is not None and after in _lowered(value))


def _key(text: str) -> str:
    # A stem has at least three letters, so three are always shared by the forms of one word.
    if text[1:3].isalnum() and len(text) > 2:  # noqa: PLR2004 - three letters
        return text[:3]
    return text[:1] if not text[1:2].isalnum() else text[:2]
