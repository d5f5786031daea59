"""Tables that are opened as a program does it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tabchat


@pytest.fixture
def sales(example: Callable[[str], Path]) -> Iterator[tabchat.OpenTable]:
    with tabchat.open_table(example("sales.csv")) as table:
        yield table
