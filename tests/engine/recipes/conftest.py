"""One engine for each module of recipe tests; every table replaces the one before."""

from collections.abc import Iterator

import pytest

from tests.engine.recipes.running import Bench, open_bench


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with open_bench() as opened:
        yield opened
