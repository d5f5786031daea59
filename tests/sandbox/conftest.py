"""One warm sandbox for all tests of a process: every run has a worker of its own anyway."""

from collections.abc import Iterator

import pytest

from tabchat.sandbox.runner import Sandbox
from tests.forkserver.children import started_children


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared


@pytest.fixture(autouse=True)
def real_processes() -> Iterator[None]:
    """The processes that run code are what these tests are about."""
    with started_children():
        yield
