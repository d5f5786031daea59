"""Every attack works unprotected; behind the kernel lock alone, and behind both layers, it gets nowhere."""

import sys
from collections import Counter
from collections.abc import Callable

import pytest

from tests.attacks.attacking import Arena, Behind, missing_here, verdict
from tests.attacks.catalogue import PAYLOADS
from tests.attacks.conftest import VERDICT
from tests.attacks.payload import SIZED, Category, Goal, Payload

WRITTEN_FOR = 3, 11
RUNS = [
    pytest.param(payload, behind, id=f"{behind}: {payload.category}: {payload.name}")
    for payload in PAYLOADS
    for behind in Behind
]


@pytest.mark.parametrize("payload, behind", RUNS)
def test_an_attack_works_unprotected_and_not_behind_the_walls(
    arena: Arena, payload: Payload, behind: Behind, record_property: Callable[[str, object], None]
) -> None:
    if reason := missing_here(payload):
        pytest.skip(reason)
    reached = arena.attack(payload, behind)
    record_property(VERDICT, [payload.category.value, behind.value, verdict(reached, behind)])
    match behind:
        case Behind.NOTHING:
            # What lies beyond an object, and so whether a write to it is seen, is each interpreter's own.
            elsewhere = payload.goal is Goal.CORRUPTION and sys.version_info[:2] != WRITTEN_FOR
            assert payload.goal in reached or elsewhere
        case Behind.GUARD:
            # Amounts are the lock's to bound.
            assert reached <= SIZED
        case Behind.LOCK:
            # A process that damages its own memory ends itself, and nobody else.
            assert reached <= {Goal.CORRUPTION}
            assert payload.goal is Goal.CORRUPTION or not reached
            assert not reached or arena.alive()
        case Behind.BOTH:
            assert not reached


def test_there_are_attacks_of_every_class() -> None:
    sizes = Counter(payload.category for payload in PAYLOADS)
    assert set(sizes) == set(Category)
    assert min(sizes.values()) >= 5
    assert len({(payload.category, payload.name) for payload in PAYLOADS}) == len(PAYLOADS) >= 120
    assert len({payload.template for payload in PAYLOADS}) == len(PAYLOADS)
