"""Dates whose month is a name in any of the languages of `engine/months.py`: `5 січня 2024 р.`, `12. März 2024`.

The engine's own parser of dates knows the English names alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from tabchat.engine.months import BEHIND, month_names
from tabchat.engine.reader import nodes

if TYPE_CHECKING:
    from sqlglot import exp

_DAY: Final = "[0-9]{1,2}"
_YEAR: Final = "[0-9]{4}"
_GAP: Final = "(?:[.]?[ -]|[.])"


def named_pattern() -> str:
    """Return what a whole cell looks like, to Python and to RE2."""
    every = "|".join(name for names in month_names() for name in names)
    return f"{_DAY}{_GAP}(?i:{every}){_GAP}{_YEAR}{BEHIND}"


@cache
def _compiled() -> tuple[re.Pattern[str], dict[str, int]]:
    parts = re.compile(f"({_DAY}){_GAP}([^\\W\\d_]+){_GAP}({_YEAR}){BEHIND}")
    return parts, {name: month for month, names in enumerate(month_names(), start=1) for name in names}


def named_date(cell: str) -> tuple[int, int, int] | None:
    """Return (year, month, day) of a cell; None when it is no such date. The day may be none of the month."""
    parts, months = _compiled()
    found = parts.fullmatch(cell)
    month = months.get(found[2].lower()) if found is not None else None
    return (int(found[3]), month, int(found[1])) if found is not None and month is not None else None


def named_day(text: exp.Expression) -> exp.Expression:
    """Return the date that a text of the pattern says; null for a day that its month does not have."""
    said = [
        (nodes.call("regexp_matches", text, f"(?i)[ .-](?:{'|'.join(names)})[. -]"), nodes.text(f"-{month}-"))
        for month, names in enumerate(month_names(), start=1)
    ]
    year = nodes.call("regexp_extract", text, _YEAR)
    day = nodes.call("regexp_extract", text, f"^{_DAY}")
    iso = nodes.call("concat", year, nodes.case(*said, default=nodes.null()), day)
    return nodes.cast(nodes.call("try_strptime", iso, "%Y-%m-%d"), "DATE")
