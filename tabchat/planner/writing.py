"""Figures and plurals as a language writes them, each figure noted with its evidence."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.answers.receipts import Receipt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import Value

_DECIMALS: Final = 4


@dataclass
class Phrasing:
    """Writes sentences about one result; collects the figures as it writes them."""

    words: Mapping[str, str]
    """Templates of the language."""
    key: str
    """Data key of the result."""
    units: Mapping[str, str]
    """Unit of each result column that has one."""
    receipts: list[Receipt] = field(default_factory=list)

    def figure(self, value: Value, column: str, place: str) -> str:
        """Write a value with its unit, and note it as traced to `place`."""
        text = self.shown(value, self.units.get(column))
        if isinstance(value, int | float | Decimal | dt.date) and not isinstance(value, bool):
            self.receipts.append(
                Receipt(text=text, value=value, status="verified", evidence=f"{self.key}{place}")
            )
        return text

    def shown(self, value: Value, unit: str | None = None) -> str:
        """Write a value as the language does: separators, words for yes, no and nothing."""
        match value:
            case None:
                return self.words["nothing"]
            case bool():
                return self.words["yes" if value else "no"]
            case int() | float() | Decimal():
                return _with_unit(self._number(value), unit)
            case dt.datetime():
                return value.isoformat(sep=" ").removesuffix(" 00:00:00")
            case dt.date():
                return value.isoformat()
            case _:
                return str(value)

    def label(self, value: Value) -> str:
        """Write the name of a group or a row: a year or a code is no quantity, its digits stand together."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.shown(value)

    def _number(self, value: float | Decimal) -> str:
        whole, _, fraction = f"{value:,.{_DECIMALS}f}".partition(".")
        fraction = fraction.rstrip("0")
        if isinstance(value, int):
            fraction = ""
        whole = whole.replace(",", self.words["thousands"])
        return f"{whole}{self.words['decimal']}{fraction}" if fraction else whole

    def counted(self, number: int, noun: str, evidence: str | None = None) -> str:
        """Write a number of things in the right plural form, and note it: the rows of the result, if nothing else."""
        text = self.shown(number)
        self.receipts.append(
            Receipt(text=text, value=number, status="verified", evidence=evidence or f"{self.key}.rows")
        )
        return f"{text} {plural(number, self.words[noun], self.words['plural'])}"


def _with_unit(text: str, unit: str | None) -> str:
    if unit is None:
        return text
    if unit in {"$", "€", "£", "₴", "₽", "¥"}:
        return f"-{unit}{text[1:]}" if text.startswith("-") else f"{unit}{text}"
    return f"{text}%" if unit == "%" else f"{text} {unit}"


def plural(number: int, forms: str, rule: str) -> str:
    """Choose a plural form: `one|other`, or by the Slavic rule `one|few|many`."""
    options = forms.split("|")
    if rule == "slavic":
        tens, ones = abs(number) % 100, abs(number) % 10
        if tens in range(11, 15):
            return options[2]
        return options[0] if ones == 1 else options[1] if ones in {2, 3, 4} else options[2]
    return options[0] if number == 1 else options[-1]
