"""Running the validator over generated answers, and counting."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from tabchat.chat.validator import validate
from tests.chat.validator.planted.answers import inflected, right_answers, wrong_answers
from tests.chat.validator.planted.world import make_world

if TYPE_CHECKING:
    from pathlib import Path

    from tests.chat.validator.planted.world import World

LANGUAGES = ("en", "uk", "ru")
BIG_ROWS = 10_000


@dataclass
class Trial:
    """What became of the answers."""

    right: Counter[str] = field(default_factory=Counter)
    flagged: list[tuple[str, str, str, tuple[str, ...]]] = field(default_factory=list)
    """(kind, template, text, issues) of right answers that were flagged."""
    wrong: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, str, str, str]] = field(default_factory=list)
    """(error, kind, template, text) of wrong answers that passed."""

    @property
    def answers(self) -> int:
        """How many answers were checked."""
        return self.right.total() + self.wrong.total()

    @property
    def caught(self) -> float:
        """Share of the wrong answers that were caught."""
        return 1 - len(self.missed) / max(1, self.wrong.total())

    @property
    def false_alarms(self) -> float:
        """Share of the right answers that were flagged."""
        return len(self.flagged) / max(1, self.right.total())

    def report(self) -> str:
        """Return both rates in words."""
        kinds = ", ".join(f"{name} {count}" for name, count in sorted(self.wrong.items()))
        return (
            f"{self.answers} answers: wrong caught {self.caught:.2%} of {self.wrong.total()} ({kinds}); "
            f"right flagged {self.false_alarms:.2%} of {self.right.total()}"
        )


def worlds(folder: Path, *, seed: int = 7) -> list[World]:
    """Make the tables: one for each language of labels, with 100,000 cells each."""
    return [
        make_world(folder / language, language, seed + at, BIG_ROWS) for at, language in enumerate(LANGUAGES)
    ]


def known_rows(made: list[World]) -> dict[str, dict[str, object]]:
    """Return what the answers about large frames say."""
    known: dict[str, dict[str, object]] = {}
    for world in made:
        for name, column in (("big", 5), ("big_grouped", 1)):
            rows = [
                (str(row[0]), Decimal(repr(row[column]))) for row in world.blocks[name].result.frame.rows()
            ]
            values = [value for _, value in rows]
            total = sum(values, Decimal(0))
            known[f"{world.language}:{name}"] = {
                "rows": rows,
                "max": max(values),
                "min": min(values),
                "sum": total,
                "mean": total / len(values),
            }
    return known


def run_trial(made: list[World], *, rounds: int, seed: int = 11) -> Trial:
    """Check `rounds` rounds of every kind of answer in every language."""
    rng = random.Random(seed)  # noqa: S311 - answers, not secrets
    trial = Trial()
    known = known_rows(made)
    for number in range(rounds):
        for language in LANGUAGES:
            world = next(item for item in made if item.language == (language if number % 2 else "en"))
            for written in right_answers(rng, world, language, known):
                answer = inflected(rng, written)
                verdict = validate(answer.text, blocks=[answer.block])
                trial.right[answer.kind] += 1
                if verdict.verification.status != "verified":
                    trial.flagged.append((answer.kind, answer.template, answer.text, verdict.issues))
                pool: list[Decimal] = []
                if answer.kind in {"big", "big_grouped"}:
                    pool = [value for _, value in known[f"{world.language}:{answer.kind}"]["rows"]]  # type: ignore[attr-defined]
                for error, text in wrong_answers(rng, answer, pool):
                    trial.wrong[error] += 1
                    if validate(text, blocks=[answer.block]).verification.status != "unverified":
                        trial.missed.append((error, answer.kind, answer.template, text))
    return trial
