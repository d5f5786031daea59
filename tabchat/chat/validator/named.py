"""Everything that a text names of the results: labels, dates, and other words for labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.claims import extract_claims
from tabchat.chat.validator.calendar_labels import calendar_mentions
from tabchat.chat.validator.glosses import gloss_mentions
from tabchat.chat.validator.labels import index_labels
from tabchat.chat.validator.merging import merged
from tabchat.chat.validator.short_names import short_mentions
from tabchat.chat.validator.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import WrittenClaim
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.views import View


def find_mentions(
    text: str, views: Sequence[View], claims: Sequence[WrittenClaim], *, is_lenient: bool
) -> list[Mention]:
    """Return the names in `text`; parts of names and other alphabets count only where the check `is_lenient`."""
    words = words_of(text)
    labels = list(index_labels(text, words, views).find(text, words))
    dates = list(calendar_mentions(text, words, views, claims))
    if is_lenient:
        labels += short_mentions(text, words, views, [*labels, *dates])
    labels += gloss_mentions(text, words, labels)
    return merged((*labels, *dates))


def find_periods(question: str, views: Sequence[View]) -> Iterator[Mention]:
    """Yield the periods that a question names; their places are places in the question."""
    found = calendar_mentions(question, words_of(question), views, extract_claims(question))
    return (item for item in found if item.is_date)
