"""SQL over values at the edges gives the same on Spark as on DuckDB, or is refused by the name of what would not."""

from pathlib import Path

import pytest

from tabchat.errors import NotOnSparkError
from tests.engine.tables import store
from tests.spark.both import ComparingEngine
from tests.spark.edges import EDGES, QUERIES, REFUSED, ROWWISE
from tests.sql import parsed

_SIZE = 45
"""Expressions that share a query: what a small one costs on Spark is its planning."""


@pytest.fixture(scope="module")
def edges(engine: ComparingEngine, folder: Path) -> ComparingEngine:
    store(engine, folder, EDGES)
    return engine


@pytest.mark.parametrize("start", range(0, len(ROWWISE), _SIZE))
def test_expressions_over_a_row_agree(edges: ComparingEngine, start: int) -> None:
    before = edges.compared
    columns = [f"{text} AS v{place}" for place, text in enumerate(ROWWISE[start : start + _SIZE])]
    assert edges.rows(parsed(f"SELECT {', '.join(columns)} FROM t"))
    assert edges.compared == before + 1


@pytest.mark.parametrize("text", QUERIES)
def test_queries_agree(edges: ComparingEngine, text: str) -> None:
    before = edges.compared
    edges.rows(parsed(text))
    assert edges.compared == before + 1


@pytest.mark.parametrize("text, told", REFUSED.items())
def test_what_would_not_agree_is_refused_by_name(edges: ComparingEngine, text: str, told: str) -> None:
    with pytest.raises(NotOnSparkError, match=told) as caught:
        edges.rows(parsed(f"SELECT {text} FROM t"))
    assert caught.value.hint
