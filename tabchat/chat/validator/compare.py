"""Whether a written figure says an exact value: kinds, signs, bounds, scale and the tolerance of its digits.

A bound (`over 5,000`) is right when the value lies beyond the figure, and no farther than one unit of the
figure's last digit that is not zero, nor than a tenth of the figure: 5,001 to 5,500 are `over 5,000`.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.units import factor
from tabchat.config import Tolerance
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.units import Measure

_SHOWN: Final = Decimal("0.0001")
"""Summaries round to four decimals; a model rounds what it was shown."""
_NOISE: Final = Decimal("1e-9")
_POINTS: Final = Decimal("0.5")
_PRICE: Final = Decimal("0.01")
_TENTH: Final = Decimal(10)
_TWENTIETH: Final = Decimal(20)
"""Words such as `twice` and `half` are right within a twentieth."""
_HALF: Final = Decimal("0.5")
_HAIR: Final = Decimal(200)
"""A bound may be rounded in its last digits (`over 33.2 %` of 33.18 %), by no more than this part of it."""


@record
class Actual:
    """An exact value that a figure may stand for."""

    value: Decimal
    nature: Nature = Nature.PLAIN
    is_change: bool = False
    scale: Decimal = Decimal(1)
    measure: Measure | None = None
    """The unit of measure of the column."""


def decimal_of(value: object) -> Decimal | None:
    """Return a number as an exact decimal of its shortest digits; none for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return number if number.is_finite() else None


def agrees(
    number: WrittenNumber,
    actual: Actual,
    preset: Tolerance = Tolerance.DIGITS,
    *,
    unit: Measure | None = None,
) -> bool:
    """Tell whether `number`, written with `unit`, says `actual` in one of its readings."""
    times = factor(unit, actual.measure)
    if times != 1:
        actual = replace(actual, value=actual.value * times)
    return any(
        _near(number, value, max(tolerance, _least(number, preset)), target)
        for value, tolerance in number.readings
        for value in _signed(number, value, actual)
        for target in _targets(number, actual)
    )


def _signed(number: WrittenNumber, value: Decimal, actual: Actual) -> Iterator[Decimal]:
    if number.direction is None or not actual.is_change:
        yield value
    else:
        yield abs(value) if number.direction == "up" else -abs(value)


def _targets(number: WrittenNumber, actual: Actual) -> Iterator[Decimal]:
    value = actual.value
    match number.kind:
        case NumberKind.PERCENT:
            if actual.nature is Nature.FRACTION:
                yield 100 * value
            elif actual.nature in {Nature.PERCENT, Nature.LOOSE}:
                yield value
        case NumberKind.POINTS:
            if actual.nature is Nature.POINTS:
                yield value
        case NumberKind.RATIO:
            if actual.nature in {Nature.FRACTION, Nature.LOOSE}:
                yield value
        case NumberKind.ORDINAL:
            return
        case _:
            yield value
            if actual.scale != 1:
                yield value * actual.scale


def _near(number: WrittenNumber, value: Decimal, tolerance: Decimal, target: Decimal) -> bool:
    gap = abs(value - target)
    if gap <= _NOISE * max(Decimal(1), abs(target)):
        return True
    if number.bound is not None:
        room = tolerance if number.is_approximate else min(tolerance, abs(value) / _HAIR)
        return _beyond(number, value, target) or gap <= room
    if value == 0 and tolerance > 1:
        # `0 million` says nothing of a figure below a million.
        return False
    if _is_whole(value) and _is_whole(target) and tolerance < 1:
        return False
    if tolerance == 0 and _is_whole(value) and not _is_whole(target):
        tolerance = _HALF
    if gap <= tolerance * (1 + _NOISE):
        return True
    shown = target.quantize(_SHOWN) if abs(target) < 10**12 else target
    return abs(value - shown) <= tolerance * (1 + _NOISE)


def _beyond(number: WrittenNumber, value: Decimal, target: Decimal) -> bool:
    unit = Decimal((0, (1,), int(value.normalize().as_tuple().exponent)))
    room = min(unit, abs(value) / _TENTH)
    if number.kind is NumberKind.RATIO and not number.is_approximate and not _has_digits(number):
        # `More than twice` says that it is not yet two and a half times.
        room = value / 4
    gap = target - value if number.bound == "over" else value - target
    return 0 <= gap <= room


def _least(number: WrittenNumber, preset: Tolerance) -> Decimal:
    if number.kind is NumberKind.RATIO and not _has_digits(number):
        return abs(number.value) / _TWENTIETH
    if preset is Tolerance.POINTS and number.kind in {NumberKind.PERCENT, NumberKind.POINTS}:
        return _POINTS
    if preset is Tolerance.PRICE and number.kind in {NumberKind.MONEY, NumberKind.NUMBER}:
        return _PRICE
    return Decimal(0)


def _has_digits(number: WrittenNumber) -> bool:
    return any(char.isdigit() for char in number.text)


def _is_whole(value: Decimal) -> bool:
    return value == value.to_integral_value()
