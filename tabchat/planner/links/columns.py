"""The columns of a table as questions speak of them: headers taken apart, and what a column is by its facts."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.derived import SPANS
from tabchat.planner.links.codes import names_things
from tabchat.planner.links.units import (
    COUNTED,
    CURRENCIES,
    CURRENCY_SIGNS,
    DIMENSIONED,
    KINDRED,
    MONEY,
    dimensions_of,
    factor_of,
    scale_of,
    seconds_of,
    units_meant,
    units_of,
    yes_no_of,
)
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.facts.records import ColumnFacts, TableFacts
    from tabchat.planner.context import UserContext
    from tabchat.planner.links.units import Stock
    from tabchat.planner.words import Lexicon, Quantity

_OF_SUMS: Final = frozenset({"gross", "total", "amount"})  # of money, and of anything else
_NEAR_UNIQUE: Final = 0.9
_BEHIND_NAME: Final = re.compile(r"[,(\[/]")  # begins a unit or a note behind the name in a header
_EVENTS: Final = frozenset({"built", "founded", "published", "released"})  # what happened in a year
_PERSON: Final = re.compile(r"[^\W\d_a-zа-яіїєґ][\w'’.-]*( [^\W\d_a-zа-яіїєґ][\w'’.-]*){1,2}")
_LASTING: Final = frozenset({"duration", "time", "days", "hours"})  # groups of headers
_COMING_TO: Final = frozenset({"revenue", "amount", "worth"})  # groups of headers of what rows come to
_TOTALS: Final = frozenset({"total", "итого", "всего", "разом", "всього", "усього"})
_BEYOND: Final = 3
"""How far beyond the greatest cell a number lies that was not counted in the scale of the header."""
LOOKED_AT: Final = 8
"""Texts by which it is told what those of a column are."""


@record
class TableColumn:
    """One column: its facts, and its header as words."""

    place: int
    facts: ColumnFacts
    words: tuple[str, ...] = ()
    """Folded words of the header, in order."""
    core: frozenset[int] = frozenset()
    """Places of the words that name the column, rather than its unit or that it names things."""
    unit_words: frozenset[int] = frozenset()
    """Places of the words that say its unit."""
    groups: frozenset[str] = frozenset()
    """Header groups of the lexicons that the header belongs to: quantity, revenue, name …"""
    kinds: frozenset[str] = frozenset()
    """The same groups, and of a column of numbers those of its single words: price, of `Price per night`."""
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Other names that the person gave the column."""
    identifying: bool = False
    """Whether its numbers are names: ids, codes, ranks."""
    additive: bool = True
    """Whether a sum of it says something."""
    yes_no: tuple[str | int, str | int] | None = None
    """Its cells for yes and for no, where it holds just these as texts, or as 1 and 0."""
    kept_unique: bool = False
    """Whether (nearly) every row has a text of its own, so that it names the rows."""
    scale: float = 1.0
    """What its numbers are counted in: 1000 under `Budget (k$)`."""
    units: frozenset[str] = frozenset()
    """Units of its numbers, as the lexicons call them: minute, km, usd."""
    seconds: float | None = None
    """Seconds of the unit of time that its numbers are in."""

    @cached_property
    def named(self) -> bool:
        """Whether most of its texts are written like names of persons: two or three words with capitals."""
        texts = self.facts.texts[:LOOKED_AT]
        return bool(texts) and 2 * sum(_PERSON.fullmatch(text) is not None for text in texts) > len(texts)

    @cached_property
    def wordy(self) -> bool:
        """Whether most of its texts have letters, rather than being ranks or figures."""
        texts = self.facts.texts[:LOOKED_AT]
        return 2 * sum(any(sign.isalpha() for sign in text) for text in texts) >= len(texts)

    @property
    def name(self) -> str:
        """The exact header."""
        return self.facts.name

    @property
    def kind(self) -> ColumnKind:
        """What its cells are."""
        return self.facts.kind

    @cached_property
    def numeric(self) -> bool:
        """Whether figures are computed from it, those written as text with notes included."""
        return self.facts.kind.is_numeric or self.facts.figures is not None

    @cached_property
    def measure(self) -> bool:
        """Whether its numbers are amounts of something, rather than names or years."""
        facts = self.facts
        return self.numeric and not (self.identifying or self.flag or facts.years or facts.numbers_rows)

    @property
    def temporal(self) -> bool:
        """Whether its cells are dates, with or without a time."""
        return self.facts.kind.is_temporal

    @cached_property
    def dated(self) -> bool:
        """Whether its cells tell times: dates, or texts that name months or quarters."""
        return self.temporal or self.facts.span is not None

    def is_better_low(self, lexicons: Sequence[Lexicon]) -> bool | None:
        """Tell whether the best is where it is least, by the words of its header; None where they do not tell."""
        words = set(self.words)
        low = any(words & lexicon.worse for lexicon in lexicons)
        high = any(words & lexicon.better for lexicon in lexicons)
        return None if low == high else low

    def measures(self, dimension: str) -> bool:
        """Tell whether its numbers are of a dimension: weight, age, duration."""
        return self.nearness(dimension) is not None

    def nearness(self, dimension: str) -> str | None:
        """Return how near its numbers are to a dimension, one of `NEARNESS`; None where they are of another."""
        dated = self.temporal and dimension == "age"
        if not (self.numeric or dated):
            return None
        # What a quantity comes to at its price is not what makes a thing dear.
        groups = frozenset() if self.facts.operands else self.kinds
        if dimension in groups:
            return "own"
        if not groups.isdisjoint(KINDRED.get(dimension, ())):
            return "kin"
        if dimension in {"duration", "length"} and self.seconds is not None:
            return "lasting"
        return "dated" if dated else None

    def originates(self, dimension: str) -> bool:
        """Tell whether its numbers are years in which things began, of which the least are the oldest."""
        return dimension == "age" and "age" not in self.kinds

    def takes(self, quantity: Quantity) -> bool:
        """Tell whether a number with a unit can be one of this column's."""
        if quantity.seconds is not None:
            return self.seconds is not None
        if quantity.unit is None:
            return False
        meant = units_meant(quantity.unit)
        if self.monetary and not CURRENCIES.isdisjoint(meant):
            return not self.currencies or not self.currencies.isdisjoint(meant)
        return not self.units.isdisjoint(meant) or factor_of(quantity.unit, self.units) is not None

    def in_unit(self, quantity: Quantity) -> float:
        """Return a number in the unit and the scale of the column: 90 for `an hour and a half` over minutes."""
        value = quantity.value
        if quantity.seconds is not None and self.seconds:
            value = quantity.seconds / self.seconds
        elif quantity.unit is not None and (factor := factor_of(quantity.unit, self.units)) is not None:
            value *= factor
        elif quantity.percent and self.parts:
            value /= 100
        high = self.facts.high
        beyond = isinstance(high, int | float) and self.facts.exact and value > _BEYOND * high
        if self.scale > 1 and (quantity.scaled or beyond) and quantity.seconds is None:
            value /= self.scale
        value = round(value, 9)
        return int(value) if float(value).is_integer() else value

    @cached_property
    def parts(self) -> bool:
        """Whether its numbers are parts of one, of which a tenth is 10 %."""
        low, high = self.facts.low, self.facts.high
        if not isinstance(low, int | float) or not isinstance(high, int | float):
            return False
        return self.measure and self.facts.unit != "%" and 0 <= low < high <= 1

    @cached_property
    def monetary(self) -> bool:
        """Whether its numbers are money, by its header or its unit."""
        return self.measure and bool(self.currencies or set(MONEY) & self.kinds)

    @cached_property
    def currencies(self) -> frozenset[str]:
        """The currencies that its header or its cells tell."""
        signs = CURRENCY_SIGNS.keys() & {*self.name, *(self.facts.unit or "")}
        return CURRENCIES & self.units | {CURRENCY_SIGNS[sign] for sign in signs}

    @cached_property
    def flag(self) -> bool:
        """Whether its cells are yes or no."""
        return self.kind is ColumnKind.BOOLEAN or self.yes_no is not None

    @cached_property
    def text(self) -> bool:
        """Whether its cells are texts that are no figures."""
        return self.facts.kind is ColumnKind.TEXT and self.facts.figures is None


def column_of(
    place: int, facts: ColumnFacts, stock: Stock, table: TableFacts, context: UserContext | None
) -> TableColumn:
    """Take the header of a column apart."""
    if facts.formula is not None:
        return _derived(place, facts, stock)
    words = stock.headers.of(facts.name)
    heavy = [
        position
        for position, word in enumerate(words)
        if word not in stock.joining and not (position and (word in stock.units or word.isdigit()))
    ]
    # `is` of `is_paid`, чи of чи оплачено ask.
    apart = {word for word in words if word in stock.naming or stock.named(word, "yesno")}
    unnamed = [position for position in heavy if words[position] not in apart]
    core = frozenset(stock.headers.less_rows(words, unnamed) or heavy or range(len(words)))
    bare = stock.headers.of(_BEHIND_NAME.split(facts.name, maxsplit=1)[0])
    groups = stock.headers.groups(words, [words[place] for place in sorted(core)], bare)
    identifying = names_things(facts, words, bare, stock)
    counted = facts.kind.is_numeric or facts.kind.is_temporal or facts.figures is not None
    single = [words[at] for at in core if not stock.named(words[at], "edge.last")] if counted else []
    kinds = groups.union(*(lexicon.header_group(word) for word in single for lexicon in stock.lexicons))
    kinds |= {"total"} if _TOTALS & {*single} else set()  # They say a sum, too, and so are of no group.
    seconds, units = seconds_of(facts, words, stock), units_of(facts, words, stock, groups)
    tallied = facts.kind.is_numeric and "price" not in kinds and bool(COUNTED & set(words))
    if tallied and not (CURRENCIES & units or CURRENCY_SIGNS.keys() & set(facts.name)):
        # `Tickets sold` are tickets.
        groups, kinds = groups - {*MONEY}, kinds - {*MONEY} | {"quantity"}
    if facts.kind.is_numeric and not facts.years:
        # `Выпущено, шт` are pieces, and no years in which they were made.
        groups, kinds = groups - _EVENTS, kinds - _EVENTS
    if dimensions_of(units, seconds):
        groups, kinds = groups - _OF_SUMS, kinds - _OF_SUMS  # A gross weight is no gross sum.
    if stock.is_measured(words[len(bare) :]):
        # A `Витрата на 100 км, л` is no expense.
        groups, kinds = groups - {*MONEY}, kinds - {*MONEY}
    if facts.kind.is_numeric and not identifying and kinds.isdisjoint((*DIMENSIONED, *MONEY, "age")):
        own = dimensions_of(units, seconds)
        groups, kinds = groups | own, kinds | own
    # The `min` of `Downtime (min)` is a minute; that of `Price min` is the lowest one.
    timed = {words[-1]} if seconds is not None and kinds.isdisjoint(MONEY) else set()
    spoken = stock.headers.own_name(facts.name, core)
    return TableColumn(
        place=place,
        facts=facts,
        words=words,
        core=core,
        unit_words=frozenset(at for at, word in enumerate(words) if at and word in stock.units) - core,
        groups=frozenset(groups),
        kinds=frozenset(kinds),
        synonyms=(*spoken, *(context.synonyms_of(facts.name) if context else ())),
        identifying=identifying,
        additive=not (
            facts.unit == "%" or facts.years or identifying or (set(words) - timed) & stock.nonadditive
        ),
        yes_no=yes_no_of(facts, words, kinds),
        kept_unique=_is_unique(facts, table.row_count),
        seconds=seconds,
        units=units,
        scale=scale_of(facts, words, stock),
    )


def _derived(place: int, facts: ColumnFacts, stock: Stock) -> TableColumn:
    """Return a column that no file has: named by what it is, not by the words of the headers that it is made of."""
    if facts.unit not in SPANS:
        # What lies in stock is worth something, and was not sold.
        stored = any("stock" in lexicon.groups_of_header(facts.operands[0]) for lexicon in stock.lexicons)
        meant = frozenset({"worth"}) if stored else _COMING_TO
        return TableColumn(place=place, facts=facts, groups=meant, kinds=meant)
    name, seconds = SPANS[facts.unit]
    lasting = TableColumn(place=place, facts=facts, groups=_LASTING, kinds=_LASTING, additive=False)
    return replace(lasting, units=frozenset({name}), seconds=seconds)


def _is_unique(facts: ColumnFacts, rows: int | None) -> bool:
    many = rows and rows > 2 and facts.distinct is not None and facts.distinct >= _NEAR_UNIQUE * rows  # noqa: PLR2004
    return bool(facts.unique or many)
