"""Claims as an answer carries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.answer import Claim, Trace
from tabchat.chat.claims import WrittenNumber
from tabchat.chat.validator.operand import Operand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import WrittenClaim
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.proof import Proof
    from tabchat.chat.validator.views import View


def proven_claim(written: WrittenClaim, proof: Proof) -> Claim:
    """Return a claim with its evidence."""
    return Claim(
        text=written.text,
        value=_value(written),
        status=proof.status,
        evidence=proof.evidence,
        start=written.start,
        traces=proof.traces,
    )


def named_claim(written: WrittenClaim, mention: Mention, views: Sequence[View]) -> Claim:
    """Return a date, year or number that names rows."""
    first = next(item for item in mention.named if not item.is_outside)
    view = views[first.view]
    return Claim(
        text=written.text,
        value=_value(written),
        status="verified",
        evidence=f"{view.key}.{first.column}",
        start=written.start,
        traces=(Trace(data_key=view.block.data_key, column=first.column),),
    )


def unverified_claim(written: WrittenClaim) -> Claim:
    """Return a claim without evidence."""
    return Claim(text=written.text, value=_value(written), status="unverified", start=written.start)


def proven_operand(bound: Bound, proof: Proof) -> Operand:
    """Return a figure with evidence as something that others may be derived from: the cell, not its rounding."""
    exact, claim = proof.value, bound.claim
    is_rounded = exact is not None and any(abs(value - exact) <= room for value, room in claim.readings)
    return Operand(
        value=exact if exact is not None and is_rounded else claim.value,
        place=proof.evidence,
        unit=bound.claim.unit or "",
        traces=proof.traces,
    )


def is_of_group(operand: Operand) -> bool:
    """Tell whether evidence is a cell of a group, or the extreme of some group."""
    ends = any(f"{role}{mark}" in operand.place for role in ("max", "min") for mark in (".", " of"))
    return ends or any(trace.row for trace in operand.traces)


def _value(written: WrittenClaim) -> str:
    return str(written.value) if isinstance(written, WrittenNumber) else written.first.isoformat()
