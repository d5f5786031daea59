"""Spans of a question → amounts that no header names: the money that rows come to, pieces, and verbs such as sold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Measure
from tabchat.planner.links.columns import MONEY
from tabchat.planner.readings.effect import Kind, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.effect import Features, Item

_MONEY: Final = (
    *("header.revenue", "header.amount", "header.total", "header.sales", "header.cost", "header.price"),
    *("money", "summed_noun", "ticket"),
)
"""Words for columns of money, which stand for one another where a table has only some of them."""


def money_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Words for the money that rows come to, where no column has their name: turnover, sales, the average ticket."""
    for concept in lattice.concepts(place, *_MONEY):
        _, header, group = concept.name.rpartition("header.")
        if any(group in column.groups for column in lattice.vocabulary.columns):
            continue
        for rank, column in enumerate(lattice.vocabulary.money[:2]):
            told: Features = ((f"money.{concept.name}", 1.0), ("money.rank", float(rank)))
            if header:
                yield said(Kind.COLUMN, place, concept.end, told, column=column.place)
                continue
            measure = Measure(function="mean" if concept.name == "ticket" else "sum", column=column.name)
            yield said(Kind.MEASURE, place, concept.end, told, measure=measure, column=column.place)


def piece_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """`How many pieces`: the sum of the column that counts them."""
    for concept in lattice.concepts(place, "pieces"):
        for column in lattice.vocabulary.measures:
            if column.additive and ("quantity" in column.groups or "piece" in column.units):
                measure, told = Measure(function="sum", column=column.name), (("pieces", 1.0),)
                yield said(Kind.MEASURE, place, concept.end, told, measure=measure, column=column.place)


def verb_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a verb that names a column of amounts: sold, earned, weighs."""
    for concept in lattice.concepts(place, "verb."):
        group = concept.name.removeprefix("verb.")
        named = [column for column in lattice.vocabulary.columns if column.measure and group in column.kinds]
        for column in named:
            yield said(Kind.COLUMN, place, concept.end, (("column.verb", 1.0),), column=column.place)
        for rank, column in enumerate(lattice.vocabulary.money[:2] if not named and group in MONEY else ()):
            features = (("column.verb_of_money", 1.0), ("money.rank", float(rank)))
            yield said(Kind.COLUMN, place, concept.end, features, column=column.place)
