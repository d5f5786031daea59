"""Words in Cyrillic letters → columns and cells in Latin ones that sound like them, and the other way: `у Києві`, of `Kyiv`."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import Link, LinkKind, cell_link, is_vague, told
from tabchat.planner.words.token import TokenKind, fold
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Sentence, Word

_CYRILLIC: Final = dict(
    zip("абвгґдеєжзиіїйклмнопрстуфхцчшщюяыэьъ", "abvggdeejziiiiklmnoprstufgţčššuaie  ", strict=True)
)
"""Letter → how it sounds: г and х are one, for both are written `h`; ь and ъ are silent."""
_DIGRAPHS: Final = (
    *(("shch", "š"), ("sch", "š"), ("tch", "č"), ("kh", "g"), ("zh", "j"), ("ch", "č"), ("sh", "š")),
    *(("ts", "ţ"), ("tz", "ţ"), ("ph", "f"), ("th", "t"), ("ck", "k"), ("qu", "kv"), ("oo", "u")),
    *(("yu", "u"), ("iu", "u"), ("ju", "u"), ("ya", "a"), ("ia", "a"), ("ja", "a"), ("x", "ks")),
)
_RUN_TOGETHER: Final = (("ts", "ţ"), ("tz", "ţ"), ("ia", "a"), ("iu", "u"))
"""Sounds of two Cyrillic letters that are written like one of another."""
_SOFT_C: Final = re.compile(r"c(?=[eiy])")
_LATIN: Final = str.maketrans({"c": "k", "h": "g", "q": "k", "w": "v", "y": "i", "j": "j"})
_VOWELS: Final = "aiu"
_MERGED: Final = str.maketrans("eo", "ii")
"""Vowels that change into one another: Львів, Львова; Kiev, Kyiv."""
_LATIN_WORD: Final = re.compile(r"[a-z]+")
_CYRILLIC_WORD: Final = re.compile(r"[а-яіїєґ]+")
_SHORTEST: Final = 3
"""Sounds of a name, without its ending."""
_LEAST: Final = 5
"""The same of a word that is not written as a name."""
_MOST_TEXTS: Final = 2_000
"""Different cells of a table that are listened to."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_EXONYMS: Final = (
    *(
        ("москва", "moscow"),
        ("варшава", "warsaw"),
        ("відень", "vienna"),
        ("вена", "vienna"),
        ("прага", "prague"),
    ),
    *(("рим", "rome"), ("париж", "paris"), ("мюнхен", "munich"), ("кельн", "cologne"), ("афіни", "athens")),
    *(("афины", "athens"), ("брюссель", "brussels"), ("женева", "geneva"), ("цюрих", "zurich")),
    *(("лісабон", "lisbon"), ("лиссабон", "lisbon"), ("стамбул", "istanbul"), ("пекін", "beijing")),
    *(("токіо", "tokyo"), ("копенгаген", "copenhagen"), ("бухарест", "bucharest"), ("гаага", "hague")),
)
"""Cities that do not sound alike in the two scripts."""
_INDEX: Final = ("sounds",)
"""Where the sounds of a table are kept among its indexes."""


@record
class Sounding:
    """A word of a header, or of a cell."""

    column: int
    place: int
    """Of the word in the header or the cell."""
    words: int
    """Of the header or the cell."""
    text: str = ""


def sound_of(word: str) -> str | None:
    """Return how a folded word sounds, without its last vowels; None when it has letters of two scripts, or of another."""
    heard = heard_of(word)
    return None if heard is None else heard.rstrip(_VOWELS)


def heard_of(word: str) -> str | None:
    """Return how a folded word sounds to its last letter."""
    if _CYRILLIC_WORD.fullmatch(word):
        heard = "".join(_CYRILLIC[letter] for letter in word).replace(" ", "")
        # `otzyv` and `material` do not tell where two letters stand for two.
        for letters, sound in _RUN_TOGETHER:
            heard = heard.replace(letters, sound)
    elif _LATIN_WORD.fullmatch(word):
        heard = _SOFT_C.sub("s", word)
        for letters, sound in _DIGRAPHS:
            heard = heard.replace(letters, sound)
        heard = heard.translate(_LATIN)
    else:
        return None
    return "".join(sound for sound, _ in groupby(heard.translate(_MERGED)))


def _sounds(vocabulary: Vocabulary) -> Mapping[str, Sequence[Sounding]]:
    """Return script and sound → the words of headers and cells that sound so, made once; of no cells when there are too many."""
    known: dict[str, list[Sounding]] | None = vocabulary.indexes.get(_INDEX)
    if known is None:
        known = vocabulary.indexes[_INDEX] = _listened_to(vocabulary)
    return known


def _listened_to(vocabulary: Vocabulary) -> dict[str, list[Sounding]]:
    found: dict[str, list[Sounding]] = {}
    for column in vocabulary.columns:
        core = sorted(column.core)
        for place, word in enumerate(column.words[at] for at in core):
            _add(found, word, Sounding(column=column.place, place=place, words=len(core)))
    named = [column for column in vocabulary.columns if column.text and column.facts.complete]
    if sum(len(column.facts.texts) for column in named) > _MOST_TEXTS:
        return found
    for column in named:
        for text in column.facts.texts:
            words = _WORD.findall(fold(text))
            for place, word in enumerate(words):
                _add(found, word, Sounding(column=column.place, place=place, words=len(words), text=text))
    return found


def _add(found: dict[str, list[Sounding]], word: str, sounding: Sounding) -> None:
    sound = sound_of(word)
    if sound is not None and len(sound) >= _SHORTEST:
        found.setdefault(("lat " if word.isascii() else "cyr ") + sound, []).append(sounding)


def sounding_links(
    sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon], known: Iterable[Link]
) -> list[Link]:
    """Return the columns and cells that words which no `known` link explains name in the letters of the other script."""
    named = [link for link in known if not is_vague(link)]
    # A name may be like another word: у Сумах, in Sumy, is no sum, and Marta no March.
    soft = {LinkKind.CONCEPT, LinkKind.TIME, LinkKind.ROWS}
    covered = {place for link in named for place in range(link.start, link.end)}
    sure = [link for link in named if link.kind not in soft and "column.synonym" not in link.signs]
    taken = {place for link in sure for place in range(link.start, link.end)}
    heard = [
        {} if place in (taken if word.capital else covered) else _heard(word, vocabulary, lexicons)
        for place, word in enumerate(sentence.words)
    ]
    spans: dict[tuple[int, int, int, bool], list[tuple[str, int, int]]] = {}
    for start, here in enumerate(heard):
        for (column, text), first in here.items():
            if start and (column, text) in heard[start - 1]:
                continue
            end, said = start + 1, {first.place}
            while end < len(heard) and (further := heard[end].get((column, text))) is not None:
                end, said = end + 1, said | {further.place}
            spans.setdefault((start, end, column, bool(text)), []).append((text, len(said), first.words))
    longest = {start: max(end for begin, end, _, _ in spans if begin == start) for start, *_ in spans}
    return [
        _cells(span, matches, sentence) if span[3] else _column(span, *matches[0][1:])
        for span, matches in spans.items()
        if span[1] == longest[span[0]]
    ]


@cache
def _exonyms() -> Mapping[str, Sequence[str]]:
    """Return the sound of a city → how it sounds in the other script."""
    found: dict[str, list[str]] = {}
    for pair in _EXONYMS:
        one, other = (sound_of(name) or "" for name in pair)
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def _heard(
    word: Word, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]
) -> Mapping[tuple[int, str], Sounding]:
    """Return (column, cell) → the word of it that a word sounds like."""
    if word.kind is not TokenKind.WORD or len(word.norm) < _SHORTEST:
        return {}
    script = "cyr " if word.norm.isascii() else "lat "
    forms = {form for lexicon in lexicons for form in (word.norm, *lexicon.inflection.stems(word.norm))}
    least = _SHORTEST if word.capital else _LEAST
    sounds = {sound for form in forms if (sound := sound_of(form)) is not None}
    sounds |= {other for sound in sounds for other in _exonyms().get(sound, ())}
    sounds = {sound for sound in sounds if len(sound) >= least}
    return {
        (one.column, one.text): one
        for sound in sorted(sounds)
        for one in _sounds(vocabulary).get(script + sound, ())
    }


def _cells(
    span: tuple[int, int, int, bool], matches: Sequence[tuple[str, int, int]], sentence: Sentence
) -> Link:
    start, end, column, _ = span
    whole = [text for text, said, words in matches if said == words]
    texts = tuple(dict.fromkeys(whole or [text for text, _, _ in matches]))
    features = {
        "cell": 1,
        "cell.alias": 1,
        "cell.part": not whole,
        "cell.unsaid": 0 if whole else min(3, *(words - said for _, said, words in matches), 3),
        "cell.several": math.log(len(texts)),
        "cell.words": min(3, end - start - 1),
        "cell.capital": any(word.capital for word in sentence.words[start:end]),
    }
    return cell_link(start, end, column, texts, told(features), whole=bool(whole))


def _column(span: tuple[int, int, int, bool], said: int, words: int) -> Link:
    start, end, column, _ = span
    features = {"column": 1, "column.form": 1, "column.missing": (words - said) / words}
    return Link(start=start, end=end, kind=LinkKind.COLUMN, column=column, features=told(features))
