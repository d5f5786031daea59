import io

from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.render.layout.grid import GAP, GridColumn, draw, fit
from tabchat.render.layout.text import sanitise, width_of
from tabchat.render.terminal.console import make_consoles
from tests.effort import examples

TEXTS = st.text(st.sampled_from("abc ї日👍é\x1b[]"), max_size=90)
NUMBERS = st.integers(-(10**18), 10**18).map(str)


@st.composite
def grids(draw: st.DrawFn) -> list[GridColumn]:
    rows = draw(st.integers(0, 4))
    columns = []
    for _ in range(draw(st.integers(1, 9))):
        is_text = draw(st.booleans())
        cells = draw(st.lists(TEXTS if is_text else NUMBERS, min_size=rows, max_size=rows))
        columns.append(
            GridColumn(
                header=sanitise(draw(TEXTS)),
                cells=[sanitise(cell) for cell in cells],
                right=not is_text,
                elastic=is_text,
            )
        )
    return columns


def drawn(columns: list[GridColumn], width: int) -> list[str]:
    out = io.StringIO()
    consoles = make_consoles("never", out=out, environ={"COLUMNS": str(width)})
    draw(consoles.out, columns, fit(columns, width).widths)
    return out.getvalue().split("\n")[:-1]


@given(grids(), st.integers(20, 220))
@settings(deadline=None, max_examples=examples(150))
def test_a_grid_is_never_wider_than_the_screen(columns: list[GridColumn], width: int) -> None:
    lines = drawn(columns, width)

    assert all(width_of(line) <= width for line in lines)
    assert all(not line.endswith(" ") for line in lines)


@given(grids(), st.integers(20, 220))
@settings(deadline=None, max_examples=examples(150))
def test_columns_are_shown_from_the_left_and_their_numbers_are_whole(
    columns: list[GridColumn], width: int
) -> None:
    fitted = fit(columns, width)
    lines = drawn(columns, width)
    body = lines[len(lines) - len(columns[0].cells) :]

    assert len(fitted.widths) + fitted.hidden == len(columns)
    assert len(fitted.widths) >= 1
    for index, column in enumerate(columns[: len(fitted.widths)]):
        if not column.elastic:
            assert all(cell in line for cell, line in zip(column.cells, body, strict=True)), index


def test_text_gives_way_before_a_column_is_dropped() -> None:
    text = GridColumn(header="note", cells=["x" * 300], elastic=True)
    number = GridColumn(header="amount", cells=["1234567.89"], right=True)

    assert fit([text, number], 40).widths == (28, 10)
    assert fit([text, number], 200).widths == (188, 10)
    assert fit([text, text, number], 44).widths == (15, 15, 10)
    assert fit([text, text, text, number], 40).hidden == 2


def test_a_number_wider_than_the_screen_is_still_whole() -> None:
    column = GridColumn(header="big", cells=["9" * 50], right=True)

    assert drawn([column], 20)[-1] == "9" * 50


def test_a_long_header_folds_into_three_lines_at_most() -> None:
    header = "total_value_of_all_transactions_in_the_last_quarter"
    number = GridColumn(header=header, cells=["1"], right=True)
    filler = GridColumn(header="f", cells=["x" * 100], elastic=True)
    lines = drawn([number, filler], 40)

    assert fit([number, filler], 40).widths == (12, 40 - 12 - GAP)
    assert [line[:12].strip() for line in lines[:3]] == ["total_value_", "of_all_", "transaction…"]


def test_rows_beyond_one_chunk_keep_their_layout() -> None:
    column = GridColumn(header="n", cells=[str(number) for number in range(2_500)], right=True)
    lines = drawn([column], 40)

    assert lines[:3] == ["   n", "────", "   0"]
    assert lines[-1] == "2499"
    assert len(lines) == 2 + 2_500
