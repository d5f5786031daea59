"""A PNG as sixels (DEC STD 070, 9.5.2; https://vt100.net/docs/vt3xx-gp/chapter14.html): bands of six rows of dots, a colour at a time."""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {2: 3, 6: 4}
"""Colour type of a PNG → bytes of a dot: red, green, blue, and how opaque."""
_BAND: Final = 6
_LEVELS: Final = 6
"""Steps of each of red, green and blue: with 216 colours in all, every terminal that knows sixels gets by."""
_LEAST_REPEATED: Final = 4
"""Fewer equal signs are as short written out."""


def sixels(png: bytes) -> str:
    """Return what draws a PNG at the cursor; raises `ValueError` for one that is not of 8 bits a colour, row by row."""
    dots = _dots(png)
    height, width, _ = dots.shape
    steps = np.rint(dots.astype(np.uint16) * (_LEVELS - 1) / 255).astype(np.int64)
    numbers = steps[..., 0] * _LEVELS**2 + steps[..., 1] * _LEVELS + steps[..., 2]
    used = np.unique(numbers).tolist()
    colours = "".join(f"#{number};2;{_shares(number)}" for number in used)
    bands = (_band(numbers[top : top + _BAND]) for top in range(0, height, _BAND))
    return f'\x1bPq"1;1;{width};{height}{colours}{"-".join(bands)}\x1b\\'


def _shares(number: int) -> str:
    """Return red, green and blue of a colour in hundredths, as sixels count them."""
    parts = number // _LEVELS**2, number // _LEVELS % _LEVELS, number % _LEVELS
    return ";".join(str(part * 100 // (_LEVELS - 1)) for part in parts)


def _band(numbers: npt.NDArray[np.int64]) -> str:
    """Return up to six rows of dots: for each colour that stands in them, a sign for each column."""
    weights = (1 << np.arange(len(numbers)))[:, np.newaxis]
    lines = (
        f"#{number}{_repeated(((numbers == number) * weights).sum(axis=0))}"
        for number in np.unique(numbers).tolist()
    )
    return "$".join(lines)


def _repeated(signs: npt.NDArray[np.int64]) -> str:
    """Return signs, where many are equal how often and which."""
    starts = [0, *(np.flatnonzero(np.diff(signs)) + 1).tolist(), len(signs)]
    runs = [(chr(63 + int(signs[start])), end - start) for start, end in pairwise(starts)]
    if runs and runs[-1][0] == "?":
        runs.pop()
    return "".join(f"!{count}{sign}" if count >= _LEAST_REPEATED else sign * count for sign, count in runs)


def _dots(png: bytes) -> Bytes:
    """Return red, green and blue of every dot: rows × columns × 3; what is not opaque stands on white."""
    chunks = dict(_chunks(png))
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if depth != 8 or kind not in _CHANNELS or interlaced:  # noqa: PLR2004 - bits
        raise ValueError(f"a PNG of type {kind} with {depth} bits is not read")
    size = _CHANNELS[kind]
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + width * size)
    found = np.zeros((height, width * size), np.uint8)
    above = np.zeros(width * size, np.uint8)
    for row, line in enumerate(lines):
        above = found[row] = _unfiltered(int(line[0]), line[1:], above, size)
    dots = found.reshape(height, width, size)
    if size == 3:  # noqa: PLR2004 - opaque
        return dots
    opaque = dots[..., 3:].astype(np.uint16)
    return ((dots[..., :3] * opaque + 255 * (255 - opaque)) // 255).astype(np.uint8)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the parts of a PNG that matter, the data in one."""
    if not png.startswith(_SIGNATURE):
        raise ValueError("it is no PNG")
    place, data = len(_SIGNATURE), []
    while place < len(png):
        (length,) = struct.unpack_from(">I", png, place)
        name, content = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        if name == b"IDAT":
            data.append(content)
        else:
            yield name, content
        place += length + 12
    yield b"IDAT", b"".join(data)


def _unfiltered(kind: int, line: Bytes, above: Bytes, size: int) -> Bytes:
    """Return the bytes of a row of which a PNG holds differences (https://www.w3.org/TR/png-3/#9Filters)."""
    match kind:
        case 0:
            return line
        case 1:
            return np.cumsum(line.reshape(-1, size), axis=0, dtype=np.uint8).reshape(-1)
        case 2:
            return line + above
        case 3:
            return _guessed(line, above, size, lambda left, up, _: (left + up) // 2)
        case _:
            return _guessed(line, above, size, _nearest)


def _guessed(line: Bytes, above: Bytes, size: int, guess: Callable[[int, int, int], int]) -> Bytes:
    """Return the bytes of a row of differences from a guess by the ones on the left, above, and above on the left."""
    ups, found = above.tolist(), line.tolist()
    for place, difference in enumerate(found):
        left, corner = (found[place - size], ups[place - size]) if place >= size else (0, 0)
        found[place] = (difference + guess(left, ups[place], corner)) & 255
    return np.array(found, np.uint8)


def _nearest(left: int, up: int, corner: int) -> int:
    """Return the one that is nearest to left + up - corner, by Paeth."""
    across, down, both = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if across <= down and across <= both:
        return left
    return up if down <= both else corner
