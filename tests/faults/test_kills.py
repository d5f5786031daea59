"""Commands that are killed lose nothing: `make faults` does fifty of each kind."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.faults.kills import KINDS, kill_at_random

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.kills import Kind

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_by_a_kill(kind: type[Kind], tmp_path: Path) -> None:
    assert kill_at_random(kind, tmp_path, moments=1, seed=3).lost == []
