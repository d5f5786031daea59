"""What people ask of odd headers, units, lengths of time and names is answered, or among the readings that are offered."""

import json

import pytest

from tabchat.errors import NotUnderstoodError
from tests.planner.asking import Asker
from tests.planner.gold import DATA, EXAMPLES, TABLES

_LINES = (DATA / "readings.jsonl").read_text(encoding="utf-8").splitlines()
_CASES = [json.loads(line) for line in _LINES]
_FOLDERS = (DATA / "small", EXAMPLES, TABLES)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["question"])
def test_the_reading_that_was_meant_is_answered_or_offered(asker: Asker, case: dict[str, str]) -> None:
    path = next(folder / case["file"] for folder in _FOLDERS if (folder / case["file"]).exists())

    try:
        found = asker.planner(path).plan(case["question"]).readings
    except NotUnderstoodError as refusal:
        found = refusal.readings

    assert case["reading"] in [reading.interpretation for reading in found]
