"""A table of its own for each test, and the settings that keep everything beside it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tabchat.config import Settings


@pytest.fixture
def source(tmp_path: Path, example: Callable[[str], Path]) -> Path:
    path = tmp_path / "sales.csv"
    shutil.copy(example("sales.csv"), path)
    return path


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
