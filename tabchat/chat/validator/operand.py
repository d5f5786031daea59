"""One exact value that a derivation uses, and sets of them that belong together."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import cell_proof, place_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.chat.answer import Trace
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.units import Measure
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_ADDITIVE: Final = frozenset({"sum", "count", None})


@record
class Operand:
    """One exact value that a derivation uses."""

    value: Decimal
    place: str
    unit: str
    """What it measures; only values of one unit are compared."""
    nature: Nature = Nature.PLAIN
    scale: Decimal = Decimal(1)
    """What one of it is worth: a million for a column in millions."""
    measure: Measure | None = None
    """Its unit of measure."""
    traces: tuple[Trace, ...] = ()


@record
class Operands:
    """Values that belong together."""

    members: tuple[Operand, ...]
    total: Operand | None = None
    """What shares are shares of."""
    ordered: bool = False
    """The first is what the sentence speaks of, the second what it is compared with."""
    joined: bool = False
    """The words take all members together."""


def unit_of(view: View, column: str) -> str:
    """Return what a column measures."""
    return f"{view.qualities[column].role}:{column}"


def cell_operand(view: View, row: Mapping[str, Value], column: str) -> Operand | None:
    """Return a cell as an operand; none when it holds no number."""
    value = decimal_of(row[column])
    if value is None:
        return None
    proof = cell_proof(view, row, column)
    return Operand(
        value=value,
        place=proof.evidence,
        unit=unit_of(view, column),
        nature=view.qualities[column].nature,
        scale=view.qualities[column].scale,
        measure=view.qualities[column].measure,
        traces=proof.traces,
    )


def selected(view: View, selection: Selection, column: str) -> Operand | None:
    """Return the cell of the one row selected, or the sum over several where it can be summed."""
    if selection.count == 1:
        return cell_operand(view, selection.rows()[0], column)
    if selection.count == 0 or not is_additive(view, column):
        return None
    return statistic(view, selection, column, "sum")


def is_additive(view: View, column: str) -> bool:
    """Tell whether the numbers of `column` may be summed."""
    quality = view.qualities[column]
    return quality.role in _ADDITIVE and quality.nature is Nature.PLAIN


def statistic(view: View, selection: Selection, column: str, role: str) -> Operand | None:
    """Return the sum, mean, median, min or max of a column over some rows."""
    value: Decimal | None = getattr(selection.stats(column), role)
    if value is None:
        return None
    return Operand(
        value=value,
        place=f"{role} of {view.key}.{place_of(selection, column)}",
        unit=unit_of(view, column),
        nature=view.qualities[column].nature,
        scale=view.qualities[column].scale,
        measure=view.qualities[column].measure,
    )


def total_of(ground: Ground, view: View, column: str, selection: Selection) -> Operand | None:
    """Return what shares of `column` are shares of: its sum, else a single result that measures the same.

    A frame that a limit cut has no total of its own.
    """
    if is_additive(view, column) and view.query.limit is None:
        return statistic(view, selection, column, "sum")
    wanted = view.qualities[column]
    for other in ground.views:
        for name, value in other.values().items() if other.is_single else ():
            number, quality = decimal_of(value), other.qualities.get(name)
            if number is None or quality is None or quality.role not in _ADDITIVE:
                continue
            if set(wanted.tokens) & {*quality.tokens, *_sources(other, name)}:
                return Operand(value=number, place=f"{other.key}.{name}", unit=unit_of(view, column))
    return None


def _sources(view: View, column: str) -> tuple[str, ...]:
    origin = view.query.origins.get(column)
    return tuple(name.casefold() for name in origin.sources) if origin else ()
