"""Placeholders in a model's text, such as `{{ds_….max.region}}`: filled in on this machine, each traced to its cell.

Filling is one pass: what was filled in is never read for placeholders again, so a cell cannot ask for another.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Claim, Trace
from tabchat.chat.cell_lookup import find_cell
from tabchat.engine.cells import DECIMALS, inert
from tabchat.engine.types import json_value
from tabchat.errors import TabchatError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.chat.cell_lookup import Found
    from tabchat.engine.result import Result
    from tabchat.engine.types import Value

_PLACEHOLDER: Final = re.compile(r"\{\{\s*(?P<inner>[^{}\n]{1,300}?)\s*\}\}")
_PATH: Final = re.compile(r"(?P<key>ds_\w+|_)\.(?P<path>.+)")
_CELL_LIMIT: Final = 200
_DIGITS_OF_SMALL: Final = 4
"""Significant digits of a number that four decimals would make zero."""
_GLUED_BEFORE: Final = re.compile(r"(?:\d[.,]?|(?:^|[\s(:=*])[-\u2212])\Z")
_GLUED_AFTER: Final = re.compile(r"[.,]?\d")
_BEFORE: Final = frozenset("$€£¥₴₽")
_AFTER: Final = frozenset({"%", "‰", "°"})


@record
class _Writing:
    """How a language writes figures."""

    thousands: str
    decimal: str
    table: str
    nothing: str


_ENGLISH: Final = _Writing(thousands=",", decimal=".", table="table", nothing="no value")
_UKRAINIAN: Final = _Writing(thousands="\u00a0", decimal=",", table="таблиця", nothing="немає значення")
_RUSSIAN: Final = _Writing(thousands="\u00a0", decimal=",", table="таблица", nothing="нет значения")


def fill(
    text: str, result_of: Callable[[str], Result], *, latest: str | None = None
) -> tuple[str, tuple[Claim, ...]]:
    """Return `text` with its placeholders filled in, and one claim for each.

    `result_of` takes a data key, or `_` for the last result, whose key is
    `latest`. A placeholder that names no single cell stays as it is, and its claim
    is unverified; one for a table becomes a line that names it.
    """
    filler = _Filler(result_of, latest, _writing(text))
    pieces: list[str] = []
    claims: list[Claim] = []
    end = length = 0
    for match in _PLACEHOLDER.finditer(text):
        before = text[end : match.start()]
        filled, claim = filler.fill(match["inner"], match.group(), text[: match.start()], text[match.end() :])
        length += len(before)
        if claim is not None:
            claims.append(replace(claim, start=length))
        pieces += (before, filled)
        length += len(filled)
        end = match.end()
    return "".join((*pieces, text[end:])), tuple(claims)


def _becomes_another_number(found: Found, before: str, after: str) -> bool:
    """Return whether digits or a minus beside a placeholder would make another number of its value."""
    if isinstance(found.value, bool) or not isinstance(found.value, (int, float, Decimal)):
        return False
    glued = _GLUED_BEFORE.search(before[-3:]) or _GLUED_AFTER.match(after)
    return glued is not None


class _Filler:
    """Fills in the placeholders of one text; each result is asked for once."""

    def __init__(self, result_of: Callable[[str], Result], latest: str | None, writing: _Writing) -> None:
        self._result_of = result_of
        self._latest = latest
        self._writing = writing
        self._found: dict[tuple[str, str], Found | None] = {}

    def fill(self, inner: str, whole: str, before: str, after: str) -> tuple[str, Claim | None]:
        """Return what stands instead of the placeholder `whole`, and its claim (none for a table)."""
        match = _PATH.fullmatch(inner)
        result = self._result(match["key"]) if match is not None else None
        if match is None or result is None:
            return whole, Claim(text=whole, value=whole, status="unverified")
        key = self._latest if match["key"] == "_" else match["key"]
        if match["path"] == "table":
            return f"[{self._writing.table} {key or '_'}]", None
        found = self._cell(match["key"], match["path"], result)
        if found is None or _becomes_another_number(found, before, after):
            return whole, Claim(text=whole, value=whole, status="unverified")
        filled = self._written(found, before, after)
        return filled, Claim(
            text=filled,
            value=json_value(found.value),  # type: ignore[arg-type] # plain JSON is a value
            status="verified",
            evidence=_evidence(key or "_", match["path"], found),
            traces=(Trace(data_key=key, column=found.column, row=found.row or {}),),
        )

    def _result(self, key: str) -> Result | None:
        try:
            return self._result_of(key)
        except (KeyError, TabchatError):
            # A key that nobody has, or whose rows are gone: the placeholder stays, marked.
            return None

    def _cell(self, key: str, path: str, result: Result) -> Found | None:
        if (key, path) not in self._found:
            try:
                self._found[key, path] = find_cell(result, path)
            except TabchatError:
                self._found[key, path] = None
        return self._found[key, path]

    def _written(self, found: Found, before: str, after: str) -> str:
        if found.others:
            return ", ".join(self._value(value, is_label=True) for value in (found.value, *found.others))
        text = self._value(found.value, is_label=found.is_label)
        is_figure = isinstance(found.value, (int, float, Decimal)) and not isinstance(found.value, bool)
        return _with_unit(text, found.unit, before, after) if found.unit and is_figure else text

    def _value(self, value: Value, *, is_label: bool) -> str:
        match value:
            case None:
                return self._writing.nothing
            case bool():
                return "true" if value else "false"
            case int() if is_label:
                return str(value)
            case int() | float() | Decimal():
                return self._number(value)
            case dt.datetime():
                return value.isoformat(sep=" ").removesuffix(" 00:00:00")
            case _:
                plain = inert(str(json_value(value)))
                return plain if len(plain) <= _CELL_LIMIT else plain[: _CELL_LIMIT - 1] + "…"

    def _number(self, value: float | Decimal) -> str:
        if isinstance(value, int):
            return f"{value:,}".replace(",", self._writing.thousands)
        if json_value(value) is None:
            return self._writing.nothing
        digits = f"{value:,.{DECIMALS}f}"
        if value and not digits.strip("-0."):
            digits = f"{Decimal(f'{value:.{_DIGITS_OF_SMALL - 1}e}'):f}"
        whole, _, fraction = digits.partition(".")
        whole = whole.replace(",", self._writing.thousands)
        fraction = fraction.rstrip("0")
        return f"{whole}{self._writing.decimal}{fraction}" if fraction else whole


def _evidence(key: str, path: str, found: Found) -> str:
    """Name the cell: `ds_….value`, or `ds_…[region=Asia].sum_revenue`."""
    if found.row is None:
        return f"{key}.{path}"
    labels = ", ".join(f"{name}={_plain(value)}" for name, value in found.row.items())
    return f"{key}[{labels}].{found.column}" if labels else f"{key}.{path}"


def _plain(value: Value) -> str:
    return inert(str(json_value(value)))[:_CELL_LIMIT]


def _with_unit(text: str, unit: str, before: str, after: str) -> str:
    """Add the unit unless the text around the placeholder has it."""
    if unit in _BEFORE:
        if before.endswith(unit) or after.lstrip().startswith(unit):
            return text
        return f"-{unit}{text[1:]}" if text.startswith("-") else f"{unit}{text}"
    if unit in _AFTER:
        return text if after.lstrip("\u00a0 ").startswith(unit) else f"{text}{unit}"
    return text


def _writing(text: str) -> _Writing:
    """Return how the language of `text` writes figures, by the letters that it is written in."""
    prose = _PLACEHOLDER.sub("", text).casefold()
    cyrillic = sum("а" <= letter <= "ґ" for letter in prose)
    latin = sum("a" <= letter <= "z" for letter in prose)
    if cyrillic <= latin:
        return _ENGLISH
    return _UKRAINIAN if any(letter in "іїєґ" for letter in prose) else _RUSSIAN
