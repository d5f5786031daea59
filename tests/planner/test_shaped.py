"""Of a question in Ukrainian or Russian that is composed of a shape and a condition, no certain answer is wrong."""

import random
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pytest

from tabchat.errors import TabchatError
from tabchat.planner.intent import Intent
from tabchat.planner.plan import Unplannable
from tests.effort import THOROUGH, examples
from tests.planner.asking import Asker, is_answered
from tests.planner.declined import DOMAINS, Domain
from tests.planner.gold import GoldQuestion
from tests.planner.shaped import Shaped, shaped
from tests.planner.tables import table_of

_OFFERED = 0.85
"""Of the questions that a table can be asked, the right reading of so many is answered or offered."""
_PARTS = 10 if THOROUGH else 1
"""Tests of a domain: all its questions take minutes."""


@dataclass
class _Judge:
    """One table, asked and queried."""

    asker: Asker
    path: Path
    gold: duckdb.DuckDBPyConnection
    wrong: list[str] = field(default_factory=list)
    offered: int = 0

    def judge(self, asked: Shaped) -> None:
        """Ask a question and compare."""
        candidates, certain, _ = self.asker.read(self.path, asked.text)
        right = any(self._is_right(asked, one.intent) for one in (candidates[:1] if certain else candidates))
        self.offered += right
        if certain and not right:
            self.wrong.append(f"[{asked.shape}] {asked.text}: {candidates[0].intent}")

    def _is_right(self, asked: Shaped, intent: Intent) -> bool:
        question = GoldQuestion(
            id="", lang="", file=self.path.name, question=asked.text, shape=asked.kind, answerable=True, sql=asked.sql,
            ordered=False, notes="fraction" if asked.kind == "share" else "", also=asked.also,
        )  # fmt: skip
        try:
            found = self.asker.answer(self.path, self.asker.call(self.path, intent))
        except (Unplannable, TabchatError):
            return False
        return is_answered(question, {self.path.name: self.gold}, self.path, found)

    def has_an_answer(self, asked: Shaped) -> bool:
        """Tell whether any row meets the condition."""
        return any(any(cell is not None for cell in row) for row in self.gold.execute(asked.sql).fetchall())


@pytest.mark.parametrize("part", range(_PARTS))
@pytest.mark.parametrize("domain", DOMAINS.values(), ids=lambda domain: domain.name)
def test_no_certain_answer_is_wrong(asker: Asker, tmp_path: Path, domain: Domain, part: int) -> None:
    path = table_of(tmp_path, domain.name, domain.header, domain.rows())
    with duckdb.connect() as gold:
        gold.execute(f"CREATE TABLE t AS {domain.view(str(path))}")
        judge, every = _Judge(asker, path, gold), [*shaped(domain)]
        random.Random(domain.name).shuffle(every)  # noqa: S311 - which questions they are does not matter
        some = every[part::_PARTS] if THOROUGH else every[: examples(60)]
        asked = [one for one in some if judge.has_an_answer(one)]
        for one in asked:
            judge.judge(one)

    assert judge.wrong == []
    assert judge.offered >= _OFFERED * len(asked)
