"""The one pass over the tokens that finds every figure and date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.claims.context import in_context
from tabchat.chat.claims.dates import read_date, read_time
from tabchat.chat.claims.found import Found, FoundNumber
from tabchat.chat.claims.identifiers import ends_name, identifier_end, name_end
from tabchat.chat.claims.numbering import numbering
from tabchat.chat.claims.numbers import read_number
from tabchat.chat.claims.vocabulary import vocabulary
from tabchat.chat.claims.worded import read_worded
from tabchat.chat.claims.worded_dates import read_date_with_day_first, read_date_with_word_first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.claims.tables import Tables
    from tabchat.chat.claims.tokens import Tokens


def read_all(tokens: Tokens, tables: Tables) -> Iterator[Found]:
    """Yield what the tokens assert, from left to right; each token is taken once."""
    decimal_comma = _writes_cyrillic(tokens)
    passed = numbering(tokens, tables)
    at = 0
    while at < len(tokens):
        item: Found | None = None
        last = at
        if tokens.kind(at) == "word":
            item = read_date_with_word_first(tokens, at) or read_worded(tokens, at)
        elif tokens.kind(at) == "digits" and at not in passed:
            item, last = _read_digits(tokens, at, decimal_comma=decimal_comma)
        if item and not _names_measure(tokens, item):
            yield in_context(tokens, item) if isinstance(item, FoundNumber) else item
        at = (item.last if item else last) + 1


def _read_digits(tokens: Tokens, at: int, *, decimal_comma: bool) -> tuple[Found | None, int]:
    """Return the claim that begins with the digits `at`, or the last token of what is no claim."""
    if ends_name(tokens, at):
        return None, name_end(tokens, at)
    date = read_date(tokens, at) or read_date_with_day_first(tokens, at)
    if date is not None:
        return date, date.last
    name = identifier_end(tokens, at)
    if name is not None:
        return None, name
    number = read_time(tokens, at) or read_number(tokens, at, decimal_comma=decimal_comma)
    return number, at if number else name_end(tokens, at)


def _names_measure(tokens: Tokens, item: Found) -> bool:
    """Tell whether the figure is a part of how a thing is called, not a finding.

    `2 decimal places` is about the writing of figures; `25th percentile` and `95% confidence` name a measure.
    """
    if not isinstance(item, FoundNumber):
        return False
    words, after = vocabulary(), tokens.next_word(item.last)
    return any(words[name].starting(tokens, after) for name in ("labels.measure", "labels.format"))


def _writes_cyrillic(tokens: Tokens) -> bool:
    """Tell whether most words are Ukrainian or Russian: they begin decimals with a comma."""
    words = [tokens.text(at) for at in range(len(tokens)) if tokens.kind(at) == "word"]
    return sum(word[0] > "\u0400" for word in words) * 2 > len(words)
