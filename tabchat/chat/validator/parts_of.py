"""Parts of a whole in other words: `the remaining 37 %`, `one in 17`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.chat.validator.ground import columns_for, wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.operand import Operand

_HUNDRED: Final = Decimal(100)
_HALF: Final = Decimal("0.5")
_ONE_IN: Final = re.compile(
    r"(?:\b(?:one|1)\s+(?:in|out of)(?:\s+every)?|\b(?:одне|один|одна|одно|1)\s+(?:із|з|зі|на|из)(?:\s+кожних|\s+каждых)?"
    r"|\b(?:every|each|кожн\w+|кажд\w+))\s*(?:about|roughly|приблизно|примерно)?\s*$"
)
_BEFORE: Final = 32


def find_part(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Proof | None:
    """Look for the figure as what is left of a hundred per cent, or as how many there is one in."""
    if bound.claim.kind is NumberKind.PERCENT:
        return _rest(ground, bound, proven)
    before = ground.scene.text[max(bound.statement.start, bound.claim.start - _BEFORE) : bound.claim.start]
    if _ONE_IN.search(before.casefold()):
        return next(_one_in(ground, bound), None)
    return None


def _rest(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Proof | None:
    """Accept what the percentages given before leave, where a word for the rest stands beside it."""
    if not ground.scene.cues_in((bound.reach[0], bound.claim.end), "rest"):
        return None
    near = [
        (other, operand)
        for other, operand in proven
        if other.statement.paragraph == bound.statement.paragraph
        and other.claim.kind is NumberKind.PERCENT
        and other.claim.direction is None
        and other.claim.start < bound.claim.start
    ]
    for taken in (near[-1:], near):
        left = _HUNDRED - sum((other.claim.value for other, _ in taken), Decimal(0))
        if taken and left >= 0 and agrees(bound.claim, Actual(value=left, nature=Nature.PERCENT)):
            places = " and ".join(operand.place for _, operand in taken)
            return Proof(evidence=f"rest of {places}", status="derived")
    return None


def _one_in(ground: Ground, bound: Bound) -> Iterator[Proof]:
    for at in ground.asked():
        view = ground.views[at]
        if view.is_single:
            cells = list(view.values().items())
        else:
            rows = view.select(wanted_rows(at, next(bound.readings(), ()))).rows()
            cells = [(name, rows[0][name]) for name in columns_for(bound, at, view)] if len(rows) == 1 else []
        for name, value in cells:
            number, actual = decimal_of(value), view.actual(name, value)
            if not number or actual is None or actual.nature not in {Nature.PERCENT, Nature.FRACTION}:
                continue
            share = number / _HUNDRED if actual.nature is Nature.PERCENT else number
            if abs(1 / share - bound.claim.value) <= _HALF:
                yield Proof(evidence=f"one in so many of {view.key}.{name}", status="derived")
