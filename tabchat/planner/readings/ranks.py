"""Spans of a question → ranks and orders: superlatives, top N, first and last, sorted by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Measure, Operator
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.vocabulary import RANKS
from tabchat.planner.readings.effect import Effect, Item, Kind
from tabchat.planner.readings.phrases import counted_rows, functions, hop, measured_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.links.vocabulary import TableColumn
    from tabchat.planner.readings.effect import Features

_DOWN: Final = {"super.max", "top.max", "top.best", "super.late"}
_UP: Final = {"super.min", "top.min", "top.worst", "super.early"}
_MOST: Final = 1_000_000


def rank_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Superlatives with their number and their column, where these stand beside them."""
    for at, count, offset, before in _numbered(lattice, place):
        for concept in lattice.concepts(
            at, *_DOWN, *_UP, "scale.most.", "rel.first", "rel.last", "edge.first", "edge.last"
        ):
            found = _Rank(lattice, place, concept, count, offset, before)
            yield from found.items()
        for concept in lattice.concepts(at, "agg.mode", "agg.rarest", "count.max", "count.min"):
            # The most frequent one is the group with the most rows.
            effect = Effect(
                kind=Kind.SUPER,
                start=place,
                end=concept.end,
                name=concept.name,
                measure=Measure(),
                count=count,
                offset=offset,
                descending=concept.name in {"agg.mode", "count.max"},
            )
            yield Item(effect=effect, features=(*before, ("super.frequent", 1.0)))


class _Rank:
    """A superlative with what is known of it so far."""

    def __init__(
        self, lattice: Lattice, start: int, concept: Link, count: int | None, offset: int, features: Features
    ) -> None:
        self.lattice, self.start, self.concept = lattice, start, concept
        self.count, self.offset = count, offset
        self.features = (*features, *concept.features, (_name(concept), 1.0))
        self.descending = _descends(concept)

    def items(self) -> Iterator[Item]:
        ends: list[tuple[int, int | None, Features]] = [(self.concept.end, self.count, ())]
        if self.count is None:
            ends += [
                (number.end, count, (("super.number", 1.0),))
                for number in self.lattice.at(self.concept.end, LinkKind.NUMBER)
                if not self._directs(number.end) and (count := whole(number)) is not None
            ]
        for end, count, more in ends:
            yield from self._columns(end, count, more)

    def _directs(self, end: int) -> bool:
        """Tell whether the words up to a number say an order: `newest first` is not the newest one."""
        said = self.lattice.concepts(self.start, "asc", "desc", "asc.time", "desc.time")
        return any(concept.end >= end for concept in said)

    def _columns(self, end: int, count: int | None, more: Features) -> Iterator[Item]:
        columns = self.lattice.vocabulary.columns
        if self.concept.name.startswith("scale."):
            dimension = self.concept.name.split(".", 3)[3]
            named = [column for column in columns if column.measures(dimension)]
            for column in named:
                yield self._item(end, count, column.place, (*more, ("super.dimension", 1.0)))
            if not named:
                yield self._item(end, count, -1, (*more, ("super.no_dimension", 1.0)))
            return
        yield self._item(end, count, -1, (*more, ("super.bare", 1.0)))
        if count is None and not self.offset:
            function = "max" if self.descending else "min"
            effect = Effect(kind=Kind.FUNCTION, start=self.start, end=end, name=function)
            yield Item(effect=effect, features=(*self.features, *more, ("super.as_bare_function", 1.0)))
        for at, skipped in hop(self.lattice, end, 2):
            for link in self._ordering(at):
                kind = _kind(columns[link.column])
                own: Features = (*more, *skipped, *link.features, (kind, 1.0))
                yield self._item(link.end, count, link.column, own)
                if RANKS & set(columns[link.column].words):
                    turned = (*own, ("super.rank_turned", 1.0))
                    yield self._item(link.end, count, link.column, turned, descending=not self.descending)
                if count is None and not self.offset:
                    yield from self._extreme(link, own)
                    yield from self._scope(link, own)
            for found in functions(self.lattice, at):
                for behind, small in hop(self.lattice, found.end, 2):
                    for link in self.lattice.at(behind, LinkKind.COLUMN):
                        measure = Measure(
                            function=found.name, column=columns[link.column].name, parameter=found.parameter
                        )
                        yield self._item(
                            link.end,
                            count,
                            link.column,
                            (*more, *skipped, *small, *link.features, ("super.of_function", 1.0)),
                            measure,
                        )
            for rows in counted_rows(self.lattice, at) if self._counts(count) else ():
                yield self._item(
                    rows.end, count, -1, (*more, *skipped, *rows.features, ("super.of_rows", 1.0)), Measure()
                )
            for counted in self.lattice.concepts(at, "count"):
                for behind, _ in hop(self.lattice, counted.end, 1):
                    for rows in counted_rows(self.lattice, behind):
                        yield self._item(
                            rows.end, count, -1, (*more, *rows.features, ("super.of_rows", 1.0)), Measure()
                        )

    def _ordering(self, at: int) -> list[Link]:
        """Return the columns that a superlative can be of: the biggest orders are not those of the highest `order_id`."""
        if self.concept.name in {"super.max", "super.min", "top.max", "top.min", "top.best", "top.worst"}:
            return measured_columns(self.lattice, at)
        return self.lattice.at(at, LinkKind.COLUMN)

    def _counts(self, count: int | None) -> bool:
        """Tell whether a superlative before a word for rows means their number: `the most orders`."""
        return count is None and not self.concept.name.startswith(("top.", "rel.", "edge."))

    def _scope(self, link: Link, features: Features) -> Iterator[Item]:
        """Read `the latest year` as the rows of that year."""
        column = self.lattice.vocabulary.columns[link.column]
        bound = column.facts.high if self.descending else column.facts.low
        if column.facts.years and column.facts.exact and isinstance(bound, int):
            clause = Condition(column=column.name, operator=Operator.EQ, values=(bound,))
            effect = Effect(
                kind=Kind.CLAUSE, start=self.start, end=link.end, column=link.column, clauses=(clause,)
            )
            yield Item(effect=effect, features=(*self.features, *features, ("super.as_scope", 1.0)))

    def _extreme(self, link: Link, features: Features) -> Iterator[Item]:
        """Read `the highest close` as a figure."""
        column = self.lattice.vocabulary.columns[link.column]
        if not (column.numeric or column.temporal):
            return
        timely = self.concept.name in {"super.early", "super.late", "rel.first", "rel.last"}
        if timely and not (column.temporal or column.facts.years):
            return
        measure = Measure(function="max" if self.descending else "min", column=column.name)
        effect = Effect(
            kind=Kind.MEASURE, start=self.start, end=link.end, measure=measure, column=link.column
        )
        yield Item(effect=effect, features=(*self.features, *features, ("super.as_function", 1.0)))

    def _item(
        self,
        end: int,
        count: int | None,
        column: int,
        features: Features,
        measure: Measure | None = None,
        *,
        descending: bool | None = None,
    ) -> Item:
        effect = Effect(
            kind=Kind.SUPER,
            start=self.start,
            end=end,
            name=self.concept.name,
            column=column,
            measure=measure,
            count=count,
            offset=self.offset,
            descending=self.descending if descending is None else descending,
        )
        return Item(effect=effect, features=(*self.features, *features))


def _kind(column: TableColumn) -> str:
    if column.measure:
        return "super.of_measure"
    if column.temporal:
        return "super.of_date"
    return "super.of_name" if column.numeric else "super.of_text"


def _name(concept: Link) -> str:
    return "super.scale" if concept.name.startswith("scale.") else f"rank.{concept.name}"


def _descends(concept: Link) -> bool:
    if concept.name.startswith("scale."):
        return concept.name.split(".")[2] == "max"
    return concept.name in _DOWN or concept.name in {"rel.last", "edge.last"}


def _numbered(lattice: Lattice, place: int) -> Iterator[tuple[int, int | None, int, Features]]:
    """Yield (place of the superlative, how many, how many passed over, features)."""
    yield place, None, 0, ()
    for number in lattice.at(place, LinkKind.NUMBER):
        count = whole(number)
        if count is None or number.quantity is None:
            continue
        if number.quantity.ordinal:
            yield number.end, 1, count - 1, (("super.ordinal", 1.0),)
        else:
            yield number.end, count, 0, (("super.number", 1.0),)
    for nth in lattice.concepts(place, "second", "nth."):
        step = 2 if nth.name == "second" else int(nth.name.removeprefix("nth."))
        yield nth.end, 1, step - 1, (("super.ordinal", 1.0),)


def whole(number: Link) -> int | None:
    """Return a count of rows."""
    quantity = number.quantity
    if quantity is None or quantity.percent or quantity.unit or not quantity.value.is_integer():
        return None
    return int(quantity.value) if 0 < quantity.value <= _MOST else None


def order_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Sorted by a column; a direction by itself; `by price` behind a superlative."""
    for concept in lattice.concepts(place, "sort", "by"):
        if lattice.concepts(place, "per") or lattice.concepts(concept.end - 1, "each"):
            continue
        for at, skipped in hop(lattice, concept.end, 2):
            for link in lattice.at(at, LinkKind.COLUMN):
                yield from _ordered(
                    lattice, place, link.end, (*link.features, *skipped), concept, link.column
                )
            for found in functions(lattice, at):
                for behind, small in hop(lattice, found.end, 2):
                    for link in lattice.at(behind, LinkKind.COLUMN):
                        measure = Measure(
                            function=found.name,
                            column=lattice.vocabulary.columns[link.column].name,
                            parameter=found.parameter,
                        )
                        yield from _ordered(
                            lattice, place, link.end, (*link.features, *small), concept, link.column, measure
                        )
            for rows in counted_rows(lattice, at):
                yield from _ordered(lattice, place, rows.end, rows.features, concept, -1, Measure())
            for counted in lattice.concepts(at, "count"):
                ends = [counted.end]
                ends += [
                    rows.end
                    for behind, _ in hop(lattice, counted.end, 1)
                    for rows in lattice.at(behind, LinkKind.ROWS)
                ]
                for end in ends:
                    yield from _ordered(lattice, place, end, (), concept, -1, Measure())
    for concept in lattice.concepts(place, "asc", "desc", "asc.time", "desc.time", "sort"):
        effect = Effect(
            kind=Kind.DIRECTION,
            start=place,
            end=concept.end,
            name=concept.name,
            descending=concept.name.startswith("desc"),
        )
        yield Item(effect=effect, features=(("direction", 1.0),))


def _ordered(
    lattice: Lattice,
    start: int,
    end: int,
    features: Features,
    concept: Link,
    column: int,
    measure: Measure | None = None,
) -> Iterator[Item]:
    ends: list[tuple[int, bool | None]] = [(end, None)]
    for at, _ in hop(lattice, end, 1):
        ends += [
            (found.end, found.name.startswith("desc"))
            for found in lattice.concepts(at, "asc", "desc", "asc.time", "desc.time")
        ]
    numeric = column < 0 or lattice.vocabulary.columns[column].numeric
    kind = f"order.{concept.name}.{'number' if numeric else 'other'}"
    for last, descending in ends:
        effect = Effect(
            kind=Kind.ORDER,
            start=start,
            end=last,
            name="" if descending is None else "directed",
            column=column,
            measure=measure,
            descending=bool(descending),
        )
        yield Item(effect=effect, features=(*features, (kind, 1.0)))
