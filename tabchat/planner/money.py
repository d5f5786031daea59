"""What a table earns: the column of takings by its other names, the average ticket, and currencies behind figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import is_note
from tabchat.planner.nodes import Node, match_at, replaced
from tabchat.planner.senses import Sense, SenseKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.evidence import Evidence
    from tabchat.planner.headers import HeaderIndex
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.scene import Scene

TAKINGS: Final = "revenue"
"""The meaning of headers that say what was taken."""
_YIELDS: Final = frozenset({TAKINGS, "harvest"})
"""Meanings of columns whose verb asks for their sum."""
_AMOUNT: Final = "amount"
_SALES: Final = "order"
"""What a table shows whose rows are sales."""
_CURRENCIES: Final = {"₴": "uah", "грн": "uah", "$": "usd", "€": "eur", "£": "gbp", "₽": "rub", "руб": "rub"}


def with_takings(headers: HeaderIndex, evidence: Evidence, lexicons: Sequence[Lexicon]) -> HeaderIndex:
    """Let the one total of a table of sales be found by the words for revenue, when no column is called so."""
    named = any(TAKINGS in meanings for meanings in headers.meanings.values())
    headed = any(meaning == TAKINGS for meaning, _ in headers.headed)
    if named or headed or not evidence.columns(_SALES):
        return headers
    totals = frozenset().union(*(lexicon.totals for lexicon in lexicons))
    sold = evidence.stems(_SALES)
    found = [column for column in headers.columns if _is_total(column, headers, totals, sold)]
    if len(found) != 1:
        return headers
    known = headers.meanings.get(found[0].index, frozenset()) | {TAKINGS}
    if not any(_AMOUNT in meanings for meanings in headers.meanings.values()):
        known |= {_AMOUNT}
    return replace(headers, meanings={**headers.meanings, found[0].index: known})


def _is_total(
    column: ColumnFacts, headers: HeaderIndex, totals: frozenset[str], sold: frozenset[str]
) -> bool:
    """Tell whether a header is `Total`, `Сума, грн` or `Сума чека`."""
    words = [word for word in column.base if word not in headers.units and not is_note(word, column)]
    said = [word for word in words if word in totals]
    rest = [word for word in words if word not in totals and not headers.inflection.stems(word) & sold]
    return column.kind.is_numeric and bool(said) and not rest


def read_money(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Exchange `how much money` and `average ticket` for a function and its column; drop currencies behind figures."""
    return _earned(_tickets(_currencies(_priced(nodes, scene), scene), scene), scene)


_PRICES: Final = (".price", ".cost")


def _priced(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read an expensive receipt as one that came to much; of an order the price may be meant, so it is not read."""
    if not any(node.names("entity.order", "entity.sale") for node in nodes):
        return nodes
    price = scene.meant(_PRICES[0][1:])
    if price is not None and scene.meant(TAKINGS) is None and all(is_note(w, price) for w in price.base[1:]):
        return nodes
    column = scene.meant(TAKINGS) if any(node.names("entity.receipt") for node in nodes) else None
    return tuple(
        replace(node, sense=replace(node.sense, concepts=_of_takings(node.sense.concepts, column)))
        if node.sense is not None and node.has("scale.")
        else node
        for node in nodes
    )


def _of_takings(concepts: frozenset[str], column: ColumnFacts | None) -> frozenset[str]:
    said = frozenset(name for name in concepts if name.startswith("scale.") and name.endswith(_PRICES))
    if column is None:
        return (concepts - {name for name in said if name.endswith(_PRICES[0])}) or frozenset({"scale."})
    return (concepts - said) | {f"{name.rpartition('.')[0]}.{TAKINGS}" for name in said}


def _earned(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `how much did the shop earn` as the sum of its takings, and what a driver harvested as that of the yield."""
    for position in range(len(nodes)):
        match = match_at("count|howmuch pred|in? verb=verb.revenue|verb.harvest", nodes, position)
        names = _YIELDS & set(match["verb"].sense.starting("verb.")) if match and match["verb"].sense else ()
        column = scene.meant(min(names)) if names else None
        if match is not None and column is not None:
            return replaced(nodes, match, _concept("agg.sum"), Node(sense=_mention(column)))
    return nodes


def _tickets(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    row, position = nodes, 0
    while position < len(row):
        match = match_at("word=money|ticket", row, position)
        word = match["word"] if match is not None else None
        column = _taken(word, scene) if word is not None else None
        if match is not None and word is not None and column is not None:
            function = "agg.mean" if word.has("ticket") else "agg.sum"
            row = replaced(row, match, _concept(function), Node(sense=_mention(column)))
            # That the money was brought in is what the column says.
            row = tuple(node for node in row if not node.has("verb.revenue"))
        position += 1
    return row


def _concept(name: str) -> Node:
    return Node(sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset({name})))


def _mention(column: ColumnFacts) -> Sense:
    return Sense(kind=SenseKind.COLUMN, column=column)


def _taken(word: Node, scene: Scene) -> ColumnFacts | None:
    """Return the column of takings; a ticket is one row, so the rows must be sales of their own."""
    if word.has("ticket") and not scene.evidence.shows("entity.order"):
        return None
    column = scene.meant(TAKINGS)
    if column is not None or word.has("ticket"):
        return column
    found = [item for item in scene.table.columns if currency_of(item) is not None]
    return found[0] if len(found) == 1 else None


def currency_of(column: ColumnFacts) -> str | None:
    """Return the currency that a header states."""
    if not column.kind.is_numeric:
        return None
    signs = (column.unit or "", *column.base)
    return next((_CURRENCIES.get(sign, sign) for sign in signs if sign in _KNOWN), None)


_KNOWN: Final = frozenset({*_CURRENCIES, *_CURRENCIES.values()})


def _currencies(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Leave out the currency behind a figure (`a debt over 1000 UAH`) that no column contradicts."""
    stated = {found for item in scene.table.columns if (found := currency_of(item)) is not None}
    row, position = nodes, 0
    while position < len(row):
        match = match_at("n=num scale.k|scale.m|scale.b? unit=currency.", row, position)
        unit = match["unit"].sense if match is not None else None
        if match is not None and unit is not None and stated <= {unit.family("currency.")}:
            named = any(node.column is not None and node.column.kind.is_numeric for node in row)
            row = (*row[: match.end - 1], *row[match.end :]) if named else row
        position += 1
    return row
