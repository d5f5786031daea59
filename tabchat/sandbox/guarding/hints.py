"""What to write in the place of a name that is not available: the known one that is most like it, or another way."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from tabchat.sandbox.guarding import words
from tabchat.sandbox.guarding.stats_paths import ESTIMATORS
from tabchat.sandbox.worker.libraries import names_of_code

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def near(name: str, known: Iterable[str]) -> str | None:
    """Return the one of `known` that is most like `name`, None when none is."""
    return next(iter(difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.75)), None)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the hint that asks for what was meant, None when nothing is like it."""
    found = near(name, known)
    return f"Did you mean `{found}`?" if found else None


def for_member(name: str, known: Iterable[str]) -> str | None:
    """Return the hint for what a module does not offer."""
    if name.startswith("read_"):
        return "The table is in `df`; files are out of reach."
    return words.ATTRIBUTE_HINTS.get(name) or nearest(name, known)


def for_attribute(name: str, attributes: frozenset[str], columns: frozenset[str]) -> str:
    """Return the hint for an attribute of a value."""
    if name in words.ATTRIBUTE_HINTS:
        return words.ATTRIBUTE_HINTS[name]
    if name in columns:
        return f'The column is `df["{name}"]`.'
    if name.startswith("to_"):
        return "Leave the table in `result`; `tabchat export` writes files."
    return (
        for_member(name, attributes | columns)
        or "Use a column, or a method of pandas or NumPy that computes."
    )


def for_name(name: str, known: Iterable[str], columns: Collection[str], *, with_stats: bool) -> str:
    """Return the hint for a name that stands alone, with all that there is."""
    hint = words.HINTS.get(name) or nearest(name, known)
    if hint is None and (column := near(name, columns)):
        hint = f'The column is `df["{column}"]`.' if column == name else f'Did you mean `df["{column}"]`?'
    if name in ESTIMATORS or name in words.STATS_MODULES:
        hint = "It comes with the extra: `pip install 'tabchat[stats]'`."
    return f"{hint or ''} The code may use {names_of_code(with_stats=with_stats)}.".strip()
