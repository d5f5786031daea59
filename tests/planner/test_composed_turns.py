"""A question that is said in turns, its figure first, then its groups and conditions one by one, loses none of them."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.planner.intent import Condition
from tests.effort import examples
from tests.planner.asking import Asker
from tests.planner.composed import DOMAINS, Composed, Domain, Scope
from tests.planner.tables import table_of


def _turns(domain: Domain, chosen: random.Random) -> Iterator[Composed]:
    """Yield what each turn asks, and what is to be answered then: all that was said up to there."""
    said, measure = chosen.choice(domain.measures)
    grouped, column, unit = chosen.choice(domain.keys)
    conditions = chosen.sample(domain.conditions, 2)
    yield Composed(text=said, measure=measure, key=(None, None), scopes=())
    about = [scope.column if isinstance(scope, Condition) else "day" for _, scope in conditions]
    parts = conditions if len({*about, column or unit}) > 2 else conditions[:1]
    key: tuple[str | None, str | None] = (None, None)
    scopes: tuple[Scope, ...] = ()
    for text, scope in chosen.sample([(grouped, None), *parts], len(parts) + 1):
        if scope is None and (column in about or (unit and "day" in about)):
            continue
        key = (column, unit) if scope is None else key
        scopes = scopes if scope is None else (*scopes, scope)
        if text:
            yield Composed(text=text, measure=measure, key=key, scopes=scopes)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
def test_no_turn_loses_what_was_said_before(asker: Asker, tmp_path: Path, domain: Domain) -> None:
    read = asker.interpreter(table_of(tmp_path, domain.name, ",".join(domain.columns), domain.rows())).read
    chosen = random.Random(domain.name)  # noqa: S311 - which turns they are does not matter
    wrong, lost = [], []
    for _ in range(examples(20)):
        previous, chain = None, ""
        for turn in _turns(domain, chosen):
            chain += f" | {turn.text}"
            found = read(turn.text, previous)
            right = [one.intent for one in found.candidates[:3] if turn.is_read(one.intent)]
            wrong += [chain] if found.certain and not turn.is_read(found.candidates[0].intent) else []
            lost += [] if right else [chain]
            if not right:
                break
            previous = right[0]

    assert wrong == []
    assert lost == []
