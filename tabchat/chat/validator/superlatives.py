"""What a text calls the highest or the lowest without a figure: `Europe is the largest`.

One group (or one cell of two groupings) is judged against all rows, against those that share its other groups,
and against the rows that have a name. A statement holds when it is true of one column that it may be about.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.ground import wanted_rows
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.measured import is_gain, is_measured, is_of_size, measured, of_things
from tabchat.chat.validator.orders import OTHER_ROLES, Part, Refuted, columns_said
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.lexicon import Sighting
    from tabchat.chat.validator.mentions import Mention, Scene
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_EXTREMES: Final = frozenset({"max", "min"})
_UNJUDGED: Final = ("not", "one_of", "next", "rest", "times", "difference", "per")
"""Words that make the statement one of something else than the values of a column."""
_EITHER: Final = ("worst", "best", "худш", "лучш", "найгірш", "найкращ")
"""What is best depends on what is measured: the least returns, the most revenue."""
_SWAPPED: Final = {"max": "min", "min": "max"}
_POINTED: Final = 12
_TOP: Final = ("top", "leading", "топ")


@record
class _Subject:
    """The row that is judged, and the rows that it is judged against."""

    mention: Mention
    row: Mapping[str, Value]
    wholes: Sequence[Selection]


def false_extremes(
    scene: Scene,
    statement: Statement,
    parts: Sequence[Span],
    views: Sequence[View],
    proven: frozenset[tuple[int, str]],
) -> Iterator[Refuted]:
    """Yield each group that `statement` calls the highest or lowest although it is so in no column.

    `proven` are the (result, column) of the figures in the statement that have evidence.
    """
    whole = (statement.start, statement.end)
    for span in parts:
        found = [item for item in _superlatives(scene, span) if is_measured(scene, item, span)]
        if len({item.name for item in found}) != 1 or not _is_plain(scene, span):
            continue
        mentions = scene.mentions_in(span) or scene.mentions_in(whole)
        if any(_is_compared_with(scene, item, whole) for item in found):
            continue
        part = Part(span=span, statement=whole, mentions=mentions)
        judged = [
            verdict
            for at, view in enumerate(views)
            if (verdict := _judge(scene, part, found[0], at, view, proven)) is not None
        ]
        if judged and not any(isinstance(item, bool) for item in judged):
            first = judged[0]
            assert isinstance(first, Refuted)  # noqa: S101 - the others were counted out above
            yield first


def _is_plain(scene: Scene, span: Span) -> bool:
    """Tell whether the words speak of the values of a column; `of all regions` is no share."""
    among = {item.start for item in scene.cues_in(span, "among")}
    shares = [item for item in scene.cues_in(span, "share") if item.start not in among]
    said = [item for item in scene.cues_in(span, *_UNJUDGED) if not _is_in_column(scene, item)]
    if said or any(item.name in OTHER_ROLES for item in scene.roles_in(span)):
        return False
    return not shares or bool(scene.cues_in(span, "growth", "fall"))


def _is_in_column(scene: Scene, cue: Sighting) -> bool:
    """Tell whether the name of a column accounts for a word: `average order` is one, not a quotient."""
    return cue.name == "per" and any(item.start < cue.end and cue.start < item.end for item in scene.columns)


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


def _is_compared_with(scene: Scene, role: Sighting, part: Span) -> bool:
    """Tell whether the word names what something is compared with: `less than the leader`."""
    low = max(part[0], role.start - _POINTED)
    return any(cue.end > low for cue in scene.cues_in((part[0], role.start), "than")) and bool(
        scene.cues_in((part[0], role.start), "more", "less", "higher", "lower", "times")
    )


def _judge(
    scene: Scene, part: Part, role: Sighting, at: int, view: View, proven: frozenset[tuple[int, str]]
) -> Refuted | bool | None:
    """Return True for a statement that holds in a result, none when the result does not tell."""
    subject = _subject(scene, part, at, view)
    if subject is None or is_of_size(scene, role, view):
        return None
    columns = _columns(scene, part, role, at, view, proven)
    columns = measured(scene, role, view, columns, is_date=subject.mention.is_date)
    columns = of_things(scene, role, view, columns)
    if not columns:
        return None
    either = scene.text[role.start : role.end].casefold().startswith(_EITHER)
    name = _SWAPPED[role.name] if scene.cues_in(part.span, "fall") else role.name
    ends = ("max", "min") if either and not is_gain(view, columns) else (name,)
    for whole in subject.wholes:
        for column in columns:
            if any(decimal_of(subject.row[column]) == _end(whole, column, end) for end in ends):
                return True
    place, text = "highest" if role.name == "max" else "lowest", subject.mention.text
    return Refuted(mention=subject.mention, issue=f"order: reported '{text}' as the {place}, actual not so")


def _subject(scene: Scene, part: Part, at: int, view: View) -> _Subject | None:
    """Return the one row that the words name: by one group, or by a group in each of several groupings."""
    mentions = part.mentions
    if view.is_single or view.row_count < 2 or any(at not in item.views() for item in mentions):  # noqa: PLR2004 - an order needs two
        return None
    if any(at in item.outside() for item in mentions):
        return None
    narrow = {item.text: item for item in mentions if view.select(wanted_rows(at, (item,))).count == 1}
    if len(narrow) == 1:
        subject = next(iter(narrow.values()))
        row = view.select(wanted_rows(at, (subject,))).rows()[0]
        wide = [item for item in mentions if item.text != subject.text]
        wholes = [view.whole(), *(view.select(wanted_rows(at, (item,))) for item in wide)]
        return _Subject(mention=subject, row=row, wholes=[*wholes, *view.named_only()])
    wanted = wanted_rows(at, mentions)
    if narrow or len({item.text for item in mentions}) != len(wanted) or view.select(wanted).count != 1:
        return None
    words = view.key_words(scene.words)
    inside = {name for word, name in words.items() if part.span[0] <= scene.words[word].start < part.span[1]}
    varied = [name for name in wanted if name in inside] or list(wanted)
    wholes = [view.select({name: rows for name, rows in wanted.items() if name != other}) for other in varied]
    if scene.cues_in(part.span, "combination"):
        wholes = []
    if not inside & set(wanted):
        wholes.append(view.whole())
    return _Subject(mention=mentions[-1], row=view.select(wanted).rows()[0], wholes=wholes)


def _columns(
    scene: Scene, part: Part, role: Sighting, at: int, view: View, proven: frozenset[tuple[int, str]]
) -> tuple[str, ...]:
    """Return the columns that the words may be about.

    The best and the worst are so by a value: the one that the statement tells, where no column is named.
    """
    columns = columns_said(scene, part, at, view)
    if not any(at == number for item in scene.columns_in(part.span) for number, _ in item.columns):
        # A column that only another clause names is no more meant than one whose figure is given.
        columns += tuple(name for name in view.numeric if (at, name) in proven and name not in columns)
    if scene.cues_in(part.span, "growth", "fall"):
        return tuple(name for name in columns if view.qualities[name].is_change)
    if columns != view.numeric or not scene.cues_in((role.start, role.end), "of_value"):
        return columns
    told = tuple(name for name in columns if (at, name) in proven)
    values = tuple(name for name in columns if view.qualities[name].role != "count")
    return told or values or columns


def _end(whole: Selection, column: str, end: str) -> object:
    stats = whole.stats(column)
    return stats.max if end == "max" else stats.min
