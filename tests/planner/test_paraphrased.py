"""In whatever construction a question is put, no certain answer is wrong, and the right one is nearly always offered."""

from pathlib import Path

import pytest

from tests.effort import THOROUGH, examples
from tests.planner.asking import Asker
from tests.planner.computed import DOMAINS, Domain
from tests.planner.paraphrased import paraphrased

_OFFERED = 0.85
"""Of the questions that a table is asked, the right reading of so many is answered or offered."""
_EVERY = 10_000


@pytest.mark.parametrize("restricted", [False, True])
@pytest.mark.parametrize("domain", DOMAINS[:3], ids=lambda domain: domain.name)
def test_no_wording_is_answered_by_something_else(
    asker: Asker, tmp_path: Path, domain: Domain, restricted: bool
) -> None:
    file = domain.file(tmp_path)
    asker.query_as(file, domain.view(file))
    count = _EVERY if THOROUGH and not restricted else examples(60)
    questions = paraphrased(domain, restricted=restricted).questions(file, count)
    # Of some no row meets the condition.
    asked = [one for one in questions if any(cell is not None for row in asker.gold(one) for cell in row)]
    outcomes = [asker.ask(one) for one in asked]

    assert [(one.question.question, one.note) for one in outcomes if one.answered and not one.right] == []
    assert sum(one.offered for one in outcomes) >= _OFFERED * len(asked)
