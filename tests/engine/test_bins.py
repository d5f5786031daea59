import math
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.chart.bins import histogram
from tabchat.errors import UsageError
from tests.effort import examples


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    opened = DuckDBEngine(spill=tmp_path_factory.mktemp("bins"))
    yield opened
    opened.close()


def rows_of(engine: DuckDBEngine, values: Sequence[float | None]) -> exp.Select:
    import pyarrow as pa

    return engine.hold(pa.table({"x": pa.array(values, pa.float64())}))


@given(st.lists(st.none() | st.floats(-1e9, 1e9, allow_subnormal=False), max_size=50))
@settings(
    max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_number_is_counted_once_and_lies_between_the_ends(
    engine: DuckDBEngine, values: list[float | None]
) -> None:
    numbers = [value for value in values if value is not None]
    found = histogram(engine, rows_of(engine, values), "x")

    if not numbers:
        assert found is None
        return
    assert found is not None
    assert sum(found.counts) == len(numbers)
    assert found.missing == len(values) - len(numbers)
    slack = found.width * 1e-6
    assert found.edges[0] <= min(numbers) + slack
    assert found.edges[-1] >= max(numbers) - slack
    assert len(found.counts) <= 23


def test_bins_have_round_ends_and_hold_their_lower_one(engine: DuckDBEngine) -> None:
    found = histogram(engine, rows_of(engine, [0, 1, 2, 2.5, 99, None, math.nan, math.inf]), "x", bins=10)

    assert found is not None
    assert (found.start, found.width) == (0.0, 10.0)
    assert found.counts == (4, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    assert found.missing == 3


def test_one_number_makes_one_bin(engine: DuckDBEngine) -> None:
    found = histogram(engine, rows_of(engine, [7.5, 7.5]), "x")
    assert found is not None
    assert found.counts == (2,)


@pytest.mark.parametrize("first", [0, -7, 3, 100])
def test_a_number_on_an_end_is_in_the_bin_that_begins_there(engine: DuckDBEngine, first: int) -> None:
    values = [(first + place) / 10 for place in range(21)]
    found = histogram(engine, rows_of(engine, values), "x")

    assert found is not None
    assert found.edges[:-1] == tuple(values)
    assert found.counts == (1,) * 21


def test_ends_further_apart_than_the_largest_number_have_bins(engine: DuckDBEngine) -> None:
    found = histogram(engine, rows_of(engine, [-1e308, 0.0, 1.0, 1e308]), "x")

    assert found is not None
    assert all(map(math.isfinite, found.edges))
    assert sum(found.counts) == 4
    assert found.counts[0] == 1


@pytest.mark.parametrize("values", [[0.0, 5e-324], [-1.79e308, 1.79e308]])
def test_numbers_without_a_round_width_are_refused_with_a_hint(
    engine: DuckDBEngine, values: list[float]
) -> None:
    with pytest.raises(UsageError, match="bins of one width") as caught:
        histogram(engine, rows_of(engine, values), "x")
    assert caught.value.hint
