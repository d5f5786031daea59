"""The words of one table: its columns, its cells, and what a row is called."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.reader.text.vocabulary import CURRENCIES
from tabchat.planner.derived import SPANS
from tabchat.planner.intent import all_conditions
from tabchat.planner.links.cell_texts import CellTexts
from tabchat.planner.links.columns import LOOKED_AT, TableColumn
from tabchat.planner.links.events import default_dates_of, twins_of
from tabchat.planner.links.foreign import with_nouns, words_meant
from tabchat.planner.links.header_words import HeaderWords
from tabchat.planner.links.medals import columns_of
from tabchat.planner.links.nearness import meanings_of
from tabchat.planner.links.units import MANY_UNITS, MONEY, RANKS, Stock
from tabchat.planner.words.token import fold, header_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.planner.context import UserContext
    from tabchat.planner.intent import Condition, Intent, Key
    from tabchat.planner.links.nearness import Meaning
    from tabchat.planner.words import Languages, Lexicon

_NAMES: Final = frozenset({"name", "title", "назва", "название", "ім'я", "имя"})
"""Words of headers of names."""
_FEW: Final = 20
"""Different cells of a column of kinds of things."""
_MOST_COUNTRIES: Final = 300
"""Different texts of a column of countries."""
_MOST_SPELLED: Final = 5_000
"""Texts whose words misspelt ones are compared with."""

_CODE: Final = re.compile(r"[A-Za-z]{3}")
"""What codes of currencies look like (ISO 4217)."""


class Vocabulary:
    """The words of one table; what is looked up often is built at the first need."""

    def __init__(
        self, facts: TableFacts, columns: Sequence[TableColumn], lexicons: Sequence[Lexicon]
    ) -> None:
        self.facts = facts
        self.columns = tuple(columns)
        self.lexicons = tuple(lexicons)
        self._evidence: dict[str, frozenset[str]] = {}
        self.indexes: dict[tuple[str, ...], Any] = {}
        """Languages → the index of the headers by their words, built at the first question."""

    def evidence(self, name: str) -> frozenset[str]:
        """Return the header words of any language that show that a table has something: an event, a role, a kind of rows."""
        if name not in self._evidence:
            self._evidence[name] = frozenset().union(*(one.evidence.get(name, ()) for one in self.lexicons))
        return self._evidence[name]

    @cached_property
    def by_name(self) -> Mapping[str, TableColumn]:
        """Columns by exact name."""
        return {column.name: column for column in self.columns}

    @cached_property
    def unique(self) -> frozenset[str]:
        """Names of the columns that hold no cell twice."""
        return frozenset(column.name for column in self.columns if column.kept_unique or column.facts.unique)

    @cached_property
    def amounts(self) -> Mapping[str, str]:
        """Price → the column that no file has of what a row comes to at it."""
        sums = (column.facts for column in self.columns if column.facts.operands)
        return {facts.operands[-1]: facts.name for facts in sums if facts.unit not in SPANS}

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
    def label(self) -> TableColumn | None:
        """The column that names a row: of unique texts, names before codes and ranks; else the first with many values."""
        texts = [column for column in self.columns if column.text and column.wordy]
        unique = [column for column in texts if column.kept_unique]
        if unique:
            return min(
                unique,
                key=lambda column: (
                    "name" not in column.groups and _NAMES.isdisjoint(column.words),
                    bool(RANKS & {*column.words}),
                ),
            )
        rows = self.facts.row_count or 0
        many = (column.facts.distinct and 2 * column.facts.distinct > rows for column in texts)
        return next((column for column, is_one in zip(texts, many, strict=True) if is_one), None)

    @cached_property
    def called_persons(self) -> tuple[TableColumn, ...]:
        """Columns of texts whose headers name persons."""
        roles = self.evidence("who")
        return tuple(column for column in self.columns if column.text and not roles.isdisjoint(column.words))

    @cached_property
    def people(self) -> tuple[TableColumn, ...]:
        """Columns of texts whose headers name persons, then those whose cells look like names of persons."""
        called = self.called_persons
        named = [column for column in self.columns if column.text and column.named and column not in called]

        def acts(column: TableColumn) -> bool:
            return any(lexicon.acts(word) for lexicon in self.lexicons for word in column.words)

        # `Castle Bridge` is written like a name, too: an `Inspector` is one by his header.
        return (*called, *sorted(named, key=acts, reverse=True))

    @cached_property
    def surnames(self) -> dict[str, str]:
        """First names → surnames, where these are columns of their own."""
        first, last = (
            [column.name for column in self.columns if column.text and group in column.groups]
            for group in ("given_name", "surname")
        )
        return {first[0]: last[0]} if len(first) == len(last) == 1 else {}

    def in_full(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return columns with the surnames that belong to first names among them."""
        if self.surnames.keys().isdisjoint(names) or not set(names).isdisjoint(self.surnames.values()):
            return names
        return tuple(full for name in names for full in (name, self.surnames.get(name)) if full is not None)

    @cached_property
    def holds_people(self) -> bool:
        """Whether rows are called after persons: members, patients."""
        roles = self.evidence("person")
        nouns = self.facts.row_nouns
        return any(lexicon.alike(role, noun) for lexicon in self.lexicons for role in roles for noun in nouns)

    @cached_property
    def currency_columns(self) -> tuple[TableColumn, ...]:
        """Columns whose cells are currencies, of which there are several; one or the other may be little known."""
        return tuple(
            column
            for column in self.columns
            if column.text and column.facts.complete and 1 < len(column.facts.texts) <= MANY_UNITS
            if all(text in CURRENCIES or _CODE.fullmatch(text) for text in column.facts.texts)
            if 2 * sum(text.upper() in CURRENCIES for text in column.facts.texts) >= len(column.facts.texts)
        )

    @cached_property
    def states(self) -> frozenset[str]:
        """The folded cells of columns with few different ones, without the point of `pcs.`."""
        few = (column.facts.texts for column in self.columns if len(column.facts.texts) <= _FEW)
        return frozenset(fold(text).rstrip(".") for texts in few for text in texts)

    @cached_property
    def places(self) -> tuple[TableColumn, ...]:
        """Columns of texts whose headers name places, in the order of the file."""
        roles = self.evidence("where")
        return tuple(column for column in self.columns if column.text and not roles.isdisjoint(column.words))

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
    def twins(self) -> Mapping[str, Condition]:
        """Date → the condition that as many rows meet as have it: `closed_at`, of those that are `closed`."""
        return twins_of(self)

    @cached_property
    def default_dates(self) -> tuple[TableColumn, ...]:
        """Columns of dates that may be meant where none is named."""
        return default_dates_of(self)

    def lacks(self, column: TableColumn) -> bool:
        """Tell whether cells of a column are known to be missing."""
        filled, rows = column.facts.filled, self.facts.row_count
        return filled is not None and rows is not None and filled < rows

    @cached_property
    def openings(self) -> tuple[TableColumn, ...]:
        """Columns of dates from which others depart, which depart from none: that of an order, rather than of its delivery."""
        derived = [column.facts for column in self.columns if column.facts.operands]
        spans = [facts.operands for facts in derived if facts.unit in SPANS]
        ends, starts = {end for _, end in spans}, {start for start, _ in spans}
        return tuple(column for column in self.dates if column.name in starts - ends)

    def timed_by(self, intent: Intent) -> frozenset[str]:
        """Return the columns of dates that an intent takes a time of; the first of the table where it names none."""
        first = [column.name for column in self.dates[:1]]
        named = (period.column for period in intent.periods)
        # `above average` compares with a part, too, and with no time.
        parts = {one.column for one in all_conditions(intent) if one.part and self.by_name[one.column].dated}
        return frozenset(parts.union(*([name] if name is not None else first for name in named)))

    @cached_property
    def tells_apart(self) -> bool:
        """Whether a column names or numbers each row, so that a row is one thing: neither a day nor a measure does."""
        columns = (self.by_name[name] for name in self.unique)
        return any(not (column.dated or column.measure) for column in columns)

    @cached_property
    def money(self) -> tuple[TableColumn, ...]:
        """Columns of amounts of money, those that a sale comes to first."""

        def rank(column: TableColumn) -> int:
            return next((rank for rank, group in enumerate(MONEY) if group in column.kinds), len(MONEY))

        return tuple(sorted((column for column in self.measures if column.monetary), key=rank))

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
            known = 2 * sum(code is not None for code in head) >= len(head)
            for text in texts if known else ():
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
    spelled = words_meant(facts, languages, lexicons)
    headers = HeaderWords(facts := with_nouns(facts, spelled), languages, every, spelled)
    return Vocabulary(facts, columns_of(facts, Stock(every, headers), context), every)
