"""Sentences that name rows, groups or columns: the first of a ranking, the extremes, what there is."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.engine.result import Result
    from tabchat.engine.types import Row, Value
    from tabchat.planner.plans import Draft
    from tabchat.planner.writing import Phrasing

LISTED: Final = 3
"""Groups that a sentence names at the most."""
NAMED: Final = 10
"""Plain names, such as those of columns, that a sentence gives at the most."""


def whole(value: Value) -> int:
    """Return a count that came as any kind of number."""
    return int(value) if isinstance(value, int | float | Decimal) else 0


def rows(draft: Draft, result: Result, writer: Phrasing) -> str:
    """Say how many rows there are."""
    if draft.scope and draft.shape == "list":
        matching = writer.counted(result.frame.row_count, "matching")
        return writer.words["count_where"].format(rows=matching, scope=" · ".join(draft.scope))
    return writer.words["listed"].format(rows=writer.counted(result.frame.row_count, "row"))


def capital(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]


def aside(draft: Draft) -> str:
    """Return the filters in brackets."""
    return f" ({', '.join(draft.scope)})" if draft.scope else ""


def _winners(draft: Draft, result: Result, writer: Phrasing) -> str:
    columns, words = result.frame.columns, writer.words
    measure = draft.details.get("measure", "")
    label = draft.details.get("key") or columns[0]
    if measure not in columns or label not in columns:
        return rows(draft, result, writer)
    named = [_pair(row, columns, label, measure, writer) for row in result.frame.rows(LISTED)]
    listed = _and_more(named, result.frame.row_count, writer)
    subject = ", ".join(draft.read_as[:2]) if draft.shape == "top" else draft.read_as[0]
    tied = result.frame.row_count > 1 and draft.shape not in {"top", "top_rows"}
    said = words["tied" if tied else "winner"].format(subject=subject, listed=listed, scope=aside(draft))
    return capital(said)


def _and_more(named: Sequence[str], count: int, writer: Phrasing) -> str:
    text, more = ", ".join(named), count - len(named)
    if more <= 0:
        return text
    return writer.words["and_more"].format(listed=text, rows=writer.counted(more, "more"))


def _pair(row: Row, columns: tuple[str, ...], label: str, measure: str, writer: Phrasing) -> str:
    name = writer.label(row[columns.index(label)])
    value = writer.figure(row[columns.index(measure)], measure, f"[{label}={name}].{measure}")
    return name if label == measure else f"{name} ({value})"


def _distinct(draft: Draft, result: Result, writer: Phrasing) -> str:
    column = draft.details.get("key", "")
    if column not in result.frame.columns:
        return rows(draft, result, writer)
    place, count = result.frame.columns.index(column), result.frame.row_count
    names = [writer.label(row[place]) for row in result.frame.rows(NAMED)]
    return writer.words["distinct"].format(
        values=writer.counted(count, "different"),
        column=column,
        scope=aside(draft),
        listed=_and_more(names, count, writer),
    )


def _schema(draft: Draft, result: Result, writer: Phrasing) -> str:
    if "column" not in result.frame.columns:
        return rows(draft, result, writer)
    place, count = result.frame.columns.index("column"), result.frame.row_count
    names = [writer.label(row[place]) for row in result.frame.rows(NAMED)]
    columns = writer.counted(count, "column")
    return writer.words["columns"].format(columns=columns, listed=_and_more(names, count, writer))


def _missing(draft: Draft, result: Result, writer: Phrasing) -> str:
    if result.frame.columns[:2] != ("column", "missing"):
        return rows(draft, result, writer)
    listed = sorted((row for row in result.frame.rows() if row[1]), key=lambda row: -whole(row[1]))
    if not listed:
        return writer.words["complete"]
    named = [_pair(row, result.frame.columns, "column", "missing", writer) for row in listed[:LISTED]]
    return writer.words["missing"].format(listed=_and_more(named, len(listed), writer))


SPECIAL: Final[Mapping[str, Callable[[Draft, Result, Phrasing], str]]] = {
    "argmax": _winners,
    "argmax_row": _winners,
    "top": _winners,
    "top_rows": _winners,
    "distinct": _distinct,
    "schema": _schema,
    "missing": _missing,
}


def groups(draft: Draft, result: Result, writer: Phrasing) -> str:
    """Count the groups and name the extremes."""
    found, columns = result.frame.rows(), result.frame.columns
    measure = draft.details["measure"]
    place = columns.index(measure)
    wanted = result.group_by or (draft.details.get("key", ""),)
    keys = [columns.index(name) for name in wanted if name in columns]
    ranked = [row for row in found if isinstance(row[place], int | float | Decimal)]
    counted = writer.counted(len(found), "group")
    if len(ranked) < 2 or not keys:  # noqa: PLR2004 - one group has no extremes
        return writer.words["grouped_only"].format(groups=counted)
    figures = [float(row[place]) for row in ranked]  # type: ignore[arg-type] # filtered above
    most, least = max(figures), min(figures)
    high = [row for row, figure in zip(ranked, figures, strict=True) if figure == most]
    low = [row for row, figure in zip(ranked, figures, strict=True) if figure == least]
    return writer.words["grouped"].format(
        groups=counted,
        high=_tied(high, keys, place, columns, writer),
        low=_tied(low, keys, place, columns, writer),
    )


def _tied(rows: list[Row], keys: list[int], place: int, columns: tuple[str, ...], writer: Phrasing) -> str:
    """Name the groups that share an extreme, the first few of them, and their figure once."""
    names = [", ".join(writer.label(row[key]) for key in keys) for row in rows]
    more = " …" if len(names) > LISTED else ""
    label = columns[keys[0]]
    figure = writer.figure(rows[0][place], columns[place], f"[{label}={names[0]}].{columns[place]}")
    return f"{' · '.join(names[:LISTED])}{more} ({figure})"
