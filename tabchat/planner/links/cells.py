"""Spans of a question → cells, by their words, forms of these words, and other names for the same thing."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.cell_texts import CellMatch, items_of, meant_cells, words_of
from tabchat.planner.links.link import Link, cell_link, told
from tabchat.planner.links.rows import is_verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.links.cell_texts import CellText
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Sentence, Word

_MOST_ALIKE: Final = 20
"""Cells of one column with the words that were said, above which they are not listed one by one."""
_KEY: Final = 3  # letters of a word by which cells are looked for; whether they are forms of it is seen after
_FLEETING: Final = 5  # letters of a word whose last vowel may be gone in other forms
_CONTAINING: Final = (("cell", 1.0), ("cell.containing", 1.0))
_ENDING: Final = 5  # letters that forms of one word may differ in
_ALIKE: Final = (
    frozenset({"у", "в"}),
    frozenset({"no", "number", "номер", "номера", "номеру", "номером", "номері", "номере"}),
)
"""Words that are one: a Ukrainian preposition, by the sounds beside it, and the sign `№`."""
_LONGEST_STATE: Final = 3  # small words that are one cell
_SHORTEST: Final = 3
"""Letters of a word that may stand for a longer cell."""
_SMALL: Final = frozenset(
    ("in", "pred", "by", "and", "or", "list", "which", "who", "when", "count", "howmuch", "to", "from")
) | {"exist"}
"""Concepts whose words are no cells by themselves."""
_DENIALS: Final = frozenset({"not", "no", "without"})
_VERBS: Final = frozenset({"stop.light_verb", "stop.deed"})
"""Verbs that a state may be called like."""
_SPARE: Final = frozenset({"stop.filler", "exist"})
"""Concepts whose words are cells where the table has them: a unit, a yes."""
_WORKING: Final = ("agg.", "unit.", "rank.", "scale.")
"""Beginnings of concepts that a lower-case word more likely stands for than a cell: `average`, `days`."""


def cell_links(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> list[Link]:
    """Return the cells that spans of the question can name."""
    if not vocabulary.facts.columns:
        return []
    spans: dict[tuple[int, int, int], list[CellMatch]] = defaultdict(list)
    for match in _Finder(sentence, vocabulary, lexicons).matches():
        spans[match.start, match.end, match.cell.column].append(match)
    whole = {key[:2] for key, found in spans.items() if not all(match.unsaid for match in found)}
    columns = Counter((start, end) for start, end, _ in spans)
    links: list[Link | None] = []
    denials = {word for lexicon in lexicons for _, word in lexicon.denying}
    for (start, end, column), matches in spans.items():
        # `paid` says nothing of a cell `not paid`, beside one that is not denied.
        found = [one for one in matches if not (one.unsaid and one.cell.words[0] in denials)] or matches
        if vocabulary.columns[column].facts.span is not None and (start, end) not in whole:
            continue  # `2024` beside `Mar 2024` is a time, not a part of a cell
        person = vocabulary.columns[column] in vocabulary.called_persons
        one = _link(found, sentence, columns[start, end], outdone=(start, end) in whole, person=person)
        links += [one, _containing(found, vocabulary.columns[column].facts)]
    links += meant_cells(sentence, vocabulary, lexicons, set(spans))
    return [link for link in links if link is not None]


def _link(
    matches: Sequence[CellMatch], sentence: Sentence, columns: int, *, outdone: bool, person: bool
) -> Link | None:
    best = [match for match in matches if not match.unsaid]
    chosen = best or list(matches)
    first = chosen[0]
    texts = tuple(dict.fromkeys(match.cell.text for match in chosen))
    words = sentence.words[first.start : first.end]
    # `VK` of `VK Ads` is a name.
    short = all(len(word.norm) < _SHORTEST and not _is_written_so(word, texts) for word in words)
    if not best and (len(texts) > _MOST_ALIKE or short):
        return None
    capital = any(word.capital or word.kind == "quoted" for word in words)
    working = any(
        (concept.start, concept.end) == (first.start, first.end) and concept.name.startswith(_WORKING)
        for concept in sentence.concepts
    )
    features = {
        "cell": 1,
        "cell.form": all(match.form for match in chosen),
        "cell.alias": all(match.alias for match in chosen),
        "cell.part": not best,
        "cell.unsaid": 0 if best else min(3, *(match.unsaid for match in chosen)),
        "cell.outdone": outdone and not best,
        # One `Dora` alone is called so.
        "cell.of_person": person and not best and len(texts) == 1,
        "cell.several": math.log(len(texts)),
        "cell.columns": math.log(columns),
        "cell.words": min(3, len(words) - 1),
        "cell.capital": capital,
        "cell.concept": working and not capital,
        "cell.digits": all(word.norm.isdigit() for word in words),
        "cell.short": short,
    }
    return cell_link(first.start, first.end, first.cell.column, texts, told(features), whole=bool(best))


def _is_written_so(word: Word, texts: Iterable[str]) -> bool:
    """Tell whether a word is typed in capitals, and stands so in every text."""
    return word.text.isupper() and len(word.text) > 1 and all(word.text in text.split() for text in texts)


def _containing(matches: Sequence[CellMatch], facts: ColumnFacts) -> Link | None:
    """Return all cells that hold what is said, where some are just that: `Italy` and `Italy / Switzerland`.

    Where all of them list several things, as `Comedy; Drama` does, a link named `part` holds the one that was said.
    """
    first, texts = matches[0], tuple(dict.fromkeys(match.cell.text for match in matches))
    shared = set.intersection(*(set(items_of(text)) for text in texts)) if len(texts) > 1 else set()
    if len(shared) == 1 and all(_lists(facts, item) for item in shared):
        part = cell_link(first.start, first.end, first.cell.column, tuple(shared), _CONTAINING, whole=False)
        return replace(part, name="part")
    whole = {match.cell.text: {*match.cell.words} for match in matches if not match.unsaid}
    # `Failure` is in `Partial failure`; what was `received` is no `refusal to receive`.
    cells = (match.cell for match in matches if any(words <= {*match.cell.words} for words in whole.values()))
    texts = tuple(dict.fromkeys(cell.text for cell in cells))
    if len(texts) == len(whole) or len(texts) > _MOST_ALIKE:
        return None
    return cell_link(first.start, first.end, first.cell.column, texts, _CONTAINING, whole=False)


def _lists(facts: ColumnFacts, item: str) -> bool:
    """Tell whether every cell with these letters has the item: `JavaScript` holds those of `Java`."""
    folded = item.casefold()
    holding = (text for text in facts.texts if folded in text.casefold())
    return facts.complete and all(item in items_of(text) for text in holding)


class _Finder:
    """Aligns the words of a question with the words of cells."""

    def __init__(self, sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> None:
        self._words = sentence.words
        self._texts = vocabulary.texts
        self._lexicons = lexicons
        self._states = vocabulary.states
        self._denials = {
            one.start for one in sentence.concepts if one.name in _DENIALS and one.end == one.start + 1
        }
        self._idle = [self._is_idle(place, sentence) for place in range(len(sentence.words))]

    def _is_idle(self, place: int, sentence: Sentence) -> bool:
        """Tell whether a word is too common to look for by itself: an article, a preposition, `how many`."""
        word = sentence.words[place]
        if not any(sign.isalnum() for sign in word.norm):
            return True
        if word.capital or word.kind == "quoted":
            return False
        names = {concept.name for concept in sentence.concepts if concept.start <= place < concept.end}
        # `ok` in front of a question is no state; `where status is ok` is.
        spare = _SPARE | {"stop.courtesy"} if place else _SPARE
        if word.norm in self._states and not spare.isdisjoint(names):
            return False
        # Tasks may be `done`, and cars `used`; приходов are of a cell `Приход`, although what came did so, too.
        is_state = bool(names & _VERBS) and (
            word.norm in self._states or self._names_a_state(word, denied=place - 1 in self._denials)
        )
        return bool(names & _SMALL) or (not is_state and any(name.startswith("stop.") for name in names))

    def _names_a_state(self, word: Word, *, denied: bool) -> bool:
        """Tell whether a noun is a form of a cell of one word, or a word of what a cell denies, as one behind `denied` does."""
        if denied:
            parted = (state.split(" ") for state in self._states)
            return any(
                self._denies(no) and self._likeness(word, other) is not None
                for no, *rest in parted
                for other in rest[-1:]
            )
        return not is_verb(word.norm) and any(
            lexicon.alike(word.norm, state)
            for lexicon in self._lexicons
            for state in self._states
            if state[:_KEY] == word.norm[:_KEY]
        )

    def _denies(self, word: str) -> bool:
        return any(not _DENIALS.isdisjoint(lexicon.find((word,))) for lexicon in self._lexicons)

    def matches(self) -> Iterator[CellMatch]:
        """Yield every longest alignment of the question with a cell."""
        places: dict[int, set[int]] = defaultdict(set)
        for position, word in enumerate(self._words):
            if self._idle[position]:
                continue
            for key in self._keys(word):
                for place in self._texts.beginning(key) or ():
                    places[place].add(position)
        for place, positions in places.items():
            cell, seen = self._texts.at(place), set[tuple[int, int]]()
            for position in sorted(positions):
                match = self._aligned(position, cell)
                if match is not None and (match.start, match.end) not in seen:
                    seen.add((match.start, match.end))
                    yield match
        yield from self._small()
        yield from self._aliases()

    def _small(self) -> Iterator[CellMatch]:
        """Yield states all of whose words are small: `in use`, `on hold`."""
        norms = [word.norm for word in self._words]
        for start in range(len(norms)):
            for end in range(start + 2, min(len(norms), start + _LONGEST_STATE) + 1):
                phrase = tuple(norms[start:end])
                if all(self._idle[start:end]) and " ".join(phrase) in self._states:
                    for cell in self._called([phrase]):
                        yield CellMatch(start=start, end=end, cell=cell, said=len(phrase))

    def _keys(self, word: Word) -> list[str]:
        """Return what a word of a cell may begin with when `word` is a form of it."""
        keys = []
        for form in (word.norm, *word.spellings):
            for part in words_of(form) or [form]:
                # The third letter of a short word may change: Київ, Києва; окон, окна.
                short = len(part) <= (_KEY + _KEY if word.capital else _FLEETING) and not part.isascii()
                least = _KEY - short
                keys.append(part[: max(least, len(part) - _ENDING)] if part.isalpha() else part)
        return list(dict.fromkeys(keys))

    def _aligned(self, position: int, cell: CellText) -> CellMatch | None:
        word = self._words[position]
        if word.kind == "quoted":
            parts = words_of(word.norm)
            whole = bool(parts) and all(part in cell.words for part in parts)
            return CellMatch(start=position, end=position + 1, cell=cell, said=len(parts)) if whole else None
        alike = [place for place, other in enumerate(cell.words) if self._likeness(word, other) is not None]
        matches = (self._extended(position, place, cell) for place in alike)
        return max(matches, key=lambda match: match.said, default=None)

    def _extended(self, position: int, place: int, cell: CellText) -> CellMatch:
        words = cell.words
        start, end, low, high = position, position + 1, place, place + 1
        form = self._words[position].norm != words[place]
        while start and low:
            found = self._likeness(self._words[start - 1], words[low - 1])
            # A cell `No experience` is said by `without experience`; a `№ 5` is no denial.
            denied = low == 1 and start - 1 in self._denials and words[1].isalpha() and self._denies(words[0])
            if found is None and not denied:
                break
            start, low, form = start - 1, low - 1, form or not found
        while end < len(self._words) and high < len(words):
            found = self._likeness(self._words[end], words[high])
            if found is not None:
                end, high, form = end + 1, high + 1, form or not found
                continue
            # A sign or a short word that only one of the two writes: `Rock & Roll`, `Bank of (the) West`.
            sign = not any(letter.isalnum() for letter in self._words[end].norm)
            behind = self._words[end + 1] if sign and end + 1 < len(self._words) else None
            if behind is None or self._likeness(behind, words[high]) is None:
                break
            end += 1
        return CellMatch(start=start, end=end, cell=cell, said=high - low, form=form)

    def _likeness(self, word: Word, other: str) -> bool | None:
        """Tell whether two words are the same (True), forms of one (False), or neither (None)."""
        if word.norm == other or any(word.norm in alike and other in alike for alike in _ALIKE):
            return True
        if not word.norm.isalpha():
            return None
        is_form = any(
            lexicon.value_inflection.alike(form, other)
            or lexicon.alike(form, other)
            or lexicon.inflection.roots(form) & lexicon.inflection.roots(other)
            for form in (word.norm, *word.spellings)
            for lexicon in self._lexicons
        )
        return False if is_form else None

    def _aliases(self) -> Iterator[CellMatch]:
        """Yield cells that hold another name of what is said: `German` and `Germany`, `won` and `win`."""
        norms = tuple(word.norm for word in self._words)
        for lexicon in self._lexicons:
            for start, norm in enumerate(norms):
                for phrase, others in lexicon.other_names(norm):
                    end = start + len(phrase)
                    for cell in self._called(others) if norms[start:end] == phrase else ():
                        yield CellMatch(start=start, end=end, cell=cell, said=len(cell.words), alias=True)

    def _called(self, names: Iterable[tuple[str, ...]]) -> Iterator[CellText]:
        for name in names:
            cells = (self._texts.at(place) for place in self._texts.beginning(name[0]) or ())
            yield from (cell for cell in cells if cell.words == name)
