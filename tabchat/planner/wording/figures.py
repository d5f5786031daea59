"""Figures, labels and plurals as a language writes them, each figure noted with its evidence."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.answers.receipts import Receipt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import Value
    from tabchat.planner.wording.phrases import Phrases

_DECIMALS: Final = 4
_SIGNS: Final = frozenset("$€£₴₽¥")
_TEENS: Final = range(11, 15)
_FEW: Final = range(2, 5)
_CALENDAR: Final = {
    "weekdays": tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()),  # noqa: SIM905
    "months": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
}
"""Names that the engine gives days and months."""


@dataclass
class Figures:
    """Writes the figures of one result; collects them as it writes."""

    phrases: Phrases
    key: str
    """Data key of the result."""
    units: Mapping[str, str]
    """Unit of each result column that has one."""
    receipts: list[Receipt] = field(default_factory=list)

    @property
    def words(self) -> Mapping[str, str]:
        """Templates of sentences."""
        return self.phrases.phrasing

    def figure(self, value: Value, column: str, place: str) -> str:
        """Write a value with its unit, and note it as traced to `place`."""
        text = self.shown(value, self.units.get(column))
        if isinstance(value, int | float | Decimal | dt.date) and not isinstance(value, bool):
            self._note(text, value, f"{self.key}{place}")
        return text

    def counted(self, number: int, noun: str, place: str = ".rows") -> str:
        """Write a number of things in the right plural form, and note it: the rows of the result, if nothing else."""
        text = self.shown(number)
        self._note(text, number, f"{self.key}{place}")
        return f"{text} {plural(number, self.words[noun], self.words['plural'])}"

    def _note(self, text: str, value: Value, evidence: str) -> None:
        self.receipts.append(Receipt(text=text, value=value, status="verified", evidence=evidence))

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

    def label(self, value: Value, unit: str | None = None) -> str:
        """Write the name of a group or a row: a year or a code is no quantity, its digits stand together."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        names = {"weekday": "weekdays", "month_name": "months"}.get(unit or "")
        if names is not None and value in _CALENDAR[names]:
            return self.phrases.read_as[names].split("|")[_CALENDAR[names].index(str(value))]
        return self.shown(value)

    def _number(self, value: float | Decimal) -> str:
        whole, _, fraction = f"{value:,.{_DECIMALS}f}".partition(".")
        fraction = "" if isinstance(value, int) else fraction.rstrip("0")
        whole = whole.replace(",", self.words["thousands"])
        return f"{whole}{self.words['decimal']}{fraction}" if fraction else whole


def _with_unit(text: str, unit: str | None) -> str:
    if unit is None:
        return text
    if unit in _SIGNS:
        return f"-{unit}{text[1:]}" if text.startswith("-") else f"{unit}{text}"
    return f"{text}%" if unit == "%" else f"{text} {unit}"


def plural(number: int, forms: str, rule: str) -> str:
    """Choose a plural form: `one|other`, or by the Slavic rule `one|few|many`."""
    options = forms.split("|")
    if rule != "slavic":
        return options[0] if number == 1 else options[-1]
    tens, ones = abs(number) % 100, abs(number) % 10
    if tens in _TEENS:
        return options[2]
    return options[0] if ones == 1 else options[1] if ones in _FEW else options[2]
