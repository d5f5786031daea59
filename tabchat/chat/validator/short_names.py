"""Other words for the names of groups: initials, parts of long names, and the same name in another alphabet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.mentions import Mention, Named
from tabchat.chat.validator.words import alike, fold, words_of
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.validator.views import View
    from tabchat.chat.validator.words import Word

_MOST: Final = 200
"""Labels of a column that are told apart by parts of their names."""
_PART: Final = 4
_LONG: Final = 5
_ENDING: Final = 3
_LETTERS: Final = {
    **dict(zip("абвгґдезийклмнопрстуфыіэєї", "abvggdeziyklmnoprstufyieei", strict=True)),
    "ж": "zh",
    "х": "kh",
    "ц": "ts",
    "ч": "ch",
    "ш": "sh",
    "щ": "shch",
    "ю": "yu",
    "я": "ya",
    "ь": "",
    "ъ": "",
}
"""Cyrillic to Latin letters, as passports write them."""


def short_mentions(
    text: str, words: Sequence[Word], views: Sequence[View], taken: Sequence[Mention]
) -> Iterator[Mention]:
    """Yield each word that is no full name but can only mean some labels of a small frame."""
    covered = {word.start for item in taken for word in words if item.start <= word.start < item.end}
    for at, word in enumerate(words):
        if word.start in covered:
            continue
        named = tuple(
            Named(view=number, column=column, wanted=frozenset(labels))
            for number, view in enumerate(views)
            for column, labels in _meant(text, words, at, view)
        )
        if named:
            yield Mention(start=word.start, end=word.end, text=text[word.start : word.end], named=named)


def _meant(text: str, words: Sequence[Word], at: int, view: View) -> Iterator[tuple[str, set[str]]]:
    """Yield (column, labels) that a word stands for."""
    kinds = {column.name: column.kind for column in view.columns}
    for column in view.keys:
        if kinds[column] is not ColumnKind.TEXT or view.held is None or view.is_turned:
            continue
        labels = [label for label in view.labels(column) if isinstance(label, str)]
        if len(labels) <= _MOST:
            found = _by_initials(text, words[at], labels) or _by_other_alphabet(words, at, labels)
            found = found or _by_part(words[at], labels)
            if found and len(found) < len(labels):
                yield column, found


def _by_initials(text: str, word: Word, labels: Sequence[str]) -> set[str]:
    written = text[word.start : word.end]
    if not written.isupper() or not written.isalpha() or len(written) == 1:
        return set()
    return {label for label in labels if "".join(part[:1] for part in label.split()) == written}


def _by_part(word: Word, labels: Sequence[str]) -> set[str]:
    """Return the labels of several words that one word can only mean."""
    if len(word.text) < _PART or not word.text.isalpha() or _is_common(word.text):
        return set()
    parts: Mapping[str, list[str]] = {label: [part.text for part in words_of(label)] for label in labels}
    return {
        label
        for label, tokens in parts.items()
        if len(tokens) > 1 and any(alike(word.text, token) for token in tokens if len(token) >= _PART)
    }


def _is_common(word: str) -> bool:
    lexicon = shipped_lexicon()
    said = words_of(word)
    phrases = (lexicon.nouns, lexicon.roles, lexicon.cues, lexicon.separators, lexicon.labels)
    return word in lexicon.plain or any(each.find(said, 0) for each in phrases)


def _by_other_alphabet(words: Sequence[Word], at: int, labels: Sequence[str]) -> set[str]:
    """Return the labels in Latin letters that a Cyrillic word spells, or whose common noun it is."""
    word = words[at].text
    if word.isascii() or not word.isalpha():
        return set()
    nouns = shipped_lexicon().nouns
    concepts = {item.name for item in nouns.find(words, at)}
    found = set()
    for label in labels:
        if not label.isascii():
            continue
        if concepts & nouns.names(label) or _spells(word, fold(label)):
            found.add(label)
    return found


def _spells(word: str, label: str) -> bool:
    """Tell whether the stem of a Cyrillic word is a label in Latin letters, or nearly all of it."""
    spelled = "".join(_LETTERS.get(letter, letter) for letter in word)
    shared = next(
        (size for size, (one, other) in enumerate(zip(spelled, label, strict=False)) if one != other), None
    )
    size = min(len(spelled), len(label)) if shared is None else shared
    return size >= _LONG and size >= len(label) - 1 and len(spelled) - size <= _ENDING
