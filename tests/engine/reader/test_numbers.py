"""What is told of a cell without the long patterns is what they say of it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabchat.engine.facts import figures
from tabchat.engine.reader.text.numbers import is_number, number_matcher
from tests.engine.reader.conftest import Reader

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


@pytest.mark.parametrize(
    "name, cells, told",
    [
        ("Час", ["9.30", "10.15"], True),
        ("Start time", ["9.30", "23.59"], True),
        ("Час", ["9.30", "10.75"], False),
        ("Час", ["9.3", "10.1"], False),
        ("Ціна", ["9.30", "10.15"], False),
    ],
)
def test_numbers_that_may_be_times_of_day_are_told(
    reader: Reader, name: str, cells: list[str], told: bool
) -> None:
    found = reader.text(f"k;{name}\n" + "".join(f"x;{cell}\n" for cell in cells))
    assert ["may be times of day" in note.message for note in found.notes("warning")] == [True] * told
    assert found.column(name) == [float(cell) for cell in cells]


def test_dates_with_points_have_the_day_first_without_a_word(reader: Reader) -> None:
    assert reader.text("d;v\n01.02.2024;1\n03.04.2024;2\n").table.report.notes == ()
    assert len(reader.text("d;v\n01/02/2024;1\n03/04/2024;2\n").notes("warning")) == 1


@pytest.mark.parametrize(
    "cell, became",
    [
        ("99999999999999.99", "99999999999999.98"),
        ("$12,345,678,901,234,567.89", "12345678901234568"),
        ("(12345678901234567.8)", "12345678901234568"),
    ],
)
def test_an_amount_that_is_not_held_to_its_last_digit_is_told(reader: Reader, cell: str, became: str) -> None:
    found = reader.text(f"v;n\n0.5;1\n{cell};2\n")
    (note,) = found.notes("warning", "v")
    assert (
        note.message == f"Numbers of 'v' have more digits than are calculated with: {cell!r} became {became}."
    )
    assert note.hint == "To keep every digit: --type 'v=text'."
    assert reader.text(f"v;n\n0.5;1\n{cell};2\n", types=(("v", "text"),)).column("v")[1] == cell


@pytest.mark.parametrize("cell", ["9999999999999.99", "0.1234567890123456789", "2251799813685248.5", "1e22"])
def test_an_amount_that_is_held_is_not(reader: Reader, cell: str) -> None:
    assert reader.text(f"v;n\n0.5;1\n{cell};2\n").notes("warning") == []
