from collections.abc import Callable

import pytest

from tabchat.planner.edits import EditReader
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES, TABLES


@pytest.fixture(scope="package")
def reader_of(asker: Asker) -> Callable[[str], EditReader]:
    """Return the reader of edits of an example: one for each table, as a session has one for each version."""
    made: dict[str, EditReader] = {}

    def found(file: str) -> EditReader:
        if file not in made:
            path = EXAMPLES / file if (EXAMPLES / file).exists() else TABLES / file
            made[file] = EditReader(facts=asker.open(path))
        return made[file]

    return found
