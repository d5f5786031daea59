"""What words mean, as vectors: words that are used alike lie near each other, whatever language they are of.

A file holds the vectors of the commonest words of a language, made by `benchmarks/fit_vectors.py`: 16 bytes of head, then the
sorted hashes of the forms, the row of each form, and the rows of signed bytes. It is mapped, so a look-up reads a few pages.
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_left
from operator import mul
from typing import TYPE_CHECKING, Final
from zlib import crc32

if TYPE_CHECKING:
    from pathlib import Path

HEAD: Final = struct.Struct("<4sIII")
"""Mark, number of forms, number of rows, bytes of a row."""
MARK: Final = b"vec1"
LENGTH: Final = 254
"""Length of every vector, in its bytes: its greatest component is hardly ever half of it."""
_HASH: Final = 4
_ROW: Final = 2

Vector = memoryview
"""Signed bytes."""


class Vectors:
    """The vectors of one language."""

    def __init__(self, path: Path) -> None:
        """Map a file; one that is not there holds no word."""
        try:
            with path.open("rb") as file:
                held = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except FileNotFoundError:
            held = memoryview(HEAD.pack(MARK, 0, 0, 1))
        _, forms, rows, self._width = HEAD.unpack_from(held)
        places = HEAD.size + _HASH * forms
        vectors = places + _ROW * forms
        self._hashes = held[HEAD.size : places].cast("I")
        self._places = held[places:vectors].cast("H")
        self._vectors = held[vectors : vectors + rows * self._width].cast("b")

    def find(self, word: str) -> Vector | None:
        """Return the vector of a folded word, in exactly this form; None when it has none."""
        sign = crc32(word.encode())
        place = bisect_left(self._hashes, sign)
        if place == len(self._hashes) or self._hashes[place] != sign:
            return None
        row = self._places[place]
        return self._vectors[row * self._width : (row + 1) * self._width]


def likeness_of(one: Vector, other: Vector) -> float:
    """Return the cosine of the angle between two vectors, which may be of two languages: 1 for the same."""
    product: int = sum(map(mul, one, other))
    return product / LENGTH**2
