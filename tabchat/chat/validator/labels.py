"""Finding the names of groups and rows in a text: labels, also inflected and of several words.

Small frames are searched in memory. Of a large one only the labels that the text itself could mean are
asked for, by its own phrases.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.mentions import Mention, Named
from tabchat.chat.validator.outside import asked_labels, outside_labels
from tabchat.chat.validator.words import alike, fold, words_of
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tabchat.chat.validator.views import View
    from tabchat.chat.validator.words import Word
    from tabchat.engine.types import Value

_LONGEST: Final = 8
_CODE: Final = 2
_GAP: Final = 3
_INNER: Final = 2
_REACH: Final = 4


_JOINS: Final = frozenset({"and", "or", "та", "і", "й", "и", "або", "или"})


@dataclass
class Index:
    """Labels by their first letters."""

    by_head: dict[str, list[tuple[tuple[str, ...], str, Named]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    free: set[str] = field(default_factory=set)
    """Common words that name a group all the same: nothing else in the results is called so."""

    def add(self, label: str, named: Named) -> None:
        """Add a label."""
        tokens = tuple(word.text for word in words_of(label))
        if tokens and len(tokens) <= _LONGEST:
            self.by_head[tokens[0][:2]].append((tokens, label, named))

    def release(self, label: str, measured: Collection[str]) -> None:
        """Let a label that is a common noun be a name, unless a column measures what the noun stands for."""
        nouns = shipped_lexicon().nouns.names(label)
        if nouns and not nouns & frozenset(measured):
            self.free.add(fold(label))

    def find(self, text: str, words: Sequence[Word]) -> Iterator[Mention]:
        """Yield the labels in `text`, the longest at each place, exact ones before inflected ones."""
        at = 0
        while at < len(words):
            matches = [
                (len(tokens), not exact, named)
                for tokens, label, named in self.by_head.get(words[at].text[:2], ())
                if (exact := _match(text, words, at, tokens, label, self.free)) is not None
            ]
            if not matches:
                yield from self._shortened(text, words, at)
                at += 1
                continue
            length = max(match[0] for match in matches)
            inexact = min(match[1] for match in matches if match[0] == length)
            start, end = words[at].start, words[at + length - 1].end
            named = tuple(item for size, bent, item in matches if (size, bent) == (length, inexact))
            yield Mention(start=start, end=end, text=text[start:end], named=_joined(named))
            at += length

    def _shortened(self, text: str, words: Sequence[Word], at: int) -> Iterator[Mention]:
        """Yield the first name of `Onshore and Offshore Wind`, whose last word stands behind the second."""
        for tokens, _, named in self.by_head.get(words[at].text[:2], ()):
            size = len(tokens) - 1
            head, behind = words[at : at + size], words[at + size : at + size + _REACH]
            if not size or tuple(word.text for word in head) != tokens[:-1] or len(behind) <= size:
                continue
            if behind[0].text in _JOINS and tokens[-1] in {word.text for word in behind[size + 1 :]}:
                start, end = head[0].start, head[-1].end
                yield Mention(start=start, end=end, text=text[start:end], named=(named,))
                return


def _match(
    text: str, words: Sequence[Word], at: int, tokens: tuple[str, ...], label: str, free: Collection[str]
) -> bool | None:
    """Return True for the label itself, False for a form of it, None for something else."""
    if at + len(tokens) > len(words):
        return None
    said = words[at : at + len(tokens)]
    exact = all(word.text == token for word, token in zip(said, tokens, strict=True))
    if not exact and not all(alike(word.text, token) for word, token in zip(said, tokens, strict=True)):
        return None
    if any(after.start - before.end > _GAP for before, after in pairwise(said)):
        return None
    inner = text[said[0].start : said[-1].end]
    if len(said) > 1 and any(mark in inner for mark in "\n|;"):
        return None
    plain = "".join(tokens)
    if len(plain) <= _CODE or (plain in shipped_lexicon().plain and plain not in free) or plain.isdigit():
        written = label.strip()
        outer = text[max(0, said[0].start - _INNER) : said[-1].end + _INNER]
        # A common word is a name where it is written as the data write it, or with a capital letter.
        named = written in outer or (len(plain) > _CODE and not plain.isdigit() and inner[0].isupper())
        return True if exact and named else None
    return exact


def _joined(named: Iterable[Named]) -> tuple[Named, ...]:
    """Join the values that one phrase names in one column."""
    wanted: dict[tuple[int, str], set[Value] | None] = {}
    inside = {(item.view, item.column) for item in named if not item.is_outside}
    for item in named:
        place = (item.view, item.column)
        if item.is_outside and place in inside:
            continue
        if item.wanted is None or isinstance(item.wanted, tuple):
            wanted.setdefault(place, None)
        else:
            known = wanted.setdefault(place, set())
            if known is not None:
                known.update(item.wanted)
    return tuple(
        Named(
            view=view,
            column=column,
            wanted=None if values is None else frozenset(values),
            is_outside=(view, column) not in inside,
        )
        for (view, column), values in wanted.items()
    )


def index_labels(text: str, words: Sequence[Word], views: Sequence[View]) -> Index:
    """Index the labels of all results that `text` may name."""
    index = Index()
    measured = {name for view in views for quality in view.qualities.values() for name in quality.concepts}
    for number, view in enumerate(views):
        kinds = {column.name: column.kind for column in view.columns}
        for column in view.keys:
            if kinds[column] is ColumnKind.TEXT:
                for value in _labels(text, words, view, column):
                    index.release(value, measured)
                    index.add(value, Named(view=number, column=column, wanted=frozenset({value})))
        for column, texts in view.query.equal_to.items():
            for value in texts:
                if not value.replace(".", "").isdigit():
                    index.add(value, Named(view=number, column=column, wanted=None))
    for value, named in outside_labels(text, words, views):
        index.release(value, measured)
        index.add(value, named)
    return index


def _labels(text: str, words: Sequence[Word], view: View, column: str) -> Iterable[str]:
    if view.held is not None:
        at = [item.name for item in view.columns].index(column)
        return {str(row[at]) for row in view.held if row[at] is not None}
    frame = view.block.result.frame
    return asked_labels(frame.engine, frame.query.subquery("frame"), column, text, words)
