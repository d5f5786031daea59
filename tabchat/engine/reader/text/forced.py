"""What a column of text cells becomes when a person says its kind: as many of its cells as can be read so."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tabchat.engine.reader.text import numbers
from tabchat.engine.reader.text.infer import Guess, contents_of, judge_dates, judge_numbers, null_words
from tabchat.engine.reader.text.plans import ColumnPlan
from tabchat.engine.reader.text.vocabulary import LETTER_TRUTHS, TRUTHS
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from tabchat.engine.reader.text.infer import Conventions


def force(kind: ColumnKind, cells: Counter[str], conventions: Conventions) -> Guess:
    """Plan a column as `kind` whatever its cells; those that do not fit become null."""
    contents = contents_of(cells, conventions)
    base = ColumnPlan(
        kind=kind,
        null_words=null_words(conventions),
        exact_nulls=conventions.null_words is not None,
        forced=True,
    )
    if kind is ColumnKind.BOOLEAN:
        words = {content.lower() for content in contents}
        pairs = (*TRUTHS, *LETTER_TRUTHS, ("1", "0"), ("on", "off"))
        best = max(pairs, key=lambda pair: len(words & set(pair)))
        return Guess(plan=replace(base, truths=best))
    if kind in {ColumnKind.INTEGER, ColumnKind.NUMBER}:
        return _forced_number(kind, contents, conventions, base)
    if kind in {ColumnKind.DATE, ColumnKind.DATETIME, ColumnKind.TIME}:
        return _forced_moment(kind, contents, conventions, base)
    return Guess(plan=base)


def _forced_number(
    kind: ColumnKind, contents: Counter[str], conventions: Conventions, base: ColumnPlan
) -> Guess:
    fitting = Counter({c: n for c, n in contents.items() if judge_numbers(Counter((c,)), conventions, base)})
    found = judge_numbers(fitting, conventions, base) if fitting else None
    # Where not all are written alike, the mark with which most are numbers is taken.
    decimal = conventions.decimal or max((".", ","), key=partial(_numbers_with, fitting))
    plan = found.plan if found else replace(base, decimal=decimal)
    return Guess(plan=replace(plan, kind=kind, plain=False), mixed=_units(fitting))


def _numbers_with(contents: Counter[str], decimal: str) -> int:
    return sum(
        times
        for cell, times in contents.items()
        if numbers.are_numbers((cell,), decimal, percent=numbers.is_percent(cell))
    )


def _forced_moment(
    kind: ColumnKind, contents: Counter[str], conventions: Conventions, base: ColumnPlan
) -> Guess:
    fitting = Counter(
        {
            cell: times
            for cell, times in contents.items()
            if (alone := judge_dates(Counter((cell,)), conventions, base)) and _gives(kind, alone)
        }
    )
    if not fitting:
        return Guess(plan=base)
    found = judge_dates(fitting, conventions, base) or _most_dates(fitting, conventions, base)
    if found is None:
        return Guess(plan=base)
    return Guess(plan=replace(found.plan, kind=kind, plain=False), order_open=found.order_open)


def _gives(kind: ColumnKind, alone: Guess) -> bool:
    """Tell whether a cell holds what the kind asks for: a time of day has no date, a date no time of day."""
    lacks = {ColumnKind.TIME: ColumnKind.DATE}.get(kind, ColumnKind.TIME)
    return alone.plan.kind is not lacks


def _most_dates(contents: Counter[str], conventions: Conventions, base: ColumnPlan) -> Guess | None:
    """Plan the most cells that can be read together, of dates that cannot all be: by order, clock and zone."""
    best: tuple[int, Guess | None] = (0, None)
    for order in ("dmy", "mdy") if conventions.date_order is None else (conventions.date_order,):
        ordered = replace(conventions, date_order=order)
        groups: defaultdict[tuple[bool, bool], Counter[str]] = defaultdict(Counter)
        for cell, times in contents.items():
            if (alone := judge_dates(Counter((cell,)), ordered, base)) is not None:
                zoned = any(shape.zone for shape in alone.plan.shapes)
                groups[alone.plan.kind is ColumnKind.TIME, zoned][cell] = times
        for group in groups.values():
            if group.total() > best[0] and (guess := judge_dates(group, ordered, base)) is not None:
                assumed = order if conventions.date_order is None and guess.orders_seen else None
                best = (group.total(), replace(guess, order_open=assumed))
    return best[1]


def _units(contents: Counter[str]) -> tuple[str, str] | None:
    """Return two cells whose signs say different units: percents among others, or two currencies."""
    cells: dict[str | None, str] = {}
    for cell in contents:
        cells.setdefault("%" if numbers.is_percent(cell) else numbers.currency_of(cell), cell)
    if "%" not in cells:
        cells.pop(None, None)
    pair = tuple(cells.values())[:2]
    return pair if len(pair) == 2 else None  # noqa: PLR2004 - two units
