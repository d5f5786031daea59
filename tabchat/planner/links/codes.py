"""Headers whose numbers are names: ids, codes, the numbers of orders and of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.links.units import CURRENCY_SIGNS, MONEY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.links.units import Stock

_SIGNS: Final = frozenset("№#")


def names_things(facts: ColumnFacts, words: Sequence[str], bare: Sequence[str], stock: Stock) -> bool:
    """Tell whether the numbers of a column are names; `bare` are the words of its header without a unit or a note behind them.

    A case with a `Number` of 12/24 is no dozen, and a `Port fee` is money, whatever a port is.
    """
    if not (facts.kind.is_numeric or facts.figures is not None):
        return False
    if facts.numbers_rows or _SIGNS & {*facts.name}:
        return True
    # A `Room No` is a number; `Guests (no.)` are counted, and an `Invoice (£)` is money.
    if not stock.identifying.isdisjoint(words) and "no" not in words:
        return not any(lexicon.header_group(words[-1]) & {*MONEY} for lexicon in stock.lexicons)
    if len(words) == 1:
        return facts.integral and words[0] in stock.numbered and not CURRENCY_SIGNS.keys() & {*facts.name}
    if len(bare) > 1 and bare[-1] == "number":
        # Nor is a `Mach number` one, or the `Visitor number` of a day.
        return facts.figures is not None or (facts.integral and bare[-2] in stock.numbered)
    return facts.integral and len(bare) > 1 and bare[-1] == "no"
