"""How many there are: rows, groups, names that the text lists, and figures of the tools that describe."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.ground import eligible, wanted_rows
from tabchat.chat.validator.proof import Proof, value_proof
from tabchat.chat.validator.words import alike, fold, word_from, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.views import View

_BEHIND: Final = 2
_BESIDE: Final = 2
_AHEAD: Final = 3
_OF_THEM: Final = 12
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
    if (
        claim.kind not in {NumberKind.NUMBER, NumberKind.COUNT}
        or claim.value != claim.value.to_integral_value()
    ):
        return None
    if _is_top(ground, bound):
        return _of_top(ground, bound)
    whole = bound.is_whole or bound.may_be_whole
    is_counted = claim.kind is NumberKind.COUNT or "count" in bound.roles or whole or _is_times(ground, bound)
    return (
        _of_noun(ground, bound)
        or _of_table(ground, bound)
        or (_counted(ground, bound) if is_counted else None)
    )


def _counted(ground: Ground, bound: Bound) -> Proof | None:
    named = next(bound.readings(), ())
    after = ground.scene.text[bound.claim.end : bound.statement.end].lstrip(" *_")
    if bound.claim.value == 1 == len({fold(item.text) for item in bound.said}) and after.startswith(":"):
        return Proof(evidence="the name behind it", status="derived")
    if named:
        found = _of_rows(ground, bound, named)
        speaks_of_all = bound.may_be_whole or ground.scene.cues_in(bound.segment, "whole", "among", "top")
        if found is not None or not speaks_of_all:
            return found
    for view in (ground.views[at] for at in ground.asked()):
        for place, count in _sizes(view):
            if agrees(bound.claim, Actual(value=Decimal(count))):
                return value_proof(view, place)
    if bound.claim.value == _below(ground, bound) > 1:
        return Proof(evidence="items listed below", status="derived")
    if bound.claim.value == len({fold(item.text) for item in bound.said}) > 1:
        return Proof(evidence="names listed in the text", status="derived")
    return None


def _is_times(ground: Ground, bound: Bound) -> bool:
    """Tell whether the statement counts rows: `in 2022 — 11 times, in 2023 — 7`, `11 of them`."""
    behind = (bound.claim.end, min(bound.claim.end + _OF_THEM, bound.statement.end))
    if ground.scene.cues_in(behind, "of_shown"):
        return True
    inside = (item for item in ground.counts if bound.statement.start <= item.start < bound.statement.end)
    return any(item.unit == "time" for item in inside)


def _is_top(ground: Ground, bound: Bound) -> bool:
    """Tell whether the figure says how many come first: `the top 3`."""
    cues = ground.scene.cues_in((bound.statement.start, bound.statement.end), "top", "of_best")
    return any(
        0 <= bound.claim.start - cue.end <= _BESIDE or 0 <= cue.start - bound.claim.end <= _BESIDE
        for cue in cues
    )


def _of_top(ground: Ground, bound: Bound) -> Proof | None:
    listed = _listed(ground, bound)
    if listed > 1:
        return (
            Proof(evidence="names listed in the text", status="derived")
            if listed == bound.claim.value
            else None
        )
    sizes = [view for view in ground.views if not view.is_single and bound.claim.value <= view.row_count]
    return Proof(evidence=f"rows of {sizes[0].key}") if sizes else None


def _listed(ground: Ground, bound: Bound) -> int:
    """Return how many groups the statement names, or the list right below it."""
    here = {fold(item.text) for item in bound.said}
    if len(here) > 1:
        return len(here)
    return _below(ground, bound)


def _below(ground: Ground, bound: Bound) -> int:
    """Return how many statements the list right below a line has."""
    return len(
        {
            statement.start
            for statement in ground.statements
            if (bound.statement.start, bound.statement.end) in statement.under
            or (statement.under and statement.under[0][0] <= bound.statement.start < statement.under[0][1])
        }
    )


def _of_noun(ground: Ground, bound: Bound) -> Proof | None:
    """Look for the number of groups where the noun behind the figure says what the groups are."""
    words = ground.scene.words
    first = word_from(words, bound.claim.end)
    for view in (ground.views[at] for at in ground.asked()):
        keys = view.key_words(words) if not view.is_single else {}
        near = [*range(first, first + _BEHIND), *_before(ground, bound)]
        for key in {keys[at] for at in near if at in keys}:
            proof = _of_groups(ground, bound, view, key)
            if proof is not None:
                return proof
    return None


def _before(ground: Ground, bound: Bound) -> range:
    """Return the words before a figure that ends its sentence and names nothing else: `such days: 25`."""
    ends = not ground.scene.text[bound.claim.end : bound.statement.end].strip(" .!*_")
    alone = ends and not bound.said and not ground.before(bound)
    at = word_from(ground.scene.words, bound.claim.start)
    return range(max(at - _AHEAD, word_from(ground.scene.words, bound.statement.start)), at if alone else 0)


def _of_table(ground: Ground, bound: Bound) -> Proof | None:
    """Look for the number of all rows counted, where the noun behind the figure is the name of the table."""
    words = ground.scene.words
    first = word_from(words, bound.claim.end)
    noun = words[first].text if first < len(words) else ""
    for view in (ground.views[at] for at in ground.asked() if not (bound.own or bound.inherited)):
        names = {word.text for table in view.query.tables for word in words_of(table.replace("_", " "))}
        if view.is_single or view.query.limit is not None or not any(alike(noun, name) for name in names):
            continue
        for column in view.numeric:
            total = view.whole().stats(column).sum
            if view.qualities[column].role == "count" and total == bound.claim.value:
                return value_proof(view, f"sum of {view.key}.{column}", column, derived=True)
    return None


def _of_groups(ground: Ground, bound: Bound, view: View, key: str) -> Proof | None:
    """Compare with the number of groups, of those that the statement lists, or of all others."""
    groups = view.whole().distinct(key)
    if bound.claim.value == groups:
        return value_proof(view, f"groups by {key}")
    listed = {fold(item.text) for item in bound.said if any(named.column == key for named in item.named)}
    if bound.claim.value == len(listed) > 1:
        return Proof(evidence="names listed in the text", status="derived")
    around = listed | {fold(item.text) for item in bound.around}
    rest = ground.scene.cues_in((bound.statement.start, bound.statement.end), "rest")
    before = {fold(item.text) for item in bound.said if item.end <= bound.claim.start}
    above = {fold(item.text) for item in bound.around}
    left = {groups - len(names) for names in (before, listed, around, above) if names}
    if rest and bound.claim.value in left:
        return value_proof(view, f"groups by {key} without those named", derived=True)
    return None


def _of_rows(ground: Ground, bound: Bound, named: Sequence[Mention]) -> Proof | None:
    for at in eligible(ground, named):
        view = ground.views[at]
        wanted = wanted_rows(at, named)
        if view.is_single or not wanted:
            continue
        if 1 < bound.claim.value == view.select(wanted).count:
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
