"""A sum for each of something: `an average order of 326`, `0.64M per MW`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.ground import eligible, wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof, place_of
from tabchat.chat.validator.units import measure_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View

_BEHIND: Final = 2
_PAIR: Final = 2
_LEVELS: Final = frozenset({NumberKind.NUMBER, NumberKind.MONEY})


def find_quotient(ground: Ground, bound: Bound) -> Proof | None:
    """Look for the figure as a sum over a count, or over what `per` names, of the same rows."""
    spans = _spans(bound)
    if bound.claim.kind is NumberKind.RATIO:
        return _ratio(ground, bound)
    if bound.claim.kind not in _LEVELS:
        return None
    if not any(ground.scene.speaks_of(span, "mean") or ground.scene.cues_in(span, "per") for span in spans):
        return None
    for mentions in bound.readings():
        for at in eligible(ground, mentions):
            view = ground.views[at]
            row = view.select(wanted_rows(at, mentions))
            for column, count in _pairs(ground, bound, view):
                one, other = row.stats(column).sum, row.stats(count).sum
                if one is None or not other:
                    continue
                if ground.agree(bound, Actual(value=one / other, scale=view.qualities[column].scale)):
                    evidence = (
                        f"ratio of {view.key}.{place_of(row, column)} and {view.key}.{place_of(row, count)}"
                    )
                    return Proof(evidence=evidence, status="derived")
    return None


def _ratio(ground: Ground, bound: Bound) -> Proof | None:
    """Look for how many times what one group has for each of something is what another one has: `2.8 times per MW`."""
    named = list({item.text: item for item in bound.said if not item.is_date}.values())
    if len(named) != _PAIR or bound.claim.direction is not None:
        return None
    for at in ground.asked():
        view = ground.views[at]
        rows = [view.select(wanted_rows(at, (item,))) for item in named if at in item.views()]
        if view.is_single or len(rows) != _PAIR or any(row.count != 1 for row in rows):
            continue
        for per in _named_behind_per(ground, bound, view):
            for column in view.numeric:
                first, base = ((row.stats(column).sum, row.stats(per).sum) for row in rows)
                if column == per or not (first[0] and first[1] and base[0] and base[1]):
                    continue
                times = Actual(value=first[0] / first[1] * base[1] / base[0], nature=Nature.LOOSE)
                if view.qualities[column].role == "sum" and agrees(bound.claim, times, ground.tolerance):
                    return Proof(evidence=f"ratio of {view.key}.{column} per {per}", status="derived")
    return None


def _spans(bound: Bound) -> list[Span]:
    """Return the statement, and the lines above it: `cost per MW:`."""
    return [(bound.statement.start, bound.statement.end), *bound.statement.under]


def _pairs(ground: Ground, bound: Bound, view: View) -> Iterator[tuple[str, str]]:
    """Yield (sum, what it is divided by)."""
    roles = {name: view.qualities[name].role for name in view.numeric}
    counts = [
        name for name in view.numeric if roles[name] == "count" or "quantity" in view.qualities[name].concepts
    ]
    sums = [name for name in view.numeric if roles[name] == "sum"]
    yield from ((name, count) for count in counts for name in sums if name not in counts)
    per = _named_behind_per(ground, bound, view)
    yield from ((name, other) for other in per for name in sums if name != other)


def _named_behind_per(ground: Ground, bound: Bound, view: View) -> list[str]:
    """Return the sums whose unit or name stands right behind `per`."""
    scene = ground.scene
    found: list[str] = []
    for cue in (cue for span in _spans(bound) for cue in scene.cues_in(span, "per")):
        behind = scene.words[cue.word + cue.length : cue.word + cue.length + _BEHIND]
        measures = [measure for word in behind if (measure := measure_of(word.text)) is not None]
        named = {
            column
            for item in scene.columns_in((cue.end, behind[-1].end if behind else cue.end))
            for number, column in item.columns
            if ground.views[number] is view
        }
        found += [
            name
            for name in view.numeric
            if view.qualities[name].role == "sum"
            and (name in named or view.qualities[name].measure in measures)
        ]
    return found
