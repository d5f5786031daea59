"""Edits that put cells in the place of others: fill what is missing, replace one cell by another."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from tabchat.planner.edits.cells import new_cell, old_cells, shown
from tabchat.planner.edits.conditions import rows_meant
from tabchat.planner.edits.proposals import Proposal
from tabchat.planner.edits.request import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.edits.cells import Scalar
    from tabchat.planner.edits.patterns import Found
    from tabchat.planner.edits.request import Request
    from tabchat.values import JsonValue

_NUMERIC_METHODS: Final = frozenset({"mean", "median", "zero"})
_PAIRS: Final = (("cell", "new"), ("cell2", "new2"))


def _fill(request: Request, found: Found) -> Iterator[Proposal]:
    span = request.trimmed(request.span(found, "filler"))
    method = request.family(span, "method") if request.quoted(span) is None else None
    for columns in request.column_lists(request.span(found, "columns")):
        names = [column.name for column in columns]
        if method is not None:
            _check_method(method, columns)
            said = request.words.readings[f"method_{method}"]
            yield from _filled(request, found, columns, {"columns": list(names), "method": method}, said)
            continue
        values = [new_cell(request, span, column) for column in columns]
        if all(values) and len({repr(value) for value in values}) == 1 and values[0][0] is not None:
            said = shown(values[0][0], "")
            yield from _filled(request, found, columns, {"columns": list(names), "value": values[0][0]}, said)


def _fill_along(method: str) -> Callable[[Request, Found], Iterator[Proposal]]:
    def build(request: Request, found: Found) -> Iterator[Proposal]:
        said = request.words.readings[f"method_{method}"]
        for columns in request.column_lists(request.span(found, "columns")):
            names: list[JsonValue] = [column.name for column in columns]
            yield from _filled(request, found, columns, {"columns": names, "method": method}, said)

    return build


def _fill_unnamed(request: Request, found: Found) -> Iterator[Proposal]:
    span = request.trimmed(request.span(found, "filler"))
    if request.family(span, "method") is not None or span[1] - span[0] == 1:
        raise Unfit(
            "of which columns are the missing cells to be filled?", "Name them: fill missing price with 0."
        )
    yield from ()


def _check_method(method: str, columns: tuple[ColumnFacts, ...]) -> None:
    wrong = [column.name for column in columns if method in _NUMERIC_METHODS and not column.kind.is_numeric]
    if wrong:
        raise Unfit(
            f"{', '.join(wrong)} does not hold numbers", "Fill it with a text, or with the most common value."
        )


def _filled(
    request: Request, found: Found, columns: tuple[ColumnFacts, ...], fields: dict[str, JsonValue], said: str
) -> Iterator[Proposal]:
    names = ", ".join(column.name for column in columns)
    arguments = {"operation": "fill_missing", **fields}
    if "where" not in found:
        yield Proposal(arguments=arguments, template="fill_missing", parts=(names, said))
        return
    span = request.span(found, "where")
    if request.starts(span[0], "where", "scope") is None:
        return
    for rows in rows_meant(request, span):
        yield Proposal(
            arguments={**arguments, "where": rows.where},
            template="fill_where",
            parts=(names, said, request.joined(rows.read_as)),
        )


def _replace(request: Request, found: Found) -> Iterator[Proposal]:
    pairs = [(old, new) for old, new in _PAIRS if old in found]
    if any(_is_missing(request, found, old) for old, _ in pairs):
        return
    named = request.columns(request.span(found, "column")) if "column" in found else (None,)
    for column in named:
        olds = [old_cells(request, request.span(found, old), column) for old, _ in pairs]
        for chosen in itertools.product(*olds):
            owners = {owner.index: owner for owner, _ in chosen}
            if len(owners) == 1:
                yield from _replaced(request, found, pairs, chosen)


def _is_missing(request: Request, found: Found, slot: str) -> bool:
    span = request.trimmed(request.span(found, slot), "values")
    return request.quoted(span) is None and request.starts(span[0], "missing", "missing_in") is not None


def _replaced(
    request: Request,
    found: Found,
    pairs: list[tuple[str, str]],
    chosen: tuple[tuple[ColumnFacts, Scalar], ...],
) -> Iterator[Proposal]:
    column = chosen[0][0]
    news = [
        new_cell(request, request.span(found, new), column, before=old if isinstance(old, str) else None)
        for (_, new), (_, old) in zip(pairs, chosen, strict=True)
    ]
    nothing, template = request.words.readings["nothing"], request.words.readings["replace_pair"]
    for made in itertools.product(*news):
        values = [(old, new) for (_, old), new in zip(chosen, made, strict=True)]
        if any(old == new for old, new in values) or len({old for old, _ in values}) < len(values):
            continue
        said = ", ".join(template.format(shown(old, nothing), shown(new, nothing)) for old, new in values)
        yield Proposal(
            arguments={
                "operation": "replace_values",
                "column": column.name,
                "values": [{"from": old, "to": new} for old, new in values],
            },
            template="replace_values",
            parts=(column.name, said),
        )


_FILL: Final = (
    "fill missing_in|missing? column? {columns} with? {filler}",
    "fill {columns} missing with? {filler}",
    "fill missing with? {filler} in column? {columns}",
    "replace missing_in|missing column? {columns} with|to {filler}",
    "replace missing values? {filler} in column? {columns}",
    "replace missing values? with|to {filler} in column? {columns}",
    "set missing_in|missing column? {columns} to|equals_only {filler}",
)

PATTERNS: Final[tuple[tuple[str, Callable[[Request, Found], Iterator[Proposal]]], ...]] = (
    ("forwardfill column? {columns}", _fill_along("previous")),
    ("backfill column? {columns}", _fill_along("next")),
    ("fill missing with? {filler}", _fill_unnamed),
    *((text, _fill) for pattern in _FILL for text in (pattern, pattern + " and? {where}")),
    ("replace values? {cell} to|exchange {new} in column? {column}", _replace),
    ("replace values? {cell} to|exchange {new}", _replace),
    ("replace values? column? {column} from values? {cell} to|exchange {new}", _replace),
    ("replace column? {column} {cell} to|exchange {new}", _replace),
    ("replace in column? {column} values? {cell} to|exchange {new}", _replace),
    ("replace values? {cell} to|exchange {new} and {cell2} to|exchange {new2} in column? {column}", _replace),
    ("replace values? {cell} to|exchange {new} and {cell2} to|exchange {new2}", _replace),
)
