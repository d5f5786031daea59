"""Evidence for a figure that no group is named for: statistics of the whole frame, and the rows that were shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.claims.sizes import sizes_in
from tabchat.chat.validator.ground import AGGREGATES, ENDS, EXTREMES, columns_for, wanted_rows
from tabchat.chat.validator.proof import Finding, Miss, Proof, find_in_row, value_proof
from tabchat.chat.validator.row_statistics import ends_of, is_summed, statistics_of
from tabchat.chat.validator.words import word_from
from tabchat.engine.cells import cell_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_NEAR: Final = 8
_NEVER_SHOWN: Final = frozenset({NumberKind.COUNT, NumberKind.YEAR, NumberKind.ORDINAL, NumberKind.RATIO})


def find_in_whole(ground: Ground, bound: Bound, at: int) -> Finding | None:
    """Compare with figures of the whole frame: those of the roles named, else those that were shown."""
    view = ground.views[at]
    whole = spoken_of(ground, bound, at)
    columns = columns_for(bound, at, view)
    if "mean" in bound.roles and _is_per_group(ground, bound, view):
        columns = tuple(dict.fromkeys((*columns, *view.numeric)))
    roles = bound.roles or (frozenset({"sum"}) if bound.is_whole or bound.may_be_whole else bound.roles)
    ranged = ground.scene.roles_in((bound.statement.start, bound.statement.end))
    if any(item.name == "range" for item in ranged):
        roles = range_role(ground, bound, roles)
    for column in columns:
        for role, actual in statistics_of(view, whole, column, roles):
            if ground.agree(bound, actual):
                return _shown(view, column, role)
    shown = columns if bound.columns else view.numeric
    rows = [(row, columns) for row in ends_of(whole, roles)]
    rows += [(row, shown) for row in _extreme_rows(view, roles)]
    found = (find_in_row(ground, bound, view, row, cells) for row, cells in rows)
    proof = next((item for item in found if item is not None), None)
    if proof is not None:
        return proof
    if not roles & (EXTREMES | AGGREGATES | ENDS):
        for column in columns if _tells_all(ground, bound, view) else ():
            told = statistics_of(view, whole, column, frozenset({"sum"})) if is_summed(view, column) else ()
            if any(ground.agree(bound, actual) for _, actual in told):
                return _shown(view, column, "sum")
        return _unsaid(ground, bound, view, columns)
    return _whole_miss(view, columns, roles)


def spoken_of(ground: Ground, bound: Bound, at: int) -> Selection:
    """Return every row, or those that are left where the words leave out the groups named before."""
    view = ground.views[at]
    if view.held is None or not ground.scene.cues_in((bound.statement.start, bound.claim.start), "rest"):
        return view.whole()
    above = [item for item in ground.statements if item.paragraph == bound.statement.paragraph]
    said = [
        item
        for each in above
        if each.start <= bound.statement.start
        for item in ground.scene.mentions_in((each.start, each.end))
    ]
    named = [wanted_rows(at, (item,)) for item in (*said, *bound.around)]
    keys = {key for wanted in named for key in wanted}
    taken = [wanted[key] for key in keys for wanted in named if key in wanted]
    sets = [item for item in taken if isinstance(item, frozenset)]
    if len(keys) != 1 or len(sets) != len(taken):
        return view.whole()
    (key,) = keys
    left = view.select({key: view.labels(key).difference(*sets)})
    return left if left.count else view.whole()


def _tells_all(ground: Ground, bound: Bound, view: View) -> bool:
    """Tell whether the words count all groups before: `over the ten years`."""
    words = ground.scene.words
    keys = view.key_words(words)
    told = [(item.end, int(item.value)) for item in ground.before(bound)]
    if keys:
        span = (bound.statement.start, bound.claim.start)
        told += [(high, number) for (_, high), number in sizes_in(ground.scene.text, span)]
    for end, number in told:
        after = word_from(words, end)
        key = keys.get(after)
        if key is not None and 1 < number == view.whole().distinct(key):
            return True
    return False


def _is_per_group(ground: Ground, bound: Bound, view: View) -> bool:
    """Tell whether the words ask for the mean of the groups' own figures: `500 tests per station`."""
    words, named = ground.scene.words, view.key_words(ground.scene.words)
    cues = ground.scene.cues_in((bound.claim.end, bound.reach[1]), "per")
    return any(cue.word + cue.length in named for cue in cues if cue.word + cue.length < len(words))


def range_role(ground: Ground, bound: Bound, roles: frozenset[str]) -> frozenset[str]:
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
    if bound.claim.kind in _NEVER_SHOWN:
        return None
    for column in columns:
        stats = view.summary.stats.get(column)
        if stats is None:
            continue
        for role, value in (("max", stats.max), ("min", stats.min), ("mean", stats.mean)):
            if ground.agree(bound, view.actual(column, value)):
                return value_proof(view, f"{role}.{column}", column)
    if view.row_count == 1:
        return find_in_row(ground, bound, view, view.whole().rows()[0], columns)
    return None


def _whole_miss(view: View, columns: Sequence[str], roles: frozenset[str]) -> Miss | None:
    for column in columns:
        for role, actual in statistics_of(view, view.whole(), column, roles):
            return Miss(place=f"{role} of {column}", actual=cell_text(actual.value))
    return None
