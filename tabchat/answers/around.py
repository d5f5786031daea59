"""What stands around a figure that is filled in and would make another of it: digits, a minus, a scale, a percent sign."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from tabchat.answers.digits import decimal, is_fraction
from tabchat.answers.figures import EvaluationError
from tabchat.engine.types import ColumnKind
from tabchat.languages.notation import (
    CURRENCY,
    GAP,
    MINUS,
    MINUS_WORDS,
    PERCENT_WORDS,
    SCALES,
    named_scale,
    scale_after,
)
from tabchat.languages.written import is_numeral

if TYPE_CHECKING:
    from tabchat.answers.evaluate import Evaluator
    from tabchat.answers.figures import Figure
    from tabchat.languages.notation import Language

_MARKUP: Final = "*_~`"
_MOST_BEFORE: Final = 32
"""Characters before a figure that can change it."""
_JOINED_BEFORE: Final = re.compile(rf"[.,'’]?[{_MARKUP}]{{0,3}}\Z")
_JOINED_AFTER: Final = re.compile(rf"\A[{_MARKUP}]{{0,3}}[.,'’]?")
_MULTIPLIED: Final = re.compile(
    rf"[{_MARKUP}]{{0,3}}(?:[eEеЕ][+{MINUS}]?\d|[{GAP}]\d{{3}}(?!\d)|[{GAP}]?[×·⋅✕x*^][{GAP}]?\d|[{GAP}]?[‰‱])"
)
"""An exponent, another group of thousands, a factor, a thousandth."""
_EXPONENT_BEFORE: Final = re.compile(rf"\d[eEеЕ][+{MINUS}]?\Z")
_MONEY: Final = rf"[{_MARKUP}]{{0,3}}(?:(?:[A-Z]{{0,3}}[{CURRENCY}]|[A-Z]{{3}})[{GAP}]?)?[{_MARKUP}]{{0,3}}\Z"
_MINUS_BEFORE: Final = re.compile(
    rf"(?:(?:^|[^\w\0.,)\]}}%…])[{MINUS}]|(?<!\w)(?<![\d%)][{GAP}])(?i:{MINUS_WORDS})[{GAP}]{{1,2}}){_MONEY}"
)
_CURRENCY_BEFORE: Final = re.compile(rf"[{CURRENCY}][{GAP}]?[{_MARKUP}]{{0,3}}\Z")
_PERCENT_AFTER: Final = re.compile(rf"[{_MARKUP}]{{0,3}}(?:[{GAP}]?%|[{GAP}]{{1,2}}(?i:{PERCENT_WORDS}))")
_MOST_PERCENT: Final = 1_000
"""A cell beyond it is no percentage."""


def check_around(before: str, after: str) -> None:
    """Raise `EvaluationError` where the text on either side of a number makes another one of it, whatever it is."""
    before = before[-_MOST_BEFORE:]
    joined = _JOINED_BEFORE.sub("", before)[-1:] + _JOINED_AFTER.sub("", after, count=1)[:1]
    if any(map(is_numeral, joined)) or _EXPONENT_BEFORE.search(before) or _MULTIPLIED.match(after):
        raise EvaluationError("stands against other digits, which makes another number of it")
    if _MINUS_BEFORE.search(before):
        raise EvaluationError("stands after a minus, which changes its sign: put the minus inside the braces")


def with_unit(
    written: str, kind: str, figure: Figure, around: tuple[str, str], language: Language, evaluator: Evaluator
) -> str:
    """Return how a figure in a format of that `kind` is written where a scale or a percent sign may follow it.

    Raises `EvaluationError` where that would multiply it.
    """
    before, after = around
    if scale := scale_after(after, 0, is_money=_CURRENCY_BEFORE.search(before) is not None):
        return _scaled(figure, written, kind, scale[0], language)
    has_sign = _PERCENT_AFTER.match(after) is not None
    if kind == "%" or has_sign:
        _check_percent(figure, kind)
    if not has_sign:
        return written
    if kind != "%" and _is_part(figure, evaluator):
        raise EvaluationError("is a part of one, no percentage: use the format :.1% without a sign after it")
    return written.removesuffix("%")


def _check_percent(figure: Figure, kind: str) -> None:
    """Raise `EvaluationError` where a figure of one column can be no percentage."""
    column = figure.column if not figure.is_share else None
    value = decimal(figure.value)
    if column is None or value is None:
        return
    if kind == "%" and column.unit == "%" and figure.scale == 1:
        raise EvaluationError("is in percent already: write :.1f and the sign after the braces")
    if column.unit not in {None, "%"}:
        raise EvaluationError("is in a unit of its own, no percentage")
    shown = abs(value) * (100 if kind == "%" else 1)
    is_count = kind == "%" and figure.is_cell and column.kind is ColumnKind.INTEGER and abs(value) > 1
    if is_count or shown > _MOST_PERCENT:
        raise EvaluationError(
            "is no part of one and no percentage: leave the percent sign out", names_data=True
        )


def _scaled(figure: Figure, written: str, kind: str, scale: int, language: Language) -> str:
    """Return a figure that a scale word follows, once it is certain that the word does not multiply it."""
    if kind in SCALES:
        if SCALES[kind] != scale:
            raise EvaluationError("is followed by another scale than its format has")
        return written.removesuffix(language.scales[kind])
    named = (1, *(named_scale(cell.column or "") for cell in figure.cells))
    if not any(math.isclose(figure.scale * scale, counted) for counted in named):
        raise EvaluationError("is multiplied by the word after it: use the format :.1k or :.1M, no word")
    return written


def _is_part(figure: Figure, evaluator: Evaluator) -> bool:
    """Return whether a figure is a share of one, such as 0.25, that was not multiplied to a percentage."""
    column = figure.column if figure.is_cell else None
    holders = [result for result in evaluator.results.values() if column in result.columns.values()]
    is_part = figure.is_share or any(column and is_fraction(result, column) for result in holders)
    return is_part and not math.isclose(figure.scale, 100)
