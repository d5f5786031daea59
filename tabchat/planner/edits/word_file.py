"""What the words of requests are made of: the lists of the data file of a language in normal form, by their first words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.words.lexicon_file import listed_phrases, read_sections
from tabchat.planner.words.phrases import STEM_LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.planner.words.data_files import Sections

_SPELT: Final = {"comma": ",", "colon": ":"}
"""How a list writes the signs that a list cannot hold."""


def prepared(text: str) -> Sections:
    """Return what `Words` is made of: members of a list stand on lines of their own, words are parted by single spaces."""
    read = read_sections(text)
    classes: dict[str, list[str]] = {}
    polite = {f"polite.{name}": said for name, said in read["polite"].items()}
    named = {**read["verbs"], **read["classes"], **polite}
    for name, said in named.items():
        for phrase in _phrases(said):
            first = phrase.partition(" ")[0]
            key = f"{first[:STEM_LETTERS]}*" if len(first) > 1 and first[-1] == "*" else first
            classes.setdefault(key, []).append(f"{phrase}\t{name}")
    verbs = [phrase for said in read["verbs"].values() for phrase in _phrases(said)]
    words = {word for said in named.values() for word in _words(said)}
    return {
        "language": read["language"],
        "classes": {key: "\n".join(lines) for key, lines in classes.items()},
        "needs": read["needs"],
        "nouns": {name: _lines(_words(said)) for name, said in read["nouns"].items()},
        "undo": {name: _lines(_phrases(said)) for name, said in read["undo"].items()},
        "readings": read["readings"],
        "verbs": _lines(read["verbs"]),
        "verb_words": _lines(phrase for phrase in verbs if " " not in phrase),
        "vocabulary": _lines(word for word in words if word.isalpha()),
    }


def _phrases(said: str) -> list[str]:
    """Split a list of phrases."""
    listed = (phrase.split() for phrase in listed_phrases(said))
    return [" ".join(_SPELT.get(word, word) for word in words) for words in listed if words]


def _words(said: str) -> list[str]:
    return [word for phrase in _phrases(said) for word in phrase.split()]


def _lines(members: Iterable[str]) -> str:
    return "\n".join(sorted(set(members)))
