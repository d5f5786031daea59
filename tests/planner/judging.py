"""When the rows of a result answer a question as those of its gold query do."""

from __future__ import annotations

import datetime as dt
import itertools
import math
import re
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import json_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.types import Row
    from tests.planner.gold import GoldQuestion


def is_correct(
    question: GoldQuestion,
    gold: Sequence[tuple[Any, ...]],
    kind: ResultKind,
    columns: Sequence[str],
    found: Sequence[Row],
) -> bool:
    """Tell whether the rows of a result answer a question as the gold query does."""
    rows = [tuple(json_value(cell) for cell in row) for row in found]
    if question.shape == "argmax":
        return bool(rows) and _covers(gold[0], rows[0])
    if (
        kind is ResultKind.DICT
        and rows
        and gold
        and len(gold) == len(gold[0]) == 1
        and len(rows[0]) > _WHOLE_SUMMARY
    ):
        return False
    shown = [rows]
    if "IS NOT NULL" in (question.sql or ""):
        # A group of the empty cells is marked as such, and left out where the gold query leaves it out.
        shown.append([row for row in rows if row[0] is not None])
    if len(rows) == 1 and len(gold) > 1:
        # Sides stand next to one another behind the one that `which` names.
        sides: list[tuple[Any, ...]] = list(zip(columns, rows[0], strict=True))
        shown.append(sides[1:] if columns[0] == "which" else sides)
    return any(
        _same(variant, table, ordered=question.ordered)
        for variant in _variants(question, gold)
        for table in shown
    )


def shows_rows(
    question: GoldQuestion,
    names: Sequence[str],
    gold: Sequence[tuple[Any, ...]],
    columns: Sequence[str],
    found: Sequence[Row],
) -> bool:
    """Tell whether the very rows that were asked for are shown, be it by their name and one figure of them."""
    whole = (question.sql or "").lstrip().upper().startswith("SELECT *")
    shared = [name for name in columns if name in names]
    if not whole or not shared or len(found) != len(gold):
        return False
    wanted = [tuple(row[names.index(name)] for name in shared) for row in gold]
    got = [tuple(json_value(row[columns.index(name)]) for name in shared) for row in found]
    return _same(wanted, got, ordered=question.ordered)


def _variants(question: GoldQuestion, gold: Sequence[tuple[Any, ...]]) -> Iterator[Sequence[tuple[Any, ...]]]:
    """Yield the gold rows, and what else its notes and shape allow."""
    kept = [row for row in gold if not any(cell is None for cell in row)]
    present = [row for row in gold if row[-1]] if question.shape == "missing" else []
    tables = [gold, *([kept] if len(kept) < len(gold) else []), *([present] if present else [])]
    for table in tables:
        yield table
        if all(isinstance(row[-1], int | float | Decimal) for row in table):
            if "fraction" in question.notes:
                yield [(*row[:-1], float(row[-1]) / 100) for row in table]
            elif question.shape == "share":
                yield [(*row[:-1], float(row[-1]) * 100) for row in table]


def _covers(gold: Sequence[Any], row: Sequence[Any]) -> bool:
    return all(any(_equal(cell, other) for other in row) for cell in gold)


def _same(gold: Sequence[Sequence[Any]], rows: Sequence[Sequence[Any]], *, ordered: bool) -> bool:
    if len(gold) != len(rows):
        return False
    if not gold:
        return True
    width = len(gold[0])
    fits = [
        [place for place in range(len(rows[0])) if _column_fits(gold, rows, mine, place, ordered=ordered)]
        for mine in range(width)
    ]
    for places in itertools.islice(itertools.product(*fits), 500):
        if len(set(places)) == width and _rows_fit(
            gold, [[row[p] for p in places] for row in rows], ordered=ordered
        ):
            return True
    return False


def _column_fits(
    gold: Sequence[Sequence[Any]], rows: Sequence[Sequence[Any]], mine: int, place: int, *, ordered: bool
) -> bool:
    left, right = [row[mine] for row in gold], [row[place] for row in rows]
    if ordered:
        return all(_equal(a, b) for a, b in zip(left, right, strict=True))
    return Counter(map(_key, left)) == Counter(map(_key, right)) or all(
        _equal(a, b) for a, b in zip(sorted(left, key=_key), sorted(right, key=_key), strict=True)
    )


def _rows_fit(gold: Sequence[Sequence[Any]], rows: Sequence[Sequence[Any]], *, ordered: bool) -> bool:
    left: Sequence[Sequence[Any]] = gold
    right: Sequence[Sequence[Any]] = rows
    if not ordered:
        left = sorted(gold, key=lambda row: [_key(cell) for cell in row])
        right = sorted(rows, key=lambda row: [_key(cell) for cell in row])
    return all(
        all(_equal(a, b) for a, b in zip(one, two, strict=True)) for one, two in zip(left, right, strict=True)
    )


def _equal(gold: Any, got: Any) -> bool:
    a, b = _plain(gold), _plain(got)
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-12)
    return bool(a == b)


def _key(cell: Any) -> str:
    plain = _plain(cell)
    return f"1{plain:+030.6f}" if isinstance(plain, float) else f"2{plain}" if plain is not None else "3"


_DATE: Final = re.compile(r"\d{4}-\d{2}(-\d{2})?")
_YEAR: Final = 4
_WHOLE_SUMMARY: Final = 6
"""Figures in one row above which the row is no answer to a question for one of them."""
_NOTES: Final = re.compile(r"(?<=\S)(\s*(\[[^\[\]]{1,8}\]|[*†‡]))+$")
"""Marks of footnotes, with or without which a text says the same."""
_DAYS: Final = {
    name: name[:3] for name in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
}


_YES_NO: Final = {
    **dict.fromkeys(("yes", "y", "true", "так", "да"), "true"),
    **dict.fromkeys(("no", "n", "false", "ні", "нет"), "false"),
}
"""Texts that the reader takes for yes and no."""


def _plain(cell: Any) -> float | str | None:  # noqa: PLR0911 - one return for each kind of cell
    """Bring a cell to a form in which what means the same is the same."""
    match cell:
        case None | "":
            return None
        case bool():
            return "true" if cell else "false"
        case int() | float() | Decimal():
            return None if math.isnan(cell) else float(cell)
        case dt.datetime():
            return _period(cell.isoformat(sep=" ").removesuffix(" 00:00:00"))
        case dt.date():
            return _period(cell.isoformat())
        case str() if cell.isascii() and cell.isdigit() and len(cell) == _YEAR:
            return float(cell)
        case str() if cell.strip().casefold() in _YES_NO:
            return _YES_NO[cell.strip().casefold()]
        case _:
            text = _NOTES.sub("", " ".join(str(cell).split()).casefold())
            if len(text) == 5 and text.endswith(":00") and text[:2].isdigit():
                return float(text[:2])
            return _period(_DAYS.get(text, text.removesuffix(" 00:00:00")))


def _period(text: str) -> float | str:
    """Let the first day of a month stand for the month, as `2024-03` does, and that of a year for the year."""
    if _DATE.fullmatch(text) is None:
        return text
    month = text[:7] if text.endswith("-01") else text
    return float(text[:4]) if month.endswith("-01") and len(month) == len("2024-01") else month
