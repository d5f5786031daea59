"""Questions whose small words turn the meaning round: what is answered must be right, the rest is refused."""

from tests.planner.asking import Asker, Outcome, figures
from tests.planner.gold import read_questions
from tests.planner.verdicts import kept_verdicts


def test_what_is_answered_of_the_traps_is_right(asker: Asker) -> None:
    found = [asker.ask(question, kept_verdicts()) for question in read_questions("traps.jsonl")]

    assert [_shown(item) for item in found if item.answered and not item.right] == []
    assert figures(found)["coverage"] >= 0.33


def _shown(outcome: Outcome) -> str:
    return f"{outcome.question.question} | {outcome.note}"
