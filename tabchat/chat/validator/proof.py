"""The outcome of looking for evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from tabchat.chat.answer import Trace
from tabchat.chat.validator.compare import decimal_of
from tabchat.engine.cells import cell_text
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value


@record
class Proof:
    """The evidence of a figure."""

    evidence: str
    status: Literal["verified", "derived"] = "verified"
    traces: tuple[Trace, ...] = ()
    value: Decimal | None = None
    """The exact value, where the evidence is one cell."""


@record
class Miss:
    """What stands where the figure should come from."""

    place: str
    """Such as `mean_gap[dow=Fri]`."""
    actual: str
    """Such as `32.1`; `unknown` when nothing stands there."""


Finding: TypeAlias = Proof | Miss


def cell_proof(view: View, row: Mapping[str, Value], column: str) -> Proof:
    """Return the evidence of one cell."""
    named = row_names(view, row)
    value = decimal_of(row.get(column))
    if view.is_turned:
        # Evidence speaks of the frame as it is shown.
        column = str(named.popitem()[1])
    return Proof(
        evidence=f"{view.key}{_bracket(named)}.{column}",
        traces=(Trace(data_key=view.block.data_key, column=column, row=named),),
        value=value,
    )


def find_in_row(
    ground: Ground, bound: Bound, view: View, row: Mapping[str, Value], columns: Sequence[str]
) -> Proof | None:
    """Look for the figure among some cells of one row."""
    for column in columns:
        if ground.agree(bound, view.actual(column, row[column])):
            return cell_proof(view, row, column)
    return None


def value_proof(view: View, place: str, column: str | None = None, *, derived: bool = False) -> Proof:
    """Return the evidence of a figure of the whole result, such as `ds_x.value`."""
    return Proof(
        evidence=f"{place}" if derived else f"{view.key}.{place}",
        status="derived" if derived else "verified",
        traces=(Trace(data_key=view.block.data_key, column=column),),
    )


def row_names(view: View, row: Mapping[str, Value]) -> dict[str, Value]:
    """Return the key columns that name a row."""
    keys = view.block.result.group_by or view.keys[:2]
    return {key: row.get(key) for key in keys}


def place_of(selection: Selection, column: str) -> str:
    """Return what an issue calls a column of some rows: `mean_gap[dow=Fri]`."""
    named = {
        name: (next(iter(wanted)) if len(wanted) == 1 else "…")
        if isinstance(wanted, frozenset)
        else wanted[0]
        for name, wanted in selection.filters
    }
    return f"{column}{_bracket(named)}"


def _bracket(named: Mapping[str, Value]) -> str:
    listed = ",".join(f"{name}={cell_text(value)}" for name, value in named.items())
    return f"[{listed}]" if listed else ""
