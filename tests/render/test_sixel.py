"""Sixels hold the very dots of a PNG, whichever way its rows were filtered."""

import re
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tabchat.render.terminal.sixel import sixels
from tests.effort import examples


def png_of(dots: np.ndarray, filters: list[int]) -> bytes:
    """Write a PNG whose rows are filtered in turn by these methods."""
    height, width, size = dots.shape
    rows, above = [], [0] * (width * size)
    for number, line in enumerate(dots.reshape(height, -1).tolist()):
        kind = filters[number % len(filters)]
        row = [kind]
        for place, byte in enumerate(line):
            left, corner = (line[place - size], above[place - size]) if place >= size else (0, 0)
            up = above[place]
            paeth = min((left, up, corner), key=lambda near: abs(left + up - corner - near))
            row.append((byte - (0, left, up, (left + up) // 2, paeth)[kind]) % 256)
        rows.append(bytes(row))
        above = line
    packed = zlib.compress(b"".join(rows))
    head = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[size], 0, 0, 0)
    parts = [
        (b"IHDR", head),
        (b"tEXt", b"a\0b"),
        (b"IDAT", packed[:5]),
        (b"IDAT", packed[5:]),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in parts
    )


def drawn(written: str) -> np.ndarray:
    """Return the dots that sixels draw, in hundredths of each colour."""
    size = re.match(r'\x1bPq"1;1;(\d+);(\d+)', written)
    assert size is not None
    assert written.endswith("\x1b\\")
    width, height = map(int, size.groups())
    body = written[size.end() : -2]
    colours = {
        int(found[0]): tuple(map(int, found[1:])) for found in re.findall(r"#(\d+);2;(\d+);(\d+);(\d+)", body)
    }
    screen = np.full((height, width, 3), -1)
    row = column = 0
    colour = colours[min(colours)]
    for number, count, sign, move in re.findall(
        r"#(\d+)(?![\d;])|(?:!(\d+))?([?-~])|([$-])", re.sub(r"#\d+;2[;\d]+", "", body)
    ):
        if number:
            colour = colours[int(number)]
        elif move:
            column, row = 0, row + 6 * (move == "-")
        else:
            end = column + int(count or 1)
            for bit in range(6):
                if (ord(sign) - 63) >> bit & 1:
                    assert (screen[row + bit, column:end] == -1).all()
                    screen[row + bit, column:end] = colour
            column = end
    return screen


@settings(max_examples=examples(40), deadline=None)
@given(
    arrays.arrays(np.uint8, st.tuples(st.integers(1, 14), st.integers(1, 12), st.just(3))),
    st.lists(st.integers(0, 4), min_size=1, max_size=5),
)
def test_every_dot_has_its_colour(dots: np.ndarray, filters: list[int]) -> None:
    steps = np.rint(dots.astype(int) * 5 / 255).astype(int)
    assert (drawn(sixels(png_of(dots, filters))) == steps * 20).all()


def test_what_is_not_opaque_stands_on_white() -> None:
    dots = np.array([[[255, 0, 0, 255], [255, 0, 0, 0], [0, 0, 0, 128]]], np.uint8)
    assert drawn(sixels(png_of(dots, [0]))).tolist() == [[[100, 0, 0], [100, 100, 100], [40, 40, 40]]]


def test_what_is_no_png_is_refused() -> None:
    with pytest.raises(ValueError, match="no PNG"):
        sixels(b"GIF89a")
