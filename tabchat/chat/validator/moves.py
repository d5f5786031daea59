"""Where a text says that one period rose or fell against the one before: `revenue declined in 2024`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.ground import wanted_rows
from tabchat.chat.validator.series import row_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.lexicon import Sighting
    from tabchat.chat.validator.mentions import Mention, Scene
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_PAIR: Final = 2
_NEAR: Final = 8
_UNJUDGED: Final = ("not", "none", "rest", "every", "growth", "share", "per", "one_of", "times")
"""Words that make the sentence one of something else than a column's numbers in that period."""


def false_moves(
    scene: Scene, statement: Statement, figures: Sequence[WrittenNumber], views: Sequence[View]
) -> Iterator[Sighting]:
    """Yield the verb of a rise or fall in one period, or from one to another, that no column of a result shows."""
    span = (statement.start, statement.end)
    verbs = scene.cues_in(span, "rises", "falls")
    if statement.cells or not _are_reached(scene, figures) or len({item.name for item in verbs}) != 1:
        return
    if scene.cues_in(span, *_UNJUDGED) or scene.roles_in(span):
        return
    judged = [
        _moves(scene, span, at, view, up=verbs[0].name == "rises")
        for at, view in enumerate(views)
        if not view.is_single and all(at in item.views() for item in scene.mentions_in(span))
    ]
    known = [item for item in judged if item is not None]
    if known and not any(known):
        yield verbs[0]


def _are_reached(scene: Scene, figures: Sequence[WrittenNumber]) -> bool:
    """Tell whether there is no figure, or only the one that the course ends at: `rose to 95`."""
    cues = [cue for item in figures for cue in scene.cues_in((max(0, item.start - _NEAR), item.start), "to")]
    return not figures or (len(figures) == len(cues) == 1)


def _moves(scene: Scene, span: Span, at: int, view: View, *, up: bool) -> bool | None:
    """Tell whether some column goes that way; none where the words name no two rows."""
    rows = _rows(at, view, scene.mentions_in(span))
    if rows is None:
        return None
    named = {column for item in scene.columns_in(span) for number, column in item.columns if number == at}
    if not named and any(
        span[0] <= scene.words[word].start < span[1] for word in view.key_words(scene.words)
    ):
        return None
    columns = [name for name in view.numeric if name in named] or view.numeric
    pairs = [
        (one, other)
        for name in columns
        if not view.qualities[name].is_change
        and (one := decimal_of(rows[0][name])) is not None
        and (other := decimal_of(rows[1][name])) is not None
    ]
    return any((other > one) == up and other != one for one, other in pairs) if pairs else None


def _rows(
    at: int, view: View, mentions: Sequence[Mention]
) -> tuple[Mapping[str, Value], Mapping[str, Value]] | None:
    """Return the row of the period before and that of the period named, or those of the two periods named."""
    dates = list({item.text: item for item in mentions if item.is_date}.values())
    groups = [item for item in mentions if not item.is_date]
    if not 1 <= len(dates) <= _PAIR or len({item.text for item in groups}) > 1:
        return None
    found = [view.select(wanted_rows(at, (date, *groups))) for date in dates]
    if any(item.count != 1 for item in found):
        return None
    keys = [item.column for item in dates[0].named if item.view == at and item.wanted is not None]
    rows = sorted((item.rows()[0] for item in found), key=lambda row: str(row[keys[0]]))
    before = rows[0] if len(rows) == _PAIR else row_before(view, rows[0], keys[0])
    return (before, rows[-1]) if before is not None else None
