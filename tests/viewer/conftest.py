"""A real session over an example table, and the viewer of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.config import Settings
from tabchat.session import Session
from tabchat.viewer.drawing import Size
from tabchat.viewer.opening import table_sheet
from tabchat.viewer.viewer import Viewer
from tests.conftest import EXAMPLES


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("viewer")


@pytest.fixture
def session(cache: Path) -> Iterator[Session]:
    settings = Settings(cache_dir=cache / "cache", data_dir=cache / "data")
    with Session.open([EXAMPLES / "sales.csv"], settings=settings) as opened:
        yield opened


@pytest.fixture
def viewer(session: Session) -> Viewer:
    made = Viewer.of(table_sheet(session))
    made.size = Size(width=80, height=24)
    made.load()
    return made
