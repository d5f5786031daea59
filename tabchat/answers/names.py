"""What of a model's text holds numerals and is no figure: a closed list, outside of which every numeral is one.

Those are names that somebody else wrote, letter for letter (of tables and columns, in the question, in what tools told);
quarters and halves of a year; units and statistics that are named with a raised digit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.languages.notation import CURRENCY, CURRENCY_CODES, scale_after
from tabchat.languages.written import has_numeral

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from tabchat.answers.prose import Span

_NAME: Final = re.compile(rf"(?<![\w{CURRENCY}])[^\W\d_]\w*(?:[-/&]\w+)*")
_JOINT: Final = re.compile(r"[-/&]")
_AMOUNT: Final = re.compile(rf"(?:{CURRENCY_CODES}|[xXхХ]|[ek])\d", re.IGNORECASE)
"""What begins like a figure, whoever wrote it."""
_CONTINUED: Final = re.compile(r"\w|[.,'’]\d|[ \u00a0\u202f]?[%‰‱]")
"""What stands after a name whose numerals are the beginning of a figure."""
_PERIOD: Final = re.compile(r"(?<![\w-])(?:Q[1-4]|H[12])(?!\w)")
_RAISED: Final = re.compile(r"(?<![^\W\d_])(?:[kcdmкдсм]?[mм]|ft|in|yd|mi|[Rrχη])[²³](?!\w)")


def named_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the names with numerals that stand in `texts`, and those that they are joined of, as they are compared."""
    names: set[str] = set()
    for match in (match for text in texts if has_numeral(text) for match in _NAME.finditer(text)):
        names.update(
            text.casefold()
            for text in (match.group(), *_JOINT.split(match.group()))
            if has_numeral(text) and text[0].isalpha() and not _AMOUNT.match(text)
        )
    return frozenset(names)


def header_spans(text: str, headers: Iterable[str]) -> Iterator[Span]:
    """Yield where names of tables and columns stand that hold numerals."""
    for header in filter(has_numeral, headers):
        for match in re.finditer(rf"(?<![\w{CURRENCY}]){re.escape(header)}", text):
            if _is_whole(text, match.end()):
                yield match.span()


def name_spans(text: str, known: Collection[str]) -> Iterator[Span]:
    """Yield where the numerals of `text` are no figures: in the names of `known`, in periods and in raised digits."""
    for match in _NAME.finditer(text):
        for end in _ends(match):
            if text[match.start() : end].casefold() in known and _is_whole(text, end):
                yield match.start(), end
                break
    for pattern in (_PERIOD, _RAISED):
        for match in pattern.finditer(text):
            if _is_whole(text, match.end()):
                yield match.span()


def _is_whole(text: str, end: int) -> bool:
    """Return whether a name ends at `end`, rather than being the beginning of a figure."""
    return _CONTINUED.match(text, end) is None and scale_after(text, end) is None


def _ends(match: re.Match[str]) -> Iterator[int]:
    """Yield where a joined name may end, the longest first: `B2B-channel`, `B2B`."""
    yield match.end()
    for joint in reversed(list(_JOINT.finditer(match.string, match.start(), match.end()))):
        yield joint.start()
