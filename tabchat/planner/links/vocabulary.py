"""The words of one table: its columns, its cells, and what a row is called."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.links.columns import LOOKED_AT, MONEY, RANKS, TableColumn, column_of
from tabchat.planner.links.nearness import meanings_of
from tabchat.planner.links.texts import CellTexts
from tabchat.planner.words.token import fold, header_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.planner.context import UserContext
    from tabchat.planner.intent import Key
    from tabchat.planner.links.nearness import Meaning
    from tabchat.planner.words import Languages, Lexicon

_MOST_COUNTRIES: Final = 300
"""Different texts of a column of countries."""
_MOST_SPELLED: Final = 5_000
"""Texts whose words misspelt ones are compared with."""


class Stock:
    """The word lists of several lexicons as one."""

    def __init__(self, lexicons: Iterable[Lexicon]) -> None:
        self.lexicons = tuple(lexicons)
        self.units = self._union("units")
        self.naming = self._union("naming")
        self.joining = self._union("joining")
        self.identifying = self._union("identifying")
        self.nonadditive = self._union("nonadditive")

    def _union(self, name: str) -> frozenset[str]:
        return frozenset().union(*(getattr(lexicon, name) for lexicon in self.lexicons))

    def named(self, word: str, family: str) -> set[str]:
        """Return the concepts of a family that a word says in any language, without its name."""
        concepts = (name for lexicon in self.lexicons for name in lexicon.find((word,)))
        return {name.removeprefix(family) for name in concepts if name.startswith(family)}


class Vocabulary:
    """The words of one table; what is looked up often is built at the first need."""

    def __init__(
        self, facts: TableFacts, columns: Sequence[TableColumn], lexicons: Sequence[Lexicon]
    ) -> None:
        self.facts = facts
        self.columns = tuple(columns)
        self.lexicons = tuple(lexicons)
        self.indexes: dict[tuple[str, ...], Any] = {}
        """Languages → the index of the headers by their words, built at the first question."""

    @cached_property
    def by_name(self) -> Mapping[str, TableColumn]:
        """Columns by exact name."""
        return {column.name: column for column in self.columns}

    @cached_property
    def unique(self) -> frozenset[str]:
        """Names of the columns that hold no cell twice."""
        return frozenset(column.name for column in self.columns if column.kept_unique or column.facts.unique)

    @cached_property
    def texts(self) -> CellTexts:
        """The cells of the text columns, ready to be searched."""
        return CellTexts(
            [(column.place, column.facts.texts) for column in self.columns if column.facts.texts]
        )

    @cached_property
    def meanings(self) -> tuple[Meaning, ...]:
        """Words of the table by what they mean."""
        return meanings_of(self)

    @cached_property
    def labels(self) -> tuple[TableColumn, ...]:
        """Columns that name the rows, the likeliest first: unique texts, names before codes, left before right."""
        found = [column for column in self.columns if column.text and column.kept_unique and column.wordy]
        return tuple(
            sorted(
                found,
                key=lambda column: (
                    "name" not in column.groups,
                    bool(RANKS & set(column.words)),
                    column.place,
                ),
            )
        )

    @cached_property
    def label(self) -> TableColumn | None:
        """The column that names a row: the first unique text, else the first column of texts with many values."""
        if self.labels:
            return self.labels[0]
        rows = self.facts.row_count or 0
        many = [
            column
            for column in self.columns
            if column.text and column.wordy and column.facts.distinct and 2 * column.facts.distinct > rows
        ]
        return many[0] if many else None

    @cached_property
    def people(self) -> tuple[TableColumn, ...]:
        """Columns of texts whose headers name persons, then those whose cells look like names of persons."""
        roles = frozenset().union(*(lexicon.evidence.get("who", frozenset()) for lexicon in self.lexicons))
        texts = [column for column in self.columns if column.text]
        called = [column for column in texts if not roles.isdisjoint(column.words)]
        named = [column for column in texts if column.named and column not in called]
        # `Castle Bridge` is written like a name, too: an `Inspector` is one by his header.
        acting = [column for column in named if any(map(self._acts, column.words))]
        return (*called, *acting, *(column for column in named if column not in acting))

    def _acts(self, word: str) -> bool:
        return any(lexicon.acts(word) for lexicon in self.lexicons)

    def directed(self, column: TableColumn) -> bool:
        """Tell whether the cells of a column say of some rows that they came in, and of others that they went out."""
        texts = column.facts.texts if column.text else ()
        if not 1 < len(texts) <= LOOKED_AT:
            return False
        ways = {
            name.split(".")[2]
            for lexicon in self.lexicons
            for name, words in lexicon.written.items()
            if name.startswith("cell.movement.") and words & {fold(text) for text in texts}
        }
        return len(ways) > 1

    @cached_property
    def dates(self) -> tuple[TableColumn, ...]:
        """Columns of dates; where there is none, of texts that name months or quarters."""
        found = tuple(column for column in self.columns if column.temporal)
        return found or tuple(column for column in self.columns if column.facts.span is not None)

    @cached_property
    def money(self) -> tuple[TableColumn, ...]:
        """Columns of amounts of money, those that a sale comes to first."""
        ranked = [
            (next((rank for rank, group in enumerate(MONEY) if group in column.kinds), len(MONEY)), column)
            for column in self.measures
            if column.monetary
        ]
        return tuple(column for _, column in sorted(ranked, key=lambda pair: (pair[0], pair[1].place)))

    def is_timed(self, key: Key) -> bool:
        """Tell whether the groups of a key follow one another in time."""
        column = self.by_name.get(key.column or "")
        return key.unit is not None or (column is not None and bool(column.dated or column.facts.years))

    @cached_property
    def year_columns(self) -> tuple[TableColumn, ...]:
        """Columns of whole numbers that are years."""
        return tuple(column for column in self.columns if column.facts.years)

    @cached_property
    def measures(self) -> tuple[TableColumn, ...]:
        """Columns of amounts, of those that the file has."""
        return tuple(column for column in self.columns if column.measure and not column.facts.operands)

    @cached_property
    def countries(self) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Code of a country → (place of the column, cell) of the cells that name it, in columns of countries."""
        found: dict[str, list[tuple[int, str]]] = {}
        for column in self.columns:
            texts = column.facts.texts if column.text else ()
            if not texts or len(texts) > _MOST_COUNTRIES:
                continue
            head = [self._country(text) for text in texts[:LOOKED_AT]]
            if 2 * sum(code is not None for code in head) < len(head):
                continue
            for text in texts:
                code = self._country(text)
                if code is not None:
                    found.setdefault(code, []).append((column.place, text))
        return {code: tuple(cells) for code, cells in found.items()}

    def _country(self, text: str) -> str | None:
        words = [word for word in fold(text).replace(".", "").split() if word]
        return next(
            (code for lexicon in self.lexicons if (code := lexicon.country(*words)) is not None), None
        )

    @cached_property
    def header_stock(self) -> frozenset[str]:
        """Every word of every header and of the table's name, and what its rows are called."""
        named = [*header_words(self.facts.name), *self.facts.row_nouns]
        return frozenset({word for column in self.columns for word in column.words} | set(named))

    @cached_property
    def spelled(self) -> frozenset[str]:
        """Every word of the headers and of the cells, which misspelt words may have been meant to be."""
        return self.header_stock | self.texts.words(_MOST_SPELLED)

    def known(self, word: str) -> bool:
        """Tell whether a folded word stands in a header or in a cell."""
        return word in self.header_stock or self.texts.holds(word)


def vocabulary_of(
    facts: TableFacts, languages: Languages, lexicons: Sequence[Lexicon], context: UserContext | None = None
) -> Vocabulary:
    """Take the headers of a table apart, in the languages that they may be written in."""
    every = [*lexicons]
    for language in languages.of(" ".join(column.name for column in facts.columns)):
        lexicon = languages.load(language)
        if lexicon not in every:
            every.append(lexicon)
    stock = Stock(every)
    columns = [column_of(place, column, stock, facts, context) for place, column in enumerate(facts.columns)]
    return Vocabulary(facts, columns, every)
