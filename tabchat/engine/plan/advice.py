"""What to write instead: the hints of plan errors."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tabchat.engine.functions import ALIASES, FUNCTIONS
from tabchat.engine.nearest import nearest
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.functions import Bound, Function

_LISTED: Final = 20
"""Names that a hint lists at most."""
_USUAL: Final = "sum(), mean(), count_distinct(), round(), lower(), year() or rolling_mean()"
ARITY_HINTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "min": "Over many rows: min(x); of several columns in a row: least(x, y).",
        "max": "Over many rows: max(x); of several columns in a row: greatest(x, y).",
    }
)
"""Function → hint when it is given the wrong number of arguments."""

_FOREIGN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cast": "Casts are not needed: numbers, dates and texts keep their types.",
        "now": "Plans do not look at the clock; use `period`, such as last_30_days.",
        "today": "Plans do not look at the clock; use `period`, such as last_30_days.",
        "date_trunc": "Use period_month(x), period_quarter(x), period_week(x), year(x) or date(x).",
        "strftime": "Use period_month(x), period_quarter(x), dayname(x) or monthname(x).",
        "extract": "Use year(x), quarter(x), month(x), week(x), day(x) or hour(x).",
    }
)
"""Functions of other languages → what to use instead."""

_ACCEPTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "number": "numbers",
        "text": "text",
        "condition": "a condition",
        "date": "dates",
        "clock": "times of day",
        "orderable": "values that can be compared",
    }
)


def quoted(name: str) -> str:
    """Return a column's name as an expression writes it."""
    return name if name.isidentifier() else '"' + name.replace('"', '""') + '"'


def accepted_words(accepts: str) -> str:
    """Say what a parameter takes."""
    return _ACCEPTED.get(accepts, "any value")


def wrong_count(found: Function, given: int) -> str:
    """Say how many arguments a function takes."""
    least, greatest = found.arity
    takes = f"{least} to {greatest}"
    if greatest is None:
        takes = f"{least} or more"
    elif least == greatest:
        takes = str(least) if least else "no"
    return f"`{found.name}()` takes {takes} argument{'s' * (takes != '1')}, not {given}."


def kind_hint(found: Function, value: Bound) -> str | None:
    """Return a hint for an argument of the wrong kind, when there is a better way."""
    if value.kind is ColumnKind.BOOLEAN and found.aggregate:
        return "pct(condition) is the percentage of rows that meet a condition, count_if(condition) their number."
    return None


def function_hint(name: str) -> str:
    """Return a hint for a function that does not exist."""
    near = nearest(name, (*FUNCTIONS, *ALIASES))
    listed = f"Did you mean {', '.join(f'{item}()' for item in near)}?"
    return _FOREIGN.get(name.lower()) or (listed if near else f"Such as {_USUAL}.")


def column_hint(near: Sequence[str], names: Sequence[str], otherwise: str = "Columns") -> str:
    """Return a hint for a column that does not exist: the nearest ones, else all of them."""
    if near:
        return f"Did you mean {', '.join(quoted(name) for name in near)}?"
    if not names:
        return "There is none to choose from."
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{otherwise}: {', '.join(quoted(name) for name in names[:_LISTED])}{more}."
