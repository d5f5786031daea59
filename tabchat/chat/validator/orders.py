"""What a text says of the order of groups without a figure: `Europe is the largest`, `Asia outsells Oceania`.

Only plain statements are judged, and only refuted ones are told: one group that is called the highest or the
lowest, or two that are compared. A statement holds when it is true of one column that it may be about.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.ground import wanted_rows
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.lexicon import Sighting
    from tabchat.chat.validator.mentions import Mention, Scene
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View

_EXTREMES: Final = frozenset({"max", "min"})
_UNJUDGED: Final = ("not", "one_of", "next", "rest", "times", "difference", "share", "growth", "fall", "per")
"""Words that make the statement one of something else than the values of a column."""
_OTHER_ROLES: Final = frozenset({"change", "range", "std", "correlation", "first", "last"})
_AVERAGES: Final = frozenset({"mean", "median"})
_EITHER: Final = ("worst", "best", "худш", "лучш", "найгірш", "найкращ")
"""What is best depends on what is measured: the least returns, the most revenue."""
_AHEAD: Final = 2
_NOT_MEASURED: Final = ("most", "least")
_TOP: Final = ("top", "leading", "топ")
_AMOUNTS: Final = ("most", "least", "fewest", "больше", "меньше", "найбільше", "найменше")
_DATED: Final = frozenset({"year", "quarter", "month", "week", "weekday", "day", "hour"})


@record
class Refuted:
    """A group that is not where the text puts it."""

    mention: Mention
    issue: str


@record
class _Part:
    """The words that are judged together."""

    span: Span
    statement: Span
    mentions: Sequence[Mention]


def false_extremes(
    scene: Scene, statement: Statement, parts: Sequence[Span], views: Sequence[View]
) -> Iterator[Refuted]:
    """Yield each group that `statement` calls the highest or lowest although it is so in no column."""
    whole = (statement.start, statement.end)
    for part in parts:
        roles = {item.name for item in scene.roles_in(part)}
        found = [item for item in _superlatives(scene, part) if _is_measured(scene, item, part)]
        if len({item.name for item in found}) != 1 or roles & _OTHER_ROLES or scene.cues_in(part, *_UNJUDGED):
            continue
        mentions = scene.mentions_in(part) or scene.mentions_in(whole)
        judged = [
            verdict
            for at, view in enumerate(views)
            if (
                verdict := _judge(
                    scene, _Part(span=part, statement=whole, mentions=mentions), found[0], at, view
                )
            )
            is not None
        ]
        if judged and not any(isinstance(item, bool) for item in judged):
            first = judged[0]
            assert isinstance(first, Refuted)  # noqa: S101 - the others were counted out above
            yield first


def _superlatives(scene: Scene, part: Span) -> list[Sighting]:
    """Return the words for the highest and the lowest, `the top region` among them."""
    found = [item for item in scene.roles_in(part) if item.name in _EXTREMES]
    nouns = shipped_lexicon().nouns
    tops = (
        [
            replace(item, name="max")
            for item in scene.cues_in(part, "top")
            if scene.text[item.start : item.end].casefold() in _TOP and nouns.find(scene.words, item.word + 1)
        ]
        if not found
        else []
    )
    return [*found, *tops]


def _is_measured(scene: Scene, role: Sighting, part: Span) -> bool:
    """Tell whether `most` and the like speak of an amount: `most orders`, not `most stable`."""
    if scene.text[role.start : role.end].casefold() not in _NOT_MEASURED:
        return True
    at = role.word + role.length
    following = [word for word in scene.words[at : at + 1] if word.end <= part[1]]
    if not following or any(
        following[0].start <= item.end and item.start <= following[0].end for item in scene.columns
    ):
        return True
    return bool(shipped_lexicon().nouns.find(scene.words, at))


def _judge(scene: Scene, part: _Part, role: Sighting, at: int, view: View) -> Refuted | bool | None:
    """Return True for a statement that holds in a result, none when the result does not tell."""
    if view.is_single or view.row_count < 2 or any(at in item.outside() for item in part.mentions):  # noqa: PLR2004 - an order needs two
        return None
    if any(at not in item.views() for item in part.mentions):
        return None
    narrow = {item.text: item for item in part.mentions if view.select(wanted_rows(at, (item,))).count == 1}
    if len(narrow) != 1:
        return None
    subject = next(iter(narrow.values()))
    row = view.select(wanted_rows(at, (subject,))).rows()[0]
    columns = _measured(scene, role, view, _columns(scene, part, at, view), is_date=subject.is_date)
    either = scene.text[role.start : role.end].casefold().startswith(_EITHER)
    ends = ("max", "min") if either and not _is_gain(view, columns) else (role.name,)
    wide = [item for item in part.mentions if item is not subject and item.text != subject.text]
    wholes = [view.whole(), *(view.select(wanted_rows(at, (item,))) for item in wide)]
    if not columns:
        return None
    for whole in wholes:
        for column in columns:
            if any(decimal_of(row[column]) == _end(whole, column, end) for end in ends):
                return True
    place = "highest" if role.name == "max" else "lowest"
    return Refuted(mention=subject, issue=f"order: reported '{subject.text}' as the {place}, actual not so")


def _end(whole: Selection, column: str, end: str) -> object:
    stats = whole.stats(column)
    return stats.max if end == "max" else stats.min


def _is_gain(view: View, columns: Sequence[str]) -> bool:
    """Tell whether more is better in every column, as with revenue and counts."""
    good = {"revenue", "profit", "count", "order", "quantity"}
    return all(column in view.qualities and view.qualities[column].concepts & good for column in columns)


def _measured(
    scene: Scene, role: Sighting, view: View, columns: tuple[str, ...], *, is_date: bool
) -> tuple[str, ...]:
    """Return the columns that the noun behind the role allows.

    A noun that is neither a group nor a column is of something else (`the largest order`), but
    for an amount of what was counted (`the fewest orders`).
    """
    at = role.word + role.length
    for place in range(at, min(at + _AHEAD, len(scene.words))):
        nouns = {item.name for item in shipped_lexicon().nouns.find(scene.words, place)}
        known = {name for quality in view.qualities.values() for name in quality.concepts}
        if nouns & known or (is_date and nouns & _DATED):
            return columns
        if nouns:
            is_amount = scene.text[role.start : role.end].casefold().startswith(_AMOUNTS)
            return tuple(name for name in columns if is_amount and view.qualities[name].role == "count")
    return columns


def _columns(scene: Scene, part: _Part, at: int, view: View) -> tuple[str, ...]:
    """Return the columns that the words may be about."""
    for span in (part.span, part.statement):
        named = {column for item in scene.columns_in(span) for number, column in item.columns if number == at}
        if named:
            break
    columns = tuple(column for column in view.numeric if column in named) or view.numeric
    roles = {item.name for item in scene.roles_in(part.span)} & _AVERAGES
    return tuple(column for column in columns if not roles or view.qualities[column].role in {*roles, None})


def false_contrasts(
    scene: Scene, statement: Statement, parts: Sequence[Span], views: Sequence[View]
) -> Iterator[Refuted]:
    """Yield the group that `statement` puts above or below another one although it is so in no column."""
    whole = (statement.start, statement.end)
    for part in parts if len(parts) == 1 else (*parts, whole):
        mentions = scene.mentions_in(part)
        if len(mentions) != 2 or scene.cues_in(part, "not", "growth", "fall", "share", "per", "one_of"):  # noqa: PLR2004 - two groups
            continue
        higher = _is_higher(scene, part, mentions[0], mentions[1])
        if higher is None or any(item.name in _OTHER_ROLES for item in scene.roles_in(part)):
            continue
        judged = [
            holds
            for at, view in enumerate(views)
            if (
                holds := _holds(
                    scene, _Part(span=part, statement=whole, mentions=mentions), at, view, higher=higher
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


def _holds(scene: Scene, part: _Part, at: int, view: View, *, higher: bool) -> bool | None:
    if view.is_single or any(at not in item.views() for item in part.mentions):
        return None
    rows = [view.select(wanted_rows(at, (item,))) for item in part.mentions]
    if any(row.count != 1 for row in rows) or rows[0].filters == rows[1].filters:
        return None
    pairs = [
        (one, other)
        for column in _columns(scene, part, at, view)
        if (one := decimal_of(rows[0].rows()[0][column])) is not None
        and (other := decimal_of(rows[1].rows()[0][column])) is not None
    ]
    return any(one > other if higher else one < other for one, other in pairs) if pairs else None
