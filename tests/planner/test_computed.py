"""Of many shapes of questions under many conditions, a certain answer is that of the query, and the right one is offered."""

from pathlib import Path

import pytest

from tests.effort import examples
from tests.planner.asking import Asker
from tests.planner.computed import DOMAINS, Domain


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
def test_what_is_certain_is_what_the_query_computes(asker: Asker, tmp_path: Path, domain: Domain) -> None:
    file = domain.file(tmp_path)
    asker.query_as(file, domain.view(file))
    outcomes = [asker.ask(one) for one in domain.questions(file, examples(domain.tried))]

    assert [one.question.question for one in outcomes if one.answered and not one.right] == []
    assert [one.question.question for one in outcomes if not one.offered] == []
