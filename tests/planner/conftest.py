from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tabchat.planner import OfflinePlanner
from tabchat.planner.draft import Draft
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES, public_folder


@pytest.fixture(scope="package")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the tables of the questions are kept: many sets ask of the same ones."""
    return tmp_path_factory.mktemp("versions")


@pytest.fixture(scope="package")
def asker(tmp_path_factory: pytest.TempPathFactory, versions: Path) -> Iterator[Asker]:
    """One engine for the package: plans are never changed by earlier ones."""
    made = Asker(tmp_path_factory.mktemp("planner"), versions=versions)
    yield made
    made.close()


@pytest.fixture(scope="package")
def plan(asker: Asker) -> Callable[[str, str], Draft]:
    """Plan a question about an example or a public table."""
    planners: dict[str, OfflinePlanner] = {}

    def planned(file: str, question: str) -> Draft:
        path = EXAMPLES / file if (EXAMPLES / file).exists() else public_folder() / file
        planners[file] = planners.get(file) or asker.planner(path)
        return planners[file].plan(question)

    return planned
