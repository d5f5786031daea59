"""Units of measure with decimal prefixes, so that 24.1 GW is found in a column of megawatts."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, TypeAlias

Measure: TypeAlias = tuple[str, int]
"""(what is measured, power of ten of the unit)."""

_PREFIXES: Final = {"": 0, "k": 3, "m": 6, "g": 9, "t": 12}
_UNITS: Final[dict[str, Measure]] = {
    **{f"{prefix}{unit}": (unit, power) for unit in ("w", "wh", "hz") for prefix, power in _PREFIXES.items()},
    **{f"{prefix}b": ("byte", power) for prefix, power in _PREFIXES.items()},
    **{name: ("watt", power) for name, power in (("вт", 0), ("квт", 3), ("мвт", 6), ("гвт", 9), ("твт", 12))},
    **{
        name: ("gram", power)
        for name, power in (("mg", -3), ("g", 0), ("kg", 3), ("мг", -3), ("г", 0), ("кг", 3))
    },
    **{
        name: ("metre", power)
        for name, power in (("mm", -3), ("cm", -2), ("km", 3), ("мм", -3), ("см", -2), ("км", 3))
    },
    **{name: ("ampere", power) for name, power in (("ma", -3), ("ua", -6), ("µa", -6))},
    **{name: ("volt", power) for name, power in (("mv", -3), ("kv", 3))},
    **{name: ("litre", power) for name, power in (("ml", -3), ("мл", -3))},
}
_ALIASES: Final = {"w": "watt"}
_UNIT: Final = re.compile(r"[\s\u00a0\u202f]?([^\W\d_]{1,3})(?![\w])")


def measure_of(name: str) -> Measure | None:
    """Return the measure that a unit such as `MW` stands for."""
    found = _UNITS.get(name.casefold())
    return (_ALIASES.get(found[0], found[0]), found[1]) if found else None


def unit_behind(text: str, end: int) -> Measure | None:
    """Return the measure of the unit that stands right behind a figure."""
    found = _UNIT.match(text, end)
    return measure_of(found.group(1)) if found else None


def factor(said: Measure | None, column: Measure | None) -> Decimal:
    """Return what a value of the column is multiplied by to be in the unit said."""
    if said is None or column is None or said[0] != column[0]:
        return Decimal(1)
    return Decimal(10) ** (column[1] - said[1])
