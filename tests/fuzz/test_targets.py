"""Hostile text, in the few examples that a run of the tests has time for; `make fuzz-atheris` has more."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import SEEDS, TARGETS

SLOW = {"csv": 5, "json": 5}
"""Examples of targets that take tens of milliseconds each."""


def damaged(seed: bytes) -> st.SearchStrategy[bytes]:
    """Return the seed with a piece of it put elsewhere, left out or exchanged."""
    place = st.integers(0, len(seed))
    return st.builds(
        lambda start, end, piece, at: seed[:start] + piece + seed[end:at] + seed[at:],
        place,
        place,
        st.one_of(
            st.binary(max_size=12), st.sampled_from([b"\0", b"\x1b[", b"((((", b'"', b"{", b"--", b";"])
        ),
        place,
    )


@pytest.mark.parametrize("name", TARGETS)
def test_hostile_text_is_told_of_and_ends_nothing(name: str) -> None:
    target, seeds = TARGETS[name], SEEDS[name]
    for seed in seeds:
        target(seed)

    @settings(
        max_examples=SLOW.get(name, 80), deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(st.one_of(st.binary(max_size=200), st.sampled_from(seeds).flatmap(damaged)))
    def attacked(data: bytes) -> None:
        target(data)

    attacked()
