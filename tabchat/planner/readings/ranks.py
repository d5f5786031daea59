"""Spans of a question → ranks: superlatives, top N, first and last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import COUNT, Condition, Measure, Operator
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import Link, LinkKind
from tabchat.planner.links.units import NEARNESS, RANKS
from tabchat.planner.readings.draft import SIZES
from tabchat.planner.readings.effect import Kind, clause_said, said
from tabchat.planner.readings.orders import DIRECTIONS, is_dimensioned
from tabchat.planner.readings.phrases import counted_rows, hop, measured_columns, names_several
from tabchat.planner.readings.states import won_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.effect import Features, Item
    from tabchat.planner.words import Quantity

_TOPS: Final = ("super.max", "super.min", "top.max", "top.min", "top.best", "top.worst")
ENDS: Final = ("super.late", "super.early", "rel.first", "rel.last", "edge.first", "edge.last")
"""What says an end in time, or in the file."""
_DOWN: Final = {"super.max", "top.max", "top.best", "super.late", "rel.last", "edge.last", "degree.most"}
_OWN: Final = frozenset({"duration", "experience", "age", "length", "width", "thickness", "depth"})
"""What nothing else can stand for: the longest are not the dearest, the tallest may be the highest."""
_DONE: Final = ("мых", "мые", "мый", "мая", "мое", "мую")
"""Endings of Russian participles of what is done to things."""
_MOST_OF: Final = "най"
"""Beginning of Ukrainian superlatives."""
_MOST: Final = 1_000_000


def rank_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Superlatives with their number and their column, where these stand beside them; `at least 3` is none."""
    if place and any(link.end > place for link in lattice.concepts(place - 1, "cmp.")):
        return
    yield from _shown(lattice, place)
    for at, count, offset, before in _numbered(lattice, place):
        for concept in lattice.concepts(
            at, *_TOPS, *(() if _is_directed(lattice, at) else ENDS), "scale.most."
        ):
            yield from _Rank(lattice, place, concept, count, offset, before).items()
        for concept in lattice.concepts(at, "sized") if offset else ():
            largest = Link(start=at, end=concept.end, kind=LinkKind.CONCEPT, name="super.max")
            yield from _Rank(lattice, place, largest, count, offset, before).items()
        if "or" in lattice.names and "than" not in lattice.names:
            yield from _first_of_two(lattice, at)
        if most_of_unknown(lattice, at):
            unknown = Link(start=at, end=at + 1, kind=LinkKind.CONCEPT, name="degree.most")
            yield from _Rank(lattice, place, unknown, count, offset, before).items()
        for concept in lattice.concepts(at, "degree.most", "degree.least"):
            # самый многолюдный, of which the table has no word; самых скачиваемых, over their number
            if not lattice.has(concept.end - 1, "super.") and _is_strange(lattice, concept.end):
                yield from _Rank(lattice, place, concept, count, offset, before).items()
        for concept in lattice.concepts(at, "agg.mode", "agg.rarest", "count.max", "count.min"):
            # The most frequent one is the group with the most rows.
            down = concept.name in {"agg.mode", "count.max"}
            fields = {"measure": COUNT, "count": count, "offset": offset, "descending": down}
            features = (*before, ("super.frequent", 1.0))
            yield said(Kind.SUPER, place, concept.end, features, name=concept.name, **fields)


def _shown(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read how many are to be shown, where no noun says of what: `sort orders by fee from high to low and show 5`."""
    for concept in lattice.concepts(place, "list") if place else ():
        for quantity, end in lattice.numbers(concept.end):
            count, named = _whole(quantity), lattice.at(end, LinkKind.ROWS) or lattice.columns(end)
            if count is not None and not (named or quantity.ordinal):
                told = (("rank.rel.first", 1.0), ("super.number", 1.0))
                yield said(Kind.SUPER, place, end, told, name="rel.first", count=count, descending=False)


def _first_of_two(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read who of some is older, or came earlier, as the first of them by a date: `who was appointed earlier, Ann or Bob`."""
    dates = [column for column in lattice.vocabulary.columns if column.dated]
    born = lattice.vocabulary.evidence("birth")
    born_on = [column for column in dates if not born.isdisjoint(column.words)]
    named = {
        link.column
        for at in range(max(0, place - 2), place)
        for link, column in lattice.columns(at)
        if column.dated and link.end == place
    }
    for concept in lattice.concepts(place, "before", "after", "scale.more.") if dates else ():
        _, _, dimension = concept.name.rpartition(".")
        first = concept.name == "before" or concept.name.startswith("scale.more.max.")
        for column in dates:
            aged = column.measures(dimension) and column in (born_on or dates)
            if column.place in named or aged:
                fields = {"name": "super.early" if first else "super.late", "descending": not first}
                features = (("super.dimension", 1.0), ("super.dated", 1.0))
                yield said(Kind.SUPER, place, concept.end, features, column=column.place, **fields)


def _is_directed(lattice: Lattice, place: int) -> bool:
    """Tell whether a superlative stands before a place, so that `first` there says its end of an order: `fastest first`."""
    return any(
        link.end == place and link.name.startswith(("super.", "scale.most."))
        for start in range(max(0, place - 3), place)
        for link in lattice.at(start, LinkKind.CONCEPT)
    )


def most_of_unknown(lattice: Lattice, place: int) -> bool:
    """Tell whether a word is a superlative by its beginning alone: найлюдніших, of which no list tells the dimension."""
    word = lattice.sentence.words[place].norm if place < len(lattice.skips) else ""
    return word.startswith(_MOST_OF) and lattice.skips[place] is Skip.UNKNOWN


def _is_strange(lattice: Lattice, place: int) -> bool:
    """Tell whether the table has no word at a place, or a participle that says what is done with an amount."""
    done = place < len(lattice.skips) and lattice.sentence.words[place].norm.endswith(_DONE)
    amounts = done and any(column.measure for _, column in lattice.columns(place))
    return amounts or lattice.skips[place : place + 1] in {(Skip.UNKNOWN,), (Skip.DOING,)}


class _Rank:
    """A superlative with what is known of it so far."""

    def __init__(
        self, lattice: Lattice, start: int, concept: Link, count: int | None, offset: int, features: Features
    ) -> None:
        self.lattice, self.start, self.concept = lattice, start, concept
        self.count, self.offset = count, offset
        self.dimension = concept.name.split(".", 3)[3] if concept.name.startswith("scale.") else None
        name = "super.scale" if self.dimension is not None else f"rank.{concept.name}"
        self.features = (*features, *concept.features, (name, 1.0))
        self.descending = concept.name in _DOWN or concept.name.startswith("scale.most.max.")

    def items(self) -> Iterator[Item]:
        yield from self._columns(self.concept.end, self.count, ())
        for quantity, end in self.lattice.numbers(self.concept.end) if self.count is None else ():
            count = _whole(quantity)
            # `dearest first` says how groups are ordered, not that there is one.
            if count is not None and not quantity.ordinal and not self._directs(end):
                yield from self._columns(end, count, (("super.number", 1.0),))

    def _directs(self, end: int) -> bool:
        """Tell whether the words up to a number say an order: `newest first` is not the newest one."""
        return any(concept.end >= end for concept in self.lattice.concepts(self.start, *DIRECTIONS))

    def _columns(self, end: int, count: int | None, more: Features) -> Iterator[Item]:
        if self.dimension is not None:
            yield from self._measuring(self.dimension, end, count, more)
            return
        yield self._item(end, count, (*more, ("super.bare", 1.0)))
        alone = count is None and not self.offset
        if alone:
            features = (*self.features, *more, ("super.as_bare_function", 1.0))
            yield said(Kind.FUNCTION, self.start, end, features, name=self._function)
        for at, skipped in hop(self.lattice, end, 2):
            told = (*more, *skipped)
            for link in self._ordering(at):
                yield from self._of(link, count, told, alone=alone)
            for rows in counted_rows(self.lattice, at) if self._counts(count) else ():
                if not self._is_one(rows):
                    features = (*told, *rows.features, ("super.of_rows", 1.0))
                    yield self._item(rows.end, count, features, measure=COUNT)
            yield from self._of_kind(end, at, count, told)

    def _of_kind(self, end: int, at: int, count: int | None, told: Features) -> Iterator[Item]:
        """Count the rows of a kind that its own words say: `the most returned orders`, `the most houses`."""
        lattice = self.lattice
        most = self._is_degree
        if self._counts(count) and any(won_items(lattice, at)):
            # `the most winners`
            yield self._item(end, count, (*told, ("super.of_rows", 1.0)), measure=COUNT)
        for cell in lattice.at(at, LinkKind.CELL) if self._counts(count) else ():
            several = any(not self._is_one(rows) for rows in counted_rows(lattice, cell.end))
            if several or (most and cell.whole and lattice.is_plural(cell.start, cell.end)):
                yield self._item(end, count, (*told, ("super.of_rows", 1.0)), measure=COUNT)

    def _measuring(self, dimension: str, end: int, count: int | None, more: Features) -> Iterator[Item]:
        table = self.lattice.vocabulary
        near = {column.place: found for column in table.columns if (found := column.nearness(dimension))}
        named = [table.columns[place] for place in near]
        if not named and dimension in {"price", "cost"}:
            named = list(table.money[:2])
        nearest = min(near.values(), key=NEARNESS.index, default="")
        beside = {link.column: link for link in measured_columns(self.lattice, end)}
        for column in named:
            # The oldest are those who were born first.
            down = self.descending != (column.dated or column.originates(dimension))
            # `highest close` is not of the height, whatever column has one.
            past = float(bool(beside) and column.place not in beside)
            own = near.get(column.place, "unnamed")
            how = ((f"super.{own}", 1.0), ("super.farther", float(own != nearest)))
            features = (*more, ("super.dimension", 1.0), *how, ("super.past_column", past))
            yield self._item(end, count, features, column=column.place, descending=down)
            if (part := beside.get(column.place)) is not None:
                # `the longest flippers`, of a flipper length
                told = (*features, *part.features)
                yield self._item(part.end, count, told, column=column.place, descending=down)
        if not (named or dimension in _OWN or is_dimensioned(self.lattice, self.concept)):
            yield self._item(end, count, (*more, ("super.no_dimension", 1.0)))

    @property
    def _function(self) -> str:
        return "max" if self.descending else "min"

    def _ordering(self, at: int) -> Sequence[Link]:
        """Return the columns that a superlative can be of: the biggest orders are not those of the highest `order_id`.

        No date is the smallest.
        """
        if self.concept.name in _TOPS:
            found = measured_columns(self.lattice, at)
            sized = self.concept.name in SIZES
            return [link for link in found if not (sized and self.lattice.column(link).temporal)]
        # `first 5 that are electric` says which rows they are.
        return [link for link, column in self.lattice.columns(at) if not column.flag]

    def _counts(self, count: int | None) -> bool:
        """Tell whether a superlative before a word for rows means their number: `the most orders`."""
        places = ("top.", "rel.", "edge.", "super.late", "super.early")
        return count is None and not self.concept.name.startswith(places)

    @property
    def _is_degree(self) -> bool:
        return self.lattice.has(self.concept.start, "degree.most", "degree.least")

    def _is_one(self, rows: Link) -> bool:
        """Tell whether a size is of one row, so that nothing is counted: `who placed the largest order`."""
        sized = not self._is_degree
        word = self.lattice.sentence.words[rows.end - 1].norm
        return sized and word.isascii() and not self.lattice.is_plural(rows.start, rows.end)

    def _of(self, link: Link, count: int | None, told: Features, *, alone: bool) -> Iterator[Item]:
        column = self.lattice.column(link)
        own: Features = (*told, *link.features, (f"super.of_{_kind(column)}", 1.0))
        # Of `the most wins` there is one team, of `the highest sales` there may be several.
        many = not self._is_degree and names_several(self.lattice, link, column)
        yield self._item(link.end, count, own, column=link.column, many=many)
        if RANKS & set(column.words):
            turned = (*own, ("super.rank_turned", 1.0))
            yield self._item(link.end, count, turned, column=link.column, descending=not self.descending)
        if not alone:
            return
        timely = self.concept.name in {"super.early", "super.late", "rel.first", "rel.last"}
        if column.dated or column.facts.years or (column.numeric and not timely):
            # `the highest close` as a figure.
            measure = Measure(function=self._function, column=column.name)
            told = (*self.features, *own, ("super.as_function", 1.0))
            yield said(Kind.MEASURE, self.start, link.end, told, measure=measure, column=link.column)
        bound = column.facts.high if self.descending else column.facts.low
        if column.facts.years and column.facts.exact and isinstance(bound, int):
            # `the latest year` as the rows of that year.
            clause = Condition(column=column.name, operator=Operator.EQ, values=(bound,))
            told = (*self.features, *own, ("super.as_scope", 1.0))
            yield clause_said(self.start, link.end, clause, told, link.column)

    def _item(self, end: int, count: int | None, features: Features, **fields: Any) -> Item:
        told = (*self.features, *features)
        known = {"name": self.concept.name, "count": count, "offset": self.offset}
        return said(Kind.SUPER, self.start, end, told, **{"descending": self.descending, **known, **fields})


def _kind(column: TableColumn) -> str:
    if column.measure:
        return "measure"
    return "date" if column.dated else "name" if column.numeric else "text"


def _numbered(lattice: Lattice, place: int) -> Iterator[tuple[int, int | None, int, Features]]:
    """Yield (place of the superlative, how many, how many passed over, features)."""
    yield place, None, 0, ()
    for quantity, end in lattice.numbers(place):
        count = _whole(quantity)
        if count is not None:
            yield (end, 1, count - 1, ()) if quantity.ordinal else (end, count, 0, (("super.number", 1.0),))
    for nth in lattice.concepts(place, "second", "nth."):
        step = 2 if nth.name == "second" else int(nth.name.removeprefix("nth."))
        yield nth.end, 1, step - 1, ()


def _whole(quantity: Quantity) -> int | None:
    """Return a count of rows."""
    whole = not quantity.percent and not quantity.unit and quantity.is_whole
    return int(quantity.value) if whole and 0 < quantity.value <= _MOST else None
