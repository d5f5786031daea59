"""Evidence for one figure: a value that was shown, the very cell that is named, or a figure of the rows named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.ground import (
    AGGREGATES,
    ENDS,
    EXTREMES,
    columns_for,
    contradicts,
    eligible,
    wanted_rows,
)
from tabchat.chat.validator.proof import Finding, Miss, Proof, cell_proof, find_in_row, place_of, value_proof
from tabchat.chat.validator.row_statistics import ends_of, statistics_of
from tabchat.chat.validator.whole import find_in_whole, range_role
from tabchat.engine.cells import cell_text
from tabchat.engine.result import ResultKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View, Wanted
    from tabchat.engine.types import Value

_FEW: Final = 5
"""Rows of a table that one name may stand for."""


def find_figure(ground: Ground, bound: Bound) -> Finding | None:
    """Look for the figure where the text says that it stands; none when the text says nothing of the sort."""
    miss: Miss | None = None
    for mentions in bound.readings():
        for at in eligible(ground, mentions):
            finding = _in_view(ground, bound, at, mentions)
            if isinstance(finding, Proof):
                return finding
            miss = miss or finding
    return miss


def _in_view(ground: Ground, bound: Bound, at: int, mentions: Sequence[Mention]) -> Finding | None:
    view = ground.views[at]
    if view.is_single:
        return _single(ground, bound, at)
    wanted = wanted_rows(at, mentions)
    if not wanted:
        return find_in_whole(ground, bound, at)
    selection = _selected(view, wanted)
    if selection.count == 0:
        return None
    if selection.count == 1:
        return _cell(ground, bound, at, selection)
    return _several(ground, bound, at, selection)


def _selected(view: View, wanted: Mapping[str, Wanted]) -> Selection:
    """Return the rows named; a name that is a label of two columns names rows of either."""
    selection = view.select(wanted)
    if selection.count or len(wanted) == 1:
        return selection
    options = [view.select({column: values}) for column, values in wanted.items()]
    return next((option for option in options if option.count), selection)


def _single(ground: Ground, bound: Bound, at: int) -> Finding | None:
    view = ground.views[at]
    values = view.values()
    named = {column for number, column in bound.columns if number == at}
    offered = {name: value for name, value in values.items() if name in named} or values
    miss: Miss | None = None
    for name, value in offered.items():
        actual = view.actual(name, value)
        if actual is None:
            continue
        role = view.qualities[name].role if name in view.qualities else None
        if ground.agree(bound, actual) and not contradicts(bound.roles, role):
            place = "value" if view.block.result.kind is ResultKind.SCALAR else name
            return value_proof(view, place, name)
        if len(offered) == 1 or not contradicts(bound.roles, role):
            miss = miss or Miss(place=name, actual=cell_text(value))
    return miss if len(offered) == 1 or named else None


def _cell(ground: Ground, bound: Bound, at: int, selection: Selection) -> Finding | None:
    view = ground.views[at]
    row = selection.rows()[0]
    columns = columns_for(bound, at, view)
    misses: list[Miss] = []
    for column in columns:
        if ground.agree(bound, view.actual(column, row[column])):
            if role_fits(ground, bound, view, selection, row, column):
                return cell_proof(view, row, column)
            misses.insert(
                0,
                Miss(place=f"{place_of(selection, column)} {'/'.join(sorted(bound.roles))}", actual="not so"),
            )
        else:
            misses.append(Miss(place=place_of(selection, column), actual=cell_text(row[column])))
    return _closest(bound, misses)


def role_fits(
    ground: Ground, bound: Bound, view: View, selection: Selection, row: Mapping[str, Value], column: str
) -> bool:
    """Tell whether a row that is called the highest or lowest is so, in this column or in some other."""
    roles = bound.roles - EXTREMES - ENDS
    if "median" in roles and decimal_of(row[column]) == view.whole().stats(column).median:
        roles -= {"median"}
    if contradicts(roles, view.qualities[column].role):
        return False
    said = bound.roles & EXTREMES
    is_own = bool(bound.statement.cells) and view.qualities[column].role in said
    if len(said) != 1 or view.row_count == 1 or is_own:
        return True
    span = bound.segment
    if ground.scene.cues_in(span, "next", "among", "than") or ground.scene.cues_in(
        (bound.statement.start, bound.statement.end), "rest"
    ):
        return True
    desc = "max" in said
    columns = (column,) if bound.columns or _is_of_value(ground, bound, view, column) else view.numeric
    wholes = [view.whole(), *view.named_only()]
    for dropped, _ in selection.filters:
        rest = {name: wanted for name, wanted in selection.filters if name != dropped}
        if rest:
            wholes.append(view.select(rest))
    wholes += _stretches(ground, bound, view, row)
    return any(_is_extreme(whole, other, row, desc=desc) for whole in wholes for other in columns)


def _stretches(ground: Ground, bound: Bound, view: View, row: Mapping[str, Value]) -> Iterator[Selection]:
    """Yield the rows of the longer period that the statement names around a row: `the best of the first half`."""
    at = next(number for number, other in enumerate(ground.views) if other is view)
    for mention in (*bound.said, *bound.around, *bound.when):
        for name, wanted in wanted_rows(at, (mention,)).items():
            if mention.is_date and isinstance(wanted, frozenset) and len(wanted) > 1 and row[name] in wanted:
                yield view.select({name: wanted})


def _is_of_value(ground: Ground, bound: Bound, view: View, column: str) -> bool:
    """Tell whether a word such as `best` speaks of the figure itself, not of a number of rows beside it."""
    return bool(ground.scene.cues_in(bound.segment, "of_value")) and view.qualities[column].role != "count"


def _is_extreme(whole: Selection, column: str, row: Mapping[str, Value], *, desc: bool) -> bool:
    stats = whole.stats(column)
    return decimal_of(row[column]) == (stats.max if desc else stats.min)


def _closest(bound: Bound, misses: Sequence[Miss]) -> Miss | None:
    """Return the miss whose value is nearest to what is written."""

    def distance(miss: Miss) -> float:
        try:
            return abs(float(bound.claim.value) - float(miss.actual))
        except ValueError:
            return -1.0

    return min(misses, key=distance, default=None)


def _several(ground: Ground, bound: Bound, at: int, selection: Selection) -> Finding | None:
    """Compare with figures over the rows named: the one of a role, else the sum of what can be summed."""
    view = ground.views[at]
    columns = columns_for(bound, at, view)
    roles = range_role(ground, bound, bound.roles) if bound.claim.is_range_end else bound.roles
    for column in columns:
        for role, actual in statistics_of(view, selection, column, roles, with_sum=True):
            if ground.agree(bound, actual):
                return value_proof(
                    view, f"{role} of {view.key}.{place_of(selection, column)}", column, derived=True
                )
    rows = list(ends_of(selection, bound.roles))
    is_table = view.block.result.kind is ResultKind.TABLE
    if is_table and selection.count <= _FEW and not bound.roles & (EXTREMES | AGGREGATES):
        rows += selection.rows()
    found = (find_in_row(ground, bound, view, row, columns) for row in rows)
    proof = next((item for item in found if item is not None), None)
    if proof is not None:
        return proof
    if columns:
        return Miss(place=place_of(selection, columns[0]), actual="unknown")
    return None
