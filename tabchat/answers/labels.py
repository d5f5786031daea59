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

from tabchat.engine.result.labels import fold
from tabchat.languages.notation import ENGLISH, LANGUAGES
from tabchat.languages.written import read_dates
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tabchat.answers.results import NumberedResult
    from tabchat.engine.types import Value

_WORD: Final = re.compile(r"[^\W_]+")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]+")
_GAP: Final = 3
"""Characters that may stand between two words of one label."""
_SHORT: Final = 3
"""Labels up to this length are common words as well, unless they are written with the same capitals."""
_STEM, _ENDING, _LONGER = 3, 2, 3
"""Letters that forms of a Cyrillic word share at least, that the label may lose, and that the text may add."""
_INSIDE_NUMBER: Final = (re.compile(r"\d[.,]\Z|\S[-−]\Z"), re.compile(r"[.,]\d|%|[^\W\d_]"))
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

    @property
    def is_number(self) -> bool:
        """Whether what stands there is nothing but digits, and may be a quantity instead."""
        return self.label.isdigit() and self.end - self.start == len(self.label)


def find_mentions(text: str, results: Iterable[NumberedResult]) -> list[Mention]:
    """Return the labels of all results that stand in `text`; of overlapping ones the longest, for each column."""
    words = list(_WORD.finditer(text))
    dates = list(read_dates(text))
    found: list[Mention] = []
    for result, column in [(each, name) for each in results for name in each.naming]:
        labels = result.labels(column, text)
        days = {label: day for label, value in labels.items() if (day := _day(value)) is not None}
        called = {label: result.called(column, value) for label, value in labels.items()}
        places = [*_in_words(text, words, called, days)]
        for date in dates:
            fitting = [label for label, day in days.items() if date.fits(*day)]
            places += [(date.start, date.end, label) for label in fitting if len(fitting) == 1]
        end = -1
        for start, stop, label in sorted(places, key=lambda place: (place[0], -place[1])):
            if start >= end:
                found.append(Mention(start=start, end=stop, number=result.number, column=column, label=label))
                end = stop
    return found


def named_columns(text: str, results: Iterable[NumberedResult]) -> set[str]:
    """Return the columns of `results` a word of whose name stands in `text`."""
    words = {fold(word) for word in _WORD.findall(text)}
    names = {column for result in results for column in result.columns} if words else set()
    return {name for name in names if any(_is_said(part, words) for part in _WORD.findall(name))}


def _is_said(part: str, words: Iterable[str]) -> bool:
    return len(part) >= _STEM and any(_same_word(fold(part), word) for word in words)


def _in_words(
    text: str,
    words: Sequence[re.Match[str]],
    called: Mapping[str, str],
    days: Mapping[str, tuple[int, int, int]],
) -> Iterator[tuple[int, int, str]]:
    """Yield where the labels stand, or what their rows are called, word by word."""
    by_start: defaultdict[str, list[tuple[str, list[str], str]]] = defaultdict(list)
    numbers = ((label, label) for label, name in called.items() if fold(name) != label)
    for label, spelling in (*called.items(), *numbers, *_names(called, days)):
        if parts := _WORD.findall(spelling):
            by_start[fold(parts[0])[:2]].append((label, [fold(part) for part in parts], spelling))
    for place, first in enumerate(words):
        for label, parts, spelling in by_start.get(fold(first.group())[:2], ()):
            taken = words[place : place + len(parts)]
            start, end = first.start(), taken[-1].end()
            if not _stands(text, taken, parts) or (len(spelling) <= _SHORT and text[start:end] != spelling):
                continue
            if not (
                parts[0].isdigit() and _INSIDE_NUMBER[0].search(text[max(start - 2, 0) : start])
            ) and not (parts[-1].isdigit() and _INSIDE_NUMBER[1].match(text[end : end + 2])):
                yield start, end, label


def _stands(text: str, words: Sequence[re.Match[str]], parts: Sequence[str]) -> bool:
    """Return whether `words`, which follow each other, are the words of a label."""
    gaps = [text[low.end() : high.start()] for low, high in itertools.pairwise(words)]
    return (
        len(words) == len(parts)
        and all(len(gap) <= _GAP and "\n" not in gap for gap in gaps)
        and all(_same_word(part, fold(word.group())) for part, word in zip(parts, words, strict=True))
    )


def _same_word(label: str, word: str) -> bool:
    """Return whether `word` is the label's word, or another form of it; both are folded."""
    if label == word:
        return True
    if not (_CYRILLIC.fullmatch(label) and _CYRILLIC.fullmatch(word)):
        return False
    common = sum(
        1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(label, word, strict=False))
    )
    return common >= max(_STEM, len(label) - _ENDING) and len(word) - common <= _LONGER


def _names(called: Mapping[str, str], days: Mapping[str, tuple[int, int, int]]) -> Iterator[tuple[str, str]]:
    """Yield other names of labels: of weekdays and months in every language, and the year or month of a date.

    A date is called by its year, or by its month, only where it is the one with it.
    """
    for label, own in called.items():
        for names in ("days", "months", "months_of"):
            english = [name.casefold() for name in getattr(ENGLISH, names)]
            place = next((at for at, name in enumerate(english) if fold(own) in {name, name[:3]}), None)
            if place is not None:
                yield label, f"{english[place]}s"
                yield from ((label, getattr(language, names)[place]) for language in LANGUAGES)
    years = Counter(year for year, _, _ in days.values())
    months = Counter(month for _, month, _ in days.values())
    for label, (year, month, _) in days.items() if len(days) == len(called) else ():
        if years[year] == 1:
            yield label, str(year)
        elif len(years) == 1 and months[month] == 1:
            for language in LANGUAGES:
                yield from ((label, names[month - 1]) for names in (language.months, language.months_of))


def _day(value: Value) -> tuple[int, int, int] | None:
    if isinstance(value, dt.date):
        return value.year, value.month, value.day
    match = _ISO.fullmatch(value) if isinstance(value, str) else None
    return (int(match[1]), int(match[2]), int(match[3] or 1)) if match else None
