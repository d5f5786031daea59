"""Periods that a result says nothing of: its rows were held to other days."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.lexicon import shipped_lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import WrittenClaim
    from tabchat.chat.validator.periods import Period
    from tabchat.chat.validator.views import View
    from tabchat.chat.validator.words import Word

_CALENDAR: Final = frozenset({"year", "quarter", "month", "week", "weekday", "day", "hour"})
_SHORTER: Final = frozenset({"quarter", "month", "week", "weekday", "day", "hour"})
_BEFORE: Final = 14
_OPENS: Final = re.compile(r"(?:\b(?:from|since|between|starting|з|зі|із|від|між|с|со|от|между)|\()\s*$")
_CLOSES: Final = re.compile(r"(?:\b(?:to|until|till|through|and|thru|до|по|та|і|й|и)|[-–—])\s*$")


def says_other_period(
    text: str, words: Sequence[Word], view: View, claim: WrittenClaim, readings: Sequence[Period]
) -> bool:
    """Tell whether a date names other days than those that the rows of a result were held to.

    A part of those days is another period, too, where the result does not tell dates
    apart; so is a longer one, unless the sentence narrows it down. Ends of a range are none.
    """
    held = view.query.held_period
    if held is None:
        return False
    if all(span[1] < held[0] or held[1] < span[0] for span in readings):
        return True
    if _is_dated(view) or held[1].year == dt.MAXYEAR or held[0].year == dt.MINYEAR:
        return False
    before = text[max(0, claim.start - _BEFORE) : claim.start].casefold()
    return not any(
        span == held
        or (span[0] == held[0] and _OPENS.search(before))
        or (span[1] == held[1] and _CLOSES.search(before))
        or (span[0] <= held[0] and held[1] <= span[1] and _is_narrowed(words, claim, span, held))
        for span in readings
    )


def _is_narrowed(words: Sequence[Word], claim: WrittenClaim, span: Period, held: Period) -> bool:
    """Tell whether the sentence says which part of a longer period it means; most of it needs no word."""
    if 2 * (held[1] - held[0]) > span[1] - span[0]:
        return True
    lexicon = shipped_lexicon()
    low, high = claim.sentence
    for at, word in enumerate(words):
        if low <= word.start < high and not claim.start <= word.start < claim.end:
            labels = {item.name.partition(".")[0] for item in lexicon.labels.find(words, at)}
            nouns = {item.name for item in lexicon.nouns.find(words, at)}
            if labels & {"month", "quarter", "weekday"} or nouns & _SHORTER:
                return True
    return False


def _is_dated(view: View) -> bool:
    """Tell whether the rows of a result are of different days, months or years."""
    kinds = {column.name: column.kind for column in view.columns}
    return any(
        kinds[key].is_temporal
        or kinds[key].is_numeric
        or any(char.isdigit() for value in view.labels(key) for char in str(value))
        or (key in view.qualities and view.qualities[key].concepts & _CALENDAR)
        for key in view.keys
    )
