"""Of one meaning in many wordings of Ukrainian or Russian, no certain answer is wrong, and the right one is offered."""

import random
from pathlib import Path

import pytest

from tests.effort import THOROUGH, examples
from tests.planner.asking import Asker
from tests.planner.declined import DOMAINS
from tests.planner.tables import table_of
from tests.planner.worded import worded

_OFFERED = 0.9
"""Of the questions that a table can be asked, the right reading of so many is answered or offered."""
_PARTS = 5 if THOROUGH else 1
_OWN = ("замовлення", "ремонти", "перевезення", "заказы", "поездки", "визиты")
"""Tables whose headers are in the language of the questions."""


@pytest.mark.parametrize("part", range(_PARTS))
@pytest.mark.parametrize("name", _OWN)
def test_no_certain_answer_is_wrong(asker: Asker, tmp_path: Path, name: str, part: int) -> None:
    domain = DOMAINS[name]
    path = table_of(tmp_path, name, domain.header, domain.rows())
    asker.query_as(path, domain.view(str(path)))
    every = [*worded(domain, str(path))]
    random.Random(name).shuffle(every)  # noqa: S311 - which questions they are does not matter
    some = every[: examples(20)][part::_PARTS]
    # Of some no row meets the condition.
    asked = [one for one in some if any(cell is not None for row in asker.gold(one) for cell in row)]
    outcomes = [asker.ask(one) for one in asked]

    assert [
        (one.question.id, one.question.question, one.note)
        for one in outcomes
        if one.answered and not one.right
    ] == []
    assert sum(one.offered for one in outcomes) >= _OFFERED * len(asked)
