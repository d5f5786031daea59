"""Operands that are results of their own: single values, each of another group, period or column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.operand import Operand, Operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention

_FEW_VALUES: Final = 4
_PAIR: Final = 2
_NEAR: Final = 8
_BEFORE: Final = 24
_STATISTIC: Final = "statistic"
_STATISTICS: Final = frozenset({"mean", "median", "min", "max", "average", "first", "last"})
"""Names that say no more than which figure of the same numbers it is."""


def of_singles(ground: Ground, bound: Bound) -> Iterator[Operands]:
    """Yield the values of results that have only a few: in the order that the words give two of them, or in any."""
    by_unit: dict[str, list[tuple[int, Operand]]] = {}
    for at, operand in _values(ground):
        by_unit.setdefault(operand.unit, []).append((at, operand))
    span = (bound.statement.start, bound.statement.end)
    means = {unit for unit in by_unit if unit.startswith("mean:")}
    if bound.claim.direction is not None and means and ground.scene.speaks_of(span, "mean"):
        # `The average is 20 % lower` compares averages, not how many there are.
        by_unit = {unit: by_unit[unit] for unit in means}
    for values in by_unit.values():
        yield from _of_unit(ground, bound, values)


def _of_unit(ground: Ground, bound: Bound, values: Sequence[tuple[int, Operand]]) -> Iterator[Operands]:
    """Yield values that measure the same."""
    found = [operand for _, operand in values]
    if not 1 < len(found) <= _FEW_VALUES:
        return
    told = _told(ground, bound, values)
    if told is None:
        yield Operands(members=tuple(found))
    else:
        yield Operands(members=told, ordered=True)
    for total in found:
        for item in found:
            if item is not total:
                yield Operands(members=(item,), total=total)


def is_pointed(ground: Ground, mention: Mention) -> bool:
    """Tell whether a word of comparison stands right before a name: `than Europe`, `above Q3`."""
    cues = ground.scene.cues_in((max(0, mention.start - _BEFORE), mention.start), "than", "more", "less")
    return any(mention.start - _NEAR <= cue.end for cue in cues)


def _values(ground: Ground) -> Iterator[tuple[int, Operand]]:
    """Yield (result, value) of single results."""
    for at in ground.asked():
        view = ground.views[at]
        for name, value in view.values().items() if view.is_single else ():
            number, quality = decimal_of(value), view.qualities.get(name)
            if number is None or quality is None:
                continue
            origin = view.query.origins.get(name)
            measured = " ".join(origin.sources if origin else quality.tokens)
            yield (
                at,
                Operand(
                    value=number,
                    place=f"{view.key}.{name}",
                    unit=_STATISTIC
                    if origin is None and name.casefold() in _STATISTICS
                    else f"{quality.role}:{measured}",
                    nature=quality.nature,
                ),
            )


def _told(
    ground: Ground, bound: Bound, values: Sequence[tuple[int, Operand]]
) -> tuple[Operand, Operand] | None:
    """Return (subject, base) of two values where the words beside the figure name their groups."""
    at_of = {at for at, _ in values}
    if len(values) != _PAIR or len(at_of) != _PAIR or bound.claim.direction is None:
        return None
    low, high = bound.reach
    near = [item for item in bound.said if low <= item.start < high and len(item.views() & at_of) == 1]
    names = list({item.text: item for item in near}.values())
    if not names or len(names) > _PAIR:
        return None
    pointed = [item for item in names if is_pointed(ground, item)]
    named = pointed[0] if len(pointed) == 1 else names[0]
    is_base = len(pointed) == 1
    (own,) = named.views() & at_of
    one, other = (operand for _, operand in sorted(values, key=lambda pair: pair[0] != own))
    return (other, one) if is_base else (one, other)
