"""What a column of text cells holds: a decision on a sample, cautious enough to hold for every cell.

A kind is chosen only when every sampled cell fits it. Identifiers that a number
would spoil (zero-padded codes, long digit strings, phone numbers) stay text.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.reader.text import numbers
from tabchat.engine.reader.text.dates import guess_dates
from tabchat.engine.reader.text.plans import ColumnPlan
from tabchat.engine.reader.text.vocabulary import (
    BLANKS,
    DOUBTFUL_NULL_WORDS,
    LETTER_TRUTHS,
    NULL_WORDS,
    TEXT_NULL_WORDS,
    TRUTHS,
    is_total,
)
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

NEAR: Final = 0.8
"""Share of fitting cells from which a column of text is worth a warning."""
INT64: Final = 2**63
_CLOCK: Final = re.compile(r"(?:[01]?[0-9]|2[0-3])\.[0-5][0-9]")
_SIGNED: Final = 10
"""Amounts of which at least one has the sign of its currency, for all of them to be in it without a word."""


@record
class Conventions:
    """What is known about a whole file when one of its columns is judged."""

    decimal: str | None = None
    date_order: str | None = None
    date_hints: tuple[tuple[str, str], ...] = ()
    null_words: tuple[str, ...] | None = None
    dates_only: bool = False
    """The file says itself that cells are text: only dates may be recognised."""


@record
class Guess:
    """The plan of one column, and what is unsure about it."""

    plan: ColumnPlan
    decimal_seen: str | None = None
    """The decimal mark that the cells prove."""
    decimal_open: bool = False
    """Whether the cells read as different numbers with the other decimal mark."""
    order_open: str | None = None
    """Order of day and month that was assumed."""
    orders_seen: tuple[tuple[str, str], ...] = ()
    near: ColumnPlan | None = None
    """The plan that nearly all cells of a text column fit."""
    kept: str | None = None
    """Why a column that looks like numbers, or like dates, stays text."""
    kept_kind: ColumnKind = ColumnKind.NUMBER
    """What such a column looks like."""
    unlike: bool = False
    """Whether it stays text because its cells do not go together: amounts in two currencies, dates in two orders."""
    offset: str = ""
    scientific: str | None = None
    """A cell such as `12E4`, among whole numbers only: a code as likely as a number."""
    dated: str | None = None
    """A whole number that is written like a date, as all of them are: 20240131."""
    clocked: str | None = None
    """A fraction that is written like a time of day, as all of them are: 9.30."""
    signed: str | None = None
    """A cell with the sign of a currency, which hardly any other has."""
    rounded: tuple[str, str] | None = None
    """An amount of more digits than floating point holds, and what it became."""
    mixed: tuple[str, str] | None = None
    """Two cells in different units, of a column that a person made numbers."""
    doubtful: str | None = None
    """A word among words that often means a missing value."""


Judge: TypeAlias = "Callable[[Counter[str], Conventions, ColumnPlan], Guess | None]"
"""Reads all cells as one kind, or says that they are not that."""


def infer(cells: Counter[str], conventions: Conventions, barred: Collection[ColumnKind] = ()) -> Guess:
    """Judge a column by its cells (raw text → how often); `barred` kinds have failed before."""
    contents = contents_of(cells, conventions)
    # A cell that is its own content was neither padded nor a null word.
    untouched = sum(1 for cell in contents if cell in cells) == len(cells) - ("" in cells)
    guess = _guess(contents, conventions, barred)
    plain = untouched and conventions.null_words is None and not guess.plan.labels
    if guess.plan.kind is not ColumnKind.TEXT:
        return replace(guess, plan=replace(guess.plan, plain=plain and guess.plan.plain))
    kept = [cell for cell in cells if cell.strip(BLANKS).lower() not in TEXT_NULL_WORDS]
    doubtful = next((cell for cell in kept if cell.strip(BLANKS).lower() in DOUBTFUL_NULL_WORDS), None)
    return replace(
        guess,
        plan=replace(guess.plan, plain=plain, blank=not kept),
        doubtful=None if guess.plan.typed or conventions.null_words is not None else doubtful,
    )


def null_words(conventions: Conventions) -> tuple[str, ...]:
    """Return the words that mean a missing value in a column that is not text."""
    return conventions.null_words if conventions.null_words is not None else tuple(sorted(NULL_WORDS - {""}))


def contents_of(cells: Mapping[str, int], conventions: Conventions) -> Counter[str]:
    """Return what the cells hold, without the blanks around it and without those that mean a missing value."""
    words = None if conventions.null_words is None else {"", *conventions.null_words}
    contents: Counter[str] = Counter()
    for cell, times in cells.items():
        content = cell.strip(BLANKS)
        is_null = content.lower() in NULL_WORDS if words is None else content in words
        if not is_null:
            contents[content] += times
    return contents


def _guess(contents: Counter[str], conventions: Conventions, barred: Collection[ColumnKind]) -> Guess:
    base = ColumnPlan(
        kind=ColumnKind.TEXT,
        null_words=null_words(conventions),
        exact_nulls=conventions.null_words is not None,
        typed=conventions.dates_only,
    )
    if not contents:
        return Guess(plan=base)
    if not conventions.dates_only:
        for judge in (_truths, judge_numbers):
            guess = judge(contents, conventions, base)
            if guess is not None and guess.plan.kind not in barred:
                return guess
    dated, unlabelled = _without_totals(contents, base)
    dates = judge_dates(dated, conventions, unlabelled)
    if dates is not None and dates.plan.kind not in barred:
        return dates
    if not barred and (apart := _apart(contents, conventions, base)) is not None:
        return apart
    return Guess(plan=base, near=_near(contents, conventions, base))


def _without_totals(contents: Counter[str], base: ColumnPlan) -> tuple[Counter[str], ColumnPlan]:
    """Take labels of records that sum up others, as 1C writes them below the dates, for missing dates."""
    labels = {cell: times for cell, times in contents.items() if is_total(cell)}
    if not labels or base.exact_nulls or sum(labels.values()) * 2 > contents.total():
        return contents, base
    words = tuple(sorted({cell.lower() for cell in labels}))
    plan = replace(base, labels=words, null_words=(*base.null_words, *words))
    return Counter({cell: times for cell, times in contents.items() if cell not in labels}), plan


def _truths(contents: Counter[str], conventions: Conventions, base: ColumnPlan) -> Guess | None:
    del conventions
    if len(contents) > 6:  # noqa: PLR2004 - two words in three spellings
        return None
    words = {content.lower() for content in contents}
    pair = next((p for p in TRUTHS if words <= set(p)), None) or next(
        (p for p in LETTER_TRUTHS if words == set(p)), None
    )
    if pair is None:
        return None
    plain = set(contents) <= {"true", "false"}
    return Guess(plan=replace(base, kind=ColumnKind.BOOLEAN, truths=pair, plain=plain))


def judge_numbers(contents: Counter[str], conventions: Conventions, base: ColumnPlan) -> Guess | None:
    """Read all cells as numbers, say why they are kept as text although they look like it, or return nothing."""
    if (kept := _kept_as_text(contents)) is not None:
        return Guess(plan=base, kept=kept)
    if all(map(numbers.PLAIN_INTEGER.fullmatch, contents)):
        dated = guess_dates(contents.keys()) is not None
        return Guess(
            plan=replace(base, kind=ColumnKind.INTEGER, plain=True),
            dated=next(iter(contents)) if dated else None,
        )
    percent = all(map(numbers.is_percent, contents))
    fitting = [mark for mark in (".", ",") if numbers.are_numbers(contents, mark, percent=percent)]
    if not fitting:
        return None
    decimal = conventions.decimal if conventions.decimal in fitting else fitting[0]
    currencies = {numbers.currency_of(content) for content in contents} - {None}
    if len(currencies) > 1:
        return Guess(plan=base, kept="amounts in several currencies", unlike=True)
    if any(numbers.inexact(content, decimal) for content in contents):
        return Guess(plan=base, kept="whole numbers too large to be exact among fractions")
    # Its pattern takes longer to compile than all cells to be looked through for the mark.
    whole = not any(decimal in content for content in contents) and all(
        map(numbers.number_matcher(decimal, whole=True, percent=percent).fullmatch, contents)
    )
    unit = "%" if percent else next(iter(currencies), None)
    plain = decimal == "." and all(map(numbers.PLAIN_NUMBER.fullmatch, contents)) and not whole
    kind = ColumnKind.INTEGER if whole else ColumnKind.NUMBER
    behind = any(map(re.compile(f"{numbers.MINUS_BEHIND}$").search, contents))
    return Guess(
        plan=replace(base, kind=kind, decimal=decimal, unit=unit, plain=plain, minus_behind=behind),
        decimal_seen=decimal if len(fitting) == 1 and not whole else None,
        decimal_open=len(fitting) > 1 and _reads_both_ways(contents, decimal),
        scientific=_scientific(contents),
        clocked=next(iter(contents)) if all(map(_CLOCK.fullmatch, contents)) else None,
        signed=_signed(contents) if currencies else None,
        rounded=None if whole else _rounded(contents, decimal),
    )


def _rounded(contents: Counter[str], decimal: str) -> tuple[str, str] | None:
    """Return an amount that is not held to its last digit, and what became of it."""
    long = (content for content in contents if len(content) > numbers.KEPT)
    return next(((cell, kept) for cell in long if (kept := numbers.rounded(cell, decimal))), None)


def _signed(contents: Counter[str]) -> str | None:
    """Return a cell with the sign of a currency, when more than nine in ten have none."""
    signed = [content for content in contents if numbers.currency_of(content)]
    return signed[0] if _SIGNED * sum(contents[content] for content in signed) < contents.total() else None


def _scientific(contents: Counter[str]) -> str | None:
    """Return a cell that reads as `12E4` does, when no cell has a fraction or a sign."""
    if not all(map(numbers.CODE_OR_POWER.fullmatch, contents)):
        return None
    return next((content for content in contents if not content.isdigit()), None)


def _reads_both_ways(contents: Counter[str], decimal: str) -> bool:
    other = {".": ",", ",": "."}[decimal]
    odd = [content for content in contents if other in content or decimal in content]
    return bool(odd) and all(
        numbers.THOUSANDS_OR_FRACTION[","].fullmatch(content)
        or numbers.THOUSANDS_OR_FRACTION["."].fullmatch(content)
        for content in odd
    )


def _kept_as_text(contents: Counter[str]) -> str | None:
    if not all(content.isascii() and content.lstrip("+-").isdigit() for content in contents):
        return None
    if any(map(numbers.CODE.fullmatch, contents)):
        return "zero-padded codes"
    if any(map(numbers.PHONE.fullmatch, contents)):
        return "numbers with a leading plus"
    # The length is looked at first: converting a very long digit string is refused by Python.
    if any(len(content) > 20 or not -INT64 <= int(content) < INT64 for content in contents):  # noqa: PLR2004
        return "digit strings too long for an exact whole number"
    return None


def judge_dates(contents: Counter[str], conventions: Conventions, base: ColumnPlan) -> Guess | None:
    """Read all cells as dates, datetimes or times of day, or return nothing."""
    found = guess_dates(contents.keys(), order=conventions.date_order, hints=conventions.date_hints)
    if found is None:
        return None
    plan = replace(base, kind=found.kind, shapes=found.shapes, utc=found.utc, plain=found.plain)
    return Guess(plan=plan, order_open=found.open_order, orders_seen=found.settled, offset=found.offset)


def _near(contents: Counter[str], conventions: Conventions, base: ColumnPlan) -> ColumnPlan | None:
    """Return the plan that most cells fit, when the rest look like mistakes."""
    if conventions.dates_only:
        return None
    total = sum(contents.values())
    for judge in (judge_numbers, judge_dates):
        fitting = Counter(
            {cell: n for cell, n in contents.items() if _fits_alone(cell, judge, conventions, base)}
        )
        if NEAR * total <= sum(fitting.values()) < total and (guess := judge(fitting, conventions, base)):
            return None if guess.plan.kind is ColumnKind.TEXT else replace(guess.plan, plain=False)
    return None


def _apart(contents: Counter[str], conventions: Conventions, base: ColumnPlan) -> Guess | None:
    """Say of cells that each are a number, or each a date, why they are not read together."""

    def apart(judge: Judge, kept: str, kind: ColumnKind) -> Guess | None:
        if not all(_fits_alone(cell, judge, conventions, base) for cell in contents):
            return None
        why = kept + _clash(contents, judge, conventions, base)
        return Guess(plan=base, kept=why, kept_kind=kind, unlike=True)

    clock = any(":" in cell for cell in contents)
    moment = ColumnKind.DATETIME if clock else ColumnKind.DATE
    found = None
    if not conventions.dates_only:
        found = apart(judge_numbers, "numbers written in different ways", ColumnKind.NUMBER)
    return found or apart(judge_dates, "dates written in ways that exclude each other", moment)


def _clash(contents: Counter[str], judge: Judge, conventions: Conventions, base: ColumnPlan) -> str:
    """Name two cells that cannot be read together: the first that fits not all before it, and one of those."""
    cells = list(contents)
    at = bisect.bisect_left(
        range(1, len(cells)),
        True,
        key=lambda end: judge(Counter(cells[: end + 1]), conventions, base) is None,
    )
    later = cells[min(at + 1, len(cells) - 1)]
    pair = next((one for one in cells if judge(Counter((one, later)), conventions, base) is None), None)
    return f", such as {pair!r} and {later!r}" if pair else ""


def _fits_alone(cell: str, judge: Judge, conventions: Conventions, base: ColumnPlan) -> bool:
    if not any(character.isdigit() for character in cell):
        return False
    guess = judge(Counter((cell,)), conventions, base)
    return guess is not None and guess.plan.kind is not ColumnKind.TEXT
