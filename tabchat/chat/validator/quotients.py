"""A sum for each of something: `an average order of 326`, `0.64M per MW`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual
from tabchat.chat.validator.ground import eligible, wanted_rows
from tabchat.chat.validator.proof import Proof, place_of
from tabchat.chat.validator.units import measure_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View

_BEHIND: Final = 2
_LEVELS: Final = frozenset({NumberKind.NUMBER, NumberKind.MONEY})


def find_quotient(ground: Ground, bound: Bound) -> Proof | None:
    """Look for the figure as a sum over a count, or over what `per` names, of the same rows."""
    span = (bound.statement.start, bound.statement.end)
    if bound.claim.kind not in _LEVELS:
        return None
    if not (ground.scene.speaks_of(span, "mean") or ground.scene.cues_in(span, "per")):
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
    for cue in scene.cues_in((bound.statement.start, bound.statement.end), "per"):
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
