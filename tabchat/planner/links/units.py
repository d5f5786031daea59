"""The word lists of several lexicons as one, and the units of numbers that headers say in these words."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.nouns import singular
from tabchat.engine.types import ColumnKind
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.links.header_words import HeaderWords
    from tabchat.planner.words import Lexicon

CURRENCY_SIGNS: Final = {"$": "usd", "£": "gbp", "€": "eur", "₽": "rub", "₴": "uah"}
CURRENCIES: Final = frozenset(CURRENCY_SIGNS.values())
MONEY: Final = (
    *("revenue", "amount", "total", "gross", "sales", "price", "cost", "budget", "salary", "profit"),
    *("fee", "charged", "paid", "payment", "rent", "fine", "debt", "donation", "deposit", "bonus", "tax"),
    "income",
)
"""Groups of headers of money, by how likely `how much money` means them."""
HELD: Final = frozenset({"quantity", "stock"})
"""Groups of columns of how many there are of a thing."""
PERCENT: Final = frozenset({"%", "pct", "percent", "percentage"})
"""Words of headers of percentages."""
RANKS: Final = frozenset(
    (
        *("rank", "ranks", "ranking", "rankings", "place", "position", "positions", "pos", "finish"),
        *("місце", "место", "#"),
    )
)
"""Words of headers whose smallest number is the highest."""
_AMBIGUOUS: Final = {"pound": ("gbp", "lb"), "degree": ("celsius", "fahrenheit", "kelvin")}
"""Units of a question that are several ones."""
_YES: Final = frozenset(
    (
        *("yes", "y", "true", "t", "так", "да", "є", "есть", "ja", "oui", "sí", "si", "tak"),
        *("✓", "✔", "✅"),
    )
)
_NO: Final = frozenset(
    (
        *("no", "n", "false", "f", "ні", "нет", "немає", "nein", "non", "nie"),
        *("✗", "✘", "❌"),
    )
)
_MARKS: Final = frozenset({"x", "х", "✓", "✔", "✅", "+", "*", "v", "1"})
"""What is set into a cell for yes, where the others are empty."""
_COUNTS: Final = HELD | {
    "points",
    "goals",
    "assists",
    "wins",
    "losses",
    "draws",
    "medals",
    "gold",
    "silver",
    "bronze",
}
"""Groups of headers of numbers of things, of which there may be none or one."""
COUNTED: Final = frozenset(
    [
        "sold",
        "seen",
        "observed",
        "spotted",
        "sighted",
        "caught",
        "продано",
        "проданих",
        "проданных",
        "помічено",
        "спіймано",
        "впіймано",
        "замечено",
        "поймано",
    ]
)
"""Words of headers of how many things were sold, or seen."""
_UNIT: Final = frozenset(
    {"unit", "units", "uom", "одиниця", "одиниці", "од", "вимір", "виміру", "единица", "ед", "изм"}
)
"""Words of headers of columns of units."""
MANY_UNITS: Final = 30
"""Different units or currencies from which on a column holds other things."""
_SIZES: Final = (
    {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "inch": 0.0254, "foot": 0.3048, "mile": 1609.344},
    {"mg": 0.001, "g": 1.0, "kg": 1e3, "t": 1e6, "tonne": 1e6, "oz": 28.349523125, "lb": 453.59237},
    {"ml": 0.001, "l": 1.0},
    {"month": 1.0, "quarter": 3.0, "year": 12.0},
)
"""Units of length, mass, volume and calendar time in one of them (yards and pounds by the international agreement of 1959)."""
CALENDAR: Final = frozenset({"month", "quarter", "year"})
"""Units of time that are no fixed number of seconds."""
_DIMENSIONS: Final = {
    **dict.fromkeys(("celsius", "fahrenheit", "kelvin"), ("temperature",)),
    **dict.fromkeys(("km", "mile"), ("distance", "length")),
    **dict.fromkeys(("m", "cm", "mm", "foot", "inch"), ("length",)),
    **dict.fromkeys(("kg", "g", "t", "tonne", "lb", "oz"), ("weight",)),
    **dict.fromkeys(CALENDAR, ("duration",)),
}
"""Unit → the dimensions that its numbers are of."""
NEARNESS: Final = ("own", "kin", "lasting", "dated")
"""How near the numbers of a column can be to a dimension, the nearest first: a `Length` is long, a `Delay, min` lasts long."""
KINDRED: Final = {
    "length": ("length", "distance", "pages"),
    "height": ("height", "elevation"),
    "age": ("age", "birth", "built", "founded"),
    "duration": ("duration", "time", "finish_time"),
    "price": ("price", "cost", "amount"),
    "cost": ("cost", "price", "amount"),
}
"""Dimension of a comparative → groups of headers that have it."""
DIMENSIONED: Final = frozenset(
    (
        "length",
        "distance",
        "height",
        "elevation",
        "depth",
        "width",
        "thickness",
        "diameter",
        "wingspan",
        "area",
    )
) | {"weight", "temperature", "duration", "speed", "precipitation", "snow", "wind", "delay"}
"""Groups of headers that say themselves what dimension their numbers are of."""
_CLOCK: Final[dict[float, float]] = {1: 59, 60: 59, 3600: 24, 86400: 31, 604800: 53}
"""Seconds of a unit of time → its greatest number in a clock or a calendar."""
_PER: Final = frozenset({"per", "за", "на"})
_LEAST_YEAR: Final = 1_000
_RATE: Final = re.compile(r"[,(\[][^/]*/")
"""A unit behind the name in a header that is so much per another: `Flow (m³/s)`; `Time/s` is in seconds."""
_SCALES: Final = {"k": 1e3, "m": 1e6, "b": 1e9}
_MONEY_SCALE: Final = re.compile(r"\b([KMB]) ?[$€£₴₽]|[$€£₴₽] ?([KMB])\b", re.IGNORECASE)


class Stock:
    """The word lists of several lexicons as one."""

    def __init__(self, lexicons: Iterable[Lexicon], headers: HeaderWords) -> None:
        self.lexicons = tuple(lexicons)
        self.headers = headers
        self.units = self._union("units")
        self.naming = self._union("naming")
        self.joining = self._union("joining")
        self.identifying = self._union("identifying")
        self.numbered = self._union("numbered")
        self.nonadditive = self._union("nonadditive")

    def _union(self, name: str) -> frozenset[str]:
        return frozenset().union(*(getattr(lexicon, name) for lexicon in self.lexicons))

    def is_measured(self, unit: Sequence[str]) -> bool:
        """Tell whether the words behind the name in a header are a unit of size alone: no currency, and not so much per unit."""
        said = any(self.named(word, "measure.") for word in unit)
        return (
            said and self.joining.isdisjoint(unit) and not any(self.named(word, "currency.") for word in unit)
        )

    def named(self, word: str, family: str) -> set[str]:
        """Return the concepts of a family that a word says in any language, without its name."""
        concepts = (name for lexicon in self.lexicons for name in lexicon.find((word,)))
        return {name.removeprefix(family) for name in concepts if name.startswith(family)}


def units_meant(unit: str) -> tuple[str, ...]:
    """Return the units that one of a question can be: pounds are money and a weight."""
    return _AMBIGUOUS.get(unit, (unit,))


def factor_of(unit: str, units: Collection[str]) -> float | None:
    """Return what a number in `unit` is multiplied by to be in one of `units`; None for another kind."""
    for one, own in product(units_meant(unit), units):
        for sizes in _SIZES:
            if one in sizes and own in sizes:
                return sizes[one] / sizes[own]
    return None


def scale_of(facts: ColumnFacts, words: Sequence[str], stock: Stock) -> float:
    """Return what the last words of a header multiply its numbers by: `kusd`, `тыс. руб`, `M$`."""
    money = _scaled_money(facts)
    if money is not None:
        return _SCALES[money]
    for word in words[1:] if facts.kind.is_numeric else ():
        for lexicon in stock.lexicons:
            names = [scale for other, scale in lexicon.magnitudes if other == word]
            said = (concept.removeprefix("scale.") for concept in lexicon.find((word,)))
            names += [name for name in said if name in _SCALES]
            if names:
                return _SCALES[names[0]]
    return 1.0


def _scaled_money(facts: ColumnFacts) -> str | None:
    """Return the scale whose letter stands beside the sign of a currency, which is no metre: `Budget (M$)`."""
    found = _MONEY_SCALE.search(facts.name) if facts.kind.is_numeric else None
    return (found[1] or found[2]).casefold() if found else None


def seconds_of(facts: ColumnFacts, words: Sequence[str], stock: Stock) -> float | None:
    """Return the seconds of the unit that a header begins or ends with: `wait_sec`, `days_open`."""
    if _RATE.search(facts.name) or (len(words) > 1 and stock.named(words[-2], "measure.")):
        return None
    # The `min` of `Min. stock` is no minute.
    held = any(HELD & lexicon.header_group(word) for lexicon in stock.lexicons for word in words[1:])
    # `Visitors per day` last no day, and `Hours per week` are hours.
    last = () if _PER.intersection(words[1:-1][-1:]) else words[-1:]
    ends = dict.fromkeys((*last, *(() if held else words[:1])))
    for word in ends if facts.kind.is_numeric else ():
        lasting = {lexicon.lasting[word] for lexicon in stock.lexicons if word in lexicon.lasting}
        found = {float(seconds) for seconds in stock.named(word, "span.") | lasting}
        # `Minutes` of 90 are no part of a clock.
        long = isinstance(facts.high, int | float) and any(
            facts.high > _CLOCK.get(s, facts.high) for s in found
        )
        if len(found) == 1 and (len(words) > 1 or word in {"h", "nights"} or long):
            return found.pop()
    return None


def dimensions_of(units: Collection[str], seconds: float | None) -> frozenset[str]:
    """Return the dimensions of numbers in some units: a temperature, in degrees, whatever its header says."""
    if seconds is not None:
        return frozenset({"duration"})
    # `°C` of the air is no ton, though it is written `T_air`.
    known = {"celsius"} if "celsius" in units else units
    return frozenset(name for unit in known for name in _DIMENSIONS.get(unit, ()))


_SPEED: Final = re.compile(r"\bkm ?/ ?h\b|\bкм ?/ ?(?:ч|год)\b")


def units_of(
    facts: ColumnFacts, words: Sequence[str], stock: Stock, groups: Collection[str]
) -> frozenset[str]:
    """Return the units that a header, or the cells, name, as the lexicons call them; an age is in years unless it says more."""
    if not (facts.kind.is_numeric or facts.figures is not None):
        return frozenset()
    said = [fold(facts.unit)] if facts.unit else []
    money = _scaled_money(facts)
    # `contract_months` are months; `month` and `birth year` name one.
    dated = facts.years or (isinstance(facts.low, int | float) and facts.low >= _LEAST_YEAR)
    ends = (words[0], words[-1]) if len(words) > 1 and not dated else ()
    calendar = frozenset().union(*(stock.named(word, "unit.") for word in ends)) & CALENDAR
    if not calendar and "age" in groups:
        calendar = frozenset({"year"})
    measured = (stock.named(word, "measure.") for word in (*said, *words) if word != money)
    if _SPEED.search(facts.name.casefold()):
        # `Speed (km/h)` is in no km.
        return frozenset({"kmh"})
    # The reader knows the currency of a `Ціна, грн`, but not that of a `TSINA_GRN`: a GRN is a goods received note, too.
    spelled = (
        stock.named(words[-1], "currency.") if len(words) > 1 and words[-1] in stock.headers.spelled else ()
    )
    return calendar.union(*measured, spelled)


def tells_units(texts: Sequence[str], words: Collection[str]) -> bool:
    """Tell whether the words of a header say that its cells are units, of which there are several."""
    return not _UNIT.isdisjoint(words) and 1 < len(texts) <= MANY_UNITS


def says_yes_or_no(facts: ColumnFacts) -> bool:
    """Tell whether some cells say yes and some no, whatever others say."""
    said = {text.strip().casefold() for text in facts.texts}
    return not (said.isdisjoint(_YES) or said.isdisjoint(_NO))


def yes_no_of(
    facts: ColumnFacts, words: Sequence[str], kinds: Collection[str]
) -> tuple[str | int, str | int] | None:
    """Return the cells that say yes and no, the second empty where no cell does; None where others are among them.

    Whole numbers that are 0 and 1 alone say so where the header counts nothing: `survived`, and no `goals`.
    """
    if facts.kind.is_numeric and facts.integral:
        counts = bool(facts.unit or _COUNTS & set(kinds)) or any(
            singular(word) != word for word in words[-1:]
        )
        told = (facts.low, facts.high) == (0, 1) and not (counts or facts.unique or facts.numbers_rows)
        return (1, 0) if told else None
    if facts.kind is not ColumnKind.TEXT or not facts.complete or not 1 <= len(facts.texts) <= 2:  # noqa: PLR2004
        return None
    said = {text: text.strip().casefold() for text in facts.texts}
    yes = [text for text, plain in said.items() if plain in _YES or (plain in _MARKS and len(said) == 1)]
    no = [text for text, plain in said.items() if plain in _NO]
    if len(yes) + len(no) != len(facts.texts) or not yes:
        return None
    return yes[0], no[0] if no else ""
