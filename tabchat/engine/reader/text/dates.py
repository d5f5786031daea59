"""Dates and times as people write them, and how each spelling becomes a value."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.text.named_months import named_date, named_pattern
from tabchat.engine.reader.text.zones import ANY, ZONE, is_utc
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_SHORT: Final = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_LONG: Final = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTHS: Final = {name.lower(): number for number, name in enumerate(_LONG.split("|"), start=1)} | {
    name.lower(): number for number, name in enumerate(_SHORT.split("|"), start=1)
}
_CLOCK: Final = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
_CLOCK_12: Final = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})? [AaPp][Mm]"
_CELL: Final = re.compile(
    r"(?:(?P<y>[0-9]{4})(?P<s>[-/.])(?P<m>[0-9]{1,2})(?P=s)(?P<d>[0-9]{1,2})"
    r"|(?P<a>[0-9]{1,2})(?P<t>[-/.])(?P<b>[0-9]{1,2})(?P=t)(?P<z>[0-9]{4}|[0-9]{2})"
    rf"|(?P<e>[0-9]{{1,2}})(?P<u>[ /-])(?P<n>{_LONG}|{_SHORT})(?P=u)(?P<f>[0-9]{{4}}|[0-9]{{2}})"
    rf"|(?P<o>{_LONG}|{_SHORT}) (?P<g>[0-9]{{1,2}})(?P<c>,?) (?P<h>[0-9]{{4}}))?"
    rf"(?:(?P<gap>[T :]|, |^)(?:(?P<clock12>{_CLOCK_12})|(?P<clock>{_CLOCK})(?P<zone>{ZONE})?))?",
    re.IGNORECASE,
)
GAP: Final = "(?:[T :]|, )"
"""What stands between a date and a clock."""
_ISO: Final = "[0-9]{4}\\-[0-9]{1,2}\\-[0-9]{1,2}"
_COMPACT: Final = re.compile("((?:19|20)[0-9]{2})([01][0-9])([0-3][0-9])")
"""A date as databases and SAP export it: 20240131."""
_EXAMINED: Final = 400
_PIVOT: Final = 69
_NOON: Final = 12


@record
class DateShape:
    """One spelling of dates, datetimes or times of day."""

    pattern: str = ""
    """Regular expression of the date part; empty for a bare time of day."""
    date_format: str = ""
    """strptime format of the date part."""
    clock: str = ""
    """Clock that follows: none, `24` or `12` hours."""
    zone: str = ""
    """The one offset that every cell has, or `any` for cells to be brought to UTC."""
    named: bool = False
    """Whether the month is a name that `named_months.py` knows and strptime does not."""

    @property
    def cell_pattern(self) -> str:
        """Regular expression of a whole cell."""
        clock = {"": "", "24": _CLOCK, "12": _CLOCK_12}[self.clock]
        gap = GAP if self.pattern and clock else ""
        zone = f"(?:{ZONE})" if self.zone == ANY else re.escape(self.zone)
        return f"{self.pattern}{gap}{clock}{zone}"

    @property
    def clock_pattern(self) -> str:
        """Regular expression of the clock part."""
        return _CLOCK_12 if self.clock == "12" else _CLOCK


@record
class _Spelling:
    """What one cell shows before the order of day and month is known."""

    family: str
    separator: str = ""
    short_year: bool = False
    long_month: bool = False
    comma: bool = False
    clock: str = ""
    zone: str = ""
    parts: tuple[int, int, int] | None = None
    """(year, month, day), or (year, first, second) while the order is open."""


@record
class DateGuess:
    """How a whole column spells its dates."""

    kind: ColumnKind
    shapes: tuple[DateShape, ...]
    utc: bool = False
    offset: str = ""
    """The offset that all cells share, kept out of the values."""
    open_order: str | None = None
    """The order chosen (`dmy` or `mdy`) when no cell decides it."""
    settled: tuple[tuple[str, str], ...] = ()
    """(separator, order) that cells do decide."""
    plain: bool = False
    """True when every cell is in the engine's own spelling."""


def guess_dates(
    cells: Collection[str], *, order: str | None = None, hints: Collection[tuple[str, str]] = ()
) -> DateGuess | None:
    """Return how `cells` spell dates or times, or None when one of them does not.

    `order` (`dmy`, `mdy`, `ymd`) overrules; `hints` are (separator, order) pairs settled by other columns.
    """
    if (plain := _plain_guess(cells)) is not None:
        return plain
    spellings: list[_Spelling] = []
    for cell in _spread(cells):
        spelling = _spell(cell)
        if spelling is None:
            return None
        spellings.append(spelling)
    clocks = {bool(s.clock) for s in spellings}
    bare = {s.family == "time" for s in spellings}
    zones = {s.zone for s in spellings}
    if not spellings or len(bare) > 1 or (len(zones) > 1 and "" in zones):
        return None
    if bare == {True}:
        return _time_guess(spellings) if zones == {""} else None
    orders = _orders(spellings, order, dict(hints))
    if orders is None or not all(_valid(s, orders) for s in spellings):
        return None
    zone = ANY if len(zones) > 1 else next(iter(zones))
    shapes = {_shape(s, orders, zone): None for s in spellings}
    return DateGuess(
        kind=ColumnKind.DATETIME if True in clocks else ColumnKind.DATE,
        shapes=tuple(shapes),
        utc=zone == ANY,
        offset="" if zone == ANY or is_utc(zone) else zone,
        open_order=next((o for o, settled in orders.values() if not settled), None),
        settled=tuple((sep, o) for sep, (o, settled) in orders.items() if settled),
    )


_PLAIN_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PLAIN_DATETIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")


def _plain_guess(cells: Collection[str]) -> DateGuess | None:
    """Recognise the engine's own spelling, by far the most frequent one, without taking cells apart."""
    for kind, pattern, clock in (
        (ColumnKind.DATE, _PLAIN_DATE, ""),
        (ColumnKind.DATETIME, _PLAIN_DATETIME, "24"),
    ):
        if cells and all(map(pattern.fullmatch, cells)):
            try:
                for cell in cells:
                    dt.datetime.fromisoformat(cell)
            except ValueError:
                return None
            shape = DateShape(pattern=_ISO, date_format="%Y-%m-%d", clock=clock)
            return DateGuess(kind=kind, shapes=(shape,), plain=True)
    return None


def _spread(cells: Collection[str]) -> list[str]:
    """Return the first cells and a spread of the others: enough to see how a column is written."""
    every = list(cells)
    rest = every[_EXAMINED:]
    return every[:_EXAMINED] + rest[:: 1 + len(rest) // _EXAMINED]


def _time_guess(spellings: Collection[_Spelling]) -> DateGuess:
    shapes = {DateShape(clock=s.clock): None for s in spellings}
    return DateGuess(kind=ColumnKind.TIME, shapes=tuple(shapes))


def _spell(cell: str) -> _Spelling | None:  # noqa: PLR0911 - one return for each family of spellings
    # Columns of digits alone are numbers before anybody looks for dates; a person may say that they are dates.
    if compact := _COMPACT.fullmatch(cell):
        year, month, day = map(int, compact.groups())
        return _Spelling(family="compact", parts=(year, month, day))
    found = _CELL.fullmatch(cell)
    if found is None or not cell:
        named = named_date(cell) if cell[:1].isdigit() and not cell.isdigit() else None
        return None if named is None else _Spelling(family="d-named", parts=named)
    part = found.groupdict()
    clock = "12" if part["clock12"] else "24" if part["clock"] else ""
    if clock and not _valid_clock(part["clock12"] or part["clock"], twelve=clock == "12"):
        return None
    seen = _Spelling(family="", clock=clock, zone=(part["zone"] or "").upper())
    if part["y"]:
        numbers = (int(part["y"]), int(part["m"]), int(part["d"]))
        return replace(seen, family="ymd", separator=part["s"], parts=numbers)
    if part["a"]:
        return _numeric(part, seen)
    if part["n"]:
        short = len(part["f"]) == 2  # noqa: PLR2004 - a year of two digits
        if short and part["u"] == " ":
            return None
        numbers = (_year(part["f"]), _MONTHS[part["n"].lower()], int(part["e"]))
        long = len(part["n"]) > len("May")
        return replace(
            seen, family="d-name", separator=part["u"], short_year=short, long_month=long, parts=numbers
        )
    if part["o"]:
        numbers = (int(part["h"]), _MONTHS[part["o"].lower()], int(part["g"]))
        long = len(part["o"]) > len("May")
        return replace(seen, family="name-d", long_month=long, comma=bool(part["c"]), parts=numbers)
    return replace(seen, family="time") if clock else None


def _numeric(part: Mapping[str, str], seen: _Spelling) -> _Spelling | None:
    short = len(part["z"]) == 2  # noqa: PLR2004 - a year of two digits
    # `1.2.24` is as likely a version, and `12-05-24` a code.
    if short and (part["t"] == "-" or (part["t"] == "." and len(part["a"] + part["b"]) < 4)):  # noqa: PLR2004
        return None
    numbers = (_year(part["z"]), int(part["a"]), int(part["b"]))
    return replace(seen, family="xy", separator=part["t"], short_year=short, parts=numbers)


def _year(text: str) -> int:
    year = int(text)
    return year if len(text) > 2 else year + (1900 if year >= _PIVOT else 2000)  # noqa: PLR2004


def _valid_clock(text: str, *, twelve: bool) -> bool:
    hour, minute, *rest = text[:-3].split(":") if twelve else text.split(":")
    second = float(rest[0]) if rest else 0.0
    hours = range(1, _NOON + 1) if twelve else range(24)
    return int(hour) in hours and int(minute) < 60 and second < 60  # noqa: PLR2004 - a clock


def _orders(
    spellings: Collection[_Spelling], order: str | None, hints: dict[str, str]
) -> dict[str, tuple[str, bool]] | None:
    """Decide day and month for each separator: order → (order, whether cells decide it)."""
    orders: dict[str, tuple[str, bool]] = {}
    for separator in {s.separator for s in spellings if s.family == "xy"}:
        pairs = [s.parts[1:] for s in spellings if s.parts and s.family == "xy" and s.separator == separator]
        first = any(a > _NOON for a, _ in pairs)
        second = any(b > _NOON for _, b in pairs)
        if first and second:
            return None
        if order in {"dmy", "mdy"}:
            orders[separator] = (order, True)
        elif first or second:
            orders[separator] = ("dmy" if first else "mdy", True)
        elif separator in hints:
            orders[separator] = (hints[separator], True)
        else:
            orders[separator] = ("mdy" if separator == "/" else "dmy", False)
    return orders


def _valid(spelling: _Spelling, orders: dict[str, tuple[str, bool]]) -> bool:
    if spelling.parts is None:
        return False
    year, month, day = spelling.parts
    if spelling.family == "xy" and orders[spelling.separator][0] == "dmy":
        month, day = day, month
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def _shape(spelling: _Spelling, orders: dict[str, tuple[str, bool]], zone: str) -> DateShape:
    sep = re.escape(spelling.separator) if spelling.separator != " " else " "
    mark = spelling.separator
    year = ("[0-9]{2}", "%y") if spelling.short_year else ("[0-9]{4}", "%Y")
    names = f"(?i:{_LONG if spelling.long_month else _SHORT})"
    month = "%B" if spelling.long_month else "%b"
    two = "[0-9]{1,2}"
    match spelling.family:
        case "d-named":
            return DateShape(pattern=named_pattern(), date_format="%d %B %Y", named=True)
        case "compact":
            pattern, date_format = "[0-9]{8}", "%Y%m%d"
        case "ymd":
            pattern, date_format = f"[0-9]{{4}}{sep}{two}{sep}{two}", f"%Y{mark}%m{mark}%d"
        case "xy":
            dmy = orders[spelling.separator][0] == "dmy"
            pattern = f"{two}{sep}{two}{sep}{year[0]}"
            date_format = f"%d{mark}%m{mark}{year[1]}" if dmy else f"%m{mark}%d{mark}{year[1]}"
        case "d-name":
            pattern, date_format = f"{two}{sep}{names}{sep}{year[0]}", f"%d{mark}{month}{mark}{year[1]}"
        case _:
            comma = "," if spelling.comma else ""
            pattern, date_format = f"{names} {two}{comma} [0-9]{{4}}", f"{month} %d{comma} %Y"
    return DateShape(pattern=pattern, date_format=date_format, clock=spelling.clock, zone=zone)
