"""What a text names of the results: groups, dates, columns, and the words that give a figure its role."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from tabchat.chat.validator.lexicon import Sighting, shipped_lexicon
from tabchat.chat.validator.words import alike, words_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.views import View, Wanted
    from tabchat.chat.validator.words import Word

"""Digits of a year, which periods begin with."""


class _Placed(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


_P = TypeVar("_P", bound=_Placed)


@record
class Named:
    """One thing that a phrase names in one result."""

    view: int
    """Index of the result."""
    column: str
    wanted: Wanted | None
    """The values meant; none when the whole result is about it (`where region = 'Asia'`)."""
    is_outside: bool = False
    """The result leaves it out: its rows are of another group or period."""


@record
class Mention:
    """A phrase that names groups, rows or a period."""

    start: int
    end: int
    text: str
    named: tuple[Named, ...]
    is_date: bool = False

    def views(self) -> frozenset[int]:
        """Return the results that it names something in."""
        return frozenset(item.view for item in self.named) - self.outside()

    def outside(self) -> frozenset[int]:
        """Return the results that speak of other groups or days than it names."""
        return frozenset(item.view for item in self.named if item.is_outside)

    def columns(self) -> frozenset[tuple[int, str]]:
        """Return (result, column) of what it names."""
        return frozenset((item.view, item.column) for item in self.named)


@record
class ColumnMention:
    """A phrase that names value columns."""

    start: int
    end: int
    columns: frozenset[tuple[int, str]]
    """(result, column)."""


@dataclass
class Scene:
    """Everything that the text names, by place."""

    text: str
    words: Sequence[Word]
    mentions: list[Mention] = field(default_factory=list)
    columns: list[ColumnMention] = field(default_factory=list)
    roles: list[Sighting] = field(default_factory=list)
    cues: list[Sighting] = field(default_factory=list)
    separators: list[Sighting] = field(default_factory=list)
    ranges: list[Mention] = field(default_factory=list)
    """From one period to another: `from 2012 to 2024`."""
    masked: list[Sighting] = field(default_factory=list)
    """Phrases such as `above average`, whose words give no figure a role."""

    def roles_in(self, span: Span) -> list[Sighting]:
        """Return the roles within `span`."""
        return list(within(self.roles, span))

    def speaks_of(self, span: Span, role: str) -> bool:
        """Tell whether a role is named within `span`, be it in a phrase such as `above average`."""
        if any(item.name == role for item in self.roles_in(span)):
            return True
        roles = shipped_lexicon().roles
        masked = within(self.masked, span)
        return any(role in roles.names(self.text[item.start : item.end]) for item in masked)

    def cues_in(self, span: Span, *names: str) -> list[Sighting]:
        """Return the cues of these names within `span`."""
        return [item for item in within(self.cues, span) if item.name in names]

    def mentions_in(self, span: Span) -> list[Mention]:
        """Return the groups and dates named within `span`, in order."""
        return list(within(self.mentions, span))

    def columns_in(self, span: Span) -> list[ColumnMention]:
        """Return the columns named within `span`, in order."""
        return list(within(self.columns, span))


def within(items: Sequence[_P], span: Span) -> Iterator[_P]:
    """Yield what lies within `span`, of items in the order of their starts: a long text has thousands."""
    for at in range(bisect_left(items, span[0], key=_start), len(items)):
        if items[at].start >= span[1]:
            return
        if items[at].end <= span[1]:
            yield items[at]


def _start(item: _Placed) -> int:
    return item.start


def look(text: str, views: Sequence[View], mentions: Iterable[Mention]) -> Scene:
    """Return what `text` says beside its figures; `mentions` are the groups and dates in it."""
    lexicon = shipped_lexicon()
    words = words_of(text)
    scene = Scene(text=text, words=words, mentions=sorted(mentions, key=lambda item: item.start))
    inside = {word.start for item in scene.mentions for word in within(words, (item.start, item.end))}
    masked: set[int] = set()
    for at in range(len(words)):
        if words[at].start in inside:
            continue
        cues = lexicon.cues.find(words, at)
        masked.update(at + more for cue in cues if cue.name == "mask" for more in range(cue.length))
        scene.masked += [cue for cue in cues if cue.name == "mask"]
        scene.cues += [
            cue for cue in cues if cue.name != "mask" and not (cue.name == "whole" and at in masked)
        ]
        scene.separators += lexicon.separators.find(words, at)[:1]
    for at in range(len(words)):
        if at in masked or words[at].start in inside:
            continue
        found = _longest(lexicon.roles.find(words, at))
        scene.roles += found
        if found:
            masked.update(range(at, at + found[0].length))
    scene.columns = [item for item in _columns(scene.words, views) if not _overlaps(item, scene.mentions)]
    return scene


def _longest(found: list[Sighting]) -> list[Sighting]:
    return [item for item in found if item.length == found[0].length]


def _columns(words: Sequence[Word], views: Sequence[View]) -> list[ColumnMention]:
    """Find column names, whole or by all their words, and nouns that stand for the same in another language."""
    nouns = shipped_lexicon().nouns
    wanted = {
        (index, name): view.qualities[name]
        for index, view in enumerate(views)
        for name in (*view.numeric, *(view.values() if view.is_single else ()))
        if name in view.qualities
    }
    found: list[ColumnMention] = []
    at = 0
    while at < len(words):
        best: dict[int, set[tuple[int, str]]] = {}
        for place, quality in wanted.items():
            length = _said(words, at, quality.tokens)
            if length:
                best.setdefault(length, set()).add(place)
        if not best:
            concepts = {item.name for item in nouns.find(words, at)}
            near = {place for place, quality in wanted.items() if quality.concepts & concepts}
            if near:
                best[1] = near
        if best:
            length = max(best)
            found.append(
                ColumnMention(
                    start=words[at].start, end=words[at + length - 1].end, columns=frozenset(best[length])
                )
            )
            at += length
        else:
            at += 1
    return found


def _said(words: Sequence[Word], at: int, tokens: tuple[str, ...]) -> int:
    if not tokens or at + len(tokens) > len(words):
        return 0
    said = words[at : at + len(tokens)]
    same = all(alike(word.text, token) for word, token in zip(said, tokens, strict=True))
    return len(tokens) if same else 0


def _overlaps(item: ColumnMention, mentions: Sequence[Mention]) -> bool:
    return any(mention.start < item.end and item.start < mention.end for mention in mentions)
