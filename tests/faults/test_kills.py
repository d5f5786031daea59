"""Commands that are killed lose nothing: `make faults` does fifty of each kind."""

import sys
from pathlib import Path

import pytest

from tests.faults.kills import KINDS, Kind, kill_at_random

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_by_a_kill(kind: type[Kind], tmp_path: Path) -> None:
    assert kill_at_random(kind, tmp_path, moments=1, seed=3).lost == []
