"""Tables that are opened as a program does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import tabchat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def sales(example: Callable[[str], Path]) -> Iterator[tabchat.OpenTable]:
    with tabchat.open_table(example("sales.csv")) as table:
        yield table
