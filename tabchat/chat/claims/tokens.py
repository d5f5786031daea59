"""A text cut into words, digit runs, gaps and marks, in one pass."""

from __future__ import annotations

import re
from typing import Final

from tabchat.record import record

HOLE: Final = "\ufffc"
"""Stands for each character that is not prose: code, links, placeholders."""

_TOKEN: Final = re.compile(
    r"(?P<word>[^\W\d_]++(?:['’ʼ][^\W\d_]++)*+)"
    r"|(?P<digits>[0-9]++)"
    r"|(?P<gap>[^\S\n]++)"
    r"|(?P<line>\n)"
    r"|(?P<markup>[*_]++)"
    rf"|(?P<hole>{HOLE}++)"
    r"|(?P<mark>.)",
    re.DOTALL,
)
_PASSABLE: Final = frozenset({"gap", "markup"})
_BEYOND: Final = 64
_NORMAL: Final = str.maketrans({"’": "'", "ʼ": "'", "ё": "е", "²": None, "³": None})
_PASSED: Final = 4
"""How many tokens that are not words may lie between two words of a phrase."""


@record
class Tokens:
    """The tokens of one text, as columns; they tile it without gaps.

    Behind the last token there are some empty ones of kind `line`, so that a look a few tokens
    past either end (an index of -1 is the last of them) finds the end of a line.
    """

    source: str
    count: int
    kinds: list[str]
    starts: list[int]
    words: list[str]
    """Words in a normal form (lower case, plain apostrophes, `е` for `ё`); other tokens as they are."""

    def __len__(self) -> int:
        """Count the tokens."""
        return self.count

    def kind(self, at: int) -> str:
        """Return the kind of the token."""
        return self.kinds[at]

    def text(self, at: int) -> str:
        """Return the token in its normal form."""
        return self.words[at]

    def start(self, at: int) -> int:
        """Return where the token begins."""
        return self.starts[at]

    def end(self, at: int) -> int:
        """Return where the token ends."""
        return self.starts[at + 1]

    def written(self, at: int) -> str:
        """Return the token as it is written."""
        return self.source[self.start(at) : self.end(at)]

    def glued(self, at: int) -> bool:
        """Tell whether the token is a letter, a digit, or hidden: part of a longer name."""
        return self.kind(at) in {"word", "digits", "hole"}

    def after(self, at: int, *, over: str = "") -> int:
        """Return the index of the next token that is no gap, no emphasis, and no mark in `over`."""
        return self._beyond(at, 1, over)

    def before(self, at: int, *, over: str = "") -> int:
        """Return the index of the last token before `at` that is no gap, no emphasis, no mark in `over`."""
        return self._beyond(at, -1, over)

    def _beyond(self, at: int, step: int, over: str) -> int:
        for _ in range(_PASSED):
            at += step
            kind = self.kinds[at]
            if kind not in _PASSABLE and not (kind == "mark" and self.words[at] in over):
                break
        return at

    def next_word(self, at: int) -> int | None:
        """Return the word that follows with nothing but space between."""
        found = self.after(at)
        return found if self.kind(found) == "word" else None

    def last_word(self, at: int) -> int | None:
        """Return the word that stands before with nothing but space between."""
        found = self.before(at)
        return found if self.kind(found) == "word" else None

    def linked(self, at: int) -> int | None:
        """Return the next word of a phrase: after space, a hyphen, or the dot of an abbreviation."""
        found = self.after(at, over=".-")
        return found if self.kind(found) == "word" else None

    def linked_back(self, at: int) -> int | None:
        """Return the word before in a phrase: before space, a hyphen, or the dot of an abbreviation."""
        found = self.before(at, over=".-")
        return found if self.kind(found) == "word" else None


def tokenize(text: str) -> Tokens:
    """Cut `text` into tokens."""
    kinds: list[str] = []
    starts: list[int] = []
    words: list[str] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        kinds.append(kind)
        starts.append(match.start())
        words.append(_normal(match.group()) if kind == "word" else match.group())
    return Tokens(
        source=text,
        count=len(kinds),
        kinds=[*kinds, *("line",) * _BEYOND],
        starts=[*starts, *(len(text),) * _BEYOND],
        words=[*words, *("\n",) * _BEYOND],
    )


def _normal(word: str) -> str:
    return word.casefold().translate(_NORMAL) or word
