"""The words of one table: its headers taken apart, what its columns are by their facts, and what a row is called."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.links.texts import CellTexts
from tabchat.planner.words.token import fold, header_words
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.facts.records import ColumnFacts, TableFacts
    from tabchat.planner.context import UserContext
    from tabchat.planner.words import Languages, Lexicon, Quantity

_NEAR_UNIQUE: Final = 0.9
_MOST_COUNTRIES: Final = 300
"""Different texts of a column of countries."""
_MONEY: Final = (
    "revenue",
    "amount",
    "total",
    "gross",
    "sales",
    "price",
    "cost",
    "budget",
    "salary",
    "profit",
)
"""Groups of headers of money, by how likely `how much money` means them."""
_CURRENCIES: Final = frozenset({"usd", "eur", "uah", "rub", "gbp"})
_LENGTHS: Final = {
    "length": ("length", "distance"),
    "height": ("height", "elevation"),
    "duration": ("duration",),
    "price": ("price", "cost", "amount"),
    "cost": ("cost", "price", "amount"),
}
"""Dimension of a comparative → groups of headers that have it."""
_BEHIND_NAME: Final = re.compile(r"[,(\[/]")
"""What begins a unit or a note behind the name in a header."""
_PERSON: Final = re.compile(r"[^\W\d_a-zа-яіїєґ][\w'’.-]*( [^\W\d_a-zа-яіїєґ][\w'’.-]*){1,2}")
_SIZES: Final = (
    {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "inch": 0.0254, "foot": 0.3048, "mile": 1609.344},
    {
        "mg": 0.001,
        "g": 1.0,
        "kg": 1000.0,
        "t": 1_000_000.0,
        "tonne": 1_000_000.0,
        "oz": 28.349523125,
        "lb": 453.59237,
    },
    {"ml": 0.001, "l": 1.0},
)
"""Units of length, mass and volume in one of them (yards and pounds by the international agreement of 1959)."""
_BEYOND: Final = 3
"""How far beyond the greatest cell a number lies that was not counted in the scale of the header."""
_SCALES: Final = {"k": 1e3, "m": 1e6, "b": 1e9}
_MOST_SPELLED: Final = 5_000
"""Texts whose words misspelt ones are compared with."""
_LOOKED_AT: Final = 8
"""Texts by which such a column is told."""
RANKS: Final = frozenset({"rank", "ranking", "place", "position", "pos", "finish", "місце", "место", "#"})
"""Words of headers whose smallest number is the highest."""
_NUMBER_SIGNS: Final = frozenset("№#")
"""Signs of a header whose numbers are names."""
_YES: Final = frozenset({"yes", "y", "true", "t", "так", "да", "є", "есть"})
_NO: Final = frozenset({"no", "n", "false", "f", "ні", "нет", "немає"})


@record
class TableColumn:
    """One column: its facts, and its header as words."""

    place: int
    facts: ColumnFacts
    words: tuple[str, ...]
    """Folded words of the header, in order."""
    core: frozenset[int]
    """Places of the words that name the column, rather than its unit or that it names things."""
    groups: frozenset[str]
    """Header groups of the lexicons that the header belongs to: quantity, revenue, name …"""
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Other names that the person gave the column."""
    identifying: bool = False
    """Whether its numbers are names: ids, codes, ranks."""
    additive: bool = True
    """Whether a sum of it says something."""
    yes_no: tuple[str, str] | None = None
    """Its cells for yes and for no, where it holds just these as text."""
    kept_unique: bool = False
    """Whether (nearly) every row has a text of its own, so that it names the rows."""
    scale: float = 1.0
    """What its numbers are counted in: 1000 under `Budget (k$)`."""
    units: frozenset[str] = frozenset()
    """Units of its numbers, as the lexicons call them: minute, km, usd."""
    seconds: float | None = None
    """Seconds of the unit of time that its numbers are in."""

    @property
    def named(self) -> bool:
        """Whether most of its texts are written like names of persons: two or three words with capitals."""
        texts = self.facts.texts[:_LOOKED_AT]
        return bool(texts) and 2 * sum(_PERSON.fullmatch(text) is not None for text in texts) > len(texts)

    @property
    def wordy(self) -> bool:
        """Whether most of its texts have letters, rather than being ranks or figures."""
        texts = self.facts.texts[:_LOOKED_AT]
        return 2 * sum(any(sign.isalpha() for sign in text) for text in texts) >= len(texts)

    @property
    def name(self) -> str:
        """The exact header."""
        return self.facts.name

    @property
    def kind(self) -> ColumnKind:
        """What its cells are."""
        return self.facts.kind

    @property
    def numeric(self) -> bool:
        """Whether figures are computed from it, those written as text with notes included."""
        return self.facts.kind.is_numeric or self.facts.figures is not None

    @property
    def measure(self) -> bool:
        """Whether its numbers are amounts of something, rather than names or years."""
        return self.numeric and not self.identifying and not self.facts.years and not self.facts.numbers_rows

    @property
    def temporal(self) -> bool:
        """Whether its cells are dates, with or without a time."""
        return self.facts.kind.is_temporal

    def is_better_low(self, lexicons: Sequence[Lexicon]) -> bool | None:
        """Tell whether the best is where it is least, by the words of its header; None where they do not tell."""
        words = set(self.words)
        low = any(words & lexicon.worse for lexicon in lexicons)
        high = any(words & lexicon.better for lexicon in lexicons)
        return None if low == high else low

    def measures(self, dimension: str) -> bool:
        """Tell whether its numbers are of a dimension: weight, age, duration."""
        lasting = dimension in {"duration", "length"} and self.seconds is not None
        groups = _LENGTHS.get(dimension, (dimension,))
        dated = self.temporal and dimension == "age"
        return (self.numeric or dated) and (lasting or any(group in self.groups for group in groups))

    def takes(self, quantity: Quantity) -> bool:
        """Tell whether a number with a unit can be one of this column's."""
        if quantity.seconds is not None:
            return self.seconds is not None
        unit = quantity.unit
        if unit is None:
            return False
        if unit in _CURRENCIES:
            return self.monetary
        return unit in self.units or self._factor(unit) is not None

    def _factor(self, unit: str) -> float | None:
        """Return what a number in `unit` is multiplied by to be in the unit of the column; None for another kind."""
        for own in self.units:
            for sizes in _SIZES:
                if unit in sizes and own in sizes:
                    return sizes[unit] / sizes[own]
        return None

    def in_unit(self, quantity: Quantity) -> float:
        """Return a number in the unit and the scale of the column: 90 for `an hour and a half` over minutes."""
        value = quantity.value
        if quantity.seconds is not None and self.seconds:
            value = quantity.seconds / self.seconds
        elif quantity.unit is not None and (factor := self._factor(quantity.unit)) is not None:
            value *= factor
        high = self.facts.high
        beyond = isinstance(high, int | float) and self.facts.exact and value > _BEYOND * high
        if self.scale > 1 and (quantity.scaled or beyond) and quantity.seconds is None:
            value /= self.scale
        value = round(value, 9)
        return int(value) if float(value).is_integer() else value

    @property
    def monetary(self) -> bool:
        """Whether its numbers are money, by its header or its unit."""
        return self.measure and bool(set(_MONEY) & self.groups or _CURRENCIES & self.units)

    @property
    def flag(self) -> bool:
        """Whether its cells are yes or no."""
        return self.facts.kind is ColumnKind.BOOLEAN or self.yes_no is not None

    @property
    def text(self) -> bool:
        """Whether its cells are texts that are no figures."""
        return self.facts.kind is ColumnKind.TEXT and self.facts.figures is None


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
    def texts(self) -> CellTexts:
        """The cells of the text columns, ready to be searched."""
        return CellTexts(
            [(column.place, column.facts.texts) for column in self.columns if column.facts.texts]
        )

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
        """Columns of texts whose headers name persons, or whose cells are names of persons."""
        roles = frozenset().union(*(lexicon.evidence.get("who", frozenset()) for lexicon in self.lexicons))
        return tuple(
            column
            for column in self.columns
            if column.text and (column.named or any(word in roles for word in column.words))
        )

    @cached_property
    def dates(self) -> tuple[TableColumn, ...]:
        """Columns of dates."""
        return tuple(column for column in self.columns if column.temporal)

    @cached_property
    def money(self) -> tuple[TableColumn, ...]:
        """Columns of amounts of money, those that a sale comes to first."""
        ranked = [
            (next((rank for rank, group in enumerate(_MONEY) if group in column.groups), len(_MONEY)), column)
            for column in self.measures
            if column.monetary
        ]
        return tuple(column for _, column in sorted(ranked, key=lambda pair: (pair[0], pair[1].place)))

    @cached_property
    def year_columns(self) -> tuple[TableColumn, ...]:
        """Columns of whole numbers that are years."""
        return tuple(column for column in self.columns if column.facts.years)

    @cached_property
    def measures(self) -> tuple[TableColumn, ...]:
        """Columns of amounts."""
        return tuple(column for column in self.columns if column.measure)

    @cached_property
    def countries(self) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Code of a country → (place of the column, cell) of the cells that name it, in columns of countries."""
        found: dict[str, list[tuple[int, str]]] = {}
        for column in self.columns:
            texts = column.facts.texts if column.text else ()
            if not texts or len(texts) > _MOST_COUNTRIES:
                continue
            head = [self._country(text) for text in texts[:_LOOKED_AT]]
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
    stock = _Stock(every)
    columns = [_column(place, column, stock, facts, context) for place, column in enumerate(facts.columns)]
    return Vocabulary(facts, columns, every)


class _Stock:
    """The word lists of several lexicons as one."""

    def __init__(self, lexicons: Iterable[Lexicon]) -> None:
        listed = tuple(lexicons)
        self.lexicons = listed
        self.units = frozenset().union(*(lexicon.units for lexicon in listed))
        self.naming = frozenset().union(*(lexicon.naming for lexicon in listed))
        self.joining = frozenset().union(*(lexicon.joining for lexicon in listed))
        self.identifying = frozenset().union(*(lexicon.identifying for lexicon in listed))
        self.nonadditive = frozenset().union(*(lexicon.nonadditive for lexicon in listed))
        groups: dict[tuple[str, ...], set[str]] = {}
        for lexicon in listed:
            for name, phrases in lexicon.header_groups.items():
                for phrase in phrases:
                    groups.setdefault(phrase, set()).add(name)
        self.groups = groups


def _column(
    place: int, facts: ColumnFacts, stock: _Stock, table: TableFacts, context: UserContext | None
) -> TableColumn:
    words = header_words(facts.name)
    heavy = [
        position
        for position, word in enumerate(words)
        if word not in stock.joining
        and (position == 0 or word not in stock.units)
        and not (position and word.isdigit())
    ]
    unnamed = [position for position in heavy if words[position] not in stock.naming]
    core = frozenset(unnamed or heavy or range(len(words)))
    bare = header_words(_BEHIND_NAME.split(facts.name, maxsplit=1)[0])
    named = (words, tuple(words[place] for place in sorted(core)), bare)
    groups = set().union(*(stock.groups.get(phrase, set()) for phrase in named))
    identifying = facts.kind.is_numeric and (
        facts.numbers_rows
        or bool(_NUMBER_SIGNS & set(facts.name))
        or bool(set(words) & stock.identifying and not set(words) & {"no"})
    )
    percent = facts.unit == "%"
    return TableColumn(
        place=place,
        facts=facts,
        words=words,
        core=core,
        groups=frozenset(groups),
        synonyms=() if context is None else context.synonyms_of(facts.name),
        identifying=identifying,
        additive=not (percent or facts.years or identifying or set(words) & stock.nonadditive),
        yes_no=_yes_no(facts),
        kept_unique=_is_unique(facts, table.row_count),
        seconds=_seconds(facts, words, stock),
        units=_units(facts, words, stock),
        scale=_scale(facts, words, stock),
    )


def _scale(facts: ColumnFacts, words: Sequence[str], stock: _Stock) -> float:
    """Return what the last words of a header multiply its numbers by: `kusd`, `тыс. руб`."""
    if not facts.kind.is_numeric or len(words) < 2:  # noqa: PLR2004 - a thing and its scale
        return 1.0
    for word in words[1:]:
        for lexicon in stock.lexicons:
            names = [scale for other, scale in lexicon.magnitudes if other == word]
            names += [
                concept.removeprefix("scale.")
                for concept in lexicon.find((word,))
                if concept in {"scale.k", "scale.m", "scale.b"}
            ]
            if names:
                return _SCALES[names[0]]
    return 1.0


def _seconds(facts: ColumnFacts, words: Sequence[str], stock: _Stock) -> float | None:
    """Return the seconds of the unit that a header begins or ends with: `wait_sec`, `days_open`."""
    if not facts.kind.is_numeric or not words:
        return None
    for word in dict.fromkeys((words[-1], words[0])):
        found = {
            float(concept.removeprefix("span."))
            for lexicon in stock.lexicons
            for concept in lexicon.find((word,))
            if concept.startswith("span.")
        } | {float(lexicon.lasting[word]) for lexicon in stock.lexicons if word in lexicon.lasting}
        if len(found) == 1 and (len(words) > 1 or word in {"h", "nights"}):
            return found.pop()
    return None


def _units(facts: ColumnFacts, words: Sequence[str], stock: _Stock) -> frozenset[str]:
    if not (facts.kind.is_numeric or facts.figures is not None):
        return frozenset()
    said = [fold(facts.unit)] if facts.unit else []
    return frozenset(
        concept.removeprefix("measure.")
        for word in (*said, *words)
        for lexicon in stock.lexicons
        for concept in lexicon.find((word,))
        if concept.startswith("measure.")
    )


def _is_unique(facts: ColumnFacts, rows: int | None) -> bool:
    if facts.unique:
        return True
    return bool(rows and rows > 2 and facts.distinct is not None and facts.distinct >= _NEAR_UNIQUE * rows)  # noqa: PLR2004


def _yes_no(facts: ColumnFacts) -> tuple[str, str] | None:
    if facts.kind is not ColumnKind.TEXT or not facts.complete or not 1 <= len(facts.texts) <= 2:  # noqa: PLR2004
        return None
    yes = [text for text in facts.texts if text.strip().casefold() in _YES]
    no = [text for text in facts.texts if text.strip().casefold() in _NO]
    if len(yes) + len(no) != len(facts.texts) or not yes:
        return None
    return yes[0], no[0] if no else ""
