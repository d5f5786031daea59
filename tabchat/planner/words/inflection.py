"""Forms of a word without a dictionary: endings that may change, and what happens to the stem when they do."""

from __future__ import annotations

import re
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

MIN_STEM: Final = 3
"""Letters that a word keeps when an ending is taken off."""
_SHORTEST_ROOT: Final = 4
"""Letters that a root keeps when the ending of a verb is taken off."""
IOTATED: Final = ("єю", "ею", "єм", "ем", "ей", "я", "ї", "ю", "є", "й", "и", "е")
"""Endings behind a vowel."""
_SHORT_STEM: Final = 2
_REFLEXIVE: Final = ("ся", "сь")
_PAST: Final = re.compile("(?:в|л[аои]?)$")
_VOWELS: Final = "аеєиіїоуюя"
_LATIN_STEM: Final = 4
"""Letters that two words of Latin letters share when both lose an ending: `code` is no form of `Cody`."""
_HISSING: Final = ("s", "x", "z", "o")
"""Ends of words whose plural has `es`: taxes, buses."""
_OF_Y: Final = frozenset({"y", "ies", "ied"})
"""Endings of words in `y`: story, stories."""


@record
class Inflection:
    """The endings of one language, or of several."""

    endings: tuple[str, ...]
    """Longest first."""
    alternations: tuple[tuple[str, str], ...] = ()
    """(end of a stem in the nominative, end of the same stem before an ending)."""
    kin: Mapping[str, str] = field(default_factory=dict)
    """Word → the signs of its families: words of one root, and their abbreviations (`wt` and `weight`)."""
    beginnings: tuple[tuple[str, str], ...] = ()
    """(beginning, other beginning of the same word) before a consonant: вчитель, учитель."""
    derivations: tuple[str, ...] = ()
    """What the forms of a verb, its participle and its noun end in, longest first."""
    softening: tuple[tuple[str, str], ...] = ()
    """(end of a root before some of these endings, its end before the others): сплачено, сплатили."""
    _known: dict[str, frozenset[str]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _ending_set(self) -> frozenset[str]:
        return frozenset(self.endings)

    @cached_property
    def _longest(self) -> int:
        return len(self.endings[0]) if self.endings else 0

    def stems(self, word: str) -> frozenset[str]:
        """Return `word` and what may be left of it without an ending; two forms of a word share a stem."""
        if word not in self._known:
            found = self._stems(word)
            whole = (stem for stem in found if stem == word or len(stem) > MIN_STEM)
            self._known[word] = found.union(*(self.kin.get(stem, "").split() for stem in whole))
        return self._known[word]

    def alike(self, one: str, other: str) -> bool:
        """Tell whether two words can be forms of one."""
        if one == other:
            return True
        if differ_by_a_mute(one, other):
            return False
        shared = self.stems(one) & self.stems(other)
        return any(
            stem in {one, other}
            or not stem.isascii()
            or (len(stem) >= _LATIN_STEM and not _mixes(one, other, stem))
            for stem in shared
        )

    def are_forms(self, one: str, other: str) -> bool:
        """Tell whether two words are forms of one, and not only of one family, as температура (temperature) and its short темп, a pace."""
        shared = self.stems(one) & self.stems(other)
        return self.alike(one, other) and not (shared and all(map(is_family, shared)))

    def base(self, word: str) -> str:
        """Return `word` without its longest ending."""
        for end in range(max(MIN_STEM + 1, len(word) - self._longest), len(word)):
            if word[end:] in self._ending_set:
                return word[:end]
        return word

    def roots(self, word: str) -> frozenset[str]:
        """Return what a verb, its participle and its noun share: нарах of нараховано, нарахування, нарахували."""
        reflexive = word.endswith(_REFLEXIVE) and len(word) > _SHORTEST_ROOT + 2
        word = word[:-2] if reflexive else word
        roots = [word[: len(word) - len(ending)] for ending in self.derivations if word.endswith(ending)]
        kept = [root for root in roots if len(root) >= _SHORTEST_ROOT]
        softened = (
            root.removesuffix(one) + other
            for root in kept
            for one, other in self.softening
            if root.endswith(one)
        )
        # The past of a verb is told of him, her, it and them: відбувся, відбулася; состоялся, состоялось.
        past = {_PAST.sub("ся", word)} - {word} if reflexive else set[str]()
        return frozenset({*kept, *softened, *past})

    def _stems(self, word: str) -> frozenset[str]:
        if len(word) <= MIN_STEM or not word.isalpha():
            return frozenset({word, *_iotated(word)})
        found = {word, *_iotated(word)}
        for end in range(max(MIN_STEM, len(word) - self._longest), len(word)):
            if word[end:] in self._ending_set:
                stem = word[:end]
                found.add(stem)
                if len(stem) > MIN_STEM and stem[-1] == stem[-2]:
                    found.add(stem[:-1])
        for stem in tuple(found):
            for nominative, oblique in self.alternations:
                if stem.endswith(nominative) and len(stem) > len(nominative) + 1:
                    found.add(stem.removesuffix(nominative) + oblique)
        for one, other in self.beginnings:
            if word.startswith(one) and word[len(one)] not in _VOWELS:
                found |= {other + stem.removeprefix(one) for stem in found}
        return frozenset(found)


def differ_by_a_mute(one: str, other: str) -> bool:
    """Tell whether an `e` parts two short words, so that they are no forms of one: `not` and `notes`, `car` and `care`."""
    short, long = sorted((one, other), key=len)
    hisses = short.endswith(_HISSING)
    return len(short) <= MIN_STEM and (long == f"{short}e" or (long == f"{short}es" and not hisses))


def _mixes(one: str, other: str, stem: str) -> bool:
    """Tell whether only one of two words has `y` behind their stem: `story` is no form of `store`."""
    endings = [word.removeprefix(stem) for word in (one, other) if word.startswith(stem)]
    return len({ending in _OF_Y for ending in endings}) > 1


def inflection_of(forms: Mapping[str, str], kin: Mapping[str, str], endings: str) -> Inflection:
    """Return the forms of a language's words, by one of its lists of endings.

    `forms` are lists parted by spaces, those of endings the longest first; `kin` is word → signs of its families.
    """
    return Inflection(
        endings=tuple(forms[endings].split()),
        alternations=as_pairs(forms["alternations"]),
        beginnings=as_pairs(forms["beginnings"]),
        derivations=tuple(forms["derivations"].split()),
        softening=as_pairs(forms["softening"]),
        kin=kin,
    )


def as_pairs(said: str) -> tuple[tuple[str, str], ...]:
    """Read `one=other` pairs, parted by spaces."""
    parted = (pair.partition("=") for pair in said.split())
    return tuple((one, other) for one, _, other in parted)


def is_family(stem: str) -> bool:
    """Tell whether a stem is the sign of a family of words, rather than letters of one."""
    return stem.startswith("~")


def _iotated(word: str) -> list[str]:
    """Return the stem of a short noun that ends in a vowel and я or й (соя, сої; чай, чаю), marked as short.

    Without the mark it would be that of longer words, too: чай of чайові.
    """
    return [
        word[:_SHORT_STEM] + "й-"
        for ending in IOTATED
        if len(word) == _SHORT_STEM + len(ending) and word.endswith(ending) and word[1] in _VOWELS
    ]
