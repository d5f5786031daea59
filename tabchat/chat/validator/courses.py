"""The course that a text gives to figures: `fell from 120 to 95`, `rose every year: 1, 2 and 3`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.ground import wanted_rows
from tabchat.chat.validator.lexicon import shipped_lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.lexicon import Sighting
    from tabchat.chat.validator.mentions import Scene
    from tabchat.chat.validator.views import View, Wanted

_BESIDE: Final = 20
_MARKS: Final = " $€£₴₽*_`~≈"
_LEVELS: Final = frozenset({NumberKind.NUMBER, NumberKind.MONEY, NumberKind.PERCENT, NumberKind.COUNT})
_BEHIND: Final = 6
_FEW: Final = 3
_MOST: Final = 60
_PERIODS: Final = frozenset({"year", "quarter", "month", "week", "day"})


def against_course(scene: Scene, bounds: Sequence[Bound]) -> Iterator[tuple[WrittenNumber, str]]:
    """Yield each figure that lies on the other side of the one before it than the words say."""
    statements = {bound.statement.start: bound.statement for bound in bounds}
    for start, statement in statements.items():
        figures = [
            bound.claim for bound in bounds if bound.statement.start == start and bound.claim.kind in _LEVELS
        ]
        span = (statement.start, statement.end)
        if not statement.cells:
            yield from _from_to(scene, span, figures)
            yield from _every(scene, span, figures)


def _from_to(
    scene: Scene, span: Span, figures: Sequence[WrittenNumber]
) -> Iterator[tuple[WrittenNumber, str]]:
    for one, other in pairwise(figures):
        opened = _right_before(scene, one.start, "from")
        closed = _right_before(scene, other.start, "to")
        if opened is None or closed is None or one.kind is not other.kind:
            continue
        up = _course(scene, (max(span[0], opened - _BESIDE), opened))
        if up is not None and one.value != other.value and (other.value > one.value) != up:
            yield other, _told(up=up)


def _every(scene: Scene, span: Span, figures: Sequence[WrittenNumber]) -> Iterator[tuple[WrittenNumber, str]]:
    """Judge a rise or fall in every period over the figures that are listed for it."""
    plain = [item for item in figures if item.direction is None]
    if len(plain) < _FEW or len({item.kind for item in plain}) > 1:
        return
    before = (span[0], plain[0].start)
    dated = [item for item in scene.mentions_in(span) if item.is_date]
    listed = scene.text[slice(*before)].rstrip(" $€£₴*_").endswith(":") and len(dated) >= len(plain)
    up = _course(scene, before) if listed or scene.cues_in(before, "per", "steadily") else None
    for one, other in pairwise(plain):
        if up is not None and one.value != other.value and (other.value > one.value) != up:
            yield other, _told(up=up)
            return


def false_courses(
    scene: Scene, statement: Statement, figures: Sequence[WrittenNumber], views: Sequence[View]
) -> Iterator[Sighting]:
    """Yield the verb of a rise or fall `every year` that no column of a result shows."""
    span = (statement.start, statement.end)
    every = [item for item in scene.cues_in(span, "every") if _is_period(scene, item)]
    verbs = scene.cues_in(span, "more", "less")
    if figures or not every or len({item.name for item in verbs}) != 1:
        return
    if scene.cues_in(span, "not", "none", "rest") or _is_compared(scene, span) or statement.cells:
        return
    named = {place for item in scene.columns_in(span) for place in item.columns}
    judged = [
        _runs(
            view,
            [name for number, name in named if number == at],
            wanted_rows(at, scene.mentions_in(span)),
            up=verbs[0].name == "more",
        )
        for at, view in enumerate(views)
        if not view.is_single and all(at in item.views() for item in scene.mentions_in(span))
    ]
    known = [item for item in judged if item is not None]
    if known and not any(known):
        yield verbs[0]


def _is_compared(scene: Scene, span: Span) -> bool:
    """Tell whether a comparison points at something else than a date: `than Europe`, not `of 2024`."""
    dates = [item.start for item in scene.mentions_in(span) if item.is_date]
    return any(
        not any(0 <= start - cue.end <= _BEHIND for start in dates) for cue in scene.cues_in(span, "than")
    )


def _is_period(scene: Scene, every: Sighting) -> bool:
    at = every.word + every.length
    nouns = shipped_lexicon().nouns.find(scene.words, at) if at < len(scene.words) else []
    return bool({item.name for item in nouns} & _PERIODS)


def _runs(view: View, named: Sequence[str], wanted: Mapping[str, Wanted], *, up: bool) -> bool | None:
    """Tell whether some column goes one way along rows that one key alone tells apart; none for other rows."""
    selection = view.select(wanted)
    varied = [key for key in view.keys if selection.count and selection.distinct(key) == selection.count]
    if not _FEW <= selection.count <= _MOST or not any(selection.distinct(key) > 1 for key in varied):
        return None
    columns = [name for name in named or view.numeric if not view.qualities[name].is_change]
    series = [[decimal_of(row[name]) for row in selection.rows()] for name in columns]
    whole = [[item for item in each if item is not None] for each in series]
    steps = [[(other > one) == up and other != one for one, other in pairwise(each)] for each in whole]
    return any(all(each) for each in steps) if steps else None


def _right_before(scene: Scene, at: int, name: str) -> int | None:
    """Return where a cue begins that stands right before a figure."""
    cues = scene.cues_in((max(0, at - _BESIDE), at), name)
    return next((cue.start for cue in cues if not scene.text[cue.end : at].strip(_MARKS)), None)


def _course(scene: Scene, span: Span) -> bool | None:
    """Return True for a rise, False for a fall: what the last word of either says."""
    found = scene.cues_in(span, "more", "less")
    last = max(found, key=lambda item: (item.end, item.length), default=None)
    return None if last is None else last.name == "more"


def _told(*, up: bool) -> str:
    return "higher than the figure before" if up else "lower than the figure before"
