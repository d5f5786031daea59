"""Figures in thousands or millions: a header that says so (`Budget (k$)`), and numbers said with such a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.types import Value
    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.nodes import Node

MAGNITUDES: Final[Mapping[str, float]] = {"k": 1e3, "m": 1e6, "b": 1e9}
SAID: Final = "magnitude"
"""The concept of a number behind which stood a word for thousands, millions or billions."""
_FAMILY: Final = "scale."
_CURRENCY: Final = re.compile(r"[$€£₴₽]\s?([kmb])n?(?!\w)|(?<!\w)([kmb])n?\s?[$€£₴₽]", re.IGNORECASE)
"""`$M`, `k€`; a letter alone may be a unit of length."""
_SUFFIX: Final = re.compile(r"\d[kmкм]$", re.IGNORECASE)
_FAR: Final = 10
"""How many times a number lies above all cells before it is taken for one that was written out in full."""


def header_magnitudes(columns: Sequence[ColumnFacts], lexicons: Sequence[Lexicon]) -> dict[int, float]:
    """Return column → how much one of its header's unit is: 1000 for `Budget (k$)` and `Выручка, тыс. руб`."""
    found: dict[int, float] = {}
    for column in columns:
        if not column.kind.is_numeric or len(column.base) < 2:  # noqa: PLR2004 - a thing and its magnitude
            continue
        sizes = {size for word in column.base[1:] if (size := _size_of(word, lexicons)) is not None}
        written = _CURRENCY.search(column.name)
        if written is not None:
            sizes.add(MAGNITUDES[(written[1] or written[2]).casefold()])
        if len(sizes) == 1:
            found[column.index] = sizes.pop()
    return found


def _size_of(word: str, lexicons: Sequence[Lexicon]) -> float | None:
    for lexicon in lexicons:
        for concept in lexicon.find((word,)):
            if concept.startswith(_FAMILY) and concept.removeprefix(_FAMILY) in MAGNITUDES:
                return MAGNITUDES[concept.removeprefix(_FAMILY)]
        for short, name in lexicon.magnitudes:
            if word == short:
                return MAGNITUDES[name]
    return None


def is_said(node: Node) -> bool:
    """Tell whether a number was said in thousands or more: `500k`, `2 million`."""
    said = node.sense is not None and node.sense.has(SAID)
    return said or _SUFFIX.search(node.text) is not None


def as_held(value: float, node: Node, size: float, high: Value) -> float | None:
    """Return a number as a column in units of `size` holds it; nothing when it could be meant in two ways.

    `high` is the largest cell, absent where sums are compared. A plain number far above it was written out in full,
    when in the unit of the header it falls among the cells.
    """
    if is_said(node):
        return round(value / size, 9)
    if not isinstance(high, int | float) or value <= high:
        return value
    inside = value / size <= high
    return round(value / size, 9) if inside and value >= _FAR * high else None
