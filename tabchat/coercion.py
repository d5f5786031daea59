"""What a person wrote for a setting → its value: from TOML, the environment or the command line, checked all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from types import UnionType
from typing import Final, get_args, get_origin

from tabchat.values import word_set

_ABOVE_ZERO: Final = word_set(
    "timeout code_timeout code_memory memory_limit spill_size threads max_rounds context_window"
)
_SIZES: Final = frozenset(
    {"memory_limit", "spill_size", "cache_size", "result_size", "code_memory", "egress_size"}
)
"""Settings that count bytes, which may be written with a unit."""
_UNITS: Final = {
    "": 1,
    "b": 1,
    **{f"{prefix}b": 1000**power for power, prefix in enumerate("kmgt", 1)},
    **{f"{prefix}ib": 1024**power for power, prefix in enumerate("kmgt", 1)},
}
"""Units of bytes as DuckDB reads them: GB is a billion, GiB 2**30."""
_SIZE: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)", re.ASCII)
_MOST: Final = {"preview_rows": 10, "threads": 1_024}
_MOST_OF_ALL: Final = 2**63 - 1
"""What the libraries beneath can count."""
_CLOCK: Final = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?|24:00", re.ASCII)
_CHOICES: Final = {"week_start": ("monday", "sunday")}
_TRUTHS: Final = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


_OF_SPARK: Final = ("spark", "order_by", "spark_rows")


class WindowError(ValueError):
    """A named session is no window of two times of day; says which."""


def without_effect(names: Iterable[str], engine: str) -> str | None:
    """Return the first of the settings called `names` that means nothing to an engine; nothing where all do."""
    return next((name for name in _OF_SPARK if name in names), None) if engine != "spark" else None


def coerced(name: str, value: object, hint: object) -> object:
    """Return `value` as the type of the setting `name`, which `hint` annotates.

    Raises `TypeError` or `ValueError` for what no such setting can be.
    """
    found = _convert(_in_bytes(value) if name in _SIZES else value, _kinds(hint))
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        _check_number(name, found)
    if name in _CHOICES and found not in _CHOICES[name]:
        raise ValueError(found)
    return found


def allowed(name: str, hint: object) -> str:
    """Say what the setting `name` can be."""
    kinds = _kinds(hint)
    choices = _CHOICES.get(name) or next(
        (tuple(kind) for kind in kinds if isinstance(kind, type) and issubclass(kind, StrEnum)), ()
    )
    if choices:
        return f"Use {', '.join(choices[:-1])} or {choices[-1]}."
    if bool in kinds:
        return "Use true or false."
    if name in _SIZES:
        least = "above 0" if name in _ABOVE_ZERO else "not below 0"
        return f"Use bytes or a size with its unit, such as 500 MB or 2GiB, {least}."
    if int in kinds or float in kinds:
        what = "a number" if float in kinds else "a whole number"
        least = "above 0" if name in _ABOVE_ZERO else "not below 0"
        return f"Use {what} {least}{f', at most {_MOST[name]:,}' if name in _MOST else ''}."
    if tuple in kinds:
        return "Use a list of names."
    return 'Such as {regular = ["09:30", "16:00"]}.' if Mapping in kinds else "Use a text."


def _in_bytes(value: object) -> object:
    """Return the bytes of a size such as `2GB` or `500 MB`; any other value as it is."""
    found = _SIZE.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        return value
    number, unit = found.groups()
    if unit not in _UNITS:
        raise ValueError(value)
    whole = Decimal(number) * _UNITS[unit]
    if whole != int(whole):
        raise ValueError(value)
    return int(whole)


def _kinds(hint: object) -> tuple[object, ...]:
    return get_args(hint) if isinstance(hint, UnionType) else (get_origin(hint) or hint,)


def _check_number(name: str, value: float) -> None:
    # Neither order holds for NaN.
    if not 0 <= value <= _MOST.get(name, _MOST_OF_ALL) or (name in _ABOVE_ZERO and value == 0):
        raise ValueError(value)


def _convert(value: object, kinds: tuple[object, ...]) -> object:
    if value is None and type(None) in kinds:
        return None
    if bool in kinds:
        return _as_bool(value)
    if isinstance(value, bool):
        raise TypeError
    if tuple in kinds:
        return _as_words(value)
    if Mapping in kinds and isinstance(value, dict):
        return {str(name): _as_window(str(name), said) for name, said in value.items()}
    return _as_single(value, kinds)


def _as_window(name: str, said: object) -> tuple[str, ...]:
    """Return a session as its two edges, of `{from, to}` or of a pair."""
    match said:
        case {"from": begin, "to": end, **other} if not other:
            pass
        case [begin, end]:
            pass
        case _:
            begin = end = None
    window = str(begin).strip(), str(end).strip()
    if window[0] == window[1] or not all(map(_CLOCK.fullmatch, window)):
        raise WindowError(f"{name!r} is not two times of day, one to begin at and another to end at")
    return window


def _as_single(value: object, kinds: tuple[object, ...]) -> object:
    """Return `value` as the one of `kinds` that is a number, a text, a path or a choice."""
    if not isinstance(value, (int, float, str, Path)):
        raise TypeError
    for kind in kinds:
        if kind is int and isinstance(value, float):
            raise TypeError
        if isinstance(kind, type) and issubclass(kind, (int, float, str, Path)):
            return kind(value)  # type: ignore[arg-type] # what it cannot be is a ValueError
    raise TypeError


def _as_words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    if isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value):
        return tuple(value)
    raise TypeError


def _as_bool(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _TRUTHS:
        return _TRUTHS[value.lower()]
    raise ValueError
