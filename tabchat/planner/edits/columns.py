"""Edits of columns: drop, rename, add, read as another type."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner import expressions as write
from tabchat.planner.catalog import is_row_label
from tabchat.planner.edits.cells import listed_cells, literal
from tabchat.planner.edits.formulas import formulas
from tabchat.planner.edits.names import new_name
from tabchat.planner.edits.proposals import Proposal
from tabchat.planner.edits.request import Unfit
from tabchat.planner.headers import INFLECTED
from tabchat.planner.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.edits.patterns import Found, Span
    from tabchat.planner.edits.request import Request

_PAIRS: Final = (("old", "new"), ("old2", "new2"), ("old3", "new3"))


def _dropped(columns: tuple[ColumnFacts, ...], cost: float = 0.0) -> Proposal:
    names = [column.name for column in columns]
    return Proposal(
        arguments={"operation": "drop_columns", "columns": list(names)},
        template="drop_columns",
        parts=(", ".join(names),),
        cost=cost,
    )


def _drop(request: Request, found: Found) -> Iterator[Proposal]:
    span = request.span(found, "columns")
    if request.starts(span[0], "row", "dup", "empty_row") is not None:
        return
    for columns in request.column_lists(span):
        yield _dropped(columns)


def _drop_bare(request: Request, found: Found) -> Iterator[Proposal]:
    """Read `drop notes`: columns by their own names, where nothing says what is meant."""
    span = request.span(found, "columns")
    rated = request.rated_columns(span)
    if rated and min(cost for cost, _ in rated) <= INFLECTED and not _names_rows(request, span, rated):
        for _, column in rated:
            yield _dropped((column,))
    said = {token.norm for token in request.tokens[slice(*span)]}
    for columns in () if rated else request.column_lists(span):
        if all(set(column.base) <= said for column in columns):
            yield _dropped(columns)


def _names_rows(request: Request, span: Span, rated: Sequence[tuple[float, ColumnFacts]]) -> bool:
    """Tell whether a word that names a column also names rows: all of them, or those that have it (`returned`)."""
    items = request.linked(request.trimmed(span)).items
    if any(sense.has("entity.", "event.", "rows") for item in items for sense in item.senses):
        return True
    return any(
        (column.kind is ColumnKind.BOOLEAN and len(column.words) == 1)
        or (cost > 0 and is_row_label(request.scene.table, column))
        for cost, column in rated
    )


def _drop_empty(request: Request, _found: Found) -> Iterator[Proposal]:
    table = request.scene.table
    empty = tuple(column for column in table.columns if not table.spread(column).filled)
    if not empty:
        raise Unfit("no column is wholly empty")
    yield _dropped(empty)


def _rename(request: Request, found: Found) -> Iterator[Proposal]:
    pairs = [(old, new) for old, new in _PAIRS if old in found]
    olds = [request.columns(request.span(found, old)) for old, _ in pairs]
    news = [new_name(request, request.span(found, new)) for _, new in pairs]
    if not all(news):
        return
    for chosen in itertools.product(*olds):
        if len({column.index for column in chosen}) < len(chosen):
            continue
        names = {column.name: str(new) for column, new in zip(chosen, news, strict=True)}
        template = request.words.readings["rename_pair"]
        parts = ", ".join(template.format(old, new) for old, new in names.items())
        yield Proposal(
            arguments={"operation": "rename_columns", "names": dict(names)},
            template="rename_columns",
            parts=(parts,),
        )


def _rename_perhaps(request: Request, found: Found) -> Iterator[Proposal]:
    """Read `change channel to way`, which may as well ask for other cells: then both are offered."""
    span = request.trimmed(request.span(found, "new"))
    other = request.family(span, "type") is not None or request.is_class(
        span, "case", "upper", "lowered", "nothing"
    )
    own = any(cost <= INFLECTED for cost, _ in request.rated_columns(span))
    column = request.columns(request.span(found, "old"))[:1]
    cell = any(True for item in column for _ in listed_cells(request, span, item)) if column else False
    if request.quoted(span) is not None or not (other or cell or own):
        yield from _rename(request, found)


def _added(name: str, expression: str) -> Proposal:
    return Proposal(
        arguments={"operation": "add_column", "name": name, "expression": expression},
        template="add_column",
        parts=(name, expression),
    )


def _add(request: Request, found: Found) -> Iterator[Proposal]:
    name = new_name(request, request.span(found, "name"))
    span = request.span(found, "expr")
    if name is None:
        return
    made = formulas(request, span)
    yield from (_added(name, formula.text) for formula in made if formula.named)
    quoted = request.quoted(request.trimmed(span))
    token = request.tokens[request.trimmed(span)[0]]
    if quoted is not None and not any(formula.named for formula in made):
        yield _added(name, write.text(quoted))
    elif (
        span[1] - span[0] == 1
        and token.kind is TokenKind.NUMBER
        and token.number is not None
        and not token.percent
    ):
        yield _added(name, literal(token.number))


def _add_part(request: Request, found: Found) -> Iterator[Proposal]:
    """Read `a column named year from order date`: the name says which part of the date."""
    span = request.span(found, "name")
    name, part = new_name(request, span), request.family(request.trimmed(span), "fn")
    if name is None or part is None:
        return
    for column in request.columns(request.span(found, "column")):
        if column.kind.is_temporal:
            yield _added(name, write.call(part, write.name(column.name)))


def _add_unnamed(request: Request, found: Found) -> Iterator[Proposal]:
    """Read `add the year of order date`: a part of a date is called by its own name."""
    span = request.span(found, "part")
    part, name = request.family(request.trimmed(span), "fn"), new_name(request, span)
    if part is None or name is None:
        return
    for column in request.columns(request.span(found, "column")):
        if column.kind.is_temporal:
            yield _added(name, write.call(part, write.name(column.name)))


def _cast(request: Request, found: Found) -> Iterator[Proposal]:
    kind = str(found["type"])
    for column in request.columns(request.span(found, "column")):
        if kind == "float" and column.kind is ColumnKind.NUMBER:
            raise Unfit(f"{column.name} holds numbers already")
        yield Proposal(
            arguments={"operation": "cast", "column": column.name, "type": kind},
            template="cast",
            parts=(column.name, request.words.readings[f"type_{kind}"]),
        )


PATTERNS: Final[tuple[tuple[str, Callable[[Request, Found], Iterator[Proposal]]], ...]] = (
    ("delete column {columns}", _drop),
    ("delete {columns} column", _drop),
    ("delete {columns}", _drop_bare),
    ("delete empty_column", _drop_empty),
    ("rename column? {old} to_name {new}", _rename),
    ("rename {old} column to_name {new}", _rename),
    ("change name_of column? {old} to_name {new}", _rename),
    ("alter column? {old} to_name {new}", _rename_perhaps),
    ("rename column? {old} to_name {new} and {old2} to_name {new2}", _rename),
    ("rename column? {old} to_name {new} and {old2} to_name {new2} and {old3} to_name {new3}", _rename),
    ("add new? column called? {name} and? equals {expr}", _add),
    ("add {name} and? equals_only {expr}", _add),
    ("add {name} column equals {expr}", _add),
    ("add new? column equals {expr} called {name}", _add),
    ("add new? column called? {name} from_part {column}", _add_part),
    ("add new? column equals? {part} of column? {column}", _add_unnamed),
    ("convert type_of? column? {column} to type_of? @type", _cast),
    ("convert type_of? {column} column to type_of? @type", _cast),
    ("make column? {column} @type", _cast),
    ("make {column} column @type", _cast),
)
