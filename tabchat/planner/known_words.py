"""Which words exist, as a Bloom filter for each language: a real word is never taken for a typing error.

A filter is built once from simplemma's word list, whose own look-up costs a third of a second to load:

    python -m tabchat.planner.known_words en > tabchat/planner/lexicons/en.words
"""

from __future__ import annotations

import sys
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.inflection import MIN_STEM
from tabchat.planner.lexicon import shipped_languages
from tabchat.planner.tokens import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BITS_PER_WORD: Final = 8
HASHES: Final = 5
LENGTHS: Final = range(3, 14)
"""Lengths of the stems that are kept."""


def is_known(word: str, language: str) -> bool | None:
    """Tell whether `word`, without its ending, is in the language's list; None when there is no list."""
    bits = _filter(language)
    if bits is None or len(word) not in LENGTHS:
        return None
    return all(bits[place // 8] >> place % 8 & 1 for place in _places(word, len(bits) * 8))


def build_filter(words: Iterable[str]) -> bytes:
    """Return the filter that knows `words`; about one other word in fifty seems known, too."""
    kept = sorted({word for word in words if len(word) in LENGTHS})
    bits = bytearray(max(8, len(kept) * BITS_PER_WORD // 8))
    for word in kept:
        for place in _places(word, len(bits) * 8):
            bits[place // 8] |= 1 << place % 8
    return bytes(bits)


def _places(word: str, size: int) -> Iterator[int]:
    digest = blake2b(word.encode(), digest_size=16).digest()
    first, second = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:], "big") | 1
    return ((first + turn * second) % size for turn in range(HASHES))


@lru_cache(maxsize=4)
def _filter(language: str) -> bytes | None:
    path = Path(__file__).parent / "lexicons" / f"{language}.words"
    return path.read_bytes() if path.is_file() else None


def dictionary_words(language: str) -> Iterator[str]:
    """Yield the plain lower-case words of simplemma's list, without their endings."""
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    inflection = shipped_languages().load(language).inflection
    for entry in DefaultDictionaryFactory().get_dictionary(language):
        word = str(entry)
        if word.isalpha() and word.islower() and len(word) > MIN_STEM:
            yield inflection.base(fold(word))


if __name__ == "__main__":
    sys.stdout.buffer.write(build_filter(dictionary_words(sys.argv[1])))
