"""The words of edit requests, read from data files: one TOML file for each language."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.tokens import TokenKind, fold, tokenize
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.tokens import Token

Phrase = tuple[str, ...]
"""Folded words; one that ends in `*` stands for any word that begins so."""

_SIGNS: Final = {"COMMA": ",", "COLON": ":"}
"""How a list writes the signs that a list cannot hold."""
_LETTERS: Final = 2
"""Letters by which the stems are looked up; no stem is shorter."""


@record
class Words:
    """One language."""

    language: str
    classes: Mapping[str, tuple[tuple[Phrase, str], ...]]
    """First word, or its first letters with a `*` → (phrase, class) pairs."""
    needs: Mapping[str, tuple[str, ...]]
    """Verb → classes of which one must come behind it, else it begins a question."""
    nouns: frozenset[str]
    """Words that make a noun of the verb before them."""
    opener: str
    """The word that opens a condition."""
    pictures: frozenset[str]
    """Words that ask for a picture."""
    undo: Mapping[str, frozenset[Phrase]]
    """`undo` and `redo` → the whole requests that ask for it."""
    readings: Mapping[str, str]
    """Templates of what an edit is read as."""
    verbs: frozenset[str]
    """Classes of verbs."""
    verb_words: frozenset[str]
    """The verbs of one word."""
    vocabulary: frozenset[str]
    """Every plain word, for typing errors."""

    def found(self, tokens: Sequence[Token], start: int) -> Iterator[tuple[str, int]]:
        """Yield (class, end) of every phrase that begins at token `start`."""
        token = tokens[start]
        if token.kind is TokenKind.QUOTED:
            return
        first = token.norm
        for key in (first, f"{first[:_LETTERS]}*"):
            for phrase, name in self.classes.get(key, ()):
                end = start + len(phrase)
                if end <= len(tokens) and all(map(_is_word, tokens[start:end], phrase)):
                    yield name, end


def _is_word(token: Token, word: str) -> bool:
    if token.kind is TokenKind.QUOTED:
        return False
    said = token.text.casefold() if token.kind is TokenKind.NUMBER else token.norm
    return said.startswith(word[:-1]) if word.endswith("*") and len(word) > 1 else said == word


@lru_cache(maxsize=8)
def edit_words(language: str) -> Words | None:
    """Return the words of a language; None when it has no file."""
    path = Path(__file__).parent / "words" / f"{language}.toml"
    return parse_words(path.read_text(encoding="utf-8")) if path.is_file() else None


def parse_words(text: str) -> Words:
    """Build the words of a language from the text of a data file."""
    data = tomllib.loads(text)
    classes: dict[str, list[tuple[Phrase, str]]] = {}
    listed = {**data["verbs"], **data["classes"], **{f"polite.{k}": v for k, v in data["polite"].items()}}
    vocabulary: set[str] = set()
    for name, phrases in listed.items():
        for phrase in _phrases(phrases):
            first = phrase[0]
            key = f"{first[:_LETTERS]}*" if first.endswith("*") and len(first) > 1 else first
            classes.setdefault(key, []).append((phrase, name))
            vocabulary |= {word for word in phrase if word.isalpha()}
    return Words(
        language=data["language"],
        classes={key: tuple(pairs) for key, pairs in classes.items()},
        needs={
            " ".join(phrase): tuple(v.split()) for k, v in data["needs"].items() for phrase in _phrases(k)
        },
        nouns=frozenset(word for phrase in _phrases(data["nouns"]["after"]) for word in phrase),
        opener=next(_phrases(data["classes"]["where"]))[0],
        pictures=frozenset(word for phrase in _phrases(data["nouns"]["pictures"]) for word in phrase),
        undo={name: frozenset(_phrases(phrases)) for name, phrases in data["undo"].items()},
        readings=data["readings"],
        verbs=frozenset(data["verbs"]),
        verb_words=frozenset(
            phrase[0] for listed in data["verbs"].values() for phrase in _phrases(listed) if len(phrase) == 1
        ),
        vocabulary=frozenset(vocabulary),
    )


def _phrases(listed: str) -> Iterator[Phrase]:
    for part in listed.split(", "):
        words = tuple(word for piece in part.split() for word in _split(piece))
        if words:
            yield words


def _split(piece: str) -> tuple[str, ...]:
    """Split one word as a question's words are split, but for the mark of a stem."""
    if piece in _SIGNS:
        return (_SIGNS[piece],)
    # Most are plain words, and every question waits for all of them.
    if piece.isalpha() or (piece.endswith("*") and len(piece) > 1):
        return (fold(piece),)
    return tuple(token.norm for token in tokenize(piece)) or (fold(piece),)
