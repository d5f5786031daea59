"""The words by which a question goes on from the one before: how it begins, and what it says of its change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.tokens import Token

_OPENING: Final = ("start", "more", "only")
_ANYWHERE: Final = ("instead", "too", "share", "reverse", "those")


@record
class Heard:
    """A question without the words that tie it to the one before."""

    tokens: tuple[Token, ...]
    """The words that are left."""
    marks: frozenset[str] = frozenset()
    """Names of the phrases that were heard: `start`, `more`, `only`, `instead`, `too`, `share`, `reverse`, `those`,
    `rows`, and `ending` for an `only` at the end."""

    @property
    def begins(self) -> bool:
        """True when the question begins like a follow-up."""
        return bool(self.marks & {*_OPENING, "rows"})

    def has(self, *names: str) -> bool:
        """Tell whether one of these was heard."""
        return bool(self.marks & {*names})


def listen(tokens: Sequence[Token], lexicons: Sequence[Lexicon]) -> Heard:
    """Take the follow-up words out of a question."""
    words = [token.norm for token in tokens]
    marks: set[str] = set()
    place = 0
    while place < len(words):
        whole = _phrase(words, place, lexicons, ("rows",))
        if whole is not None and place + whole[0] == len(words):
            return Heard(tokens=(), marks=frozenset({*marks, "rows"}))
        found = _phrase(words, place, lexicons, _OPENING)
        if found is None and (not marks or words[place] != ","):
            break
        if found is not None:
            marks.add(found[1])
        place += found[0] if found is not None else 1
    rest: list[Token] = []
    while place < len(words):
        found = _phrase(words, place, lexicons, _ANYWHERE) or _closing(words, place, lexicons)
        if found is not None:
            marks.add(found[1])
            place += found[0]
        else:
            rest.append(tokens[place])
            place += 1
    return Heard(tokens=tuple(rest), marks=frozenset(marks))


def _closing(words: Sequence[str], place: int, lexicons: Sequence[Lexicon]) -> tuple[int, str] | None:
    """Return the `only` that a question ends with, which makes it no beginning of a follow-up."""
    found = _phrase(words, place, lexicons, ("only",))
    return (found[0], "ending") if found is not None and place + found[0] == len(words) else None


def _phrase(
    words: Sequence[str], start: int, lexicons: Sequence[Lexicon], names: Sequence[str]
) -> tuple[int, str] | None:
    """Return length and name of the longest phrase at a place."""
    found = [
        (len(phrase), name)
        for lexicon in lexicons
        for name in names
        for phrase in lexicon.follow_ups.get(name, ())
        if tuple(words[start : start + len(phrase)]) == phrase
    ]
    return max(found, default=None)
