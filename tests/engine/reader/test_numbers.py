"""What is told of a cell without the long patterns is what they say of it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabchat.engine.facts import figures
from tabchat.engine.reader.text.numbers import is_number, number_matcher

SIGNS = [
    "$",
    "€",
    "US$",
    "USD",
    "EUR",
    "zł",
    "kr",
    "Kč",
    "грн.",
    "р.",
    "−",
    "-",
    "+",
    "(",
    ")",
    "%",
    "e",
    "E",
]
OTHERS = [
    " ",
    "\u00a0",
    ".",
    ",",
    "'",
    "’",
    "/",
    ":",
    "_",
    "x",
    "c. ",
    "about ",
    "бл ",
    "~",
    "İ",
    "ſ",
    "٣",
    "½",
    "[b]",
    " kg",
]
CELLS = st.lists(
    st.one_of(st.sampled_from(SIGNS), st.sampled_from(OTHERS), st.from_regex(r"[0-9]{1,4}", fullmatch=True)),
    max_size=7,
).map("".join)


@given(cell=CELLS, percent=st.booleans())
@example(cell="1.234", percent=False)
@example(cell="1.234e5", percent=False)
@example(cell="-.5", percent=False)
@example(cell="$ -5", percent=False)
@example(cell="2024-01-05", percent=False)
@example(cell="1e-5", percent=False)
@pytest.mark.parametrize("decimal", [".", ","])
def test_a_number_is_what_the_pattern_says(decimal: str, cell: str, *, percent: bool) -> None:
    matched = number_matcher(decimal, whole=False, percent=percent).fullmatch(cell) is not None
    assert is_number(cell, decimal, percent=percent) is matched


@given(cell=CELLS)
@example(cell="c. 5 kg")
@example(cell="Customer 12")
@example(cell="ſ5")
@pytest.mark.parametrize("decimal", [".", ","])
def test_no_figure_is_left_out_for_how_it_begins(decimal: str, cell: str) -> None:
    if figures._pattern(decimal).fullmatch(cell.strip()) is not None:
        assert figures._begins_as_figure(cell)
