"""Tokens → items: every stretch of a question with all that it can mean in this table.

The longest stretch wins; what it could mean is kept side by side, with a cost. Cell values are looked up
only when some word is not a function word or a column by its own name, and typing errors only when a word
still means nothing.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner import cells
from tabchat.planner.catalog import folded_value, table_words
from tabchat.planner.evidence import Evidence
from tabchat.planner.headers import NAMING, SYNONYM, build_header_index
from tabchat.planner.inflection import MIN_STEM, Inflection, merged
from tabchat.planner.negation import parted
from tabchat.planner.senses import Item, Sense, SenseKind
from tabchat.planner.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import PlannerTable
    from tabchat.planner.cells import CellIndex
    from tabchat.planner.headers import HeaderIndex
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.tokens import Token

CONCEPT_COST: Final = 0.4
"""What it costs to read a word by the lexicon when it also is a column's own name."""
TYPO_COST: Final = 0.6
"""What it costs to read a word as another one."""
_NEIGHBOURS: Final = 4
"""Words on either side that may belong to a value together with an unknown one."""
SHORT_VALUE: Final = 3
_DENYING: Final = ("not", "no", "false", "without")
"""Words that turn a question round, and are no column by a part of its name: `Order No.`."""
_RISKY: Final = ("refuse.", "event.", "verb.", "entity.", "scale.", "stop.light_verb")


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
        tokens = parted(tokens, self.headers, self.lexicons)
        items = self._segment(tokens, question, values=False)
        named = any(column.aliases for column in self.table.columns)
        if named or any(_needs_values(item) for item in items) or _names_cell(items):
            items = self._segment(tokens, question, values=True)
        unknown = [item.start for item in items if item.unknown]
        looked_up = [item.start for item in items if item.unknown or _is_value(item)]
        if looked_up:
            items, unknown = self._rare_values(tokens, question, items, looked_up)
        if not unknown:
            return Linked(items=items)
        from tabchat.planner.typos import corrected

        unknown = [item.start for item in _free_texts(items, self.table) if item.unknown]
        mended, changes = corrected(
            tokens,
            unknown,
            self._vocabulary,
            self.headers.inflection,
            [lexicon.language for lexicon in self.lexicons],
        )
        if changes:
            items = tuple(
                _dearer(item) if item.start in unknown else item
                for item in self._segment(mended, question, values=True)
            )
        return Linked(items=_free_texts(items, self.table), corrections=changes)

    def _rare_values(
        self, tokens: Sequence[Token], question: str, items: tuple[Item, ...], unknown: list[int]
    ) -> tuple[tuple[Item, ...], list[int]]:
        """Look the unknown words up, with their neighbours, in the columns that are too long for the index."""
        spans: dict[str, tuple[int, int]] = {}
        for place in unknown:
            for start in range(max(0, place - _NEIGHBOURS), place + 1):
                for end in range(place + 1, min(len(tokens), place + _NEIGHBOURS + 1) + 1):
                    text = question[tokens[start].start : tokens[end - 1].end]
                    spans[text.casefold()] = (start, end)
        for index, cell in self.table.find_texts(tuple(spans)):
            start, end = spans.get(cell.strip().casefold(), (0, 0))
            held = {(sense.column, sense.value) for item in items for sense in item.senses}
            if end and (self.table.columns[index], cell) not in held:
                sense = Sense(kind=SenseKind.VALUE, column=self.table.columns[index], value=cell)
                items = _with_value(items, start, end, sense, question, tokens)
        return items, [item.start for item in items if item.unknown]

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """Return the words that a misspelt word may be: of the lexicons, the headers and the listed values."""
        words = {word for column in self.table.columns for word in column.words}
        words |= {word for column in self.table.columns for phrase in column.synonyms for word in phrase}
        for lexicon in self.lexicons:
            words |= {word for phrase in lexicon.phrases for word in phrase}
        words |= {word for phrase in self.headers.groups for word in phrase}
        listed = (value for values in self.table.values().values() for value in values)
        return frozenset(words.union(folded_value("\n".join(listed))))

    def cells(self) -> CellIndex:
        """Return the value index of the table, built at the first need."""
        if not self.cell_indexes:
            self.cell_indexes.append(cells.build_cell_index(self.table, self.value_inflection))
        return self.cell_indexes[0]

    def _segment(self, tokens: Sequence[Token], question: str, *, values: bool) -> tuple[Item, ...]:
        items: list[Item] = []
        position = 0
        while position < len(tokens):
            end, senses = self._longest(tokens, position, values=values)
            text = question[tokens[position].start : tokens[end - 1].end]
            items.append(Item(start=position, end=end, text=text, senses=senses))
            position = end
        return _weighed(items)

    def _longest(self, tokens: Sequence[Token], start: int, *, values: bool) -> tuple[int, tuple[Sense, ...]]:
        by_length: dict[int, list[Sense]] = {}
        for length, sense in self._senses(tokens, start, values=values):
            by_length.setdefault(length, []).append(sense)
        if not by_length:
            return start + 1, (Sense(kind=SenseKind.UNKNOWN),)
        length = max(by_length)
        return start + length, _ordered(by_length[length])

    def _senses(self, tokens: Sequence[Token], start: int, *, values: bool) -> list[tuple[int, Sense]]:
        token = tokens[start]
        found: list[tuple[int, Sense]] = []
        if token.kind is TokenKind.DATE:
            return [(1, Sense(kind=SenseKind.DATE, date=token.date))]
        if token.kind is TokenKind.QUOTED:
            found.append((1, Sense(kind=SenseKind.QUOTED, value=token.text)))
        if token.kind is TokenKind.NUMBER:
            found.append((1, Sense(kind=SenseKind.NUMBER, number=token.number, percent=token.percent)))
        found += [
            (length, sense)
            for length, sense in self._concepts(tokens, start)
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
            found += self._cells(tokens, start, found)
        return found

    def _concepts(self, tokens: Sequence[Token], start: int) -> list[tuple[int, Sense]]:
        words = tuple(
            token.norm for token in tokens[start : start + max(lexicon.longest for lexicon in self.lexicons)]
        )
        for length in range(len(words), 0, -1):
            concepts = frozenset().union(*(lexicon.find(words[:length]) for lexicon in self.lexicons))
            if length == 1 and self._names_rows(words[0]):
                concepts |= {"entity.rows"}
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
        return bool(self.headers.inflection.stems(word) & self.own_words)

    def _cells(
        self, tokens: Sequence[Token], start: int, others: Sequence[tuple[int, Sense]]
    ) -> list[tuple[int, Sense]]:
        function_word = any(
            length == 1 and sense.kind is SenseKind.CONCEPT and not sense.has(*_RISKY)
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
            )
            found.append((match.length, sense))
        return found


def build_linker(
    table: PlannerTable, lexicons: Sequence[Lexicon], header_lexicons: Sequence[Lexicon]
) -> Linker:
    """Prepare a linker for questions in the languages of `lexicons`; those of the headers may be others."""
    headers = build_header_index(table, header_lexicons)
    own = frozenset().union(
        *(headers.inflection.stems(word) for word in table_words(table) if not word.isdigit())
    )
    return Linker(
        table=table,
        lexicons=lexicons,
        headers=headers,
        value_inflection=merged(lexicon.value_inflection for lexicon in lexicons),
        own_words=frozenset(stem for stem in own if len(stem) >= MIN_STEM),
        evidence=Evidence(table, header_lexicons, headers.inflection),
        cell_indexes=[],
    )


def _with_value(
    items: tuple[Item, ...], start: int, end: int, sense: Sense, question: str, tokens: Sequence[Token]
) -> tuple[Item, ...]:
    """Put a value in the place of the items that it covers, when it covers whole items."""
    covered = [item for item in items if start <= item.start and item.end <= end]
    if not covered or covered[0].start != start or covered[-1].end != end:
        return items
    same = covered[0].senses if len(covered) == 1 and not covered[0].unknown else ()
    text = question[tokens[start].start : tokens[end - 1].end]
    made = Item(start=start, end=end, text=text, senses=(*same, sense))
    first = items.index(covered[0])
    return (*items[:first], made, *items[first + len(covered) :])


def _weighed(items: Sequence[Item]) -> tuple[Item, ...]:
    """Weigh a word that is a column of quantities and also asks for a count (`кількість`).

    Before a noun for rows it counts them; before a noun for things either may be meant.
    """
    row = list(items)
    for place, (item, after) in enumerate(itertools.pairwise(items)):
        counts = [sense for sense in item.senses if sense.has("count")]
        columns = [sense for sense in item.senses if sense.kind is SenseKind.COLUMN]
        if not counts or not columns:
            continue
        if any(sense.has("rows") for sense in after.senses):
            row[place] = replace(item, senses=tuple(replace(sense, cost=0.0) for sense in counts))
        elif any(sense.has("entity.", "event.") for sense in after.senses):
            best = min(sense.cost for sense in columns)
            equal = [replace(sense, cost=best) for sense in counts]
            row[place] = replace(item, senses=(*columns, *equal))
    return tuple(row)


def _is_value(item: Item) -> bool:
    return any(sense.kind is SenseKind.VALUE for sense in item.senses)


def _free_texts(items: tuple[Item, ...], table: PlannerTable) -> tuple[Item, ...]:
    """Take a word as it stands after `contains` or `starts with`, and in `with … in the name`."""
    row = list(items)
    for place, (before, item) in enumerate(itertools.pairwise(row), start=1):
        if not item.unknown:
            continue
        if any(sense.has("text.") for sense in before.senses) or (
            any(sense.has("in") for sense in before.senses) and _in_label(row[place + 1 :], table)
        ):
            row[place] = replace(item, senses=(Sense(kind=SenseKind.QUOTED, value=item.text),))
    return tuple(row)


def _in_label(items: Sequence[Item], table: PlannerTable) -> bool:
    """Tell whether `in the name` follows, of a column whose texts mostly differ."""
    said = [item for item in items[:3] if not any(sense.has("stop.article") for sense in item.senses)]
    if len(said) < 2 or not any(sense.has("in") for sense in said[0].senses):  # noqa: PLR2004 - `in` and a name
        return False
    column = said[1].senses[0].column
    return (
        said[1].senses[0].kind is SenseKind.COLUMN
        and column is not None
        and column.kind is ColumnKind.TEXT
        and 2 * table.spread(column).distinct > table.row_count
    )


def _dearer(item: Item) -> Item:
    """Let a corrected word lose against a reading without it."""
    return replace(item, senses=tuple(replace(sense, cost=sense.cost + TYPO_COST) for sense in item.senses))


def _needs_values(item: Item) -> bool:
    return all(
        sense.kind is SenseKind.UNKNOWN
        or (sense.kind is SenseKind.COLUMN and sense.cost > 0)
        or (sense.kind is SenseKind.CONCEPT and sense.has(*_RISKY))
        for sense in item.senses
    )


def _names_cell(items: Sequence[Item]) -> bool:
    """Tell whether a number stands beside a text column, as in `code 00131`."""
    for one, two in itertools.pairwise(items):
        kinds = [
            any(
                sense.kind is SenseKind.NUMBER
                or (sense.column is not None and sense.column.kind is ColumnKind.TEXT)
                for sense in item.senses
            )
            for item in (one, two)
        ]
        if all(kinds) and any(item.senses[0].kind is SenseKind.NUMBER for item in (one, two)):
            return True
    return False


def _only_noun(sense: Sense) -> bool:
    """Tell whether a sense says no more than that rows are meant, which a column of that name says better."""
    return bool(sense.concepts) and all(item.startswith(("entity.", "event.")) for item in sense.concepts)


def _ordered(senses: Sequence[Sense]) -> tuple[Sense, ...]:
    columns = [sense.column for sense in senses if sense.kind is SenseKind.COLUMN and sense.cost < 1]
    named = bool(columns)
    if any(column is not None and not column.kind.is_temporal for column in columns):
        nouns_said = frozenset().union(*(sense.concepts for sense in senses if _only_noun(sense)))
        senses = [
            replace(sense, concepts=nouns_said) if sense.kind is SenseKind.COLUMN else sense
            for sense in senses
            if not _only_noun(sense)
        ]
    nouns = [sense for sense in senses if sense.kind is SenseKind.CONCEPT and sense.has("entity.", "event.")]
    if nouns and not named:
        # A part of a name is a weaker hint than the noun; a synonym of a name is as good as the noun.
        senses = [sense for sense in senses if sense.kind is not SenseKind.COLUMN or sense.cost <= SYNONYM]
        best = min((sense.cost for sense in senses if sense.kind is SenseKind.COLUMN), default=0.0)
        senses = [replace(sense, cost=best) if sense in nouns else sense for sense in senses]
    costed = [
        Sense(kind=sense.kind, concepts=sense.concepts, cost=CONCEPT_COST)
        if named and sense.kind is SenseKind.CONCEPT
        else sense
        for sense in senses
    ]
    return tuple(sorted(costed, key=lambda sense: sense.cost))
