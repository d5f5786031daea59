"""What the numbers of a column are: percents, fractions, amounts; levels or signed changes."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.units import measure_of
from tabchat.chat.validator.words import words_of
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.chat.validator.origins import Origin
    from tabchat.chat.validator.units import Measure
    from tabchat.engine.types import Column

_ENDS: Final = {"first", "last"}
_UNNAMED: Final = ["result"]
"""What the one value is called that code gave: it may be a percentage."""
_UNIT_WORDS: Final = frozenset(
    ["pct", "percent", "usd", "eur", "uah", "rub", "gbp", "mw", "kw", "gw", "kg", "km", "pp", "musd"]
)
_NAMING: Final = frozenset(
    {
        "id",
        "code",
        "no",
        "num",
        "number",
        "sku",
        "serial",
        "key",
        "rank",
        "номер",
        "код",
        "артикул",
        "ід",
        "ид",
    }
)
_CALENDAR: Final = frozenset({"year", "month", "week", "quarter", "hour", "weekday"})
_CAMEL: Final = re.compile(r"(?<=[a-zа-яіїєґ])(?=[A-ZА-ЯІЇЄҐ])")
_PERCENT_WORDS: Final = ("pct", "percent", "perc", "відсот", "процент")
_POINT_WORDS: Final = frozenset({"pp", "points", "пункт", "пункти", "пунктов"})
_FRACTION_WORDS: Final = (
    *("share", "rate", "ratio", "fraction", "proportion", "discount", "margin", "growth", "yield", "return"),
    *("probab", "conversion", "utili", "occupancy", "efficien", "част", "дол", "знижк", "скидк", "рентаб"),
)
_CHANGE_WORDS: Final = (
    *(
        "change",
        "growth",
        "diff",
        "delta",
        "gap",
        "increase",
        "mom",
        "yoy",
        "qoq",
        "зміна",
        "зростан",
        "приріст",
    ),
    *("різниц", "изменен", "рост", "прирост", "разниц"),
)
_ROLE_WORDS: Final = {
    **dict.fromkeys(("sum", "total", "сума", "сумма"), "sum"),
    **dict.fromkeys(("avg", "mean", "average", "середня", "средняя", "середнє", "среднее"), "mean"),
    **dict.fromkeys(("min", "minimum", "lowest", "мін", "мин"), "min"),
    **dict.fromkeys(("max", "maximum", "highest", "peak", "макс"), "max"),
    **dict.fromkeys(("count", "n", "cnt", "кількість", "количество", "число"), "count"),
    **dict.fromkeys(("std", "stddev", "stdev", "sd", "deviation"), "std"),
    **dict.fromkeys(("corr", "correlation"), "correlation"),
    **dict.fromkeys(("median", "медіана", "медиана"), "median"),
    **dict.fromkeys(("first", "open"), "first"),
    **dict.fromkeys(("last", "close"), "last"),
}
_SCALES: Final = {
    **dict.fromkeys(("k", "thousand", "thousands", "kusd", "keur", "тис", "тыс"), Decimal(1000)),
    **dict.fromkeys(("musd", "meur", "mln", "million", "millions", "mio", "млн", "mn"), Decimal(10**6)),
    **dict.fromkeys(("bn", "billion", "billions", "busd", "млрд"), Decimal(10**9)),
}


class Nature(StrEnum):
    """How a percent sign relates to the numbers of a column."""

    PERCENT = "percent"
    """12.3 means 12.3 %."""
    FRACTION = "fraction"
    """0.123 means 12.3 %."""
    LOOSE = "loose"
    """May be a percentage already; nothing tells."""
    PLAIN = "plain"
    """Never a percentage."""
    POINTS = "points"
    """A difference of percentages, in percentage points."""


@record
class Quality:
    """What is known of a column from its name, its origin and its range."""

    tokens: tuple[str, ...]
    """Folded words of the name, without the word of its role."""
    concepts: frozenset[str]
    """Nouns of the lexicon that the name stands for."""
    role: str | None
    nature: Nature
    is_change: bool
    """Its sign matters: a change or a difference."""
    scale: Decimal
    """What one unit of the column is worth: a million for `cost_musd`."""
    measure: Measure | None = None
    """Its unit of measure: megawatts for `capacity_mw`."""


def names_rows(column: Column) -> bool:
    """Tell whether the whole numbers of `column` are names: codes, years, hours."""
    words = [word.text for word in words_of(_CAMEL.sub(" ", column.name).replace("_", " "))]
    calendar = shipped_lexicon().nouns.names(" ".join(words)) & _CALENDAR
    return column.kind is ColumnKind.INTEGER and bool(_NAMING & set(words) or (calendar and len(words) == 1))


def describe(
    column: Column, origin: Origin | None, low: float | Decimal | None, high: float | Decimal | None
) -> Quality:
    """Describe `column`, whose finite values lie between `low` and `high`."""
    words = [word.text for word in words_of(_CAMEL.sub(" ", column.name).replace("_", " "))]
    named = next((_ROLE_WORDS[word] for word in words if word in _ROLE_WORDS), None)
    role = (origin.role if origin else None) or named
    if {role, named} == _ENDS:
        # The last one is the first one of the other order.
        role = named
    tokens = tuple(word for word in words if word not in _ROLE_WORDS and word not in _UNIT_WORDS) or tuple(
        words
    )
    sources = " ".join((*tokens, *(origin.sources if origin else ()))).replace("_", " ")
    within_one = low is not None and high is not None and low >= -1 and high <= 1
    return Quality(
        tokens=tokens,
        concepts=shipped_lexicon().nouns.names(sources) | ({"count"} if role == "count" else frozenset()),
        role=role,
        nature=_nature(column, words, origin, role, within_one=within_one),
        is_change=_says(words, _CHANGE_WORDS) or (low is not None and low < 0),
        measure=next((found for word in (*words, column.unit or "") if (found := measure_of(word))), None),
        scale=next((_SCALES[word] for word in words if word in _SCALES), Decimal(1)),
    )


def _nature(
    column: Column, words: list[str], origin: Origin | None, role: str | None, *, within_one: bool
) -> Nature:
    if _POINT_WORDS & set(words):
        return Nature.POINTS
    if column.unit == "%" or _says(words, _PERCENT_WORDS):
        return Nature.PERCENT
    if role == "count" or column.kind is ColumnKind.INTEGER or column.unit:
        return Nature.PLAIN
    return _nature_of_fractions(words, origin, within_one=within_one)


def _nature_of_fractions(words: list[str], origin: Origin | None, *, within_one: bool) -> Nature:
    if origin is not None and origin.in_percent:
        return Nature.PERCENT
    if within_one:
        return Nature.FRACTION
    is_ratio = words == _UNNAMED or (origin is not None and origin.is_ratio)
    return Nature.LOOSE if is_ratio or _says(words, _FRACTION_WORDS) else Nature.PLAIN


def _says(words: list[str], stems: tuple[str, ...]) -> bool:
    return any(word.startswith(stem) for word in words for stem in stems)
