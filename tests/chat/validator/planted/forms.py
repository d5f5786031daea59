"""Writing figures: three number formats, roundings, scale words, percents, money."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

_SCALES = {
    "en": ((10**6, " million"), (10**6, "M"), (10**3, "K"), (10**3, " thousand")),
    "uk": ((10**6, " млн"), (10**3, " тис."), (10**6, " мільйона")),
    "ru": ((10**6, " млн"), (10**3, " тыс."), (10**6, " миллиона")),
}
_MONEY = {"en": ("$", ""), "uk": ("", " грн"), "ru": ("", " руб.")}
MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "uk": [
        "січень",
        "лютий",
        "березень",
        "квітень",
        "травень",
        "червень",
        "липень",
        "серпень",
        "вересень",
        "жовтень",
        "листопад",
        "грудень",
    ],
    "ru": [
        "январь",
        "февраль",
        "март",
        "апрель",
        "май",
        "июнь",
        "июль",
        "август",
        "сентябрь",
        "октябрь",
        "ноябрь",
        "декабрь",
    ],
}


@dataclass(frozen=True, kw_only=True)
class Style:
    """How one figure is written."""

    language: str
    decimals: int
    scale: int = 1
    word: str = ""
    is_money: bool = False
    suffix: str = ""
    space: str = "\u00a0"
    grouping: bool = True

    @property
    def unit(self) -> Decimal:
        """One unit of the last digit written."""
        return Decimal(self.scale) * Decimal(10) ** -self.decimals

    def shown(self, value: Decimal) -> Decimal:
        """Return what is written, in full."""
        return (value / self.scale).quantize(Decimal(10) ** -self.decimals, ROUND_HALF_UP) * self.scale

    def write(self, value: Decimal) -> str:
        """Write `value`."""
        digits = (value / self.scale).quantize(Decimal(10) ** -self.decimals, ROUND_HALF_UP)
        text = f"{digits:,f}" if self.grouping else f"{digits:f}"
        if self.language != "en":
            text = text.replace(",", self.space).replace(".", ",")
        before, after = _MONEY[self.language] if self.is_money else ("", "")
        sign = "-" if text.startswith("-") else ""
        return f"{sign}{before}{text.lstrip('-')}{self.word}{after}{self.suffix}"


def style_for(rng: random.Random, language: str, value: Decimal, *, money: bool = True) -> Style:
    """Choose how an amount is written."""
    style = Style(
        language=language,
        decimals=rng.choice((0, 1, 2, 2)),
        is_money=money and rng.random() < 0.25,
        space=rng.choice(("\u00a0", "\u202f", " ")),
        grouping=rng.random() < 0.85,
    )
    scales = [item for item in _SCALES[language] if abs(value) >= item[0]]
    if scales and rng.random() < 0.25:
        scale, word = rng.choice(scales)
        style = replace(style, scale=scale, word=word, decimals=rng.choice((1, 2)))
    return style


def exact_style(rng: random.Random, language: str) -> Style:
    """Choose how a whole number is written."""
    return Style(
        language=language,
        decimals=0,
        space=rng.choice(("\u00a0", "\u202f", " ")),
        grouping=rng.random() < 0.7,
    )


def percent_style(rng: random.Random, language: str) -> Style:
    """Choose how a percentage is written."""
    return Style(
        language=language,
        decimals=rng.choice((1, 1, 2)),
        suffix="%" if language == "en" else rng.choice((" %", "%")),
    )


def month_name(language: str, month: str) -> str:
    """Write `2024-03` in words."""
    year, number = month.split("-")[:2]
    tail = "" if language == "en" else {"uk": " року", "ru": " года"}[language]
    return f"{MONTHS[language][int(number) - 1]} {year}{tail}"
