"""Words for the rows of a table: row, order, flight, player, as its name, headers and the lexicons tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.nouns import singular
from tabchat.engine.types import ColumnKind
from tabchat.planner.links.columns import LOOKED_AT
from tabchat.planner.links.header_words import groups_of
from tabchat.planner.links.link import Link, LinkKind
from tabchat.planner.words.token import header_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Sentence

_SEEN: Final = 100_000
"""Cells above which those that are filled were counted, and those that differ were not."""
_NEARLY_ALL: Final = 0.9


def row_links(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> list[Link]:
    """Return the spans that can stand for the rows."""
    return [*_generic(sentence, vocabulary, lexicons), *_nouns(sentence, vocabulary, lexicons)]


def _generic(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> Iterator[Link]:
    daily = any(column.kind is ColumnKind.DATE and column.facts.unique for column in vocabulary.columns)
    counted = _counted(vocabulary)
    for concept in sentence.concepts:
        if concept.name == "rows":
            yield _link(concept.start, concept.end, "generic")
        elif concept.name == "unit.day" and daily:
            yield _link(concept.start, concept.end, "noun")
        elif concept.name.startswith("entity.") and sentence.words[concept.start].norm not in counted:
            name = concept.name.removeprefix("entity.")
            shown = any(
                lexicon.alike(sign, word)
                for lexicon in lexicons
                for about in (name, name.partition(".")[0])
                for sign in lexicon.evidence.get(about, ())
                for word in vocabulary.header_stock
            )
            yield _link(concept.start, concept.end, "entity" if shown else "stranger")


def _counted(vocabulary: Vocabulary) -> set[str]:
    """Return the words that are whole headers of amounts: where rows tell how many `visits` there were, these are no rows."""
    return {column.words[0] for column in vocabulary.measures if len(column.words) == 1}


def _nouns(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> Iterator[Link]:
    label = vocabulary.label
    heads = {label.words[place] for place in label.core} if label is not None else set()
    measured = {
        column.words[place] for column in vocabulary.columns if column.measure for place in column.core
    }
    counted = _counted(vocabulary)
    # The file `salaries.csv` has a column `salary`: the word means its amounts.
    nouns = [
        noun
        for noun in vocabulary.facts.row_nouns
        if not any(_alike(noun, word, lexicons) for word in measured)
    ]
    # The year in `orders_2024.csv` is a year.
    parts = [part for part in header_words(vocabulary.facts.name) if not part.isdigit()]
    named = [part for part in parts if len(part) >= _LEAST_LETTERS]
    initials = "".join(part[0] for part in parts) if len(parts) > 1 else ""
    meant = frozenset().union(*(groups_of(noun, vocabulary.lexicons) for noun in nouns))
    # In a table `sales` with a column of revenue, `turnover` means the column.
    meant -= frozenset().union(*(column.groups for column in vocabulary.measures))
    # What was spent is an amount, in a table of expenses, too.
    meant -= _SPENT if vocabulary.money else frozenset()
    # September is a time, of the file `sales_september.csv`, too.
    timed = {concept.start for concept in sentence.concepts if concept.name.startswith(CALENDAR)}
    # What is left is no row of a table `stock`.
    left = {concept.start for concept in sentence.concepts if concept.name == "event.leave"}
    for place, word in enumerate(sentence.words):
        if place in timed:
            continue
        # `PRs`, of `pull_requests`
        shortened = bool(initials) and word.text == f"{initials.upper()}s"
        if shortened or any(_alike(word.norm, noun, lexicons) or _spelt(word.norm, noun) for noun in nouns):
            yield _link(place, place + 1, "noun")
        elif any(_alike(word.norm, head, lexicons) for head in heads):
            yield _link(place, place + 1, "label")
        elif word.norm not in counted and any(
            _alike(word.norm, part, lexicons) or _spelt(word.norm, part) or _ends_with(part, word.norm)
            for part in named
        ):
            yield _link(place, place + 1, "table")
        elif (
            place not in left
            and not any(_alike(word.norm, other, lexicons) for other in measured)
            and meant & groups_of(word.norm, lexicons)
        ):
            yield _link(place, place + 1, "meant")


def _alike(one: str, other: str, lexicons: Sequence[Lexicon]) -> bool:
    return one == other or any(lexicon.alike(one, other) for lexicon in lexicons)


def _ends_with(part: str, word: str) -> bool:
    """Tell whether an English word is the last one of two that the name of a file joins: `fires`, of `wildfires`."""
    if not word.isascii() or len(word) < _LEAST_LETTERS:
        return False
    first, found, _ = part.rpartition(singular(word))
    return bool(found) and len(first) >= _FIRST_LETTERS and singular(part) == first + singular(word)


def _link(start: int, end: int, name: str) -> Link:
    return Link(start=start, end=end, kind=LinkKind.ROWS, name=name, features=((f"rows.{name}", 1.0),))


_SEVERAL: Final = ("ie", "zh", "kh", "ts", "ch", "sh", "shch", "iu", "ia")
_LETTERS: Final[dict[int, str | int | None]] = {
    **str.maketrans("абвгґдезиіїйклмнопрстуфыэё", "abvhgdezyiiiklmnoprstufyee", "ьъ"),
    **{ord(letter): latin for letter, latin in zip("єжхцчшщюя", _SEVERAL, strict=True)},
}
"""Ukrainian letters by the national table of 2010, Russian ones alike; spellings by ear differ in a few of them."""
_ALIKE: Final = (
    *(("kh", "h"), ("ts", "c"), ("iu", "u"), ("ia", "a"), ("ie", "e"), ("yu", "u"), ("ya", "a"), ("ye", "e")),
    *(("j", "i"), ("y", "i"), ("g", "h"), ("'", "")),
)
_LEAST_LETTERS: Final = 4
_FIRST_LETTERS: Final = 3
"""Letters of the first of two words that are joined."""
CALENDAR: Final = ("season.", "month.", "weekday.", "quarter.")
"""Beginnings of concepts that are times, whatever else is called so."""
_SUFFIX: Final = 3
"""Letters that a verb may have between its root and its ending: ремонтували, of ремонт."""
VERBS: Final = (
    *(
        "ed",
        "ing",
        "ли",
        "лись",
        "лися",
        "ла",
        "лась",
        "лася",
        "ло",
        "лось",
        "лося",
        "вся",
        "лся",
        "ил",
        "ал",
        "ел",
    ),
    *("тся", "ив", "ав", "ют", "ють", "ает", "ует", "ують", "є", "ит", "ть", "ться", "ти", "тися"),
    *("емо", "ємо", "имо", "їмо", "аем", "уем", "яем"),
)
"""Endings of the third person, of what we do, the past tense and the infinitive, in English, Ukrainian and Russian."""
_PARTICIPLES: Final = (
    *("ed", "ен", "ена", "ено", "ені", "ены", "ений", "ена", "енный", "енные", "енная", "енное"),
    *("ан", "ана", "ано", "ані", "аны", "аний", "анный", "анные", "анная", "анное", "ятий", "ято", "ятый"),
)
"""Endings of what was done, in English, Ukrainian and Russian."""
_SPENT: Final = frozenset({"revenue", "cost", "profit", "budget"})
"""Groups of words for amounts of money rather than for things."""
_ENDINGS: Final = 2
"""Letters that endings of one word differ in."""


def _spelt(word: str, noun: str) -> bool:
    """Tell whether a Cyrillic word is what a file name writes in Latin letters: внесків and `vnesky`."""
    if word.isascii() or not noun.isascii():
        return False
    one, other = _plain(word.translate(_LETTERS)), _plain(noun)
    if len(one) < _LEAST_LETTERS:
        return False
    shared = max(_LEAST_LETTERS, min(len(one), len(other)) - 2)
    # The name of a file may join two words, of which the last one says what rows are: `turpohody`.
    joined = other.rfind(one[: max(_LEAST_LETTERS + 1, len(one) - 2)])
    return one[:shared] == other[:shared] or (joined > 0 and abs(len(other) - joined - len(one)) <= _ENDINGS)


def is_verb(word: str) -> bool:
    """Tell whether an unknown word ends like a verb; adjectives and nouns of these languages mostly do not."""
    return len(word) > _LEAST_LETTERS and word.endswith(VERBS)


def names_the_deed(word: str, vocabulary: Vocabulary, *, of_all: bool = False) -> bool:
    """Tell whether a verb says what rows are of: `booked` of bookings, видали by a `Дата видачі`; what all are, if so asked."""
    ending = max((end for end in VERBS if word.endswith(end)), key=len, default="")
    root = word.removesuffix(ending)
    said = {*vocabulary.facts.row_nouns, *header_words(vocabulary.facts.name)}
    dates = (column for column in vocabulary.dates if not (of_all and vocabulary.lacks(column)))
    said.update(*(column.words for column in dates))
    return bool(ending) and any(_of_one_root(root, noun) or _spelt(word, noun) for noun in said)


def is_done(cell: str, word: str) -> bool:
    """Tell whether a cell says that the deed a noun names was done: `delivered`, of deliveries, скасовано of скасування."""
    return not word.endswith(_PARTICIPLES) and any(
        other.endswith(_PARTICIPLES) and other[:_LEAST_LETTERS] == word[:_LEAST_LETTERS]
        for other in cell.casefold().split()
    )


def _of_one_root(root: str, noun: str) -> bool:
    shared = next((at for at, pair in enumerate(zip(root, noun, strict=False)) if pair[0] != pair[1]), None)
    shared = min(len(root), len(noun)) if shared is None else shared
    return shared >= _LEAST_LETTERS and len(root) - shared <= _SUFFIX


def _plain(latin: str) -> str:
    for several, single in _ALIKE:
        latin = latin.replace(several, single)
    return latin


def repeats(facts: ColumnFacts, rows: int | None) -> bool:
    """Tell whether cells are known to repeat; of a file that was only sampled, in what was seen of it."""
    filled, distinct = facts.filled, facts.distinct
    if filled is None or distinct is None or facts.numbers_rows or (rows is None and filled > _SEEN):
        return False
    return distinct < _NEARLY_ALL * filled


def is_coded(column: TableColumn) -> bool:
    """Tell whether texts are numbers with letters, or with a sign before them: INV-500, #1001."""
    texts = column.facts.texts[:LOOKED_AT]
    return bool(texts) and all(
        any(map(str.isdigit, text))
        and (any(map(str.isalpha, text)) or text.startswith("#"))
        and " " not in text
        for text in texts
    )
