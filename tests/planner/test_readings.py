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


def test_no_size_ranks_rows_by_what_numbers_them(asker: Asker) -> None:
    ranked = {
        order.column
        for reading in asker.readings(EXAMPLES / "sales.csv", "show me the biggest orders")
        for order in reading.intent.orders
    }

    assert "revenue" in ranked
    assert "order_id" not in ranked


@pytest.mark.parametrize(
    "question", ["average order value by customer, top 5", "which country buys the most desk lamps"]
)
def test_a_word_of_a_header_or_a_plural_of_a_cell_is_no_reason_to_doubt(asker: Asker, question: str) -> None:
    assert asker.interpreter(EXAMPLES / "sales.csv").read(question).certain


@pytest.mark.parametrize(
    "file, question",
    [
        ("firms/call_log.csv", "Nina's share of calls"),
        ("firms/call_log.csv", "Nina's incoming calls shorter than 20 minutes"),
        ("firms/ad_campaigns.csv", "tiktok's share of the total spend in percent"),
        ("operations/server_incidents.csv", "how many P1s without a postmortem"),
        ("hobbies/vet_patients.csv", "do we have any rabbits born after 2020?"),
        ("lessons/cheese_counter.csv", "number of cheeses for each milk type"),
    ],
)
def test_whose_it_is_and_what_a_column_is_anyway_leave_no_word_open(
    asker: Asker, file: str, question: str
) -> None:
    found = asker.interpreter(TABLES / file).read(question)

    assert found.candidates[0].unexplained == ()
    assert found.certain
