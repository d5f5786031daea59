"""Places in an order: `Asia ranks third`, `the second-highest is 95`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.ground import columns_for, eligible, wanted_rows
from tabchat.chat.validator.proof import Miss, Proof, cell_proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from decimal import Decimal

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.proof import Finding
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value


_BEFORE: Final = 24
_NEAR: Final = 6
_THAN: Final = 9
_AFTER: Final = frozenset({"behind"})
"""Says who comes before, not that the order begins below."""
_IN: Final = re.compile(r"[\s*_,(]*(?:in|at|on|на|у|в)\s+(?:the\s+)?")
_MARKS: Final = ' (:*_`"»”—–=~≈$€£₴'


def find_rank(ground: Ground, bound: Bound) -> Finding | None:
    """Check an ordinal against the order of the named row; an ordinal that ranks nothing is harmless."""
    place = int(bound.claim.value)
    before = (max(bound.statement.start, bound.claim.start - _THAN), bound.claim.start)
    if ground.scene.cues_in(before, "than"):
        # `Bigger than the second largest` ranks nothing that is named.
        return Proof(evidence="an order of the text")
    named = _ranked(ground, bound)
    near = (max(bound.statement.start, bound.claim.start - _NEAR), bound.claim.start)
    ranking = bool(ground.scene.cues_in(bound.segment, "rank")) or bool(bound.roles & {"max", "min"})
    ranking = ranking or bool(ground.scene.cues_in(near, "only"))
    miss: Finding | None = None
    for at in eligible(ground, named) if named else ():
        view = ground.views[at]
        wanted = wanted_rows(at, named)
        selection = view.select(wanted)
        if view.is_single or not wanted or selection.count != 1:
            continue
        row = selection.rows()[0]
        for column in _ranking(ground, bound, at, view):
            number = decimal_of(row[column])
            ranks = _ranks(ground, bound, view, column, number) if number is not None else ()
            if place in ranks:
                return Proof(
                    evidence=f"rank of {cell_proof(view, row, column).evidence}",
                    status="derived",
                    traces=cell_proof(view, row, column).traces,
                )
            if place == _row_place(view, row):
                return Proof(evidence=f"place in {view.key}", status="derived")
            miss = miss or Miss(place=f"rank by {column}", actual="/".join(map(str, ranks)) or "unknown")
    if miss is not None and ranking:
        return miss
    return Proof(evidence="an order of the text")


def _ranking(ground: Ground, bound: Bound, at: int, view: View) -> Sequence[str]:
    """Return the columns that may give the order: `the second best` is so by a value, not by a number of rows."""
    columns = columns_for(bound, at, view)
    if bound.columns or not ground.scene.cues_in(bound.segment, "of_value"):
        return columns
    return [name for name in columns if view.qualities[name].role != "count"] or columns


def _ranked(ground: Ground, bound: Bound) -> Sequence[Mention]:
    """Return what is ranked; `second after Asia` ranks something else than Asia."""
    text, start = ground.scene.text, bound.claim.start
    beside = [item for item in bound.said if item.end <= start and _IN.fullmatch(text, item.end, start)]
    if beside:
        return (beside[-1],)
    named = next(bound.readings(), ())
    own = bound.own[0] if bound.own else None
    if own is None:
        return named
    cues = ground.scene.cues_in((max(0, own.start - _BEFORE), own.start), "next", "than", "less")
    others = [item for item in bound.said if item.start < own.start]
    return (others[-1],) if others and any(own.start - cue.end <= _NEAR for cue in cues) else named


def _row_place(view: View, row: Mapping[str, Value]) -> int | None:
    """Return the place of a row in a result that was put in order."""
    rows = view.whole().rows()
    is_ordered = view.query.limit is not None or bool((view.block.result.plan or {}).get("sort"))
    return rows.index(row) + 1 if is_ordered and row in rows else None


def _ranks(ground: Ground, bound: Bound, view: View, column: str, number: Decimal) -> tuple[int, ...]:
    """Return the place from above, and from below where the words or the rows' own order begin there."""
    whole = view.whole()
    span = (bound.statement.start, bound.statement.end)
    first, last = whole.first(), whole.last()
    low, high = (decimal_of(row[column]) if row else None for row in (first, last))
    rising = low is not None and high is not None and low < high and "max" not in bound.roles
    begun = rising and view.query.limit is not None
    lower = [
        cue
        for cue in ground.scene.cues_in(span, "less", "lower")
        if ground.scene.text[cue.start : cue.end].casefold() not in _AFTER
    ]
    below = begun or ground.scene.speaks_of(span, "min") or lower
    sides = (True, False) if below else (True,)
    return tuple(dict.fromkeys(whole.beyond(column, number, above=above) + 1 for above in sides))


def find_ranked(ground: Ground, bound: Bound, places: list[int]) -> Proof | None:
    """Look for the figure as the value of a place: `the second-highest revenue is 95`."""
    for place in places:
        for at in ground.asked():
            view = ground.views[at]
            if view.is_single or view.row_count < place:
                continue
            for column, desc in _orders(bound, at, view):
                rows = view.whole().top(column, place, desc=desc)
                if len(rows) < place:
                    continue
                row = rows[place - 1]
                if not _is_of_row(ground, bound, at, row):
                    continue
                for shown in (column, *(columns_for(bound, at, view) if bound.columns else ())):
                    if ground.agree(bound, view.actual(shown, row[shown])):
                        return cell_proof(view, row, shown)
    return None


def _is_of_row(ground: Ground, bound: Bound, at: int, row: Mapping[str, Value]) -> bool:
    """Tell whether the group right before the figure, if there is one, is that of a row."""
    text, start = ground.scene.text, bound.claim.start
    beside = [item for item in bound.said if item.end <= start and not text[item.end : start].strip(_MARKS)]
    wanted = wanted_rows(at, beside[-1:])
    return not wanted or row in ground.views[at].select(wanted).rows()


def _orders(bound: Bound, at: int, view: View) -> Iterator[tuple[str, bool]]:
    for column in columns_for(bound, at, view):
        if "min" not in bound.roles:
            yield column, True
        if "min" in bound.roles:
            yield column, False


def is_ordinal(bound: Bound) -> bool:
    """Tell whether the figure is a place in an order."""
    return bound.claim.kind is NumberKind.ORDINAL
