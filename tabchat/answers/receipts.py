"""The receipt of a figure: what was written, how it came about, and the very cells behind it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Literal, TypeAlias

from tabchat.engine.types import json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue, Value

Status: TypeAlias = Literal["verified", "derived", "linked", "unverified"]
"""`verified`: a cell; `derived`: an expression over cells; `linked`: typed, and found in a cell; else unverified."""

Verdict: TypeAlias = Literal["verified", "unverified", "not_applicable"]
"""`not_applicable`: a model's text holds no figure, so that none was checked."""


@record
class CitedCell:
    """One cell behind a figure."""

    data_key: str | None
    column: str | None = None
    row: Mapping[str, Value] = field(default_factory=dict)
    """Key columns of the row, such as `{"region": "Asia"}`; empty for a value of the whole result."""
    value: Value = None


@record
class Receipt:
    """One figure of an answer."""

    text: str
    """The figure as the person reads it."""
    value: Value
    """Its exact value."""
    status: Status
    expression: str | None = None
    """What it was computed by, such as `r1.revenue["Asia"]`; absent for a figure that nothing backs."""
    evidence: str | None = None
    """Where it comes from in words, for figures that are no expression over results: `ds_x.rows`."""
    start: int | None = None
    """Where `text` begins in the answer, in characters; unknown when absent."""
    cells: tuple[CitedCell, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{text, value, status, expression, evidence}`."""
        return {
            "text": self.text,
            "value": json_value(self.value),
            "status": self.status,
            "expression": self.expression,
            "evidence": self.evidence or "; ".join(map(cell_place, self.cells)) or None,
        }


@record
class Verification:
    """The verdict on the figures of an answer."""

    status: Verdict = "not_applicable"
    receipts: tuple[Receipt, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{status, claims}`."""
        return {"status": self.status, "claims": [receipt.to_json() for receipt in self.receipts]}


def cell_place(cell: CitedCell) -> str:
    """Name a cell: `ds_….total`, or `ds_…[region=Asia].sum_revenue`."""
    row = (
        f"[{', '.join(f'{name}={json_value(value)}' for name, value in cell.row.items())}]"
        if cell.row
        else ""
    )
    return f"{cell.data_key or '_'}{row}.{cell.column or 'rows'}"
