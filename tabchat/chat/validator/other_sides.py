"""What a group is compared with where the statement does not name both: the other one of two, what `than` points at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.ground import columns_for, wanted_rows
from tabchat.chat.validator.operand import Operand, Operands, is_additive, selected, statistic
from tabchat.chat.validator.singles import is_pointed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.selection import Selection


_PAIR: Final = 2


def against_rival(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the group of the figure against the only other one, where the statement itself names one at most."""
    other = bound.rival
    subject = [item for item in next(bound.readings(), ()) if at in item.views()]
    main = next((item for item in subject if not item.is_date), None)
    if other is None or main is None or at not in other.views() or other in bound.said:
        return
    shared = [item for item in subject if item is not main]
    for column in columns_of_figure(ground, bound, at):
        cells = [
            selected(ground.views[at], rows_named(ground, at, item, shared), column) for item in (main, other)
        ]
        if cells[0] is not None and cells[1] is not None and cells[0].place != cells[1].place:
            yield Operands(members=(cells[0], cells[1]), ordered=True)


def against_meant(
    ground: Ground, bound: Bound, at: int, column: str, cells: Sequence[tuple[Mention, Operand]]
) -> Iterator[Operands]:
    """Yield the only group of the sentence before against the one that `than` names: `it is 26 % above Lima`."""
    behind = [pair for pair in cells if bound.claim.end <= pair[0].start < bound.reach[1]]
    before = [item for item in bound.around if at in item.views() and not item.is_date]
    if not behind or len({item.text for item in before}) != 1 or not is_pointed(ground, behind[0][0]):
        return
    if all(is_pointed(ground, item) for item, _ in cells if item.start < bound.claim.start):
        one = selected(ground.views[at], rows_named(ground, at, before[0], ()), column)
        if one is not None and one.place != behind[0][1].place:
            yield Operands(members=(one, behind[0][1]), ordered=True)


def within_other_keys(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the cell of two names against the total of each of them: online's share of 2024."""
    view = ground.views[at]
    for mentions in bound.readings():
        wanted = wanted_rows(at, mentions)
        if len(wanted) != _PAIR or view.query.limit is not None:
            continue
        selection = view.select(wanted)
        for column in columns_of_figure(ground, bound, at) if selection.count == 1 else ():
            cell = selected(view, selection, column)
            for key in wanted if cell is not None and is_additive(view, column) else ():
                total = statistic(view, view.select({key: wanted[key]}), column, "sum")
                if cell is not None and total is not None:
                    yield Operands(members=(cell,), total=total)


def columns_of_figure(ground: Ground, bound: Bound, at: int) -> Sequence[str]:
    """Return the columns that the figure may be of; a percentage of people or orders is one of their count."""
    view = ground.views[at]
    columns = columns_for(bound, at, view)
    if bound.claim.kind is not NumberKind.PERCENT or bound.columns or not ground.is_of_things(bound):
        return columns
    return [name for name in columns if view.qualities[name].role == "count"]


def rows_named(ground: Ground, at: int, mention: Mention, shared: Sequence[Mention]) -> Selection:
    """Return the rows of one name, among those of the names that all operands share."""
    return ground.views[at].select(wanted_rows(at, (mention, *shared)))


def identity(operand: Operand) -> tuple[str, Decimal]:
    """Return what tells operands apart; the place of several rows does not name them all."""
    return operand.place, operand.value


def against_pointed(
    ground: Ground, bound: Bound, cells: Sequence[tuple[Mention, Operand]]
) -> Iterator[Operands]:
    """Yield what the statement speaks of first against what a comparison right behind the figure names."""
    behind = [pair for pair in cells if bound.claim.end <= pair[0].start < bound.reach[1]]
    first = min(cells, key=lambda pair: pair[0].start)
    if behind and is_pointed(ground, behind[0][0]) and identity(first[1]) != identity(behind[0][1]):
        yield Operands(members=(first[1], behind[0][1]), ordered=True)
