"""The table of the suite: of each class, how many attacks there are and how many each wall stopped."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from tests.attacks.attacking import Behind
from tests.attacks.payload import Category

HEADER: Final = ("class", "attacks", "work unprotected", "stopped by guard", "by kernel lock", "by both")
_COLUMNS: Final = (Behind.GUARD, Behind.LOCK, Behind.BOTH)


def rows(verdicts: Iterable[tuple[str, str, str]]) -> list[tuple[str, ...]]:
    """Return the table from `(class, behind what, verdict)`; a verdict is `reached`, `contained` or `stopped`.

    `contained` counts as stopped and is shown beside: the worker harmed itself
    and nothing else.
    """
    counted = Counter(verdicts)
    made = [_row(category.value, [category.value], counted) for category in Category]
    return [HEADER, *made, _row("all", [category.value for category in Category], counted)]


def _row(name: str, categories: list[str], counted: Counter[tuple[str, str, str]]) -> tuple[str, ...]:
    def number(behind: Behind, *verdicts: str) -> int:
        return sum(
            counted[category, behind.value, verdict] for category in categories for verdict in verdicts
        )

    every = ("reached", "contained", "stopped")
    cells = [name, str(number(Behind.NOTHING, *every)), str(number(Behind.NOTHING, "reached"))]
    for behind in _COLUMNS:
        contained = number(behind, "contained")
        cells.append(
            str(number(behind, "stopped", "contained"))
            + (f" ({contained} kill only the worker)" if contained else "")
        )
    return tuple(cells)


def markdown(table: list[tuple[str, ...]]) -> str:
    """Return the table as SECURITY.md carries it."""
    header, *body = ("| " + " | ".join(row) + " |" for row in table)
    rule = "| --- |" + " ---: |" * (len(HEADER) - 1)
    return "\n".join((header, rule, *body))
