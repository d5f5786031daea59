"""Figures that were filled in for placeholders: the cell is right, but the words beside it may speak of another.

Such a figure needs no evidence. It is refuted where its sentence names another group, another
column, the other end of the order, another unit, or a period that the result leaves out.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.figures import role_fits
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.proof import find_in_row
from tabchat.chat.validator.words import alike, words_of
from tabchat.engine.cells import DECIMALS
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.chat.answer import Claim
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View, Wanted
    from tabchat.engine.types import Value

_BEHIND: Final = 2


@record
class Filled:
    """A figure that was filled in, and the result that it comes from."""

    claim: Claim
    view: int
    column: str
    row: Mapping[str, Value]

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in the text."""
        start = self.claim.start or 0
        return start, start + len(self.claim.text)


def find_filled(traced: Iterable[Claim], views: Sequence[View]) -> list[Filled]:
    """Return the traced claims that stand in the text and come from one cell of `views`."""
    keys = {view.block.data_key: at for at, view in enumerate(views)}
    found = []
    for claim in traced:
        trace = claim.traces[0] if len(claim.traces) == 1 else None
        at = keys.get(trace.data_key) if trace is not None and trace.data_key is not None else None
        if trace is None or at is None or claim.start is None or claim.status == "unverified":
            continue
        column = _column(views[at], trace.column)
        if column is not None:
            found.append(Filled(claim=claim, view=at, column=column, row=trace.row))
    return found


def _column(view: View, name: str | None) -> str | None:
    """Return the column of a traced value; a single value has no other name."""
    names = [column.name for column in view.columns]
    if name in names:
        return name
    return names[0] if name is not None and view.is_single and len(names) == 1 else None


def refutes(ground: Ground, bound: Bound, filled: Filled) -> str | None:
    """Return what speaks against a figure at its place, such as `another group`; none when nothing does."""
    view = ground.views[filled.view]
    if filled.view in bound.barred() or not _is_of_group(bound, filled):
        return "another group or period"
    if not _has_value(ground, bound, filled, view):
        return "another unit"
    other = _other_column(ground, bound, filled, view)
    if other is not None:
        return f"a figure of {other}"
    if view.is_single or not filled.row:
        return None
    selection = view.select({name: frozenset({value}) for name, value in filled.row.items()})
    if selection.count == 1 and not role_fits(
        ground, bound, view, selection, selection.rows()[0], filled.column
    ):
        return "/".join(sorted(bound.roles))
    return None


def _is_of_group(bound: Bound, filled: Filled) -> bool:
    """Tell whether the groups that are named with the figure are those of its row."""
    row = filled.row
    named = [item for mention in bound.own or bound.inherited for item in mention.named]
    return all(
        item.wanted is None or _is_among(row[item.column], item.wanted)
        for item in named
        if item.view == filled.view and item.column in row
    )


def _is_among(value: Value, wanted: Wanted) -> bool:
    if isinstance(wanted, tuple):
        return str(wanted[0]) <= str(value)[: len(str(wanted[0]))] <= str(wanted[1])
    return value in wanted or str(value) in {str(item) for item in wanted}


def _has_value(ground: Ground, bound: Bound, filled: Filled, view: View) -> bool:
    """Tell whether the figure, with the words around it, still says the value of its cell."""
    number = decimal_of(filled.claim.value)
    if number is None:
        return True
    shown = round(number, DECIMALS)
    if (
        any(value in {number, shown, abs(number)} for value, _ in bound.claim.readings)
        and not bound.claim.unit
    ):
        return True
    value = filled.claim.value
    cell: Mapping[str, Value] = {filled.column: value if not isinstance(value, Decimal) else float(value)}
    return find_in_row(ground, bound, view, {**filled.row, **cell}, (filled.column,)) is not None


def _other_column(ground: Ground, bound: Bound, filled: Filled, view: View) -> str | None:
    """Return the column that the noun right behind the figure names, if it is not the figure's own."""
    scene, end = ground.scene, bound.claim.end
    if bound.statement.cells:
        named = {column for at, column in bound.columns if at == filled.view}
        return min(named) if named and filled.column not in named else None
    following = words_of(scene.text[end : bound.reach[1]], end)[:_BEHIND]
    span = (end, following[-1].end) if following else (end, end)
    own = view.qualities.get(filled.column)
    for item in scene.columns_in(span):
        named = {column for at, column in item.columns if at == filled.view}
        if named and filled.column not in named and scene.text[end : item.start].strip() == "":
            return min(named)
    if own is None or not following:
        return None
    nouns = {item.name for item in shipped_lexicon().nouns.find(following, 0)}
    counted = own.role == "count" or any(alike(following[0].text, token) for token in own.tokens)
    return "orders" if nouns == {"order", "count"} and not counted and own.role in {"sum", "mean"} else None
