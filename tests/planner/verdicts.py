"""What judging readings of the gold questions has come to, kept, so that it need not be found anew each time.

Whether a call answers a question follows from the call, the gold query and the bytes of the table. A short hash of
these with the verdict is a line of `data/verdicts.txt`; what has no line there is run and judged. `test_floor.py` judges
a part of them again, and all of them in a thorough run. Written by `python -m tests.planner.verdicts`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.planner.gold import DATA, GoldQuestion, read_questions, sources_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.planner.plan import PlannedCall

FILE: Final = DATA / "verdicts.txt"
_DIGITS: Final = 10
"""Hexadecimal ones: among ten thousand verdicts, two share them once in twenty thousand times."""
_MARKS: Final = {True: "right", False: "wrong"}


def verdict_key(question: GoldQuestion, path: Path, call: PlannedCall) -> str:
    """Return the short hash of everything that a verdict follows from."""
    told = {
        "gold": [question.shape, question.sql, question.ordered, question.notes, *question.also],
        "call": [call.tool, {name: value for name, value in call.arguments.items() if name != "table"}],
        "files": [_digest(file) for file in sources_of(path)],
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:_DIGITS]


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def kept_verdicts() -> Mapping[str, bool]:
    """Return the verdicts of the file, by key."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return {key: mark == _MARKS[True] for key, _, mark in (line.partition(" ") for line in lines)}


def write_verdicts(verdicts: Mapping[str, bool]) -> None:
    """Replace the file."""
    FILE.write_text("".join(f"{key} {_MARKS[right]}\n" for key, right in sorted(verdicts.items())), "utf-8")


def _main() -> None:
    from tests.planner.asking import Asker
    from tests.planner.test_floor import PRECISION

    judged: dict[str, bool] = {}
    for name in (*PRECISION, "traps"):
        with tempfile.TemporaryDirectory() as folder, contextlib.closing(Asker(Path(folder))) as asker:
            for question in read_questions(f"{name}.jsonl"):
                asker.ask(question)
            judged |= asker.judged
    write_verdicts(judged)


if __name__ == "__main__":
    _main()
