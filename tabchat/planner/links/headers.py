"""Spans of a question → columns, by the words of their headers, other names for them, and forms of these words."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.events import EventDates
from tabchat.planner.links.header_words import groups_of, month_columns, roots_of, stems_of
from tabchat.planner.links.link import PERSONS, Link, LinkKind, told
from tabchat.planner.links.units import MONEY
from tabchat.planner.words.inflection import differ_by_a_mute
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Concept, Lexicon, Sentence, Word

_MOST_RIVALS: Final = 8  # columns that one span may name
_BEGINNING: Final = 5  # letters that words of one root share at the least
_CUT: Final = 4  # letters at the least of a word that a header cuts short with a point
_CUT_SHORT: Final = 0.7  # how well such a beginning says a word
_KIN: Final = 0.3  # how well a word says another one that only begins like it
_AGENT: Final = 0.4  # how well a verb says who does it: inspected, an inspector
_GROUP: Final = 0.6  # how well a word says another of its group: turnover, where the header says revenue
_AS_WELL: Final = {"duration": ("days",), "product": ("description",), "stay": ("nights", "duration")}
"""Group that is said → groups of columns that tell it, too."""
_HEADS: Final = frozenset({"population", "passengers", "residents"})  # groups of columns that count people
_EQUAL: Final = 0.01  # difference of two fits that is none
_PARTICLES: Final = ("up", "in", "out", "off", "back", "down")  # of verbs in one word: `checkin`
_LONGEST: Final = 7  # words of a question that name one column


@record
class _Match:
    """A column that a span names."""

    start: int
    end: int
    column: TableColumn
    matched: Mapping[int, float]
    """Place of a header word → how well it was said: 1 as it is written, less in another form or by another word."""
    synonym: bool = False

    @cached_property
    def fit(self) -> float:
        """How much of the header was said, and how well."""
        core = self.column.core
        said = sum(quality for place, quality in self.matched.items() if place in core)
        return said / max(1, len(core))


def header_links(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> list[Link]:
    """Return the columns that spans of the question can name, the few best ones of each span."""
    index = _index(vocabulary, tuple(lexicons))
    hits = [index.hits(word) for word in sentence.words]
    joins = [any(word.norm in lexicon.joining for lexicon in lexicons) for word in sentence.words]
    matches = [
        match
        for start in range(len(hits))
        for match in (*_named(start, hits, joins, vocabulary), *index.phrased(start, sentence.words))
    ]
    # `sum` asks for one rather than for what a quantity comes to, and `3 days` are no time between two dates.
    others = {(found.start, found.end) for found in sentence.concepts if found.name.startswith("agg.")}
    others |= {(found.end - 1, found.end) for found in sentence.quantities if found.unit is not None}
    # `more than six times` counts rows.
    numbers, concepts = {found.end for found in sentence.quantities}, sentence.concepts
    others |= {(one.start, one.end) for one in concepts if one.name == "times" and one.start in numbers}
    matches += (
        match
        for match in index.meant(sentence.concepts)
        if not match.column.facts.operands or (match.start, match.end) not in others
    )
    matches += (_synonym(concept, column) for concept, column in _persons(sentence, vocabulary))
    said = [(match.start, match.end, match.column.place) for match in matches]
    matches += (_synonym(concept, column) for concept, column in index.events.named(sentence, said))
    rivals: dict[tuple[int, int], list[float]] = defaultdict(list)
    best: dict[tuple[int, int], dict[int, _Match]] = defaultdict(dict)
    for match in matches:
        span, place = (match.start, match.end), match.column.place
        rivals[span].append(match.fit)
        if place not in best[span] or match.fit > best[span][place].fit:
            best[span][place] = match
    rows = {(found.start, found.end) for found in sentence.concepts if found.name == "rows"}
    return [
        link
        for span, found in best.items()
        # Of four hundred measures, `measure` names none.
        for match in sorted(found.values(), key=lambda match: (-match.fit, match.column.place))[:_MOST_RIVALS]
        # `records` are rows, not who is the `Recorder`.
        if not ("column.agent" in (link := _link(match, rivals[span])).signs and span in rows)
    ]


def _persons(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[tuple[Concept, TableColumn]]:
    """Yield the only column of persons for words for them: by employee, of a `Handled by` with names; not of customers."""
    people = vocabulary.people
    if len(people) == 1 and not people[0].kept_unique and not vocabulary.holds_people:
        words = PERSONS[: 1 if "customer" in people[0].groups else None]
        yield from ((one, people[0]) for one in sentence.concepts if one.name in words)


def _link(match: _Match, rivals: Sequence[float]) -> Link:
    column, said = match.column, match.matched.keys()
    core, quality = column.core, min(match.matched.values(), default=1.0)
    of_unit = bool(said) and said <= column.unit_words
    missing = 0 if of_unit else len(core - said)
    features = {
        "column.unit" if of_unit else "column": 1,
        _manner(match, quality): quality < 1,
        "column.missing": missing / max(1, len(core)),
        "column.headless": missing and max(core) not in said,
        # `orders` beside `order_id`: rows are meant, rather than their numbers.
        "column.identifier": column.identifying and said <= core and len(core) < len(column.words),
        "column.verbatim": len(column.words) > 1 and len(said) == len(column.words) and quality == 1,
        "column.words": min(3, max(0, len(said) - 1)),
        "column.rivals": math.log1p(sum(abs(other - match.fit) <= _EQUAL for other in rivals) - 1),
        "column.outdone": any(other > match.fit + _EQUAL for other in rivals),
    }
    return Link(
        start=match.start,
        end=match.end,
        kind=LinkKind.COLUMN,
        column=column.place,
        features=told(features),
    )


def _manner(match: _Match, quality: float) -> str:
    """Return what a word that is not that of the header is: one that begins alike, another name, another form."""
    if quality <= _AGENT:
        return "column.kin" if quality <= _KIN else "column.agent"
    return "column.synonym" if match.synonym or quality <= _GROUP else "column.form"


def _synonym(concept: Concept, column: TableColumn) -> _Match:
    """Return a column that another word names."""
    matched = dict.fromkeys(column.core, _GROUP)
    return _Match(start=concept.start, end=concept.end, column=column, matched=matched, synonym=True)


def _named(
    start: int,
    hits: Sequence[Mapping[int, Mapping[int, float]]],
    joins: Sequence[bool],
    vocabulary: Vocabulary,
) -> Iterator[_Match]:
    for place, words in hits[start].items():
        column = vocabulary.columns[place]
        first = max(words, key=lambda word: (words[word], -word))
        matched = {first: words[first]}
        if first in column.core or first in column.unit_words or len(column.words) == 1:
            yield _Match(start=start, end=start + 1, column=column, matched=dict(matched))
        end = start + 1
        while end < min(len(hits), start + _LONGEST):
            fresh = {
                word: quality for word, quality in hits[end].get(place, {}).items() if word not in matched
            }
            if fresh:
                best = max(fresh, key=lambda word: (fresh[word], -word))
                matched[best] = fresh[best]
                end += 1
                if set(matched) & column.core:
                    yield _Match(start=start, end=end, column=column, matched=dict(matched))
            elif joins[end]:
                end += 1
            else:
                break


def _index(vocabulary: Vocabulary, lexicons: tuple[Lexicon, ...]) -> _Index:
    """Return the index of a table's headers, made once for the languages of a question."""
    key = tuple(lexicon.language for lexicon in lexicons)
    known: _Index | None = vocabulary.indexes.get(key)
    if known is None:
        known = vocabulary.indexes[key] = _Index(vocabulary, lexicons)
    return known


class _Index:
    """Stems of header words → the columns and places where they stand."""

    def __init__(self, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> None:
        self._lexicons = lexicons
        self._every, self._doers = vocabulary.lexicons, vocabulary.evidence("who")
        self._by_word: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._by_stem: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self._by_root: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self._by_beginning: dict[str, set[str]] = defaultdict(set)
        self._by_group: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self._phrases: dict[tuple[str, ...], list[TableColumn]] = defaultdict(list)
        self._whole: dict[str, list[TableColumn]] = defaultdict(list)
        self._months = month_columns(vocabulary)
        self._columns = vocabulary.columns
        self.events = EventDates(vocabulary)
        for column in vocabulary.columns:
            self._add(column)
        # What is sold is described where no column is called a product, and guests stay, as meetings do not.
        sold, stays = vocabulary.amounts and "product" not in self._whole, vocabulary.evidence("stays")
        told = {"product": sold, "stay": any(not stays.isdisjoint(one.words) for one in vocabulary.columns)}
        self._as_well = {group: others for group, others in _AS_WELL.items() if told.get(group, True)}

    def _add(self, column: TableColumn) -> None:
        for position, word in enumerate(column.words):
            place = (column.place, position)
            self._by_word[word].append(place)
            self._by_beginning[word[:_BEGINNING]].add(word)
            if f"{word}." in column.name.casefold():
                self._by_beginning[f"{word[:_CUT]}."].add(word)
            for stem in stems_of(word, self._lexicons):
                self._by_stem[stem].add(place)
            if column.numeric or column.flag or column.temporal:
                for root in roots_of(word, self._lexicons):
                    self._by_root[root].add(place)
            if position in column.core or (position in column.unit_words and not column.text):
                groups = groups_of(word, self._every)
                for group in groups:
                    # `When` asks for no `Days left`, and `people` not where they live.
                    when = column.numeric and group == "date" and "days" in groups
                    unfit = when or (column.text and group in _HEADS)
                    # A `Витрата на 100 км, л` is no expense, a `Unit cost` no number of units, `Sold on` no sales.
                    counts = group == "quantity" and not column.kinds.isdisjoint(MONEY)
                    money = not column.temporal and (not column.numeric or group in column.kinds)
                    if not (unfit or counts) and (group not in MONEY or money):
                        self._by_group[group].add(place)
        for group in column.groups:
            self._whole[group].append(column)
        if len(column.words) > 1:
            self._phrases["".join(column.words),].append(column)
        for phrase in column.synonyms:
            self._phrases[phrase].append(column)

    def hits(self, word: Word) -> Mapping[int, Mapping[int, float]]:
        """Return column → place of the header word → how well `word` says it."""
        found: dict[int, dict[int, float]] = defaultdict(dict)
        forms = [(word.norm, 1.0), *((spelling, 0.7) for spelling in word.spellings)]
        indexes = (
            (self._by_group, groups_of, _GROUP),
            (self._by_root, roots_of, 0.7),
            (self._by_stem, stems_of, 0.9),
            (self._by_word, lambda form, _: (form,), 1.0),
        )
        for form, most in forms:
            for index, keys, quality in indexes:
                for key in keys(form, self._lexicons):
                    for column, place in index.get(key, ()):
                        if not differ_by_a_mute(form, self._columns[column].words[place]):
                            found[column][place] = max(found[column].get(place, 0), quality * most)
        known = bool(found)
        doers = not self._doers.isdisjoint(groups_of(word.norm, self._lexicons))
        for other in self._akin(word.norm):
            # Of `Inspection` and `Inspector`, `who inspected` asks for the second.
            acts = word.norm != other and any(lexicon.acts(other) for lexicon in self._every)
            # `Майст.`, of майстернями, is the whole word, cut short.
            short = word.norm.startswith(other) and other in self._by_beginning.get(f"{other[:_CUT]}.", ())
            quality = _AGENT if acts else _CUT_SHORT if short else _KIN
            for column, place in self._by_word[other] if acts or not known else ():
                # `drivers` are none of `km_driven`.
                if acts or not (doers and self._columns[column].numeric):
                    found[column].setdefault(place, quality)
        return found

    def _akin(self, word: str) -> Iterator[str]:
        """Yield the words of headers that begin like a word: `reviewed` and `reviewer`, удалёнка and `Удал.`."""
        yield from sorted(
            one for one in self._by_beginning.get(f"{word[:_CUT]}.", ()) if word.startswith(one)
        )
        for other in sorted(self._by_beginning.get(word[:_BEGINNING], ())):
            shorter = min(len(word), len(other))
            if shorter >= _BEGINNING and word[: (2 * shorter + 2) // 3] == other[: (2 * shorter + 2) // 3]:
                yield other

    def meant(self, concepts: Sequence[Concept]) -> Iterator[_Match]:
        """Yield columns that are named by a word of their group; `sell` says that something was sold, and no sales."""
        sold = {one.start for one in concepts if one.name == "verb.quantity"}
        for concept in concepts:
            if not concept.exact and concept.start in sold:
                continue
            _, header, group = concept.name.rpartition("header.")
            meant = (group, *self._as_well.get(group, ())) if header else ()
            columns = [column for one in meant for column in self._whole.get(one, ())]
            yield from (_synonym(concept, one) for one in (*columns, *self._months.get(concept.name, ())))

    def phrased(self, start: int, words: Sequence[Word]) -> Iterator[_Match]:
        """Yield columns that are named by a phrase of a header group, a name of the person's own, or in one word."""
        # `sign up`, of a `signup_date`; `over time` is no `overtime`.
        verb = [word.norm for word in words[start : start + 2]]
        joined = "".join(verb) if verb[1:] and verb[1] in _PARTICLES else ""
        for place, position in self._by_word.get(joined, ()):
            if position in (column := self._columns[place]).core:
                yield _Match(start=start, end=start + 2, column=column, matched={position: 1.0})
        for end in range(start + 1, min(len(words), start + 4) + 1):
            phrase = tuple(word.norm for word in words[start:end])
            for column in (*self._phrases.get(phrase, ()), *self._phrases.get(("".join(phrase),), ())):
                yield _Match(start=start, end=end, column=column, matched=dict.fromkeys(column.core, 1.0))
