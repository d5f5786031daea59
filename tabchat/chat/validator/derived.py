"""Figures that follow from others: differences, ratios, percent changes, shares and sums of what is named.

The words must ask for the derivation, and its operands are bound: the group that the figure is said of and
those that the sentence (else its neighbours) compares it with, the ends of a series, or the figures of a
result that has only a few.
"""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.ground import eligible, wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.operands import operand_sets
from tabchat.chat.validator.proof import Proof, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.operand import Operand, Operands

_HUNDRED: Final = 100
_BESIDE: Final = 24
_OF: Final = re.compile(r"[\s*_]*(?:of|від|от)(?:\s+(?:the|that of))?[\s*_`\"«“]*")
_WHOLE: Final = re.compile(r"\b(?:of|із|з|из)(?:\s+the|\s+all)?[\s*_]*$")
_JOINED: Final = re.compile(r"[\s*_,]*(?:and|та|і|й|и|&)?(?:\s+(?:in|у|в))?[\s*_]*")
_SHARES: Final = frozenset({Nature.PERCENT, Nature.FRACTION})

Derivation: TypeAlias = "tuple[str, Actual, tuple[Operand, ...]]"


def find_derived(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Proof | None:
    """Look for the figure as a derivation that its words ask for."""
    asked = _asked(ground, bound)
    span = (bound.statement.start, bound.statement.end)
    if ground.scene.speaks_of(span, "mean") or ground.scene.cues_in(span, "per"):
        found = _find_quotient(ground, bound)
        if found is not None:
            return found
    for operands in operand_sets(ground, bound, proven) if asked else ():
        for name, actual, used in _derivations(asked, operands):
            if agrees(bound.claim, actual, ground.tolerance):
                return Proof(
                    evidence=f"{name} of {' and '.join(item.place for item in used)}",
                    status="derived",
                    traces=tuple(trace for item in used for trace in item.traces),
                )
    return None


def _find_quotient(ground: Ground, bound: Bound) -> Proof | None:
    """Look for the figure as a sum divided by a count of the same rows: the average order of a region."""
    for mentions in bound.readings():
        for at in eligible(ground, mentions):
            view = ground.views[at]
            roles = {name: quality.role for name, quality in view.qualities.items()}
            counts = [
                name
                for name in view.numeric
                if roles.get(name) == "count" or "quantity" in view.qualities[name].concepts
            ]
            row = view.select(wanted_rows(at, mentions))
            for column in view.numeric:
                for count in counts if roles.get(column) == "sum" and column not in counts else ():
                    one, other = row.stats(column).sum, row.stats(count).sum
                    if (
                        one is not None
                        and other
                        and ground.agree(bound, Actual(value=one / other, scale=view.qualities[column].scale))
                    ):
                        place, other_place = place_of(row, column), place_of(row, count)
                        evidence = f"ratio of {view.key}.{place} and {view.key}.{other_place}"
                        return Proof(evidence=evidence, status="derived")
    return None


def _asked(ground: Ground, bound: Bound) -> frozenset[str]:
    """Return which derivations the words around the figure call for."""
    scene, percent = ground.scene, bound.claim.kind is NumberKind.PERCENT
    far, near = _spans(bound)

    def says(spans: Sequence[Span], *names: str) -> bool:
        return any(scene.cues_in(span, *names) for span in spans)

    asked = {"part"} if percent and _is_of_name(ground, bound) else set()
    if _is_compared(ground, bound, near) or bound.claim.kind is NumberKind.POINTS:
        asked.add("percent change" if percent else "difference")
    if percent and _is_signed(ground, bound):
        asked |= {"percent change", "signed"}
    if bound.claim.kind is NumberKind.RATIO or (not percent and says(far, "times")):
        asked |= {"ratio", "inverse ratio"} if _is_down(bound) or says(near, "less") else {"ratio"}
    if _may_be_share(bound) and (
        says(far, "share", "whole", "of_whole", "together")
        or says(near, "among")
        or _is_beside(ground, bound)
        or (percent and ground.is_of_things(bound))
    ):
        asked |= {"share", "together"} if _is_joint(ground, bound) else {"share"}
    if not bound.statement.cells and _is_coordinated(ground, bound) and _is_joint(ground, bound):
        asked |= {"share" if percent else "sum", "together"}
    if says(far, "together", "top"):
        asked.add("together")
    if not percent and (says(far, "together") or "sum" in bound.roles):
        asked |= {"sum", "together"}
    return frozenset(asked)


def _is_down(bound: Bound) -> bool:
    return bound.claim.direction == "down"


def _may_be_share(bound: Bound) -> bool:
    return bound.claim.kind in {NumberKind.PERCENT, NumberKind.RATIO} or abs(bound.claim.value) < 1


def _is_compared(ground: Ground, bound: Bound, near: Sequence[Span]) -> bool:
    """Tell whether the words call the figure a difference or a change."""
    scene = ground.scene
    cues = ("difference", "growth", "fall") if bound.statement.cells else ("difference",)
    return (
        bound.claim.direction is not None
        or any(scene.cues_in(span, *cues) for span in near)
        or any(item.name in {"change", "range"} for span in near for item in scene.roles_in(span))
    )


def _is_of_name(ground: Ground, bound: Bound) -> bool:
    """Tell whether a percentage is one of the group named right behind it: `56 % of Europe's`."""
    after = next((item.start for item in bound.said if item.start >= bound.claim.end), None)
    between = ground.scene.text[bound.claim.end : after] if after is not None else ""
    return _OF.fullmatch(between.casefold()) is not None


def _is_joint(ground: Ground, bound: Bound) -> bool:
    """Tell whether the only figure of a clause is said of all groups in it: `Asia and Europe make 48 %`."""
    text, (start, end) = ground.scene.text, (bound.statement.start, bound.statement.end)
    low = max(text.rfind(";", start, bound.claim.start) + 1, start)
    high = text.find(";", bound.claim.end, end)
    span = (low, high if high >= 0 else end)
    names = [item for item in bound.said if span[0] <= item.start < min(span[1], bound.claim.start)]
    percent = bound.claim.kind is NumberKind.PERCENT
    figures = [
        item
        for item in ground.counts
        if span[0] <= item.start < span[1]
        and (item.kind is NumberKind.PERCENT) == percent
        and not _WHOLE.search(text[span[0] : item.start].casefold())
    ]
    return (
        len({item.text for item in names}) > 1 and len(figures) == 1 and not ground.scene.cues_in(span, "per")
    )


def _is_coordinated(ground: Ground, bound: Bound) -> bool:
    """Tell whether the groups before the figure are joined by conjunctions alone: `in Asia and Europe`."""
    names = [item for item in bound.said if item.end <= bound.claim.start]
    text = ground.scene.text
    return len(names) > 1 and all(
        _JOINED.fullmatch(text[one.end : other.start].casefold()) for one, other in pairwise(names)
    )


def _is_beside(ground: Ground, bound: Bound) -> bool:
    """Tell whether a percentage stands in brackets behind a value, or under a header that is a percent sign."""
    if bound.claim.kind is not NumberKind.PERCENT:
        return False
    _, near = _spans(bound)
    text = ground.scene.text
    if bound.statement.cells:
        return any("%" in text[slice(*span)] for span in near[2:])
    between = text[bound.reach[0] : bound.claim.start]
    return (
        bool(ground.before(bound))
        and between.rstrip(" *_≈~").endswith(("(", "["))
        and len(between) <= _BESIDE
    )


def _is_signed(ground: Ground, bound: Bound) -> bool:
    """Tell whether the figure is a change by its sign alone: `177,215 (-9.4%)`."""
    before = ground.scene.text[bound.reach[0] : bound.claim.start].rstrip(" *_")
    return bound.claim.text[0] in "+-−" and before.endswith(("(", "[", ","))


def _spans(bound: Bound) -> tuple[list[Span], list[Span]]:
    """Return the spans whose words may ask for a derivation: all of the statement, and those nearby."""
    statement = bound.statement
    if not statement.cells:
        return [(statement.start, statement.end)], [bound.reach]
    at = statement.cells.index(bound.segment) if bound.segment in statement.cells else -1
    header = [statement.headers[at]] if 0 <= at < len(statement.headers) else []
    row = [(statement.cells[0][0], statement.cells[0][1]), bound.segment, *header]
    return row, row


def _derivations(asked: frozenset[str], operands: Operands) -> Iterator[Derivation]:
    members, total = operands.members, operands.total
    if operands.joined:
        if "together" in asked:
            yield from _joined(asked, members, total)
        return
    pairs = [(members[0], members[1])] if operands.ordered else list(permutations(members, 2))
    for subject, base in pairs:
        if subject.unit == base.unit:
            yield from _of_pair(asked, subject, base)
    if "share" in asked and total is not None and total.value:
        for item in members:
            if item.unit == total.unit:
                yield "share", Actual(value=item.value / total.value, nature=Nature.FRACTION), (item, total)


def _joined(asked: frozenset[str], members: Sequence[Operand], total: Operand | None) -> Iterator[Derivation]:
    if len({item.unit for item in members}) > 1:
        return
    added = sum((item.value for item in members), Decimal(0))
    if "sum" in asked:
        yield "sum", Actual(value=added, nature=members[0].nature), tuple(members)
    if "share" in asked and total is not None and total.value and total.unit == members[0].unit:
        yield "share", Actual(value=added / total.value, nature=Nature.FRACTION), (*members, total)


def _of_pair(asked: frozenset[str], subject: Operand, base: Operand) -> Iterator[Derivation]:
    used = (subject, base)
    gap = subject.value - base.value
    if "difference" in asked:
        nature = Nature.POINTS if subject.nature in _SHARES else Nature.PLAIN
        yield "difference", Actual(value=gap, nature=nature, is_change=True), used
        if subject.nature is Nature.FRACTION:
            yield "difference", Actual(value=gap * _HUNDRED, nature=nature, is_change=True), used
    if base.value and "percent change" in asked:
        change = _HUNDRED * gap / abs(base.value)
        yield "percent change", Actual(value=change, nature=Nature.PERCENT, is_change=True), used
    if base.value and "part" in asked:
        yield "share", Actual(value=subject.value / base.value, nature=Nature.FRACTION), used
    if base.value and "ratio" in asked:
        yield "ratio", Actual(value=subject.value / base.value, nature=Nature.LOOSE), used
    if subject.value and "inverse ratio" in asked:
        yield "ratio", Actual(value=base.value / subject.value, nature=Nature.LOOSE), (base, subject)
