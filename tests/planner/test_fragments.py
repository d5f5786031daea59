"""A question may end and begin anywhere: Enter comes early, and half of a line is pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.planner.gold import GoldQuestion, read_questions
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


@pytest.mark.parametrize("question", read_questions("dev.jsonl")[::13], ids=lambda question: question.id)
def test_what_a_part_of_a_question_may_mean_can_be_planned(asker: Asker, question: GoldQuestion) -> None:
    path, words = asker.path(question), question.question.split()
    reader = asker.interpreter(path)

    for place in range(1, len(words)):
        for part in (words[:place], words[place:]):
            for found in reader.read(" ".join(part)).candidates:
                asker.call(path, found.intent)


@pytest.mark.parametrize(
    "question",
    ["average price by region per", "регион аварий на", "сума team по", "average amount за", "team pay на"],
)
def test_nothing_need_follow_a_word_that_joins(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"2024-0{1 + n % 6}-02,{('Север', 'Юг')[n % 2]},{('red', 'blue')[n % 2]},{n % 4},{10 + n}"
        for n in range(24)
    ]
    path = table_of(tmp_path, "аварии", "дата,регион,team,аварий,amount", rows)

    for found in asker.interpreter(path).read(question).candidates:
        asker.call(path, found.intent)
