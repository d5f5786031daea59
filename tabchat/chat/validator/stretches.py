"""Several periods under one name: `the last three months`, `the first two years`."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.sizes import sizes_in
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.mentions import Mention, Named
from tabchat.chat.validator.timelines import in_time, time_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.views import View
    from tabchat.chat.validator.words import Word
    from tabchat.engine.types import Value

_FORMS: Final = {
    "year": re.compile(r"(?:19|20)\d\d"),
    "quarter": re.compile(r"\d{4}-Q[1-4]"),
    "month": re.compile(r"\d{4}-\d{2}"),
}
_YEAR: Final = re.compile(r"[\s*_]*(?:of|in|у|в)?\s*(?P<year>(?:19|20)\d\d)\b")
_BEFORE: Final = 12
_DASH: Final = re.compile(r"\s*[-–—]\s*")
_TO: Final = re.compile(r"\s*(?:року|год[ау]?)?\s*(?:to|through|until|till|and|по|до|та|і|й|и)\s+")
_FROM: Final = re.compile(r"\b(?:from|between|since|з|із|зі|від|між|с|со|от|между)\s+[*_]*$")
_ENDS: Final = frozenset({"first", "last"})
_PAST: Final = frozenset({"past"})


def stretch_mentions(text: str, words: Sequence[Word], views: Sequence[View]) -> Iterator[Mention]:
    """Yield each `last three months` that names the last rows of a result by months."""
    lines = [(number, view, key) for number, view in enumerate(views) if (key := time_key(view)) is not None]
    for at in range(len(words) - 2 if lines else 0):
        side = _side(words, at)
        size = _size(text, words[at + 1]) if side else None
        if side is None or size is None:
            continue
        nouns = {item.name for item in shipped_lexicon().nouns.find(words, at + 2)}
        start, end = words[at].start, words[at + 2].end
        year = _YEAR.match(text, end)
        named = tuple(
            Named(view=number, column=key, wanted=frozenset(labels))
            for number, view, key in lines
            if (labels := _labels(view, key, nouns, year.group("year") if year else "", side=side, size=size))
        )
        if named:
            yield Mention(start=start, end=end, text=text[start:end], named=named, is_date=True)


def _side(words: Sequence[Word], at: int) -> str | None:
    if words[at].text in _PAST:
        return "last"
    found = shipped_lexicon().roles.find(words, at)
    return next((item.name for item in found if item.name in _ENDS and item.length == 1), None)


def _size(text: str, word: Word) -> int | None:
    if word.text.isdigit():
        return int(word.text)
    return next((number for _, number in sizes_in(text, (word.start, word.end))), None)


def _labels(view: View, key: str, nouns: set[str], year: str, *, side: str, size: int) -> list[Value]:
    """Return the labels of the stretch; none where the rows are of other periods, or fewer."""
    rows = in_time(view.whole(), key)
    labels = [row[key] for row in rows if str(row[key]).startswith(year)]
    unit = next(
        (name for name, form in _FORMS.items() if all(form.fullmatch(str(item)) for item in labels)), ""
    )
    if unit not in nouns or not 1 < size < len(labels):
        return []
    return labels[-size:] if side == "last" else labels[:size]


def range_mentions(text: str, views: Sequence[View], dates: Sequence[Mention]) -> Iterator[Mention]:
    """Yield each `from 2012 to 2024` with all the periods from one end to the other."""
    for one, other in pairwise(sorted(dates, key=lambda item: item.start)):
        between = text[one.end : other.start].casefold()
        before = text[max(0, one.start - _BEFORE) : one.start].casefold()
        joined = _DASH.fullmatch(between) or (_TO.fullmatch(between) and _FROM.search(before))
        if joined is None:
            continue
        named = tuple(
            Named(view=number, column=key, wanted=frozenset(labels))
            for number, view in enumerate(views)
            if (key := time_key(view)) is not None and (labels := _between(view, number, key, (one, other)))
        )
        if named:
            yield Mention(
                start=one.start, end=other.end, text=text[one.start : other.end], named=named, is_date=True
            )


def _between(view: View, number: int, key: str, ends: tuple[Mention, Mention]) -> list[Value]:
    labels = sorted(view.labels(key), key=str)
    found = [
        labels.index(value)
        for mention in ends
        for item in mention.named
        if (item.view, item.column) == (number, key) and isinstance(item.wanted, frozenset)
        for value in item.wanted
    ]
    return labels[min(found) : max(found) + 1] if len(found) > 1 else []
