"""Faults in numbers: `python -m tests.faults 50 [SEED]` prints what was done, how often, and what was lost."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.faults.damage import DAMAGES, wrong_answers
from tests.faults.kills import KINDS, kill_at_random


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(moments: int, seed: int) -> int:
    """Kill each kind of command at so many moments and damage every file in every way; return how many lost something."""
    failed = 0
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            report = kill_at_random(kind, Path(folder), moments, seed)
        _tell(f"{report.kind}: {report.moments} kills, {report.killed} at work, {len(report.lost)} losses")
        for loss in report.lost:
            _tell(f"  {loss}")
        failed += bool(report.lost)
    for first, how in enumerate(DAMAGES):
        with tempfile.TemporaryDirectory() as folder:
            damaged, wrong = wrong_answers(Path(folder), first)
        _tell(f"Damage, {how} first: {damaged} files, {len(wrong)} wrong or not mended")
        for sentence in wrong:
            _tell(f"  {sentence}")
        failed += bool(wrong)
    return failed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 1))
