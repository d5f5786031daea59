"""A table of its own for each test, and the settings that keep everything beside it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tabchat.config import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def source(tmp_path: Path, example: Callable[[str], Path]) -> Path:
    path = tmp_path / "sales.csv"
    shutil.copy(example("sales.csv"), path)
    return path


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
