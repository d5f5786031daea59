"""What counts as another figure: every changed cell of a result, and nothing that is only another last digit."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.config import Settings
from tabchat.journal.replay.figures import Figures, differences, figures_of, same
from tabchat.session import Session
from tests.effort import examples

CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
)


def figures(rows: Sequence[Sequence[Any]], *, keys: tuple[str, ...] = ()) -> Figures:
    return Figures(
        type="table",
        row_count=len(rows),
        columns=("k", "v", "w"),
        keys=keys,
        rows=tuple(map(tuple, rows)),
    )


@given(
    st.lists(st.tuples(st.integers(), CELLS, CELLS), max_size=8, unique_by=lambda row: row[0]), st.booleans()
)
def test_a_result_is_the_same_as_itself_in_json(rows: list[tuple[object, ...]], keyed: bool) -> None:
    was = figures([list(row) for row in rows], keys=("k",) if keyed and len(rows) > 1 else ())
    assert list(differences(was, Figures.from_json(was.to_json()))) == []


@given(st.data())
def test_every_changed_cell_is_told_with_its_row(data: st.DataObject) -> None:
    rows = data.draw(
        st.lists(st.tuples(st.integers(), CELLS, CELLS), min_size=1, max_size=8, unique_by=lambda row: row[0])
    )
    place = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(1, 2))
    cell = data.draw(CELLS.filter(lambda value: not same(rows[place][column], value)))
    changed = [list(row) for row in rows]
    changed[place][column] = cell
    keys = ("k",) if len(rows) > 1 else ()
    # The order of keyed rows does not matter.
    shuffled = data.draw(st.permutations(changed)) if keys else changed
    (told,) = differences(figures([list(row) for row in rows], keys=keys), figures(shuffled, keys=keys))
    assert (told.column, told.was, told.now) == (("k", "v", "w")[column], rows[place][column], cell)
    assert told.row == ({"k": rows[place][0]} if keys else {})


@pytest.mark.parametrize(
    "was, now, is_same",
    [
        (0.1 + 0.2, 0.3, True),
        (1e15, 1e15 + 1, True),
        (1, 1.0, True),
        (10**15, 10**15 + 1, False),
        (1.0, 1.0 + 1e-7, False),
        (0.0, 1e-12, False),
        (True, 1, False),
        ("1", 1, False),
        (None, 0, False),
        (None, None, True),
    ],
)
def test_numbers_are_the_same_to_the_ninth_digit(was: object, now: object, is_same: bool) -> None:
    assert same(was, now) is is_same  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def long_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Session, Path]]:
    folder = tmp_path_factory.mktemp("long")
    with Session.open([], settings=Settings(cache_dir=folder / "cache", data_dir=folder / "data")) as session:
        yield session, folder


COLUMNS = ("whole", "fraction", "text", "day", "yes")


@settings(max_examples=examples(15), deadline=None)
@given(
    place=st.integers(0, 299),
    column=st.sampled_from(range(5)),
)
def test_any_changed_cell_of_a_long_result_shows_in_its_totals(
    long_table: tuple[Session, Path], place: int, column: int
) -> None:
    session, folder = long_table

    def cells(number: int) -> list[str]:
        return [
            str(number),
            f"{number / 7:.6f}",
            f"t{number}",
            f"2024-01-{number % 28 + 1:02}",
            "yes" if number % 2 else "no",
        ]

    rows = [cells(number) for number in range(300)]
    other = [list(row) for row in rows]
    other[place][column] = ["-5", "0.000001", "changed", "2025-12-31", "no" if place % 2 else "yes"][column]
    found = []
    for name, table in (("was", rows), ("now", other)):
        path = folder / f"{name}_{place}_{column}.csv"
        path.write_text("\n".join(",".join(row) for row in [list(COLUMNS), *table]) + "\n")
        session.add(path, name=name)
        session.use(name)
        block = session.query({}).block
        assert block is not None
        found.append(figures_of(block.result))
    assert found[0].rows is None
    assert list(differences(found[0], Figures.from_json(found[0].to_json()))) == []
    told = list(differences(*found))
    assert any(item.column.endswith(f" of {COLUMNS[column]}") for item in told)


def test_what_a_person_wrote_down_may_be_a_part() -> None:
    whole = figures([[1, "a", 2.5], [2, "b", 3.5], [3, "c", 4.5]], keys=("k",))
    part = {"columns": ["k", "w"], "keys": ["k"], "rows": [[3, 4.5], [1, 2.5]]}
    assert list(differences(Figures.from_json(part), whole)) == []
    (told,) = differences(Figures.from_json(part | {"rows": [[3, 4]]}), whole)
    assert (told.row, told.column, told.was, told.now) == ({"k": 3}, "w", 4, 4.5)
    (told,) = differences(Figures.from_json(part | {"rows": [[9, 4]]}), whole)
    assert told.kind == "vanished"
