"""What a pattern makes of a request: the arguments of `edit_table`, and the line that reads them back."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.cells import Scalar, listed_cells, new_cell, old_cells
from tabchat.planner.edits.conditions import except_where, rows_meant
from tabchat.planner.edits.formulas import formulas
from tabchat.planner.edits.request import Unfit
from tabchat.planner.links.lattice import LinkKind
from tabchat.planner.plan import expressions as write
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.planner.edits.request import Found, Request, Span
    from tabchat.planner.links import TableColumn
    from tabchat.values import JsonValue

    Build = Callable[[Request, Found, str], Iterator["Proposal"]]

_MOST_DECIMALS: Final = 12
_TOGETHER: Final = 40
"""Conditions in one pair of brackets, so that a wide table makes no deep expression."""
_ON_NUMBERS: Final = frozenset({"mean", "median", "zero", "ceil", "floor"})
"""Methods and functions that only columns of numbers have."""


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


def _edit(
    request: Request, template: str, *parts: str, sure: bool = True, **arguments: JsonValue
) -> Proposal:
    return Proposal(arguments=arguments, said=request.words.readings[template].format(*parts), sure=sure)


def _names(columns: Sequence[TableColumn]) -> list[JsonValue]:
    return [column.name for column in columns]


def _listed(columns: Sequence[TableColumn]) -> str:
    return ", ".join(column.name for column in columns)


# Rows


def _delete(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    span = request.span(found, "rows")
    if request.starts(span[0], "dup") is not None:
        return
    if any(request.starts(place, "except") is not None for place in range(*span)):
        return
    meant = rows_meant(request, span, named=True)
    if not meant and request.starts(span[0], "row", "everything") == span[1]:
        raise Unfit("which rows are meant?", "Say it: delete rows where price < 0.")
    yield from (_deleted(request, rows.where, "delete_rows", rows.said, sure=rows.sure) for rows in meant)


def _delete_where(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `delete rows in which …`, whatever opens the condition."""
    span = request.span(found, "where")
    for rows in rows_meant(request, span) if request.starts(span[0], "where") is not None else ():
        yield _deleted(request, rows.where, "delete_rows", rows.said, sure=rows.sure)


def _delete_others(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    for rows in rows_meant(request, request.span(found, "rest")):
        yield _deleted(request, except_where(rows.where), "delete_except", rows.said, sure=rows.sure)


def _delete_missing(request: Request, _: Found, tie: str) -> Iterator[Proposal]:
    parts = [f"{write.name(column.name)} is null" for column in request.columns]
    while len(parts) > _TOGETHER:
        batches = (parts[at : at + _TOGETHER] for at in range(0, len(parts), _TOGETHER))
        parts = [f"({f' {tie} '.join(batch)})" for batch in batches]
    yield _deleted(request, f" {tie} ".join(parts), f"delete_missing_{tie}")


def _deleted(request: Request, where: str, template: str, *parts: str, sure: bool = True) -> Proposal:
    return _edit(request, template, *parts, sure=sure, operation="delete_rows", where=where)


def _deduplicate(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    last = found.get("keep") == "last"
    kept: dict[str, JsonValue] = {"operation": "deduplicate", **({"keep": "last"} if last else {})}
    suffix = "_last" if last else ""
    if "columns" not in found:
        yield _edit(request, f"deduplicate{suffix}", **kept)
        return
    for columns in request.column_lists(request.span(found, "columns")):
        yield _edit(request, f"deduplicate_by{suffix}", _listed(columns), **kept, columns=_names(columns))


# Columns


def _dropped(request: Request, columns: Sequence[TableColumn]) -> Proposal:
    return _edit(request, "drop_columns", _listed(columns), operation="drop_columns", columns=_names(columns))


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


def _rename(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    counts = [count for count in ("", "2", "3") if f"old{count}" in found]
    olds = [request.columns_of(request.span(found, f"old{count}")) for count in counts]
    news = [request.new_name(request.span(found, f"new{count}")) for count in counts]
    for chosen in itertools.product(*olds) if all(news) else ():
        names = {column.name: str(new) for column, new in zip(chosen, news, strict=True)}
        said = ", ".join(f"{old} → {new}" for old, new in names.items())
        if len(names) == len(counts):
            yield _edit(request, "rename_columns", said, operation="rename_columns", names={**names})


def _rename_perhaps(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `change channel to way`, which may as well ask for other cells: then both are offered."""
    span = request.trimmed(request.span(found, "new"))
    olds = {column.place for column in request.columns_of(request.span(found, "old"))[:1]}
    cell = any(owner.place in olds for owner, _ in listed_cells(request, span))
    other = cell or _is_worded(request, span) or request.is_class(span, "nothing")
    if request.quoted(span) is not None or not (other or request.is_own_name(span)):
        yield from _rename(request, found, "")


def _is_worded(request: Request, span: Span) -> bool:
    """Tell whether a stretch names a type or a case of letters."""
    return request.family(span, "type") is not None or request.is_class(span, "case", "upper", "lowered")


def _added(request: Request, name: str, expression: str) -> Proposal:
    return _edit(
        request, "add_column", name, expression, operation="add_column", name=name, expression=expression
    )


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
        yield _edit(request, "cast", column.name, said, operation="cast", column=column.name, type=kind)


# Cells


def _within(
    request: Request,
    found: Found,
    template: str,
    parts: Sequence[str],
    subject: TableColumn,
    **arguments: JsonValue,
) -> Iterator[Proposal]:
    """Yield an edit of cells, in the rows that the request names if it names any."""
    slot = next((name for name in ("where", "whose") if name in found), None)
    if slot is None:
        yield _edit(request, template, *parts, **arguments)
        return
    span = request.span(found, slot)
    opened = slot == "whose" or request.starts(span[0], "where", "scope") is not None
    for rows in rows_meant(request, span, subject=subject) if opened else ():
        yield _edit(
            request, f"{template}_where", *parts, rows.said, sure=rows.sure, **arguments, where=rows.where
        )


def _fill(request: Request, found: Found, method: str) -> Iterator[Proposal]:
    span = request.trimmed(request.span(found, "filler")) if "filler" in found else (0, 0)
    if not method and request.quoted(span) is None:
        method = request.family(span, "method") or ""
    for columns in request.column_lists(request.span(found, "columns")):
        fields: dict[str, JsonValue] = {"operation": "fill_missing", "columns": _names(columns)}
        if method:
            _check_numbers(method, columns)
            fields["method"], said = method, request.words.readings[f"method_{method}"]
        else:
            values = {json.dumps(new_cell(request, span, column)): column for column in columns}
            value = new_cell(request, span, columns[0]) if len(values) == 1 else ()
            if not value or value[0] is None:
                continue
            fields["value"], said = value[0], _shown(value[0], "")
        yield from _within(request, found, "fill_missing", (_listed(columns), said), columns[0], **fields)


def _fill_unnamed(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    span = request.trimmed(request.span(found, "filler"))
    if request.family(span, "method") is not None or span[1] - span[0] == 1:
        hint = "Name them: fill missing price with 0."
        raise Unfit("of which columns are the missing cells to be filled?", hint)
    yield from ()


def _check_numbers(method: str, columns: Sequence[TableColumn]) -> None:
    wrong = [column for column in columns if method in _ON_NUMBERS and not column.kind.is_numeric]
    if wrong:
        hint = "Fill it with a text, or with the most common value." if method in {"mean", "median"} else None
        raise Unfit(f"{_listed(wrong)} does not hold numbers", hint)


def _replace(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    spans = [request.span(found, slot) for slot in ("cell", "cell2") if slot in found]
    missing = [request.starts(request.trimmed(span, "values")[0], "missing", "missing_in") for span in spans]
    if any(missing):
        return
    for column in request.columns_of(request.span(found, "column")) if "column" in found else (None,):
        olds = [old_cells(request, span, column) for span in spans]
        for chosen in itertools.product(*olds):
            if len({owner.place for owner, _ in chosen}) == 1:
                yield from _replaced(request, found, chosen[0][0], [old for _, old in chosen])


def _replaced(
    request: Request, found: Found, column: TableColumn, olds: Sequence[Scalar]
) -> Iterator[Proposal]:
    spans = [request.span(found, slot) for slot in ("new", "new2") if slot in found]
    news = [new_cell(request, span, column, before=old) for span, old in zip(spans, olds, strict=True)]
    nothing = request.words.readings["nothing"]
    for made in itertools.product(*news):
        pairs = list(zip(olds, made, strict=True))
        if len(set(olds)) == len(olds) and all(old != new for old, new in pairs):
            said = ", ".join(f"{_shown(old, nothing)} → {_shown(new, nothing)}" for old, new in pairs)
            values: list[JsonValue] = [{"from": old, "to": new} for old, new in pairs]
            yield _edit(
                request,
                *("replace_values", column.name, said),
                operation="replace_values",
                column=column.name,
                values=values,
            )


def _shown(value: Scalar, nothing: str) -> str:
    return nothing if value is None else f'"{value}"' if isinstance(value, str) else str(value)


# Cells that are computed anew


def _update(
    request: Request, found: Found, subject: TableColumn, texts: Mapping[str, str]
) -> Iterator[Proposal]:
    said = ", ".join(f"{name} = {text}" for name, text in texts.items())
    yield from _within(request, found, "update", (said,), subject, operation="update", set={**texts})


def _set(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    span = request.span(found, "value")
    moved = "where" in found and request.span(found, "where") < span
    if moved and request.starts(request.span(found, "where")[0], "from") is not None:
        # `from new to open` exchanges cells.
        return
    if _is_worded(request, request.trimmed(span)) and request.quoted(span) is None:
        return
    for column in request.columns_of(request.span(found, "column")):
        cells = [_literal(cell) for cell in new_cell(request, span, column)]
        made = [text for text in formulas(request, span) if text != write.name(column.name)]
        for text in cells or made:
            yield from _update(request, found, column, {column.name: text})


def _set_bare(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `set the price 100`, where a preposition is missing; a text takes quotation marks or tells which rows."""
    span = request.span(found, "value")
    number = request.number(span) is not None
    text = request.quoted(span) is not None or ("where" in found and span[1] - span[0] == 1)
    for column in request.columns_of(request.span(found, "column")):
        if (number and column.kind.is_numeric) or (text and column.kind is ColumnKind.TEXT):
            for cell in new_cell(request, span, column):
                yield from _update(request, found, column, {column.name: _literal(cell)})


def _literal(cell: Scalar) -> str:
    return "null" if cell is None else write.literal(cell)


def _scale(request: Request, found: Found, sign: str) -> Iterator[Proposal]:
    """Read `price * 1.1` for ten percent more, `price + 5` for five more."""
    span = request.trimmed(request.span(found, "amount"))
    number = request.number(span)
    for column in _numeric(request, found):
        name = write.name(column.name)
        if number is None:
            made = formulas(request, span)
            texts = [f"{name} {sign} {f'({text})' if ' ' in text else text}" for text in made]
        elif number.percent:
            share = Decimal(str(number.value)) / 100 * (1 if sign == "+" else -1)
            texts = [f"{name} * {write.number(float(1 + share))}"] if sign in "+-" else []
        else:
            texts = [f"{name} {sign} {write.number(number.value)}"]
        for text in texts:
            yield from _update(request, found, column, {column.name: text})


def _numeric(request: Request, found: Found) -> list[TableColumn]:
    columns = request.columns_of(request.span(found, "column"))
    numeric = [column for column in columns if column.kind.is_numeric]
    if columns and not numeric:
        raise Unfit(f"{columns[0].name} does not hold numbers", "Read it as a number first.")
    return numeric


def _round(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    number = request.number(request.trimmed(request.span(found, "digits"))) if "digits" in found else None
    digits = number.value if number is not None else 0
    if ("digits" in found and number is None) or not 0 <= digits <= _MOST_DECIMALS or digits % 1:
        return
    for column in _numeric(request, found):
        told = (write.number(digits),) if digits else ()
        text = write.call("round", write.name(column.name), *told)
        yield from _update(request, found, column, {column.name: text})


def _compute(request: Request, found: Found, function: str) -> Iterator[Proposal]:
    for columns in request.column_lists(request.span(found, "column")):
        _check_numbers(function, columns)
        if function not in _ON_NUMBERS and any(column.kind is not ColumnKind.TEXT for column in columns):
            raise Unfit(f"{_listed(columns)} does not hold text")
        texts = {column.name: write.call(function, write.name(column.name)) for column in columns}
        yield from _update(request, found, columns[0], texts)


BUILDERS: Final[Mapping[str, Build]] = {
    build.__name__[1:]: build
    for build in (
        *(_delete, _delete_where, _delete_others, _delete_missing, _deduplicate),
        *(_drop, _drop_bare, _drop_empty, _rename, _rename_perhaps, _add, _add_part, _cast),
        *(_fill, _fill_unnamed, _replace, _set, _set_bare, _scale, _round, _compute),
    )
}
"""Builder of `patterns.toml` → the proposals that it makes of a request that fits."""
