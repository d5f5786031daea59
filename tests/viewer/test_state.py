from hypothesis import given
from hypothesis import strategies as st

from tabchat.viewer.state import (
    State,
    at_column,
    at_row,
    by_page,
    with_all_columns,
    with_frozen,
    with_hidden,
)

ABC = State(columns=("a", "b", "c"), row_count=100)


@given(
    st.integers(0, 300),
    st.lists(st.tuples(st.sampled_from(["row", "page"]), st.integers(-400, 400)), max_size=20),
    st.integers(1, 60),
)
def test_the_cursor_is_a_row_of_the_window_whatever_the_moves(
    row_count: int, walk: list[tuple[str, int]], height: int
) -> None:
    state = State(columns=("a",), row_count=row_count)
    for kind, by in walk:
        state = by_page(state, by, height) if kind == "page" else at_row(state, state.row + by, height)

        assert state.top <= state.row < state.top + height
        assert 0 <= state.row < max(row_count, 1)
        assert 0 <= state.top <= max(row_count - height, 0)


def test_a_hidden_column_gives_its_place_to_the_next_one_and_the_last_one_stays() -> None:
    once = with_hidden(at_column(ABC, 1))
    assert (once.shown, once.name) == (("a", "c"), "c")
    twice = with_hidden(once)
    assert (twice.shown, twice.name) == (("a",), "a")
    assert with_hidden(twice).shown == ("a",)
    assert with_all_columns(once).name == "c"
    assert with_all_columns(once).shown == ("a", "b", "c")


def test_columns_up_to_the_cursor_freeze_and_thaw() -> None:
    frozen = with_frozen(at_column(ABC, 1))
    assert frozen.frozen == 2
    assert with_frozen(frozen).frozen == 0
    assert with_hidden(at_column(frozen, 0)).frozen == 1


def test_a_selection_goes_from_its_anchor_to_the_cursor_either_way() -> None:
    state = State(columns=("a",), row_count=10, row=3, anchor=7)
    assert state.selected == (3, 5)
