"""Tokens → items: every stretch of a question with all that it can mean in this table.

The longest stretch wins; what it could mean is kept side by side, with a cost. Cell values are looked up
only when some word is not a function word or a column by its own name, and typing errors only when a word
still means nothing.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner import cells, weighing
from tabchat.planner.catalog import folded_value, is_row_label, table_words
from tabchat.planner.cell_parts import with_parts, with_rare_values, written_out
from tabchat.planner.decades import decade_at
from tabchat.planner.evidence import Evidence
from tabchat.planner.header_index import build_header_index
from tabchat.planner.headers import NAMING
from tabchat.planner.inflection import MIN_STEM, Inflection, is_family, merged
from tabchat.planner.literal import literal_column
from tabchat.planner.money import with_takings
from tabchat.planner.negation import parted
from tabchat.planner.romanized import names_in_latin
from tabchat.planner.senses import Item, Sense, SenseKind
from tabchat.planner.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import PlannerTable
    from tabchat.planner.cells import CellIndex
    from tabchat.planner.headers import HeaderIndex
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.tokens import Token

SHORT_VALUE: Final = 3
_COUNTRY: Final = "US"
"""In capitals it is no pronoun."""
_COMMON: Final = 0.6
"""Share of the names of rows from which on a word in them stands for what the rows are."""
_FEWEST_NAMES: Final = 5
_DENYING: Final = ("not", "no", "false", "without")
"""Words that turn a question round, and are no column by a part of its name: `Order No.`."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Linked:
    """A question taken apart."""

    items: tuple[Item, ...]
    corrections: tuple[tuple[str, str], ...] = ()
    """(typed, read as) of words that were taken for typing errors."""

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that mean nothing here."""
        return tuple(item.text for item in self.items if item.unknown)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Linker:
    """Links questions in some languages to one table."""

    table: PlannerTable
    lexicons: Sequence[Lexicon]
    headers: HeaderIndex
    value_inflection: Inflection
    own_words: frozenset[str]
    """Stems of the words of the table's name."""
    evidence: Evidence
    """Entities and events that the headers or the table's name show."""
    cell_indexes: list[CellIndex]
    """The value index, once it was needed."""

    def link(self, tokens: Sequence[Token], question: str) -> Linked:
        """Return every stretch of the question with its senses."""
        tokens = parted(self._owners(tokens), self.headers, self.lexicons)
        items = self._segment(tokens, question, values=False)
        named = any(column.aliases for column in self.table.columns)
        coded = any(two.glued and one.kind is TokenKind.NUMBER for one, two in itertools.pairwise(tokens))
        needed = named or coded or any(weighing.needs_values(item) for item in items)
        if needed or weighing.names_cell(items):
            items = self._segment(tokens, question, values=True)
        unknown = [item.start for item in items if item.unknown]
        looked_up = [item.start for item in items if item.unknown or weighing.is_value(item)]
        if looked_up:
            items, unknown = self._rare_values(tokens, question, items, looked_up)
        if unknown:
            items = with_parts(
                items,
                self.table,
                self.value_inflection,
                self.evidence.named(),
                question,
                [(token.start, token.end) for token in tokens],
            )
            unknown = [item.start for item in items if item.unknown]
        if not unknown:
            return Linked(items=items)
        from tabchat.planner.typos import corrected

        unknown = [item.start for item in weighing.free_texts(items, self.table) if item.unknown]
        mended, changes = corrected(
            tokens,
            unknown,
            self._vocabulary,
            self.headers.inflection,
            [lexicon.language for lexicon in self.lexicons],
        )
        if changes:
            known = {item.start: item for item in items}
            items = tuple(
                weighing.dearer(item)
                if item.start in unknown
                else known.get(item.start, item)
                if item.unknown
                else item
                for item in self._segment(mended, question, values=True)
            )
        return Linked(items=weighing.free_texts(items, self.table), corrections=changes)

    def _owners(self, tokens: Sequence[Token]) -> tuple[Token, ...]:
        """Take the ending of possession from words that no lexicon has with it: `Grace's`."""
        return tuple(
            replace(token, norm=token.norm.removesuffix("'s"))
            if token.norm.endswith("'s") and not self._holds(token.norm)
            else token
            for token in tokens
        )

    def _holds(self, word: str) -> bool:
        return any(word in phrase for lexicon in self.lexicons for phrase in lexicon.phrases)

    def _rare_values(
        self, tokens: Sequence[Token], question: str, items: tuple[Item, ...], unknown: list[int]
    ) -> tuple[tuple[Item, ...], list[int]]:
        """Look the unknown words up, with their neighbours, in the columns that are too long for the index."""
        items = with_rare_values(items, tokens, question, self.table, unknown)
        return items, [item.start for item in items if item.unknown]

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """Return the words that a misspelt word may be: of the lexicons, the headers and the listed values."""
        columns, groups = self.table.columns, self.headers.groups
        synonyms = (phrase for column in columns for phrase in column.synonyms)
        phrases = (phrase for lexicon in self.lexicons for phrase in lexicon.phrases)
        named = itertools.chain((column.words for column in columns), synonyms, phrases, groups)
        words = {word for phrase in named for word in phrase}
        listed = (value for values in self.table.values().values() for value in values)
        return frozenset(words.union(folded_value("\n".join(listed))))

    def cells(self) -> CellIndex:
        """Return the value index of the table, built at the first need."""
        if not self.cell_indexes:
            self.cell_indexes.append(cells.build_cell_index(self.table, self.value_inflection, self.lexicons))
        return self.cell_indexes[0]

    def _segment(self, tokens: Sequence[Token], question: str, *, values: bool) -> tuple[Item, ...]:
        items: list[Item] = []
        position = 0
        while position < len(tokens):
            literal = literal_column(self.table, tokens, position, question)
            if literal is not None:
                end, column = literal
                senses: tuple[Sense, ...] = (Sense(kind=SenseKind.COLUMN, column=column),)
            else:
                end, senses = self._longest(tokens, position, values=values)
            text = question[tokens[position].start : tokens[end - 1].end]
            items.append(Item(start=position, end=end, text=text, senses=senses))
            position = end
        located = tuple(ending for lexicon in self.lexicons for ending in lexicon.located)
        going = weighing.directed(weighing.weighed(items), self.headers.meanings, located)
        return weighing.listed_cells(weighing.happened(going, self.evidence))

    def _longest(self, tokens: Sequence[Token], start: int, *, values: bool) -> tuple[int, tuple[Sense, ...]]:
        by_length: dict[int, list[Sense]] = {}
        for length, sense in self._senses(tokens, start, values=values):
            by_length.setdefault(length, []).append(sense)
        if not by_length:
            return start + 1, (Sense(kind=SenseKind.UNKNOWN),)
        length = max(by_length)
        return start + length, weighing.ordered(by_length[length])

    def _senses(self, tokens: Sequence[Token], start: int, *, values: bool) -> list[tuple[int, Sense]]:
        token = tokens[start]
        found: list[tuple[int, Sense]] = []
        if token.kind is TokenKind.DATE:
            return [(1, Sense(kind=SenseKind.DATE, date=token.date))]
        decade = decade_at(tokens, start, self.lexicons)
        if decade is not None:
            return [decade]
        if token.kind is TokenKind.QUOTED:
            found.append((1, Sense(kind=SenseKind.QUOTED, value=token.text)))
        if token.kind is TokenKind.NUMBER:
            found.append((1, Sense(kind=SenseKind.NUMBER, number=token.number, percent=token.percent)))
        found += [
            (length, sense)
            for length, sense in written_out(
                self._concepts(tokens, start),
                self.headers.meanings,
                self.table,
                self.lexicons if values else (),
            )
            if token.kind is not TokenKind.QUOTED and (length > 1 or token.kind is not TokenKind.NUMBER)
        ]
        found += [
            (match.length, Sense(kind=SenseKind.COLUMN, column=match.column, cost=match.cost))
            for match in self.headers.find(tokens, start)
        ]
        if any(length == 1 and sense.has(*_DENYING) for length, sense in found):
            found = [
                (length, sense) for length, sense in found if sense.column is None or sense.cost < NAMING
            ]
        if values:
            cells = self._cells(tokens, start, found)
            found = [*(found if not _is_written_out(token, cells) else _without_words(found)), *cells]
            if not found:
                found = self._namesakes(tokens, start)
        return found

    def _namesakes(self, tokens: Sequence[Token], start: int) -> list[tuple[int, Sense]]:
        from tabchat.planner.namesakes import find_namesakes

        languages = [lexicon.language for lexicon in self.lexicons]
        found = find_namesakes(tokens, start, self.table, self.evidence, self.value_inflection, languages)
        return [
            (
                match.length,
                Sense(kind=SenseKind.VALUE, column=match.column, value=match.value, cost=match.cost),
            )
            for match in found
        ]

    def _concepts(self, tokens: Sequence[Token], start: int) -> list[tuple[int, Sense]]:
        words = tuple(
            token.norm for token in tokens[start : start + max(lexicon.longest for lexicon in self.lexicons)]
        )
        for length in range(len(words), 0, -1):
            concepts = frozenset().union(*(lexicon.find(words[:length]) for lexicon in self.lexicons))
            if length == 1 and self._names_rows(words[0]):
                concepts |= {"entity.rows"}
            if length == 1 and tokens[start].text == _COUNTRY:
                concepts = frozenset()
            concepts = self._evident(concepts)
            if concepts:
                return [(length, Sense(kind=SenseKind.CONCEPT, concepts=concepts))]
        return []

    def _evident(self, concepts: frozenset[str]) -> frozenset[str]:
        """Leave out the entities and events of which the table shows no sign,."""
        return frozenset(
            concept
            for concept in concepts
            if not concept.startswith(("entity.", "event.")) or self.evidence.shows(concept)
        )

    def _names_rows(self, word: str) -> bool:
        stems = self.headers.inflection.stems(word)
        if stems & self.own_words or names_in_latin(stems, table_words(self.table)):
            return True
        return bool(stems & self._label_words) and not any(lexicon.find((word,)) for lexicon in self.lexicons)

    @cached_property
    def _label_words(self) -> frozenset[str]:
        """Return the stems of the words that most names of rows hold: `… замок`, `… Bridge`."""
        label = next((column for column in self.table.columns if column.kind is ColumnKind.TEXT), None)
        # Reading the cells takes time, and in most tables no column names the rows.
        if label is None or not is_row_label(self.table, label):
            return frozenset()
        texts = self.table.values().get(label.index, ())
        if len(texts) < _FEWEST_NAMES:
            return frozenset()
        held = Counter(word for text in texts for word in set(folded_value(text)) if len(word) >= MIN_STEM)
        common = [word for word, times in held.items() if times >= _COMMON * len(texts)]
        return frozenset().union(*(self.headers.inflection.stems(word) for word in common))

    def _cells(
        self, tokens: Sequence[Token], start: int, others: Sequence[tuple[int, Sense]]
    ) -> list[tuple[int, Sense]]:
        function_word = any(
            length == 1 and sense.kind is SenseKind.CONCEPT and not sense.has(*weighing.RISKY)
            for length, sense in others
        )
        found = []
        for match in self.cells().find(tokens, start):
            extra = 0.0
            if match.length == 1 and function_word:
                if len(match.value) <= SHORT_VALUE and tokens[start].text != match.value:
                    continue
                extra = 0.5
            if match.length == 1 and tokens[start].kind is TokenKind.NUMBER:
                extra = 0.0 if tokens[start].text.startswith("0") else 1.5
            sense = Sense(
                kind=SenseKind.VALUE,
                column=match.column,
                value=match.value,
                cost=match.cost + extra,
                inflected=match.inflected,
                timed=any(
                    length == match.length and sense.has("unit.", "every.") for length, sense in others
                ),
            )
            found.append((match.length, sense))
        return found


def _is_written_out(token: Token, cells: Sequence[tuple[int, Sense]]) -> bool:
    """Tell whether a word in capitals is a cell as it stands, such as the method `GET`, which then is no verb."""
    capitals = len(token.text) > 1 and token.text.isupper()
    return capitals and any(length == 1 and sense.value == token.text for length, sense in cells)


def _without_words(found: Sequence[tuple[int, Sense]]) -> list[tuple[int, Sense]]:
    return [(length, sense) for length, sense in found if length > 1 or sense.kind is not SenseKind.CONCEPT]


def build_linker(
    table: PlannerTable, lexicons: Sequence[Lexicon], header_lexicons: Sequence[Lexicon]
) -> Linker:
    """Prepare a linker for questions in the languages of `lexicons`; those of the headers may be others."""
    headers = build_header_index(table, header_lexicons)
    evidence = Evidence(table, header_lexicons, headers.inflection)
    headers = with_takings(headers, evidence, header_lexicons)
    own = frozenset().union(
        *(headers.inflection.stems(word) for word in table_words(table) if not word.isdigit())
    )
    return Linker(
        table=table,
        lexicons=lexicons,
        headers=headers,
        value_inflection=merged(lexicon.value_inflection for lexicon in lexicons),
        own_words=frozenset(stem for stem in own if len(stem) >= MIN_STEM and not is_family(stem)),
        evidence=evidence,
        cell_indexes=[],
    )
