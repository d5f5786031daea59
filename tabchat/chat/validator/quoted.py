"""Figures that the text takes from the question or from the plan: thresholds, limits, periods."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind, WrittenDate
from tabchat.chat.validator.proof import Proof
from tabchat.chat.validator.words import fold, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import WrittenClaim, WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View

_BEFORE: Final = 24
_BESIDE: Final = 2
_CENTURY: Final = 100
_HUNDRED: Final = 100
"""A filter on a fraction writes 0.2 for 20 %."""


def find_quoted(ground: Ground, bound: Bound, question: str) -> Proof | None:
    """Accept a figure of the question or the plan where the words give it as a condition, never as a value."""
    claim = bound.claim
    scale = _HUNDRED if claim.kind is NumberKind.PERCENT else 1
    from_plan = any(
        not view.query.numbers.isdisjoint({value, value / scale})
        for at in ground.asked()
        for view in (ground.views[at],)
        for value, _ in claim.readings
    )
    if not (claim.from_question or from_plan):
        return None
    source = "question" if claim.from_question else "plan"
    if claim.kind is NumberKind.YEAR:
        return Proof(evidence=source)
    if claim.bound is not None or _is_condition(ground, claim) or _same_words(ground, claim, question):
        return Proof(evidence=source)
    return None


def find_year(ground: Ground, bound: Bound) -> Proof | None:
    """Look for a year in the periods, cells and literals that the results were made from."""
    if bound.claim.kind is not NumberKind.YEAR:
        return None
    for view in (ground.views[at] for at in ground.asked()):
        if int(bound.claim.value) in _years(view):
            return Proof(evidence=f"period of {view.key}")
    return None


def find_date(views: Sequence[View], claim: WrittenDate, roles: frozenset[str]) -> Proof | None:
    """Look for a date among values that were shown, ends of date columns, and dates of the query."""
    if claim.from_question:
        return Proof(evidence="question")
    for view in views:
        if any(_meets(claim, day) for day in view.query.dates):
            return Proof(evidence=f"filter of {view.key}")
        period = view.query.period
        if period is not None and any(_meets(claim, day) for day in period):
            return Proof(evidence=f"period of {view.key}")
        for name, value in view.values().items() if view.is_single else ():
            if _meets(claim, value):
                return Proof(evidence=f"{view.key}.{name}")
        if not view.is_single:
            found = _in_rows(view, claim, roles)
            if found is not None:
                return found
    return None


def _in_rows(view: View, claim: WrittenDate, roles: frozenset[str]) -> Proof | None:
    summary = view.summary
    shown = (
        ("first", summary.first),
        ("last", summary.last),
        ("min", summary.min_row or {}),
        ("max", summary.max_row or {}),
    )
    for role, row in shown:
        if roles & {"first", "last", "min", "max"} and role not in roles:
            continue
        for column, value in row.items():
            if _meets(claim, value):
                return Proof(evidence=f"{view.key}.{role}.{column}")
    for temporal in view.columns:
        if temporal.kind.is_temporal:
            low, high = view.whole().ends(temporal.name)
            for role, end in (("first", low), ("last", high)):
                if not (roles & {"first", "last"} and role not in roles) and _meets(claim, end):
                    return Proof(evidence=f"{role} {temporal.name} of {view.key}")
    return None


def _meets(claim: WrittenDate, value: object) -> bool:
    day = value.date() if isinstance(value, dt.datetime) else value
    if not isinstance(day, dt.date):
        return False
    if not claim.has_year:
        return (day.month, day.day) == (claim.first.month, claim.first.day)
    return any(first <= day <= last for first, last in claim.readings)


def _years(view: View) -> set[int]:
    years = {day.year for day in view.query.dates}
    if view.query.period is not None:
        first, last = view.query.period
        ends = {first.year, last.year}
        years |= set(range(first.year, last.year + 1)) if last.year - first.year < _CENTURY else ends
    for column in view.columns:
        if column.kind.is_temporal and view.row_count:
            years |= {day.year for day in view.whole().ends(column.name) if isinstance(day, dt.date)}
    values = view.values().values() if view.is_single else ()
    return years | {value.year for value in values if isinstance(value, dt.date)}


def _is_condition(ground: Ground, claim: WrittenClaim) -> bool:
    before = ground.scene.text[max(0, claim.start - _BEFORE) : claim.start]
    near = before[max(before.rfind(mark) for mark in ".;\n") + 1 :]
    if near.rstrip().endswith((">", "<", "=", "≥", "≤", ">=", "<=")):
        return True
    cues = ground.scene.cues_in((claim.start - len(near), claim.start), "threshold", "top")
    last = words_of(near)[-_BESIDE:]
    offset = claim.start - len(near)
    return any(cue.end - offset >= last[0].start for cue in cues) if last else False


def _same_words(ground: Ground, claim: WrittenNumber, question: str) -> bool:
    """Tell whether the question has the figure beside the same word."""
    said, asked = words_of(ground.scene.text), words_of(question)
    digits = fold(claim.text)
    beside: set[str] = set()
    for at, word in enumerate(said):
        if claim.start <= word.start < claim.end:
            beside |= {near.text for near in said[max(0, at - 1) : at + 2] if near is not word}
    for at, word in enumerate(asked):
        if word.text in digits:
            near = {other.text for other in asked[max(0, at - 1) : at + 2] if other is not word}
            if any(text in beside and len(text) > _BESIDE and not text.isdigit() for text in near):
                return True
    return False
