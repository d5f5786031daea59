"""How many there are: rows, groups, names that the text lists, and figures of the tools that describe."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.chat.validator.figures import eligible, wanted_rows
from tabchat.chat.validator.proof import Proof, value_proof
from tabchat.chat.validator.words import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.validator.binding import Bound
    from tabchat.chat.validator.figures import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import JsonValue

_FIELDS: Final = {
    "min": "min",
    "max": "max",
    "mean": "mean",
    "median": "median",
    **dict.fromkeys(("rows", "row_count", "cols", "distinct", "nulls", "count", "record_count"), "count"),
}


def find_count(ground: Ground, bound: Bound) -> Proof | None:
    """Look for a number of rows, of groups, or of the names that the text itself lists."""
    claim = bound.claim
    is_counted = claim.kind is NumberKind.COUNT or "count" in bound.roles
    if not is_counted or claim.value != claim.value.to_integral_value():
        return None
    named = next(bound.readings(), ())
    if named:
        found = _of_rows(ground, bound, named)
        if found is not None or not ground.scene.cues_in(bound.segment, "whole", "among", "top"):
            return found
    for view in (ground.views[at] for at in ground.asked()):
        for place, count in _sizes(view):
            if agrees(claim, Actual(value=Decimal(count))):
                return value_proof(view, place)
    if claim.value == len({fold(item.text) for item in bound.said}) > 1:
        return Proof(evidence="names listed in the text", status="derived")
    return None


def _of_rows(ground: Ground, bound: Bound, named: Sequence[Mention]) -> Proof | None:
    for at in eligible(ground, named):
        view = ground.views[at]
        wanted = wanted_rows(at, named)
        if view.is_single or not wanted:
            continue
        if bound.claim.value == view.select(wanted).count:
            return value_proof(view, f"number of rows named in {view.key}", derived=True)
    return None


def _sizes(view: View) -> Iterator[tuple[str, int]]:
    result = view.block.result
    if result.source_row_count is not None:
        yield "source_rows", result.source_row_count
    if not view.is_single:
        yield "rows", view.row_count
        for key in result.group_by if len(result.group_by) > 1 else ():
            yield f"groups by {key}", view.whole().distinct(key)


def find_fact(ground: Ground, bound: Bound, facts: Sequence[Mapping[str, JsonValue]]) -> Proof | None:
    """Look for the figure among what the describing tools told: the field and the column must be named."""
    said = fold(ground.scene.text[bound.statement.start : bound.statement.end])
    for fact in facts:
        subject = str(fact.get("table") or fact.get("data_key") or "table")
        for path, value in _leaves(fact, ()):
            number = decimal_of(value)
            if number is None or not agrees(bound.claim, Actual(value=number), ground.tolerance):
                continue
            role = _FIELDS.get(path[-1])
            columns = [part for part in path[:-1] if part not in {"columns", "exact"}]
            named = any(fold(part).replace("_", " ") in said or fold(part) in said for part in columns)
            if role in bound.roles or (role == "count" and bound.claim.kind is NumberKind.COUNT) or named:
                return Proof(evidence=f"description of {subject}: {'.'.join(path)}")
    return None


def _leaves(value: JsonValue, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, (*path, str(name)))
    elif isinstance(value, list | tuple):
        for item in value:
            label = str(item.get("name") or item.get("value") or "") if isinstance(item, dict) else ""
            yield from _leaves(item, (*path, label) if label else path)
    elif isinstance(value, int | float) and path:
        yield path, value
