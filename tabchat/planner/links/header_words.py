"""The words of headers: without the one that most begin with, the `order` of `order_date`, and `shipmode` as the two it is."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.nouns import singular
from tabchat.planner.words.token import header_words
from tabchat.planner.words.vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Languages, Lexicon

_ENGLISH: Final = "en"
_LEAST: Final = 3
"""Columns that begin alike, and letters of a word."""
_LONGEST: Final = 30
"""Letters of two words in one; every place in them is tried."""
_NO_WORD: Final = 2
"""Letters that are no word: the `l` of `l_shipdate`."""
_FIGURES: Final = ("agg.", "month.", "weekday.")
"""Families of concepts that say which figure of what is measured a column holds."""
_LEDGER: Final = {"debited": "cost", "credited": "income"}
"""Side of an account → what is told there, where a table has both sides: one alone may be a credit limit, or credits of a course."""


class HeaderWords:
    """The words of one table's headers, as questions may say them."""

    def __init__(
        self, facts: TableFacts, languages: Languages, lexicons: Sequence[Lexicon], spelled: Mapping[str, str]
    ) -> None:
        """Take what a table holds, the lexicons, and words of headers → those in the letters of their language."""
        self._lexicons, self._spelled = lexicons, spelled
        self.spelled = frozenset(spelled.values())
        """Words that are written in the letters of another language."""
        self._common = _common_word(facts)
        self._nouns = facts.row_nouns
        self._joined = {} if spelled else _joined_words(facts, languages)
        self._headers = Counter(
            word for column in facts.columns if column.formula is None for word in {*self.of(column.name)}
        )
        self._sides = self._named(*(self.of(one.name) for one in facts.columns if one.kind.is_numeric))

    def of(self, header: str) -> tuple[str, ...]:
        """Return the folded words of a header that tell its column from others, in the letters of their language."""
        words = [
            part
            for word in header_words(header)
            for part in self._joined.get(word, (self._spelled.get(word, word),))
        ]
        # `order_id` numbers orders, and of `sales_2023` the year alone says nothing.
        tells = len(words) > 1 and words[0] == self._common and any(map(self._tells, words[1:]))
        return tuple(words[1:] if tells else words)

    def groups(self, *names: Sequence[str]) -> set[str]:
        """Return the groups of headers that a header belongs to by any of some names, each its folded words."""
        found = self._named(*names)
        return found | {_LEDGER[side] for side in found & _LEDGER.keys() if self._sides >= _LEDGER.keys()}

    def _named(self, *names: Sequence[str]) -> set[str]:
        return set().union(
            *(lexicon.groups_named(tuple(name)) for lexicon in self._lexicons for name in names)
        )

    def less_rows(self, words: Sequence[str], places: Sequence[int]) -> Sequence[int]:
        """Return the places of the words that name a column without the last one, where it only says of what rows it is.

        `сумма заказа` of orders is the `сумма`, unless another header has that word, too: `сумма доставки`.
        """
        *named, last = places or (0,)
        own = (
            bool(named)
            and not words[last].isascii()
            and any(map(partial(self._alike, words[last]), self._nouns))
        )
        return named if own and all(self._headers[words[place]] == 1 for place in named) else places

    def _alike(self, word: str, noun: str) -> bool:
        # No word of one root: `деньги возвращены` of returns says what was done.
        return any(
            lexicon.inflection.base(word) == lexicon.inflection.base(noun) for lexicon in self._lexicons
        )

    def _tells(self, word: str) -> bool:
        """Tell whether a word of a header says by itself what its column holds."""
        return not word.isdigit() and not any(
            word in lexicon.naming
            or word in lexicon.joining
            or word in lexicon.units
            # `сумма` is an amount, too, and `заказ_сумма` one of orders.
            or ("amount" not in lexicon.header_group(word) and any(map(_is_figure, lexicon.find((word,)))))
            for lexicon in self._lexicons
        )

    def own_name(self, header: str, core: Collection[int]) -> Iterator[tuple[str, ...]]:
        """Yield what the header itself calls its column, where its words are taken for others or for fewer."""
        words, said = header_words(header), self.of(header)
        if not self._spelled.keys().isdisjoint(words):
            begun = len(words) - len(said)
            yield tuple(word for place, word in enumerate(words[begun:]) if place in core)
        elif words != said:
            yield words


def _is_figure(concept: str) -> bool:
    return concept.startswith(_FIGURES)


def _common_word(facts: TableFacts) -> str | None:
    """Return the word before most headers that says what the rows are, or that is no word; None where there is none.

    Whatever else many headers begin with is what they measure: `sales_2023`, `temp_min`.
    """
    headers = [header_words(column.name) for column in facts.columns if column.formula is None]
    firsts = Counter(words[0] for words in headers if len(words) > 1 and words[0].isalpha())
    for first, count in firsts.most_common(1):
        nouns = {singular(noun) for noun in (*facts.row_nouns, *header_words(facts.name))}
        called = singular(first) in nouns or (
            len(first) >= _LEAST and any(noun.startswith(first) for noun in nouns)
        )
        enough = count == len(headers) if len(first) <= _NO_WORD else called and 2 * count >= len(headers)
        if count >= _LEAST and enough:
            return first
    return None


def _joined_words(facts: TableFacts, languages: Languages) -> Mapping[str, tuple[str, str]]:
    """Return the words of headers that are two English ones without a space between: `unitprice`, `orderid`."""
    if _ENGLISH not in languages.letters:
        return {}
    written = {
        word
        for column in facts.columns
        if column.formula is None
        for word in header_words(column.name)
        if 2 * _LEAST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()
    }
    english, common = languages.load(_ENGLISH), Vectors(languages.vectors_of(_ENGLISH))
    return {
        word: parts
        for word in written
        if not (common.find(word) or english.has_word(word))
        and (parts := _parts(word, english, common)) is not None
    }


def _parts(word: str, english: Lexicon, common: Vectors) -> tuple[str, str] | None:
    """Return the two words of one, where it is plain where the second begins; one of them is one that tables have."""

    def ends(part: str) -> bool:
        return part in english.naming or (len(part) >= _LEAST and common.find(part) is not None)

    both = [(word[:end], word[end:]) for end in range(_LEAST, len(word) - 1)]
    found = [parts for parts in both if common.find(parts[0]) and ends(parts[1])]
    known = [sum(map(english.has_word, parts)) for parts in found]
    best = [parts for parts, count in zip(found, known, strict=True) if count == max(known) > 0]
    return best[0] if len(best) == 1 else None


def month_columns(vocabulary: Vocabulary) -> Mapping[str, Sequence[TableColumn]]:
    """Return concept of a month → the columns of numbers that are called so, where no date tells when rows are."""
    found: dict[str, list[TableColumn]] = defaultdict(list)
    single = [column for column in vocabulary.columns if column.numeric and len(column.words) == 1]
    for column, lexicon in ((one, known) for one in single for known in vocabulary.lexicons):
        for name in lexicon.find(column.words) if not vocabulary.dates else ():
            if name.startswith("month.") and column not in found[name]:
                found[name].append(column)
    return found


def stems_of(word: str, lexicons: Sequence[Lexicon]) -> frozenset[str]:
    """Return what all forms of a word share, in any of some languages."""
    return frozenset().union(*(lexicon.stems(word) for lexicon in lexicons))


def groups_of(word: str, lexicons: Sequence[Lexicon]) -> frozenset[str]:
    """Return the groups of headers that a word names in any of some languages."""
    return frozenset().union(*(lexicon.header_group(word) for lexicon in lexicons))


def roots_of(word: str, lexicons: Sequence[Lexicon]) -> frozenset[str]:
    """Return what a verb shares with its participle and its noun: нарах of нараховано."""
    return frozenset().union(*(lexicon.inflection.roots(word) for lexicon in lexicons))
