"""Edits of rows: delete some, delete what repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.edits.conditions import except_where, rows_meant
from tabchat.planner.edits.proposals import Proposal
from tabchat.planner.edits.request import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.planner.edits.patterns import Found
    from tabchat.planner.edits.request import Request

_TOGETHER: Final = 40
"""Conditions in one pair of brackets, so that a wide table makes no deep expression."""


def _delete(request: Request, found: Found) -> Iterator[Proposal]:
    span = request.span(found, "rows")
    noun = request.starts(span[0], "row", "everything")
    if noun is not None and any(request.starts(place, "except") for place in (noun, noun + 1)):
        return
    if request.starts(span[0], "dup") is not None:
        return
    meant = rows_meant(request, span, named=True)
    if not meant and noun == span[1]:
        raise Unfit("which rows are meant?", "Say it: delete rows where price < 0.")
    for rows in meant:
        negated = "!=" in rows.where or " not in " in rows.where
        if negated and any(s.has("without") for item in request.linked(span).items for s in item.senses):
            # `all but …` takes the rows along of which it is not known; another pattern reads it.
            continue
        yield Proposal(
            arguments={"operation": "delete_rows", "where": rows.where},
            template="delete_rows",
            parts=(request.joined(rows.read_as),),
        )


def _delete_where(request: Request, found: Found) -> Iterator[Proposal]:
    """Read `delete rows in which …`, whatever opens the condition."""
    span = request.span(found, "where")
    if request.starts(span[0], "where") is None:
        return
    for rows in rows_meant(request, span):
        yield Proposal(
            arguments={"operation": "delete_rows", "where": rows.where},
            template="delete_rows",
            parts=(request.joined(rows.read_as),),
        )


def _delete_others(request: Request, found: Found) -> Iterator[Proposal]:
    for rows in rows_meant(request, request.span(found, "rest")):
        yield Proposal(
            arguments={"operation": "delete_rows", "where": except_where(rows.where)},
            template="delete_except",
            parts=(request.joined(rows.read_as),),
        )


def _delete_incomplete(request: Request, _found: Found) -> Iterator[Proposal]:
    yield Proposal(
        arguments={"operation": "delete_rows", "where": _all_columns(request, "or")},
        template="delete_any_missing",
    )


def _delete_empty(request: Request, _found: Found) -> Iterator[Proposal]:
    yield Proposal(
        arguments={"operation": "delete_rows", "where": _all_columns(request, "and")}, template="delete_empty"
    )


def _all_columns(request: Request, tie: str) -> str:
    parts = [f"{write.name(column.name)} is null" for column in request.scene.table.columns]
    while len(parts) > _TOGETHER:
        parts = [_tied(parts[at : at + _TOGETHER], tie) for at in range(0, len(parts), _TOGETHER)]
    return f" {tie} ".join(parts)


def _tied(parts: Sequence[str], tie: str) -> str:
    return f"({f' {tie} '.join(parts)})"


def _deduplicate(request: Request, found: Found) -> Iterator[Proposal]:
    keep = str(found.get("keep", "first"))
    suffix = "_last" if keep == "last" else ""
    kept = {"keep": "last"} if keep == "last" else {}
    if "columns" not in found:
        yield Proposal(arguments={"operation": "deduplicate", **kept}, template=f"deduplicate{suffix}")
        return
    for columns in request.column_lists(request.span(found, "columns")):
        names = [column.name for column in columns]
        yield Proposal(
            arguments={"operation": "deduplicate", "columns": list(names), **kept},
            template=f"deduplicate_by{suffix}",
            parts=(", ".join(names),),
        )


PATTERNS: Final[tuple[tuple[str, Callable[[Request, Found], Iterator[Proposal]]], ...]] = (
    ("delete {rows}", _delete),
    ("delete row and? {where}", _delete_where),
    ("delete {where}", _delete_where),
    ("delete everything|row and? except row? {rest}", _delete_others),
    ("delete row any_missing", _delete_incomplete),
    ("delete empty_row", _delete_empty),
    ("delete dup row? and? @keep?", _deduplicate),
    ("delete row dup_row and? @keep?", _deduplicate),
    ("delete dup row? by column? {columns}", _deduplicate),
    ("delete dup row? by column? {columns} and? @keep", _deduplicate),
    ("delete row same column? {columns}", _deduplicate),
    ("delete row same column? {columns} and? @keep", _deduplicate),
    ("dedupe row? and? @keep?", _deduplicate),
    ("dedupe row? by column? {columns}", _deduplicate),
    ("dedupe row? by column? {columns} and? @keep", _deduplicate),
)
