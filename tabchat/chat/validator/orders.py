"""What a text says of the order of two groups without a figure: `Asia outsells Oceania`.

Only plain statements are judged, and only refuted ones are told. A statement holds when it is true of one
column that it may be about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.ground import wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention, Scene
    from tabchat.chat.validator.views import View

OTHER_ROLES: Final = frozenset({"change", "range", "std", "correlation", "first", "last"})
_AVERAGES: Final = frozenset({"mean", "median"})
_SHARES: Final = frozenset({Nature.PERCENT, Nature.FRACTION})


@record
class Refuted:
    """A group that is not where the text puts it."""

    mention: Mention
    issue: str


@record
class Part:
    """The words that are judged together."""

    span: Span
    statement: Span
    mentions: Sequence[Mention]


def columns_said(scene: Scene, part: Part, at: int, view: View) -> tuple[str, ...]:
    """Return the columns that the words may be about."""
    for span in (part.span, part.statement):
        named = {column for item in scene.columns_in(span) for number, column in item.columns if number == at}
        if named:
            break
    columns = tuple(column for column in view.numeric if column in named) or view.numeric
    roles = {item.name for item in scene.roles_in(part.span)} & _AVERAGES
    if roles:
        return tuple(column for column in columns if view.qualities[column].role in {*roles, None})
    amounts = tuple(column for column in columns if view.qualities[column].role not in _AVERAGES)
    if named and amounts:
        columns = amounts
    if scene.cues_in(part.span, "often"):
        columns = tuple(name for name in columns if view.qualities[name].nature in _SHARES) or columns
    return columns


def false_contrasts(
    scene: Scene, statement: Statement, parts: Sequence[Span], views: Sequence[View]
) -> Iterator[Refuted]:
    """Yield the group that `statement` puts above or below another one although it is so in no column."""
    whole = (statement.start, statement.end)
    for part in parts if len(parts) == 1 else (*parts, whole):
        every = [item for item in scene.mentions_in(part) if _names_rows(item)]
        groups = [item for item in every if not item.is_date]
        mentions = groups if len(groups) == len(every) - 1 else every
        if len(mentions) != 2 or scene.cues_in(part, "not", "growth", "fall", "share", "per", "one_of"):  # noqa: PLR2004 - two groups
            continue
        higher = _is_higher(scene, part, mentions[0], mentions[1])
        if higher is None or any(item.name in OTHER_ROLES for item in scene.roles_in(part)):
            continue
        judged = [
            holds
            for at, view in enumerate(views)
            if (
                holds := _holds(
                    scene,
                    Part(span=part, statement=whole, mentions=mentions),
                    [item for item in every if item not in mentions],
                    at,
                    view,
                    higher=higher,
                )
            )
            is not None
        ]
        if judged and not any(judged):
            side = "above" if higher else "below"
            first, second = mentions
            yield Refuted(
                mention=first, issue=f"order: reported '{first.text}' {side} '{second.text}', actual not so"
            )
            return


def _names_rows(mention: Mention) -> bool:
    """Tell whether a name tells rows apart; the value of a filter is common to all."""
    return any(item.wanted is not None or item.is_outside for item in mention.named)


def _is_higher(scene: Scene, part: Span, first: Mention, second: Mention) -> bool | None:
    """Return True where the words put the first group above the second, False for below."""
    between = (first.end, second.start)
    up, down = scene.cues_in(between, "outdo"), scene.cues_in(between, "yield_to")
    if bool(up) != bool(down):
        return bool(up)
    before = (part[0], second.start)
    up, down = scene.cues_in(before, "higher"), scene.cues_in(before, "lower")
    if bool(up) == bool(down):
        return None
    pointed = scene.cues_in((max(part[0], second.start - 14), second.start), "than")
    last = max((*up, *down), key=lambda item: item.end)
    beside = not scene.text[last.end : second.start].strip(' *_`«"')
    return bool(up) if pointed or beside else None


def _holds(
    scene: Scene, part: Part, shared: Sequence[Mention], at: int, view: View, *, higher: bool
) -> bool | None:
    if view.is_single or any(at not in item.views() for item in (*part.mentions, *shared)):
        return None
    rows = [view.select(wanted_rows(at, (item, *shared))) for item in part.mentions]
    if any(row.count != 1 for row in rows) or rows[0].filters == rows[1].filters:
        return None
    pairs = [
        (one, other)
        for column in columns_said(scene, part, at, view)
        if (one := decimal_of(rows[0].rows()[0][column])) is not None
        and (other := decimal_of(rows[1].rows()[0][column])) is not None
    ]
    return any(one > other if higher else one < other for one, other in pairs) if pairs else None
