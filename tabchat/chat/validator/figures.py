"""Evidence for one figure: a value that was shown, the very cell that is named, or an exact figure of named rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Finding, Miss, Proof, cell_proof, place_of, value_proof
from tabchat.chat.validator.units import unit_behind
from tabchat.engine.cells import cell_text
from tabchat.engine.result import ResultKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.binding import Bound
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention, Scene
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View, Wanted
    from tabchat.config import Tolerance
    from tabchat.engine.types import Value

AGGREGATES: Final = frozenset({"mean", "median", "sum"})
EXTREMES: Final = frozenset({"max", "min"})
ENDS: Final = frozenset({"first", "last"})
_ADDITIVE: Final = frozenset({"sum", "count"})
_OF_VALUES: Final = frozenset({"mean", "median", "std", "correlation"})
_FEW: Final = 5
_NEAR: Final = 8


@record
class Ground:
    """Everything that figures are checked against."""

    scene: Scene
    views: Sequence[View]
    tolerance: Tolerance
    counts: Sequence[WrittenNumber] = ()
    """Every number of the text."""
    statements: Sequence[Statement] = ()
    first: int = 0
    last: int | None = None
    """Which of the results are asked."""

    def asked(self) -> range:
        """Return the indices of the results that are asked."""
        return range(self.first, len(self.views) if self.last is None else self.last)

    def before(self, bound: Bound) -> list[WrittenNumber]:
        """Return the numbers of the statement that stand before the figure."""
        return [item for item in self.counts if bound.statement.start <= item.start < bound.claim.start]

    def agree(self, bound: Bound, actual: Actual | None) -> bool:
        """Tell whether the figure says `actual`."""
        if actual is None:
            return False
        unit = unit_behind(self.scene.text, bound.claim.end) if actual.measure is not None else None
        return agrees(bound.claim, actual, self.tolerance, unit=unit)


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


def eligible(ground: Ground, mentions: Sequence[Mention]) -> list[int]:
    """Return the results that know most of what is named; every one when nothing is named."""
    if not mentions:
        return list(ground.asked())
    known = {at: sum(at in mention.views() for mention in mentions) for at in ground.asked()}
    best = max(known.values(), default=0)
    return [at for at, count in known.items() if count == best and best > 0]


def wanted_rows(at: int, mentions: Sequence[Mention]) -> dict[str, Wanted]:
    """Return column → values that `mentions` name in result `at`."""
    wanted: dict[str, Wanted] = {}
    for mention in mentions:
        for item in mention.named:
            if item.view == at and item.wanted is not None:
                wanted.setdefault(item.column, item.wanted)
    return wanted


def _in_view(ground: Ground, bound: Bound, at: int, mentions: Sequence[Mention]) -> Finding | None:
    view = ground.views[at]
    if view.is_single:
        return _single(ground, bound, at)
    wanted = wanted_rows(at, mentions)
    if not wanted:
        return _whole(ground, bound, at)
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


def columns_for(bound: Bound, at: int, view: View) -> tuple[str, ...]:
    """Return the columns that the figure may be of, by the names and the roles beside it."""
    named = tuple(column for number, column in bound.columns if number == at)
    columns = tuple(column for column in view.numeric if column in named) or view.numeric
    asked = bound.roles & {"mean", "median", "sum", "count", "std", "correlation"}
    fitting = tuple(column for column in columns if view.qualities[column].role in asked)
    return fitting or columns


def contradicts(roles: frozenset[str], role: str | None) -> bool:
    """Tell whether words such as `average` speak of something else than an aggregate of `role`."""
    kinds = roles & (AGGREGATES | {"count", "std", "correlation"} | EXTREMES)
    if role is None or not kinds or role in kinds:
        return False
    if role in _ADDITIVE:
        return bool(kinds & _OF_VALUES) and not kinds & _ADDITIVE
    if role in _OF_VALUES:
        return bool(kinds - EXTREMES) and not kinds & EXTREMES
    return bool(kinds)


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
            if _role_fits(ground, bound, view, selection, row, column):
                return cell_proof(view, row, column)
            misses.insert(
                0,
                Miss(place=f"{place_of(selection, column)} {'/'.join(sorted(bound.roles))}", actual="not so"),
            )
        else:
            misses.append(Miss(place=place_of(selection, column), actual=cell_text(row[column])))
    return _closest(bound, misses)


def _role_fits(
    ground: Ground, bound: Bound, view: View, selection: Selection, row: Mapping[str, Value], column: str
) -> bool:
    """Tell whether a row that is called the highest or lowest is so, in this column or in some other."""
    if contradicts(bound.roles - EXTREMES - ENDS, view.qualities[column].role):
        return False
    said = bound.roles & EXTREMES
    if len(said) != 1 or view.row_count == 1:
        return True
    span = bound.segment
    if ground.scene.cues_in(span, "next", "among", "than") or ground.scene.cues_in(
        (bound.statement.start, bound.statement.end), "rest"
    ):
        return True
    desc = "max" in said
    columns = (column,) if bound.columns else view.numeric
    wholes = [view.whole()]
    for dropped, _ in selection.filters:
        rest = {name: wanted for name, wanted in selection.filters if name != dropped}
        if rest:
            wholes.append(view.select(rest))
    return any(_is_extreme(whole, other, row, desc=desc) for whole in wholes for other in columns)


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
    for column in columns:
        for role, actual in statistics_of(view, selection, column, bound.roles, with_sum=True):
            if ground.agree(bound, actual):
                return value_proof(
                    view, f"{role} of {view.key}.{place_of(selection, column)}", column, derived=True
                )
    for row in _ends(selection, bound.roles):
        for column in columns:
            if ground.agree(bound, view.actual(column, row[column])):
                return cell_proof(view, row, column)
    is_table = view.block.result.kind is ResultKind.TABLE
    if is_table and selection.count <= _FEW and not bound.roles & (EXTREMES | AGGREGATES):
        for row in selection.rows():
            for column in columns:
                if ground.agree(bound, view.actual(column, row[column])):
                    return cell_proof(view, row, column)
    if columns:
        return Miss(place=place_of(selection, columns[0]), actual="unknown")
    return None


def statistics_of(
    view: View, selection: Selection, column: str, roles: frozenset[str], *, with_sum: bool = False
) -> Iterator[tuple[str, Actual]]:
    """Yield (role, figure) of a column over some rows, for the roles that the text names."""
    stats = selection.stats(column)
    wanted = set(roles)
    if with_sum and not roles & (EXTREMES | AGGREGATES | ENDS) and is_summed(view, column):
        wanted.add("sum")
    if wanted & {"max", "min"} and wanted & AGGREGATES:
        # `The highest average` is the largest of the averages.
        wanted -= AGGREGATES
    for name, value in (
        ("max", stats.max),
        ("min", stats.min),
        ("mean", stats.mean),
        ("median", stats.median),
        ("sum", stats.sum),
    ):
        if name in wanted and value is not None:
            yield name, _like(view, column, value)


def is_summed(view: View, column: str) -> bool:
    """Tell whether a figure of several rows may be their sum although no word says so."""
    quality = view.qualities[column]
    return quality.nature is Nature.PLAIN and quality.role in _ADDITIVE | {None}


def _like(view: View, column: str, value: Value) -> Actual:
    actual = view.actual(column, value)
    assert actual is not None  # noqa: S101 - statistics are numbers
    return actual


def _ends(selection: Selection, roles: frozenset[str]) -> Iterator[Mapping[str, Value]]:
    for role, row in (("first", selection.first), ("last", selection.last)):
        if role in roles:
            found = row()
            if found is not None:
                yield found


def _whole(ground: Ground, bound: Bound, at: int) -> Finding | None:
    """Compare with figures of the whole frame: those of the roles named, else those that were shown."""
    view = ground.views[at]
    whole = view.whole()
    columns = columns_for(bound, at, view)
    roles = bound.roles or (frozenset({"sum"}) if bound.is_whole or bound.may_be_whole else bound.roles)
    ranged = ground.scene.roles_in((bound.statement.start, bound.statement.end))
    if any(item.name == "range" for item in ranged):
        roles = _range_role(ground, bound, roles)
    for column in columns:
        for role, actual in statistics_of(view, whole, column, roles):
            if ground.agree(bound, actual):
                return _shown(view, column, role)
    for row in _ends(whole, roles):
        for column in columns:
            if ground.agree(bound, view.actual(column, row[column])):
                return cell_proof(view, row, column)
    for row in _extreme_rows(view, roles):
        for column in columns if bound.columns else view.numeric:
            if ground.agree(bound, view.actual(column, row[column])):
                return cell_proof(view, row, column)
    if not roles & (EXTREMES | AGGREGATES | ENDS):
        return _unsaid(ground, bound, view, columns)
    return _whole_miss(view, columns, roles)


def _range_role(ground: Ground, bound: Bound, roles: frozenset[str]) -> frozenset[str]:
    """Return the role of an end of a range, which is told from its lower to its upper end."""
    near = (max(bound.statement.start, bound.claim.start - _NEAR), bound.claim.start)
    opened = ground.scene.cues_in(near, "from")
    closed = ground.scene.cues_in(near, "to")
    if not bound.claim.is_range_end and not opened and not closed:
        return roles
    lower = bool(opened) if opened or closed else not any(item.is_range_end for item in ground.before(bound))
    return (roles - EXTREMES) | {"min" if lower else "max"}


def _shown(view: View, column: str, role: str) -> Proof:
    known = view.summary.stats.get(column)
    if known is not None and role in {"max", "min", "mean"}:
        return value_proof(view, f"{role}.{column}", column)
    return value_proof(view, f"{role} of {view.key}.{column}", column, derived=True)


def _extreme_rows(view: View, roles: frozenset[str]) -> Iterator[Mapping[str, Value]]:
    """Yield the rows that were shown as the extremes."""
    if "max" in roles and view.summary.max_row:
        yield view.summary.max_row
    if "min" in roles and view.summary.min_row:
        yield view.summary.min_row


def _unsaid(ground: Ground, bound: Bound, view: View, columns: Sequence[str]) -> Finding | None:
    """Compare with the statistics that were shown, where the words say nothing against it."""
    if bound.claim.kind in {NumberKind.COUNT, NumberKind.YEAR, NumberKind.ORDINAL, NumberKind.RATIO}:
        return None
    for column in columns:
        stats = view.summary.stats.get(column)
        if stats is None:
            continue
        for role, value in (("max", stats.max), ("min", stats.min), ("mean", stats.mean)):
            if ground.agree(bound, view.actual(column, value)):
                return value_proof(view, f"{role}.{column}", column)
    if view.row_count == 1:
        row = view.whole().rows()[0]
        for column in columns:
            if ground.agree(bound, view.actual(column, row[column])):
                return cell_proof(view, row, column)
    return None


def _whole_miss(view: View, columns: Sequence[str], roles: frozenset[str]) -> Miss | None:
    for column in columns:
        for role, actual in statistics_of(view, view.whole(), column, roles):
            return Miss(place=f"{role} of {column}", actual=cell_text(actual.value))
    return None


__all__ = ["Ground", "columns_for", "contradicts", "eligible", "find_figure", "statistics_of", "wanted_rows"]
