from collections.abc import Iterator

import pytest

from tests.forkserver.children import started_children


@pytest.fixture(autouse=True)
def real_processes() -> Iterator[None]:
    """The processes that run queries are what these tests are about."""
    with started_children():
        yield
