"""A frame gives the same rows however it fetches them."""

from contextlib import closing
from pathlib import Path

import pytest
from sqlglot import exp

from tabchat.engine.result.result import FEW_ROWS, Frame
from tests.engine.frames import make_engine


@pytest.mark.parametrize("count", [1, FEW_ROWS, FEW_ROWS + 1])
def test_a_window_is_the_same_of_few_rows_and_of_many(tmp_path: Path, count: int) -> None:
    with closing(make_engine(tmp_path)) as engine:
        query = exp.select("i").from_(f"range({count}) AS t(i)").order_by("i")
        frame = Frame(engine=engine, query=query, schema=engine.schema(query), row_count=count)
        whole = [(number,) for number in range(count)]
        assert frame.rows() == whole
        for limit, offset in (
            (0, 0),
            (1, 0),
            (2, 1),
            (None, 1),
            (count, 0),
            (count + 5, count - 1),
            (3, count),
        ):
            assert frame.rows(limit, offset) == whole[offset : None if limit is None else offset + limit]
        frame.rows().clear()
        assert frame.rows() == whole
