"""Of a question that is composed of plain parts, none is lost in a certain answer, and the right reading is offered."""

from pathlib import Path

import pytest

from tests.effort import examples
from tests.planner.asking import Asker
from tests.planner.composed import DOMAINS, Domain, composed
from tests.planner.tables import table_of


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
def test_every_part_of_a_question_is_in_its_answer(asker: Asker, tmp_path: Path, domain: Domain) -> None:
    read = asker.interpreter(table_of(tmp_path, domain.name, ",".join(domain.columns), domain.rows())).read
    found = [(question, read(question.text)) for question in composed(domain, examples(150))]
    wrong = [
        question.text
        for question, reading in found
        if reading.certain and not question.is_read(reading.candidates[0].intent)
    ]
    lost = [
        question.text
        for question, reading in found
        if not any(question.is_read(candidate.intent) for candidate in reading.candidates[:3])
    ]

    assert wrong == []
    assert lost == []
