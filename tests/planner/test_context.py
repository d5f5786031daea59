"""A person's own words: names of columns and cells and units from a file are read like those of the lexicon."""

from pathlib import Path

import pytest

from tabchat.chat.turn.messages import UserMessage
from tabchat.chat.turn.model import ModelRequest, Reply
from tabchat.errors import NotUnderstoodError, UsageError
from tabchat.planner import OfflinePlanner
from tabchat.planner.context import read_context
from tabchat.planner.intent import Intent, Measure, Output
from tabchat.planner.wording import sentence
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES

WORDS = """
[columns]
revenue = ["takings", "виручка", "money in"]
revnue = ["x"]
[values.region]
"north america" = ["NA", "the States"]
[units]
revenue = "USD"
[descriptions]
discount = "price cut"
"""


@pytest.fixture
def planner(asker: Asker, tmp_path: Path) -> OfflinePlanner:
    path = tmp_path / "words.toml"
    path.write_text(WORDS, encoding="utf-8")
    return asker.planner(EXAMPLES / "sales.csv", context=read_context(path))


@pytest.mark.parametrize(
    "question,interpretation",
    [
        ("total takings by region", "sum of revenue · by region"),
        ("average money in by channel", "mean of revenue · by channel"),
        ("середня виручка", "середнє «revenue»"),
        ("сума виручки за region", "сума «revenue» · за «region»"),
        ("total takings in the States", "sum of revenue · region = North America"),
        ("how many orders in NA", "number of rows · region = North America"),
        ("average price cut", "mean of discount"),
    ],
)
def test_own_words_are_read_as_what_they_name(
    planner: OfflinePlanner, question: str, interpretation: str
) -> None:
    try:
        readings = planner.plan(question).readings
    except NotUnderstoodError as refusal:
        readings = refusal.readings

    assert interpretation in [reading.interpretation for reading in readings]


def test_without_the_file_they_are_not_understood(asker: Asker) -> None:
    with pytest.raises(NotUnderstoodError, match="takings"):
        asker.planner(EXAMPLES / "sales.csv").plan("total takings by region")


def test_a_unit_of_the_file_stands_behind_figures(asker: Asker, planner: OfflinePlanner) -> None:
    intent = Intent(output=Output.VALUE, measures=(Measure(function="sum", column="revenue"),))
    draft = planner.draft_of(intent, planner.interpreter())
    result = asker.run(EXAMPLES / "sales.csv", draft.call)

    said = sentence(intent, draft.call, result, draft.facts, "en")

    assert "1,841,479.99 USD" in said.text


def test_a_column_that_no_table_has_is_a_warning_with_the_nearest(
    planner: OfflinePlanner, tmp_path: Path
) -> None:
    path = tmp_path / "words.toml"
    request = ModelRequest(messages=(UserMessage(text="average revenue by channel"),))
    (reply,) = planner.respond(request)
    assert isinstance(reply, Reply)
    assert reply.warnings == (
        f"{path} names a column 'revnue' that no open table has; did you mean 'revenue'?",
    )


@pytest.mark.parametrize(
    "text,message",
    [
        ("[columns", "cannot be read"),
        ("[colums]\n", "'colums' in line 1 is no section"),
        ("[columns]\nrevenue = 'sales'", "'columns.revenue' in line 2 must be a list of words"),
        ("# own\n[values]\n\nregion = 1", "'values.region' in line 4 must be a table"),
        (
            "[values.region]\nEurope = ['EU']\nAsia = [\n'A',\n2]",
            "'values.region.Asia' in line 3 must be a list",
        ),
        ("values = {region = {Asia = 1}}", "'values.region.Asia' in line 1 must be a list"),
        ("[units]\nrevenue = 1", "'units.revenue' in line 2 must be a text"),
    ],
)
def test_a_wrong_file_says_where(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "words.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError) as caught:
        read_context(path)

    assert str(path) in caught.value.message
    assert message in caught.value.message
