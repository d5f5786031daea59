"""One engine for each module of recipe tests; every table replaces the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.engine.recipes.running import open_bench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.engine.recipes.running import Bench


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with open_bench() as opened:
        yield opened
