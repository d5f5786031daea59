"""What a derivation may be made of: the named cells of one column, the ends of a series, figures already proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.figures import columns_for, wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import cell_proof, place_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from decimal import Decimal

    from tabchat.chat.answer import Trace
    from tabchat.chat.validator.binding import Bound
    from tabchat.chat.validator.figures import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_ADDITIVE: Final = frozenset({"sum", "count", None})
_FEW_VALUES: Final = 4


@record
class Operand:
    """One exact value that a derivation uses."""

    value: Decimal
    place: str
    unit: str
    """What it measures; only values of one unit are compared."""
    nature: Nature = Nature.PLAIN
    traces: tuple[Trace, ...] = ()
    when: Value = None
    """The date or label that orders it in a series."""


@record
class Operands:
    """Values that belong together."""

    members: tuple[Operand, ...]
    total: Operand | None = None
    """What shares are shares of."""
    ordered: bool = False
    """The first is what the sentence speaks of, the second what it is compared with."""


def operand_sets(
    ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]], asked: frozenset[str]
) -> Iterator[Operands]:
    """Yield the sets of operands that the text names, the best bound first."""
    own = [mention for mention in bound.said if mention.end <= bound.statement.end]
    for at in ground.asked():
        view = ground.views[at]
        if view.is_single:
            continue
        yield from _of_groups(ground, bound, at, own)
        yield from _top(ground, bound, at)
        if not own:
            yield from _of_ends(ground, bound, at)
            yield from _of_groups(ground, bound, at, list(bound.around))
    yield from _of_singles(ground, bound)
    near = [operand for other, operand in proven if _is_near(bound, other)]
    if len(near) > 1:
        yield from _of_proven(bound, near, asked)


def _of_groups(ground: Ground, bound: Bound, at: int, mentions: Sequence[Mention]) -> Iterator[Operands]:
    view = ground.views[at]
    mentions = [item for item in mentions if at in item.views()]
    if not mentions:
        return
    shared, varied = _split(at, mentions)
    for column in columns_for(bound, at, view):
        members = [
            operand
            for mention in varied
            if (operand := _cell(view, column, wanted_rows(at, (mention, *shared)))) is not None
        ]
        unique = tuple({operand.place: operand for operand in members}.values())
        if not unique:
            continue
        total = _total(ground, view, column, at, shared)
        if len(unique) == 1:
            yield Operands(members=unique, total=total)
            yield from _against_overall(view, column, unique[0])
            yield from _against_other(view, column, unique[0])
            continue
        order = _order(ground, bound, varied, unique)
        yield Operands(members=order or unique[:6], total=total, ordered=order is not None)


def _split(at: int, mentions: Sequence[Mention]) -> tuple[list[Mention], list[Mention]]:
    """Return names that hold for all operands, and those of the dimension in which they differ."""
    by_column: dict[str, list[Mention]] = {}
    for mention in mentions:
        for item in mention.named:
            if item.view == at and item.wanted is not None:
                by_column.setdefault(item.column, []).append(mention)
                break
    if not by_column:
        return [], []
    widest = max(by_column, key=lambda column: len({item.text for item in by_column[column]}))
    return [items[0] for column, items in by_column.items() if column != widest], by_column[widest]


def _cell(view: View, column: str, wanted: Mapping[str, object]) -> Operand | None:
    selection = view.select(wanted)  # type: ignore[arg-type]
    if selection.count == 1:
        row = selection.rows()[0]
        value = decimal_of(row[column])
        proof = cell_proof(view, row, column)
        if value is not None:
            when = next(iter(proof.traces[0].row.values()), None)
            return Operand(
                value=value,
                place=proof.evidence,
                unit=_unit(view, column),
                nature=view.qualities[column].nature,
                traces=proof.traces,
                when=when,
            )
    elif selection.count > 1 and view.qualities[column].role in _ADDITIVE:
        total = selection.stats(column).sum
        if total is not None:
            place = f"{view.key}.{place_of(selection, column)}"
            return Operand(value=total, place=place, unit=_unit(view, column))
    return None


def _unit(view: View, column: str) -> str:
    return f"{view.qualities[column].role}:{column}"


def _total(ground: Ground, view: View, column: str, at: int, shared: Sequence[Mention]) -> Operand | None:
    """Return the sum over all rows; a frame that a limit cut has no total of its own."""
    quality = view.qualities[column]
    if quality.role not in _ADDITIVE or quality.nature is not Nature.PLAIN or view.query.limit is not None:
        for other in ground.views:
            for name, value in other.values().items() if other.is_single else ():
                number = decimal_of(value)
                same = (
                    name == column or name in view.query.origins or other.qualities[name].role == quality.role
                )
                if number is not None and name in other.qualities and same:
                    return Operand(value=number, place=f"{other.key}.{name}", unit=_unit(view, column))
        return None
    selection = view.select(wanted_rows(at, shared))
    total = selection.stats(column).sum
    if total is None:
        return None
    return Operand(
        value=total, place=f"total of {view.key}.{place_of(selection, column)}", unit=_unit(view, column)
    )


def _against_overall(view: View, column: str, cell: Operand) -> Iterator[Operands]:
    """Yield a group against the mean and the median of all."""
    stats = view.whole().stats(column)
    for name, value in (("mean", stats.mean), ("median", stats.median)):
        if value is not None:
            other = Operand(
                value=value, place=f"{name} of {view.key}.{column}", unit=cell.unit, nature=cell.nature
            )
            yield Operands(members=(cell, other), ordered=True)


def _against_other(view: View, column: str, cell: Operand) -> Iterator[Operands]:
    """Yield a group against the other one, where there are only two."""
    if view.row_count == 2:  # noqa: PLR2004 - `the other` is only defined for two
        for row in view.whole().rows():
            value, proof = decimal_of(row[column]), cell_proof(view, row, column)
            if value is not None and proof.evidence != cell.place:
                other = Operand(
                    value=value, place=proof.evidence, unit=cell.unit, nature=cell.nature, traces=proof.traces
                )
                yield Operands(members=(cell, other), ordered=True)


def _order(
    ground: Ground, bound: Bound, mentions: Sequence[Mention], operands: Sequence[Operand]
) -> tuple[Operand, ...] | None:
    """Return (subject, base) of a comparison of two; in a series the later one is the subject."""
    if len(operands) != 2 or len({item.text for item in mentions}) != 2:  # noqa: PLR2004 - a comparison has two sides
        return None
    first, second = operands
    scene = ground.scene
    if all(item.is_date for item in mentions):
        return (second, first) if str(first.when) <= str(second.when) else (first, second)
    span = (bound.statement.start, bound.statement.end)
    low, high = mentions[0], next(item for item in mentions if item.text != mentions[0].text)
    before = scene.cues_in((span[0], low.start), "than")
    between = scene.cues_in((low.end, high.start), "than")
    if before and not between and before[-1].end >= low.start - 8:
        return second, first
    return first, second


def _top(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the first few rows by each column: `the top three make up 75 %`."""
    scene, view = ground.scene, ground.views[at]
    span = (bound.statement.start, bound.statement.end)
    if not scene.cues_in(span, "top"):
        return
    number = next((int(size) for size in _sizes_said(ground, bound) if 1 < size < view.row_count), None)
    if number is None:
        return
    for column in columns_for(bound, at, view):
        for desc in (True, False):
            rows = view.whole().top(column, number, desc=desc)
            members = tuple(
                Operand(value=value, place=cell_proof(view, row, column).evidence, unit=_unit(view, column))
                for row in rows
                if (value := decimal_of(row[column])) is not None
            )
            yield Operands(
                members=(_summed(members),) if members else (), total=_total(ground, view, column, at, ())
            )


def _summed(members: Sequence[Operand]) -> Operand:
    total = sum((item.value for item in members[1:]), members[0].value)
    return Operand(value=total, place=f"top {len(members)} ({members[0].place} …)", unit=members[0].unit)


def _sizes_said(ground: Ground, bound: Bound) -> Iterator[Decimal]:
    for claim in ground.counts:
        if bound.statement.start <= claim.start < bound.statement.end and claim.start != bound.claim.start:
            yield claim.value


def _of_ends(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the extremes, and the last row against the first."""
    view = ground.views[at]
    whole = view.whole()
    roles = {item.name for item in ground.scene.roles_in((bound.statement.start, bound.statement.end))}
    few = view.row_count == 2  # noqa: PLR2004 - two rows have one difference
    for column in columns_for(bound, at, view):
        nature, unit = view.qualities[column].nature, _unit(view, column)
        stats = whole.stats(column)
        if stats.min is None or stats.max is None:
            continue
        low = Operand(value=stats.min, place=f"min of {view.key}.{column}", unit=unit, nature=nature)
        high = Operand(value=stats.max, place=f"max of {view.key}.{column}", unit=unit, nature=nature)
        if {"max", "min"} <= roles or "range" in roles or few:
            yield Operands(members=(high, low), ordered=not few)
        if "max" in roles:
            yield Operands(members=(high,), total=_total(ground, view, column, at, ()))
        if "min" in roles:
            yield Operands(members=(low,), total=_total(ground, view, column, at, ()))
        if roles & {"first", "last", "change"} or bound.claim.direction is not None:
            ends = [row for row in (whole.first(), whole.last()) if row is not None]
            values = [decimal_of(row[column]) for row in ends]
            if len(values) == 2 and values[0] is not None and values[1] is not None:  # noqa: PLR2004 - two ends
                start = Operand(
                    value=values[0], place=f"first of {view.key}.{column}", unit=unit, nature=nature
                )
                end = Operand(value=values[1], place=f"last of {view.key}.{column}", unit=unit, nature=nature)
                yield Operands(members=(end, start), ordered=True)


def _of_singles(ground: Ground, bound: Bound) -> Iterator[Operands]:
    """Yield the values of results that have only a few."""
    found: list[Operand] = []
    for at in ground.asked():
        view = ground.views[at]
        if not view.is_single:
            continue
        known = [item for item in bound.said if at in item.views()]
        for name, value in view.values().items():
            number = decimal_of(value)
            if number is not None and name in view.qualities:
                quality = view.qualities[name]
                origin = view.query.origins.get(name)
                measured = origin.sources if origin else quality.tokens
                unit = f"{quality.role}:{' '.join(measured)}"
                found.append(
                    Operand(
                        value=number,
                        place=f"{view.key}.{name}",
                        unit=unit,
                        nature=quality.nature,
                        when=known[0].start if known else None,
                    )
                )
    if 1 < len(found) <= _FEW_VALUES:
        yield Operands(members=tuple(found))
        for total in found:
            rest = tuple(item for item in found if item is not total)
            yield Operands(members=rest, total=total)


def _of_proven(bound: Bound, near: Sequence[Operand], asked: frozenset[str]) -> Iterator[Operands]:
    """Yield figures that the text has just given: `from 4,000 to 5,000, 25 % more`."""
    del asked
    last = near[-2:]
    if bound.claim.direction is not None:
        yield Operands(members=(last[1], last[0]), ordered=True)
    else:
        yield Operands(members=tuple(last))
    if len(near) > 2:  # noqa: PLR2004 - beyond a pair
        yield Operands(members=tuple(near))


def _is_near(bound: Bound, other: Bound) -> bool:
    return other.claim.kind is not NumberKind.ORDINAL and (
        other.statement is bound.statement or other.statement.paragraph == bound.statement.paragraph
    )
