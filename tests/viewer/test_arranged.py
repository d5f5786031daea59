from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.types import ColumnKind
from tabchat.session import Session
from tabchat.viewer.arranged import Sort, arrange
from tabchat.viewer.filters import parse_filter, same_as
from tabchat.viewer.ground import ground_of
from tests.effort import examples
from tests.render.screens import frame_of


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    folder = tmp_path_factory.mktemp("rows")
    opened = DuckDBEngine(spill=folder / "spill", folders=(folder,))
    opened.write_parquet(
        frame_of(
            opened,
            "SELECT i AS n, nullif(i * 7919 % 1000, 3) AS x, CASE WHEN i % 5 = 0 THEN NULL ELSE 'name ' || i % 37 END AS name"
            " FROM range(5000) t(i)",
        ).query,
        folder / "rows.parquet",
    )
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def rows(engine: DuckDBEngine, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, ...]]:
    return [
        (i, None if i * 7919 % 1000 == 3 else i * 7919 % 1000, None if i % 5 == 0 else f"name {i % 37}")
        for i in range(5000)
    ]


def parquet(engine: DuckDBEngine) -> Path:
    return engine._database.folders[0] / "rows.parquet"


SORTS = st.none() | st.builds(Sort, column=st.sampled_from(["n", "x", "name"]), descending=st.booleans())
FILTERS = st.lists(
    st.sampled_from([("x", "> 500"), ("x", "<= 900"), ("name", "1"), ("name", "empty"), ("n", "!= 17")]),
    max_size=3,
)


@given(SORTS, FILTERS, st.integers(0, 5000), st.integers(1, 400))
@settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_window_holds_the_rows_that_python_would_choose(
    engine: DuckDBEngine,
    rows: list[tuple[Any, ...]],
    sort: Sort | None,
    typed: list[tuple[str, str]],
    first: int,
    count: int,
) -> None:
    ground = ground_of(frame_of(engine, f"SELECT * FROM read_parquet('{parquet(engine)}')"))
    by_name = {column.name: column for column in ground.schema}
    filters = tuple(parse_filter(by_name[name], text) for name, text in typed)

    arranged = arrange(ground, filters, sort)

    expected = [row for row in rows if all(_holds(row, name, text) for name, text in typed)]
    if sort is not None:
        place = ["n", "x", "name"].index(sort.column)
        known = [row for row in expected if row[place] is not None]
        known = sorted(known, key=lambda row: row[0])
        known.sort(key=lambda row: row[place], reverse=sort.descending)
        expected = [*known, *(row for row in expected if row[place] is None)]
    assert arranged.row_count == len(expected)
    assert [cells for _, cells in arranged.window(first, count)] == expected[first : first + count]


def _holds(row: tuple[Any, ...], name: str, typed: str) -> bool:
    n, x, text = row
    match name, typed:
        case "x", "> 500":
            return x is not None and x > 500
        case "x", _:
            return x is not None and x <= 900
        case "name", "1":
            return text is not None and "1" in text
        case "name", _:
            return text is None
        case _:
            return bool(n != 17)


def test_rows_of_a_file_are_found_by_their_number_and_never_computed_again(engine: DuckDBEngine) -> None:
    file = f"read_parquet('{parquet(engine)}')"
    plain = ground_of(frame_of(engine, f"SELECT x, n FROM {file}"))
    filtered = ground_of(frame_of(engine, f"SELECT x FROM (SELECT * FROM {file}) AS t WHERE n >= 4000"))
    unknown = ground_of(frame_of(engine, f"SELECT fsum(x) AS s FROM {file}"))
    computed = ground_of(frame_of(engine, f"SELECT name, count(*) AS c FROM {file} GROUP BY name ORDER BY c"))

    assert "file_row_number" in plain.numbered.sql("duckdb")
    assert "file_row_number" in filtered.numbered.sql("duckdb")
    assert "__kept_" in computed.numbered.sql("duckdb")
    assert "__kept_" in unknown.numbered.sql("duckdb")
    assert (plain.is_dense, filtered.is_dense, computed.is_dense) == (True, False, True)
    assert arrange(filtered).window(0, 1)[0][0] == 4000


@pytest.mark.parametrize("sort", [None, Sort(column="n", descending=True)])
def test_a_search_finds_the_next_row_and_the_one_before_in_the_order_on_the_screen(
    engine: DuckDBEngine, sort: Sort | None
) -> None:
    file = f"read_parquet('{parquet(engine)}')"
    ground = ground_of(frame_of(engine, f"SELECT * FROM {file} WHERE n % 2 = 0"))
    arranged = arrange(ground, (), sort)
    window = [cells for _, cells in arranged.window(0, 2500)]
    places = [at for at, (_, _, name) in enumerate(window) if name == "name 36"]

    assert arranged.find("NAME 36", ["name"], after=-1) == places[0]
    assert arranged.find("name 36", ["name", "x"], after=places[0]) == places[1]
    assert arranged.find("name 36", ["name"], after=places[-1]) is None
    assert arranged.find("name 36", ["name"], after=places[1], backwards=True) == places[0]


def test_an_export_holds_the_rows_and_columns_on_the_screen_in_their_order(engine: DuckDBEngine) -> None:
    ground = ground_of(frame_of(engine, f"SELECT * FROM read_parquet('{parquet(engine)}')"))
    lying, turned = arrange(ground), arrange(ground, (), Sort(column="n", descending=True))

    assert lying.frame(["name", "n"], 10, 2).rows() == [(None, 10), ("name 11", 11)]
    assert turned.frame(["n"], 0, 3).rows() == [(4999,), (4998,), (4997,)]
    assert turned.frame(["n"]).row_count == 5000


def test_a_cell_of_any_kind_finds_its_own_row(session: Session) -> None:
    from tabchat.viewer.opening import table_sheet

    ground = table_sheet(session).ground
    ((_, cells),) = arrange(ground).window(1234, 1)
    for column, value in zip(ground.schema, cells, strict=True):
        arranged = arrange(ground, (same_as(column, value),))
        assert arranged.row_count >= 1, column
        at = ground.columns.index(column.name)
        assert {row[at] for _, row in arranged.window(0, 5000)} == {value}
    assert {column.kind for column in ground.schema} >= {ColumnKind.DATE, ColumnKind.NUMBER, ColumnKind.TEXT}


@pytest.mark.parametrize("sought", ["İstanbul", "ΟΔΟΣ", "ÉCOLE"])
def test_a_text_is_found_as_it_is_written(engine: DuckDBEngine, sought: str) -> None:
    ground = ground_of(frame_of(engine, f"SELECT * FROM (VALUES ('other'), ('{sought}')) AS t(name)"))
    assert arrange(ground).find(sought, ["name"], after=-1) == 1
    assert arrange(ground, (parse_filter(ground.schema[0], sought),)).row_count == 1


def test_a_number_is_found_as_the_screen_shows_it(engine: DuckDBEngine) -> None:
    ground = ground_of(frame_of(engine, "SELECT * FROM (VALUES (1, 'a'), (9007, '9,008')) AS t(n, name)"))
    assert arrange(ground).find("9,007", ["n", "name"], after=-1) == 1
    assert arrange(ground).find("9,008", ["n", "name"], after=-1) == 1
    assert arrange(ground).find("9,0", ["n"], after=-1) is None
