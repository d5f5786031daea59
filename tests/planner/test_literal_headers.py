"""A header that is spelled as the file does names its column, whatever its parts mean as words: `a_2`, `col_1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError
from tabchat.planner.edits import EditReader

if TYPE_CHECKING:
    from tabchat.planner import OfflinePlanner
    from tests.planner.asking import Asker


@pytest.fixture(scope="module")
def planner(asker: Asker, tmp_path_factory: pytest.TempPathFactory) -> OfflinePlanner:
    path = tmp_path_factory.mktemp("literal") / "codes.csv"
    path.write_text("a_2,col,col_1,in_Total,Top_3\n1,5,7,2,9\n4,6,8,3,9\n", encoding="utf-8")
    return asker.planner(path)


@pytest.mark.parametrize(
    "question, interpretation",
    [
        ("sum of col_1", "sum of col_1"),
        ("average A_2", "mean of a_2"),
        ("max in_Total where a_2 > 1", "maximum of in_Total · a_2 > 1"),
        ("mean top_3 by col_1", "mean of Top_3 · by col_1"),
        ("сумма a_2", "сумма «a_2»"),
    ],
)
def test_a_question_means_the_column(planner: OfflinePlanner, question: str, interpretation: str) -> None:
    assert planner.plan(question).interpretation == interpretation


@pytest.mark.parametrize("question", ["sum of a_22", "sum of xa_2", "sum of a_2_b"])
def test_a_longer_word_is_another_one(planner: OfflinePlanner, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        planner.plan(question)


@pytest.mark.parametrize(
    "request_text, interpretation",
    [
        ("drop column a_2", "edit: delete columns a_2"),
        ("drop columns a_2 and col_1", "edit: delete columns a_2, col_1"),
        ("add column total = a_2 + col_1", "edit: add column total = a_2 + col_1"),
        ("set a_2 to 5 where col_1 > 7", "edit: set a_2 = 5 where col_1 > 7"),
        ("rename COL_1 to z_9", "edit: rename col_1 → z_9"),
    ],
)
def test_an_edit_means_the_column(planner: OfflinePlanner, request_text: str, interpretation: str) -> None:
    reading = EditReader(table=next(iter(planner.tables.values()))).read(request_text)
    assert reading is not None
    assert reading.interpretation == interpretation
