"""Cells that are said by one of their words (`Ковалёва` for `Ковалёв Артём`), or by a word that a table shortens (`женщины`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.catalog import folded_value
from tabchat.planner.lexicon import CELL
from tabchat.planner.senses import Item, Sense, SenseKind
from tabchat.planner.transliteration import written
from tabchat.planner.weighing import with_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.inflection import Inflection
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.tokens import Token

PART_COST: Final = 0.9
"""What it costs that one word of a cell was said for the whole."""
_NEIGHBOURS: Final = 4
"""Words on either side that may belong to a value together with an unknown one."""
_LEAST: Final = 4
"""Letters of a word that may stand for a cell."""
_PAIRING: Final = frozenset({"и", "та", "й", "або", "или"})
"""Words between two names that a cell puts side by side."""
_DESCRIBING: Final = ("ый", "ий", "ая", "яя", "ое", "ее", "ой", "ні", "ний", "ій")
"""Endings of adjectives: `Пресс гидравлический` is the press."""
_MOST_WORDS: Final = 4
"""Words of a cell that one of them may stand for; longer texts are no names."""
_MOST_CELLS: Final = 60
"""Cells of a column of categories; a longer list holds words of all kinds."""


def with_parts(
    items: tuple[Item, ...],
    table: PlannerTable,
    inflection: Inflection,
    people: Sequence[ColumnFacts],
    question: str,
    starts: Sequence[tuple[int, int]],
) -> tuple[Item, ...]:
    """Read unknown words in a row as the only cell that has them among its words.

    `starts` are the places of the tokens in the text of the question.
    """
    named = {column.index for column in people}
    row: list[Item] = []
    place = 0
    while place < len(items):
        end, cell = _longest(items, place, table, inflection, named)
        if cell is None:
            row.append(items[place])
            place += 1
            continue
        column, value = cell
        first, last = items[place], items[end - 1]
        text = question[starts[first.start][0] : starts[last.end - 1][1]]
        sense = Sense(kind=SenseKind.VALUE, column=column, value=value, cost=PART_COST)
        row.append(Item(start=first.start, end=last.end, text=text, senses=(sense,)))
        place = end
    return tuple(row)


def _longest(
    items: Sequence[Item], place: int, table: PlannerTable, inflection: Inflection, named: set[int]
) -> tuple[int, tuple[ColumnFacts, str] | None]:
    """Return the end of the unknown words from `place` on that one cell has, and that cell."""
    said: list[str] = []
    found: tuple[int, tuple[ColumnFacts, str] | None] = (place, None)
    while place < len(items) and items[place].unknown and items[place].end - items[place].start == 1:
        words = folded_value(items[place].text)
        if len(words) != 1 or len(words[0]) < _LEAST or not words[0].isalpha():
            break
        said.append(words[0])
        place += 1
        cells = list(_having(said, table, inflection, named))
        if len(cells) == 1:
            found = (place, cells[0])
        elif not cells:
            break
    return found


def _having(
    said: Sequence[str], table: PlannerTable, inflection: Inflection, named: set[int]
) -> Iterator[tuple[ColumnFacts, str]]:
    for index, values in table.values().items():
        column = table.columns[index]
        if column.kind is not ColumnKind.TEXT or (index not in named and len(values) > _MOST_CELLS):
            continue
        for value in values:
            words = folded_value(value)
            if len(words) == len(said) == 1 and _is_form(said[0], words[0], inflection):
                yield column, value
            if not 1 < len(words) <= _MOST_WORDS:
                continue
            able = [
                word
                for place, word in enumerate(words)
                if len(word) >= _LEAST and (index in named or _stands_alone(words, place))
            ]
            if all(any(inflection.alike(one, word) for word in able) for one in said):
                yield column, value


def _is_form(said: str, word: str, inflection: Inflection) -> bool:
    """Tell whether a cell is the participle or the noun of a verb (`отменили` of `отменён`), or its word in Latin letters."""
    if word.isascii() and not said.isascii():
        return any(written(stem) in _latin(word) for stem in inflection.stems(said))
    return len(said) > _LEAST and bool(inflection.roots(said) & inflection.roots(word))


def _latin(word: str) -> frozenset[str]:
    """Return a Latin word with what a transliteration may lack at its end: `Kazan`, `Moskva`."""
    return frozenset(
        {word, word.rstrip("'")} | ({word[:-1]} if word[-1] in "aeiouy" and len(word) > _LEAST else set())
    )


def _stands_alone(words: Sequence[str], place: int) -> bool:
    """Tell whether a word of a cell says as much as the cell: one of a pair, or the only word beside short ones.

    `новых` is no `Новый Уренгой`, and `доставка` no `Бесплатная доставка`.
    """
    if words[place].isascii():
        return False
    described = all(word.endswith(_DESCRIBING) for word in words[place + 1 :]) and place == 0
    if described and not words[place].endswith(_DESCRIBING):
        return True
    paired = any(0 < joint < len(words) - 1 and words[joint] in _PAIRING for joint in (place - 1, place + 1))
    return paired or all(len(word) < _LEAST for at, word in enumerate(words) if at != place)


def written_out(
    found: Sequence[tuple[int, Sense]],
    meanings: Mapping[int, frozenset[str]],
    table: PlannerTable,
    lexicons: Sequence[Lexicon],
) -> Iterator[tuple[int, Sense]]:
    """Exchange words that tables shorten (`женщин` for `ж`) for the cells; without lexicons only leave them out."""
    for length, sense in found:
        short = frozenset(concept for concept in sense.concepts if concept.startswith(CELL))
        rest = sense.concepts - short
        cells = [cell for concept in short for cell in _written_cells(concept, meanings, table, lexicons)]
        idle = bool(cells) and all(concept.startswith("stop.") for concept in rest)
        if (rest and not idle) or not short:
            yield length, replace(sense, concepts=rest)
        yield from ((length, cell) for cell in cells)


def _written_cells(
    concept: str, meanings: Mapping[int, frozenset[str]], table: PlannerTable, lexicons: Sequence[Lexicon]
) -> Iterator[Sense]:
    """Yield the only cell of a column that is written as a concept says."""
    meaning = concept.split(".")[1]
    written = frozenset().union(*(lexicon.written.get(concept, frozenset()) for lexicon in lexicons))
    for index, known in meanings.items():
        cells = [value for value in table.values().get(index, ()) if " ".join(folded_value(value)) in written]
        if meaning in known and len(cells) == 1:
            yield Sense(kind=SenseKind.VALUE, column=table.columns[index], value=cells[0], inflected=True)


def with_rare_values(
    items: tuple[Item, ...],
    tokens: Sequence[Token],
    question: str,
    table: PlannerTable,
    unknown: Sequence[int],
) -> tuple[Item, ...]:
    """Look the unknown words up, with their neighbours, in the columns that are too long for the index."""
    spans: dict[str, tuple[int, int]] = {}
    for place in unknown:
        for start in range(max(0, place - _NEIGHBOURS), place + 1):
            for end in range(place + 1, min(len(tokens), place + _NEIGHBOURS + 1) + 1):
                text = question[tokens[start].start : tokens[end - 1].end]
                spans[text.casefold()] = (start, end)
    for index, cell in table.find_texts(tuple(spans)):
        start, end = spans.get(cell.strip().casefold(), (0, 0))
        held = {(sense.column, sense.value) for item in items for sense in item.senses}
        if end and (table.columns[index], cell) not in held:
            sense = Sense(kind=SenseKind.VALUE, column=table.columns[index], value=cell)
            items = with_value(items, start, end, sense, question, tokens)
    return items
