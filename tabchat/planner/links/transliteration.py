"""Headers in Latin letters that spell Cyrillic words → these words: `ZAKUP_GRN`, of закупка, грн."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.sounds import heard_of, sound_of
from tabchat.planner.words.token import header_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.words import Languages, Lexicon

_LATIN: Final = "en"
"""The language whose words in Latin letters are its own."""
_SHORTEST: Final = 3
"""Letters of a word that is listened to."""
_TELLING: Final = 5
"""Letters of a word that shows in which language the headers are written."""
_CUT: Final = 4
"""Sounds that are left of a word which a header cuts short: `uvoln`, of увольнение."""


def spelled_words(facts: TableFacts, languages: Languages, lexicons: Sequence[Lexicon]) -> Mapping[str, str]:
    """Return Latin word → Cyrillic one of the lexicons, for the headers of a table most of which no English word explains."""
    cyrillic = [lexicon for lexicon in lexicons if lexicon.language != _LATIN]
    if not cyrillic or _LATIN not in languages.letters:
        return {}
    headers = [*(column.name for column in facts.columns if column.formula is None), *facts.row_nouns]
    words = {word for header in headers for word in header_words(header) if len(word) >= _SHORTEST}
    latin = sorted(word for word in words if word.isascii() and word.isalpha())
    if 2 * len(latin) <= len(words):
        return {}
    english = {word for word in latin if _is_english(word, languages)}
    if 2 * len(english) >= len(latin):
        return {}
    found = ((word, _spelled(word, cyrillic, exactly=word in english)) for word in latin)
    spelled = {word: said for word, said in found if said is not None}
    heard = [word for word in spelled if word not in english]
    # `POL` and `ETA` may be short for anything, and headers of a third language have a word or two in common with ours.
    telling = any(len(word) >= _TELLING for word in heard)
    return spelled if telling and 2 * len(heard) >= len(latin) - len(english) else {}


def _is_english(word: str, languages: Languages) -> bool:
    return languages.load(_LATIN).has_word(word) or languages.is_word(word, _LATIN) is True


def _spelled(word: str, lexicons: Sequence[Lexicon], *, exactly: bool) -> str | None:
    """Return the word that sounds so to its last letter, else another form of it, else one that begins so.

    `exactly` takes the first alone: `data` is an English word, and дата. Of several words that begin so their beginning is known.
    """
    sound, whole = sound_of(word), heard_of(word)
    known = [_sounds(lexicon) for lexicon in lexicons]
    alike = [one for sounds in known for one in sounds.get(sound or "", ())]
    same = [one for one in alike if heard_of(one) == whole]
    if same or exactly or alike:
        return next(iter(same if exactly else (*same, *alike)), None)
    if sound is None or len(sound) < _CUT:
        return None
    longer = [one for lexicon in lexicons for one in _beginning(lexicon, sound)]
    if longer and all(lexicons[0].alike(longer[0], one) for one in longer):
        return min(longer, key=len)
    beginnings = (one[:end] for one in sorted(longer) for end in range(_SHORTEST, len(one)))
    return next((one for one in beginnings if sound_of(one) == sound), None)


def _beginning(lexicon: Lexicon, sound: str) -> Iterator[str]:
    """Yield the words of a lexicon whose sounds begin so."""
    sounds = _sounds(lexicon)
    order = _order(lexicon)
    for place in range(bisect_left(order, sound), len(order)):
        if not order[place].startswith(sound):
            return
        yield from sounds[order[place]]


@lru_cache(maxsize=4)
def _order(lexicon: Lexicon) -> Sequence[str]:
    """Return the sounds of a lexicon, sorted."""
    return sorted(_sounds(lexicon))


@lru_cache(maxsize=4)
def _sounds(lexicon: Lexicon) -> Mapping[str, Sequence[str]]:
    """Return sound → the words of a lexicon that sound so, in the order of the alphabet."""
    found: dict[str, list[str]] = defaultdict(list)
    for word in sorted(lexicon.vocabulary):
        sound = sound_of(word) if len(word) >= _SHORTEST else None
        if sound:
            found[sound].append(word)
    return found
