"""Names that a text itself explains: after `США (United States)`, `США` means the same group."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.words import alike, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.words import Word

_GLOSS: Final = re.compile(r"(?P<name>[^\W\d_][\w'’ʼ-]*)[*_`\"»”]*\s+\([*_`\"«“]*$")
_BEFORE: Final = 40


def gloss_mentions(text: str, words: Sequence[Word], taken: Sequence[Mention]) -> Iterator[Mention]:
    """Yield each word that a group in brackets right behind it has explained, wherever it stands alone."""
    covered = {item.start for item in taken}
    known: dict[str, Mention] = {}
    for item in taken:
        found = _at(text, item)
        closed = text[item.end : item.end + 4].lstrip('*_`"»”').startswith(")")
        if found is not None and closed and found.group("name")[0].isupper():
            known.setdefault(fold(found.group("name")), item)
    explained = {found.start("name") for item in taken if (found := _at(text, item)) is not None}
    for word in words if known else ():
        meant = next((item for name, item in known.items() if alike(word.text, name)), None)
        if meant is not None and word.start not in covered | explained:
            yield replace(meant, start=word.start, end=word.end, text=text[word.start : word.end])


def _at(text: str, item: Mention) -> re.Match[str] | None:
    return _GLOSS.search(text, max(0, item.start - _BEFORE), item.start)
