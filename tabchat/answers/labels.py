"""Where a text names rows of results by their labels, and columns by their names.

Words of Cyrillic labels may end differently (`Європа`, `в Європі`); other words must be the same. Dates may be written in
words.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from tabchat.answers.languages import ENGLISH, LANGUAGES
from tabchat.answers.written import read_dates
from tabchat.engine.lookup import fold, label_text
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tabchat.answers.results import NumberedResult
    from tabchat.answers.written import WrittenDate
    from tabchat.engine.types import Value

_WORD: Final = re.compile(r"[^\W_]+")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]+")
_GAP: Final = 3
"""Characters that may stand between two words of one label."""
_SHORT: Final = 3
"""Labels up to this length are common words as well, unless they are written with the same capitals."""
_STEM: Final = 3
_ENDING: Final = 2
_LONGER: Final = 3
_ISO: Final = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")


@record
class Mention:
    """A place in a text where a label of a key column stands."""

    start: int
    end: int
    number: int
    """Number of the result."""
    column: str
    label: str
    """The label, as labels are compared."""
    is_number: bool = False
    """Whether it is nothing but digits, and may be a quantity instead."""


def find_mentions(text: str, results: Iterable[NumberedResult]) -> list[Mention]:
    """Return the labels of all results that stand in `text`; of overlapping ones the longest, for each column."""
    words = [(match.start(), match.end(), match.group()) for match in _WORD.finditer(text)]
    dates = list(read_dates(text))
    found: list[Mention] = []
    for result in results:
        for column in result.naming:
            labels = result.labels(column, text)
            own = [
                Mention(
                    start=start,
                    end=end,
                    number=result.number,
                    column=column,
                    label=label,
                    is_number=label.isdigit(),
                )
                for start, end, label in (*_in_words(text, words, labels), *_in_dates(dates, labels))
            ]
            found += _longest(own)
    return found


def named_columns(text: str, results: Iterable[NumberedResult]) -> set[str]:
    """Return the columns of `results` a word of whose name stands in `text`."""
    words = {fold(word) for word in _WORD.findall(text)}
    return {
        column
        for result in results
        for column in result.columns
        if any(
            _same_word(part, word)
            for part in map(fold, _WORD.findall(column))
            if len(part) >= _SHORT
            for word in words
        )
    }


def _in_words(
    text: str, words: Sequence[tuple[int, int, str]], labels: Mapping[str, Value]
) -> Iterator[tuple[int, int, str]]:
    """Yield where the labels stand, word by word."""
    by_start: defaultdict[str, list[tuple[str, list[str], str]]] = defaultdict(list)
    short = _short_dates(labels)
    for label, value in labels.items():
        for spelling in (label_text(value), *_other_names(label), *short.get(label, ())):
            parts = _WORD.findall(spelling)
            if parts:
                by_start[fold(parts[0])[:2]].append((label, parts, spelling))
    for place, (start, _, word) in enumerate(words):
        for label, parts, spelling in by_start.get(fold(word)[:2], ()):
            end = _match(text, words, place, parts)
            if end is not None and (len(spelling) > _SHORT or text[start:end] == spelling):
                yield start, end, label


def _match(text: str, words: Sequence[tuple[int, int, str]], place: int, parts: Sequence[str]) -> int | None:
    """Return where a label ends that begins at word number `place`, nothing when it does not stand there."""
    taken = words[place : place + len(parts)]
    if len(taken) < len(parts):
        return None
    for (_, end, _), (start, _, _) in itertools.pairwise(taken):
        if start - end > _GAP or "\n" in text[end:start]:
            return None
    if not all(_same_word(fold(part), fold(word)) for part, (_, _, word) in zip(parts, taken, strict=True)):
        return None
    start, end = taken[0][0], taken[-1][1]
    if (
        parts[0].isdigit()
        and re.search(r"[\d][.,]\Z|[-−]\Z", text[max(0, start - 2) : start])
        and not text[start - 1 : start].isspace()
    ):
        return None if len(parts) == 1 else end
    if parts[-1].isdigit() and re.match(r"[.,]\d|%|[^\W\d_]", text[end : end + 2]):
        return None
    return end


def _same_word(label: str, word: str) -> bool:
    """Return whether `word` is the label's word, or another form of it; both are folded."""
    if label == word:
        return True
    if not (_CYRILLIC.fullmatch(label) and _CYRILLIC.fullmatch(word)) or label[:2] != word[:2]:
        return False
    common = next(
        (place for place, pair in enumerate(zip(label, word, strict=False)) if pair[0] != pair[1]),
        min(len(label), len(word)),
    )
    return common >= max(_STEM, len(label) - _ENDING) and len(word) - common <= _LONGER


def _other_names(label: str) -> Iterator[str]:
    """Yield the full names of a weekday or month that a label abbreviates, in every language."""
    for names in ("days", "months"):
        short = [name[:3].casefold() for name in getattr(ENGLISH, names)]
        full = [name.casefold() for name in getattr(ENGLISH, names)]
        place = short.index(label) if label in short else full.index(label) if label in full else None
        if place is not None:
            yield from (getattr(language, names)[place] for language in LANGUAGES)
            yield f"{getattr(ENGLISH, names)[place]}s"


def _short_dates(labels: Mapping[str, Value]) -> dict[str, list[str]]:
    """Return the year, or the name of the month, of labels that are dates and the only ones with it."""
    days = {label: day for label, value in labels.items() if (day := _day(value)) is not None}
    if len(days) < len(labels):
        return {}
    years = Counter(year for year, _, _ in days.values())
    months = Counter(month for _, month, _ in days.values())
    found: defaultdict[str, list[str]] = defaultdict(list)
    for label, (year, month, _) in days.items():
        if years[year] == 1:
            found[label].append(str(year))
        elif len(years) == 1 and months[month] == 1:
            names = (names for language in LANGUAGES for names in (language.months, language.months_of))
            found[label] += dict.fromkeys(each[month - 1] for each in names)
    return found


def _in_dates(dates: Sequence[WrittenDate], labels: Mapping[str, Value]) -> Iterator[tuple[int, int, str]]:
    """Yield where a date in words is one of the labels, and no other of them."""
    days = {label: day for label, value in labels.items() if (day := _day(value)) is not None}
    for date in dates:
        fitting = [label for label, day in days.items() if date.fits(*day)]
        if len(fitting) == 1:
            yield date.start, date.end, fitting[0]


def _day(value: Value) -> tuple[int, int, int] | None:
    if isinstance(value, dt.date):
        return value.year, value.month, value.day
    match = _ISO.fullmatch(value) if isinstance(value, str) else None
    return (int(match[1]), int(match[2]), int(match[3] or 1)) if match else None


def _longest(mentions: Sequence[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda one: (one.start - one.end, one.start)):
        clash = [other for other in kept if mention.start < other.end and other.start < mention.end]
        if not clash:
            kept.append(mention)
    return sorted(kept, key=lambda one: one.start)
