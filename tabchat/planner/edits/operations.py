"""What a pattern makes of a request: the arguments of `edit_table`, and the line that reads them back."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.conditions import rows_meant
from tabchat.planner.edits.request import Unfit
from tabchat.planner.edits.values import formulas, listed_cells
from tabchat.planner.links.lattice import LinkKind
from tabchat.planner.plan import expressions as write
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.planner.edits.request import Found, Request, Span
    from tabchat.planner.links import TableColumn
    from tabchat.values import JsonValue

    Build = Callable[[Request, Found, str], Iterator["Proposal"]]

_TOGETHER: Final = 40
"""Conditions in one pair of brackets, so that a wide table makes no deep expression."""


@record
class Proposal:
    """One reading of a request."""

    arguments: Mapping[str, JsonValue]
    """Of `edit_table`, without the table."""
    said: str
    """In the language of the request."""
    sure: bool = True
    """False for what is to be offered, because a part of it was guessed."""

    @property
    def identity(self) -> str:
        """A text that is the same for the same edit."""
        return json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)


def propose(
    request: Request, arguments: Mapping[str, JsonValue], template: str, *parts: str, sure: bool = True
) -> Proposal:
    """Return an edit, read back by a template of the language with its parts."""
    return Proposal(arguments=arguments, said=request.words.readings[template].format(*parts), sure=sure)


def names_of(columns: Sequence[TableColumn]) -> list[JsonValue]:
    """Return the names of columns as an argument."""
    return [column.name for column in columns]


def listed(columns: Sequence[TableColumn]) -> str:
    """Return the names of columns as they are read back."""
    return ", ".join(column.name for column in columns)


# Rows


def _delete(request: Request, found: Found, slot: str) -> Iterator[Proposal]:
    """Read `rows where …`, `orders from Spain` in the slot `rows`; all `others` but those that are named."""
    span = request.span(found, slot)
    if slot == "where" and request.starts(span[0], "where") is None:
        return
    excepted = any(request.starts(place, "except") is not None for place in range(*span))
    if slot == "rows" and (excepted or request.starts(span[0], "dup") is not None):
        return
    meant = rows_meant(request, span, named=slot == "rows")
    if not meant and slot == "rows" and request.starts(span[0], "row", "everything") == span[1]:
        raise Unfit(
            "which rows are meant?", "Say it with a column of the table, such as: delete rows where price < 0"
        )
    for rows in meant:
        # The others are those, too, of which it is not known.
        where = f"not {write.call('coalesce', rows.where, 'false')}" if slot == "others" else rows.where
        template = "delete_others" if slot == "others" else "delete_rows"
        arguments = {"operation": "delete_rows", "where": where}
        yield propose(request, arguments, template, rows.said, sure=rows.sure)


def _delete_missing(request: Request, _: Found, tie: str) -> Iterator[Proposal]:
    parts = [f"{write.name(column.name)} is null" for column in request.columns]
    while len(parts) > _TOGETHER:
        batches = (parts[at : at + _TOGETHER] for at in range(0, len(parts), _TOGETHER))
        parts = [f"({f' {tie} '.join(batch)})" for batch in batches]
    arguments = {"operation": "delete_rows", "where": f" {tie} ".join(parts)}
    yield propose(request, arguments, f"delete_missing_{tie}")


def _deduplicate(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    last = found.get("keep") == "last"
    kept: dict[str, JsonValue] = {"operation": "deduplicate", **({"keep": "last"} if last else {})}
    suffix = "_last" if last else ""
    if "columns" not in found:
        yield propose(request, kept, f"deduplicate{suffix}")
        return
    for columns in request.column_lists(request.span(found, "columns")):
        arguments = {**kept, "columns": names_of(columns)}
        yield propose(request, arguments, f"deduplicate_by{suffix}", listed(columns))


# Columns


def _dropped(request: Request, columns: Sequence[TableColumn]) -> Proposal:
    arguments: dict[str, JsonValue] = {"operation": "drop_columns", "columns": names_of(columns)}
    return propose(request, arguments, "drop_columns", listed(columns))


def _drop(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    span = request.span(found, "columns")
    if request.starts(span[0], "row", "dup", "empty_row") is None:
        yield from (_dropped(request, columns) for columns in request.column_lists(span))


def _drop_bare(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `drop notes`: columns by their own names, where nothing says what is meant."""
    span = request.trimmed(request.span(found, "columns"))
    said = {token.norm for token in request.tokens[slice(*span)]}
    own, rows = request.is_own_name(span), bool(request.links(span, LinkKind.ROWS))
    for columns in request.column_lists(span) if not rows else ():
        flag = len(columns) == 1 and columns[0].flag and len(columns[0].words) == 1
        if not flag and (own or all(set(column.words) <= said for column in columns)):
            yield _dropped(request, columns)


def _drop_empty(request: Request, _: Found, __: str) -> Iterator[Proposal]:
    empty = [column for column in request.columns if column.facts.filled == 0]
    if not empty:
        raise Unfit("no column is wholly empty")
    if not request.facts.exact:
        raise Unfit("which columns are empty shows when all rows are read", "Name them: drop column notes.")
    yield _dropped(request, empty)


def _rename(request: Request, found: Found, perhaps: str) -> Iterator[Proposal]:
    """Read `rename a to b`; `change a to b` may as well ask for other cells: then both are offered."""
    counts = [count for count in ("", "2", "3") if f"old{count}" in found]
    olds = [request.columns_of(request.span(found, f"old{count}")) for count in counts]
    news = [request.new_name(request.span(found, f"new{count}")) for count in counts]
    if not all(news) or (
        perhaps and _is_value(request, request.trimmed(request.span(found, "new")), olds[0])
    ):
        return
    for chosen in itertools.product(*olds):
        names: dict[str, JsonValue] = {column.name: new for column, new in zip(chosen, news, strict=True)}
        said = ", ".join(f"{old} → {new}" for old, new in names.items())
        if len(names) == len(counts):
            yield propose(request, {"operation": "rename_columns", "names": names}, "rename_columns", said)


def _is_value(request: Request, span: Span, columns: Sequence[TableColumn]) -> bool:
    """Tell whether a stretch is rather a cell of a column, a type or another column than a new name."""
    if request.quoted(span) is not None:
        return False
    places = {column.place for column in columns[:1]}
    cell = any(owner.place in places for owner, _ in listed_cells(request, span))
    return cell or is_worded(request, span) or request.is_class(span, "nothing") or request.is_own_name(span)


def is_worded(request: Request, span: Span) -> bool:
    """Tell whether a stretch names a type or a case of letters."""
    return request.family(span, "type") is not None or request.is_class(span, "case", "upper", "lowered")


def _added(request: Request, name: str, expression: str) -> Proposal:
    arguments = {"operation": "add_column", "name": name, "expression": expression}
    return propose(request, arguments, "add_column", name, expression)


def _add(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    name, span = request.new_name(request.span(found, "name")), request.trimmed(request.span(found, "expr"))
    if name is None:
        return
    made, quoted, number = formulas(request, span), request.quoted(span), request.number(span)
    yield from (_added(request, name, formula) for formula in made)
    if quoted is not None and not made:
        yield _added(request, name, write.text(quoted))
    elif number is not None and not (number.percent or made):
        yield _added(request, name, write.number(number.value))


def _add_part(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `a column named year from order date`: the name says which part of the date."""
    span = request.span(found, "part")
    name, part = request.new_name(span), request.family(request.trimmed(span, "called"), "fn")
    for column in request.columns_of(request.span(found, "column")):
        if name is not None and part is not None and column.temporal:
            yield _added(request, name, write.call(part, write.name(column.name)))


def _cast(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    kind = str(found["type"])
    for column in request.columns_of(request.span(found, "column")):
        if kind == "float" and column.kind is ColumnKind.NUMBER:
            raise Unfit(f"{column.name} holds numbers already")
        said = request.words.readings[f"type_{kind}"]
        arguments = {"operation": "cast", "column": column.name, "type": kind}
        yield propose(request, arguments, "cast", column.name, said)


BUILDERS: Final[Mapping[str, Build]] = {
    "delete": _delete,
    "delete_missing": _delete_missing,
    "deduplicate": _deduplicate,
    "drop": _drop,
    "drop_bare": _drop_bare,
    "drop_empty": _drop_empty,
    "rename": _rename,
    "add": _add,
    "add_part": _add_part,
    "cast": _cast,
}
"""Builder of `rules.toml` → the proposals that it makes of a request that fits."""
