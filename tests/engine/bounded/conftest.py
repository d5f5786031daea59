from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.forkserver.children import started_children

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def real_processes() -> Iterator[None]:
    """The processes that run queries are what these tests are about."""
    with started_children():
        yield
