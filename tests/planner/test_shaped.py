"""Of a question in Ukrainian or Russian that is composed of a shape and a condition, no certain answer is wrong."""

import random
from pathlib import Path

import pytest

from tests.effort import THOROUGH, examples
from tests.planner.asking import Asker
from tests.planner.declined import DOMAINS, Domain
from tests.planner.shaped import shaped
from tests.planner.tables import table_of

_OFFERED = 0.85
"""Of the questions that a table can be asked, the right reading of so many is answered or offered."""
_PARTS = 10 if THOROUGH else 1
"""Tests of a domain: all its questions take minutes."""


@pytest.mark.parametrize("part", range(_PARTS))
@pytest.mark.parametrize("domain", DOMAINS.values(), ids=lambda domain: domain.name)
def test_no_certain_answer_is_wrong(asker: Asker, tmp_path: Path, domain: Domain, part: int) -> None:
    path = table_of(tmp_path, domain.name, domain.header, domain.rows())
    asker.query_as(path, domain.view(str(path)))
    every = [*shaped(domain, str(path))]
    random.Random(domain.name).shuffle(every)  # noqa: S311 - which questions they are does not matter
    some = every[part::_PARTS] if THOROUGH else every[: examples(60)]
    # Of some no row meets the condition.
    asked = [one for one in some if any(cell is not None for row in asker.gold(one) for cell in row)]
    outcomes = [asker.ask(one) for one in asked]

    assert [
        (one.question.id, one.question.question, one.note)
        for one in outcomes
        if one.answered and not one.right
    ] == []
    assert sum(one.offered for one in outcomes) >= _OFFERED * len(asked)
