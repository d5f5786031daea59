"""Which words exist: a list of stems for each language, so that no real word is taken for a typing error.

The lists are text, sorted by their bytes, made by `benchmarks/list_stems.py`; a look-up halves the file in memory
instead of parsing it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.planner.words.inflection import Inflection

LENGTHS: Final = range(3, 8)
"""Letters of the stems that are listed: longer words lie far from each other."""


def is_word(word: str, inflection: Inflection, listed: Path) -> bool | None:
    """Tell whether a folded word, without its ending, is in a list; None when lists hold no words of its length."""
    stem = inflection.base(word)
    if len(stem) not in LENGTHS or not listed.is_file():
        return None
    return _holds(_lines(listed), stem.encode())


@lru_cache(maxsize=4)
def _lines(path: Path) -> bytes:
    _, _, stems = path.read_bytes().partition(b"\n")
    return b"\n" + stems


def _holds(lines: bytes, stem: bytes) -> bool:
    low, high = 0, len(lines) - 1
    while low < high:
        start = lines.rfind(b"\n", low, (low + high) // 2 + 1)
        end = lines.find(b"\n", start + 1)
        held = lines[start + 1 : end]
        if held == stem:
            return True
        if held < stem:
            low = end
        else:
            high = start
    return False
