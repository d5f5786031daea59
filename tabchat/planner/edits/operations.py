"""What a pattern makes of a request: the arguments of `edit_table`, and the line that reads them back."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.cells import Scalar, listed_cells, new_cell, old_cells
from tabchat.planner.edits.conditions import except_where, rows_meant
from tabchat.planner.edits.formulas import call_part, formulas
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
_PAIRS: Final = (("old", "new"), ("old2", "new2"), ("old3", "new3"))
_CELL_PAIRS: Final = (("cell", "new"), ("cell2", "new2"))
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


def _names(columns: Sequence[TableColumn]) -> list[JsonValue]:
    return [column.name for column in columns]


def _listed(columns: Sequence[TableColumn]) -> str:
    return ", ".join(column.name for column in columns)


def _said(request: Request, template: str, *parts: str) -> str:
    return request.words.readings[template].format(*parts)


# Rows


def _delete(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    span = request.span(found, "rows")
    noun = request.starts(span[0], "row", "everything")
    if request.starts(span[0], "dup") is not None:
        return
    if any(request.starts(place, "except") is not None for place in range(*span)):
        return
    meant = rows_meant(request, span, named=True)
    if not meant and noun == span[1]:
        raise Unfit("which rows are meant?", "Say it: delete rows where price < 0.")
    for rows in meant:
        yield _deleted(request, rows.where, "delete_rows", rows.said, sure=rows.sure)


def _delete_where(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `delete rows in which …`, whatever opens the condition."""
    span = request.span(found, "where")
    for rows in rows_meant(request, span) if request.starts(span[0], "where") is not None else ():
        yield _deleted(request, rows.where, "delete_rows", rows.said, sure=rows.sure)


def _delete_others(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    for rows in rows_meant(request, request.span(found, "rest")):
        yield _deleted(request, except_where(rows.where), "delete_except", rows.said, sure=rows.sure)


def _delete_missing(request: Request, _: Found, tie: str) -> Iterator[Proposal]:
    parts = [f"{write.name(column.name)} is null" for column in request.facts.columns]
    while len(parts) > _TOGETHER:
        batches = (parts[at : at + _TOGETHER] for at in range(0, len(parts), _TOGETHER))
        parts = [f"({f' {tie} '.join(batch)})" for batch in batches]
    template = "delete_any_missing" if tie == "or" else "delete_empty"
    yield _deleted(request, f" {tie} ".join(parts), template)


def _deleted(request: Request, where: str, template: str, *parts: str, sure: bool = True) -> Proposal:
    arguments: dict[str, JsonValue] = {"operation": "delete_rows", "where": where}
    return Proposal(arguments=arguments, said=_said(request, template, *parts), sure=sure)


def _deduplicate(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    last = found.get("keep") == "last"
    kept: dict[str, JsonValue] = {"operation": "deduplicate"} | ({"keep": "last"} if last else {})
    suffix = "_last" if last else ""
    if "columns" not in found:
        yield Proposal(arguments=kept, said=_said(request, f"deduplicate{suffix}"))
        return
    for columns in request.column_lists(request.span(found, "columns")):
        said = _said(request, f"deduplicate_by{suffix}", _listed(columns))
        yield Proposal(arguments={**kept, "columns": _names(columns)}, said=said)


# Columns


def _dropped(request: Request, columns: Sequence[TableColumn]) -> Proposal:
    arguments: dict[str, JsonValue] = {"operation": "drop_columns", "columns": _names(columns)}
    return Proposal(arguments=arguments, said=_said(request, "drop_columns", _listed(columns)))


def _drop(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    span = request.span(found, "columns")
    if request.starts(span[0], "row", "dup", "empty_row") is None:
        yield from (_dropped(request, columns) for columns in request.column_lists(span))


def _drop_bare(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `drop notes`: columns by their own names, where nothing says what is meant."""
    span = request.trimmed(request.span(found, "columns"))
    own = request.is_own_name(span)
    rows = bool(request.links(span, LinkKind.ROWS))
    for columns in request.column_lists(span):
        flag = len(columns) == 1 and columns[0].flag and len(columns[0].words) == 1
        said = {token.norm for token in request.tokens[slice(*span)]}
        if not flag and not rows and (own or all(set(column.words) <= said for column in columns)):
            yield _dropped(request, columns)


def _drop_empty(request: Request, _: Found, __: str) -> Iterator[Proposal]:
    empty = [column for column in request.columns if column.facts.filled == 0]
    if not empty:
        raise Unfit("no column is wholly empty")
    if not request.facts.exact:
        raise Unfit("which columns are empty shows when all rows are read", "Name them: drop column notes.")
    yield _dropped(request, empty)


def _rename(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    pairs = [(old, new) for old, new in _PAIRS if old in found]
    olds = [request.columns_of(request.span(found, old)) for old, _ in pairs]
    news = [request.new_name(request.span(found, new)) for _, new in pairs]
    for chosen in itertools.product(*olds) if all(news) else ():
        names = {column.name: str(new) for column, new in zip(chosen, news, strict=True)}
        if len(names) == len(pairs):
            said = ", ".join(_said(request, "rename_pair", old, new) for old, new in names.items())
            yield Proposal(
                arguments={"operation": "rename_columns", "names": {**names}},
                said=_said(request, "rename_columns", said),
            )


def _rename_perhaps(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `change channel to way`, which may as well ask for other cells: then both are offered."""
    span = request.trimmed(request.span(found, "new"))
    other = request.family(span, "type") is not None or request.is_class(
        span, "case", "upper", "lowered", "nothing"
    )
    olds = {column.place for column in request.columns_of(request.span(found, "old"))[:1]}
    cell = any(owner.place in olds for owner, _ in listed_cells(request, span))
    if request.quoted(span) is not None or not (other or cell or request.is_own_name(span)):
        yield from _rename(request, found, "")


def _added(request: Request, name: str, expression: str) -> Proposal:
    arguments: dict[str, JsonValue] = {"operation": "add_column", "name": name, "expression": expression}
    return Proposal(arguments=arguments, said=_said(request, "add_column", name, expression))


def _add(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    name, span = request.new_name(request.span(found, "name")), request.span(found, "expr")
    if name is None:
        return
    made = [formula for formula in formulas(request, span) if formula.named]
    yield from (_added(request, name, formula.text) for formula in made)
    bare = request.trimmed(span)
    quoted, number = request.quoted(bare), request.number(bare)
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
            yield _added(request, name, call_part(part, column.facts))


def _cast(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    kind = str(found["type"])
    for column in request.columns_of(request.span(found, "column")):
        if kind == "float" and column.kind is ColumnKind.NUMBER:
            raise Unfit(f"{column.name} holds numbers already")
        said = _said(request, "cast", column.name, request.words.readings[f"type_{kind}"])
        yield Proposal(arguments={"operation": "cast", "column": column.name, "type": kind}, said=said)


# Cells


def _within(
    request: Request,
    found: Found,
    arguments: Mapping[str, JsonValue],
    template: str,
    parts: Sequence[str],
    subject: TableColumn,
) -> Iterator[Proposal]:
    """Yield an edit of cells, in the rows that the request names if it names any."""
    if "where" not in found and "whose" not in found:
        yield Proposal(arguments=arguments, said=_said(request, template, *parts))
        return
    span = request.span(found, "where" if "where" in found else "whose")
    if "whose" in found or request.starts(span[0], "where", "scope") is not None:
        for rows in rows_meant(request, span, subject=subject):
            said = _said(request, f"{template}_where", *parts, rows.said)
            yield Proposal(arguments={**arguments, "where": rows.where}, said=said, sure=rows.sure)


def _fill(request: Request, found: Found, method: str) -> Iterator[Proposal]:
    span = request.trimmed(request.span(found, "filler")) if "filler" in found else (0, 0)
    if not method and request.quoted(span) is None:
        method = request.family(span, "method") or ""
    for columns in request.column_lists(request.span(found, "columns")):
        fields: dict[str, JsonValue] = {"operation": "fill_missing", "columns": _names(columns)}
        if method:
            _check_numbers(method, columns)
            said = request.words.readings[f"method_{method}"]
            parts = (_listed(columns), said)
            yield from _within(
                request, found, {**fields, "method": method}, "fill_missing", parts, columns[0]
            )
            continue
        values = [new_cell(request, span, column) for column in columns]
        if all(values) and len({repr(value) for value in values}) == 1 and values[0][0] is not None:
            value = values[0][0]
            parts = (_listed(columns), _shown(value, ""))
            yield from _within(request, found, {**fields, "value": value}, "fill_missing", parts, columns[0])


def _fill_unnamed(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    span = request.trimmed(request.span(found, "filler"))
    if request.family(span, "method") is not None or span[1] - span[0] == 1:
        raise Unfit(
            "of which columns are the missing cells to be filled?", "Name them: fill missing price with 0."
        )
    yield from ()


def _check_numbers(method: str, columns: Sequence[TableColumn]) -> None:
    wrong = [column for column in columns if method in _ON_NUMBERS and not column.kind.is_numeric]
    if wrong:
        hint = "Fill it with a text, or with the most common value."
        raise Unfit(f"{_listed(wrong)} does not hold numbers", hint if method in {"mean", "median"} else None)


def _replace(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    pairs = [(old, new) for old, new in _CELL_PAIRS if old in found]
    if any(_is_missing(request, request.span(found, old)) for old, _ in pairs):
        return
    named = request.columns_of(request.span(found, "column")) if "column" in found else (None,)
    for column in named:
        olds = [old_cells(request, request.span(found, old), column) for old, _ in pairs]
        for chosen in itertools.product(*olds):
            if len({owner.place for owner, _ in chosen}) == 1:
                yield from _replaced(request, found, pairs, chosen)


def _is_missing(request: Request, span: Span) -> bool:
    span = request.trimmed(span, "values")
    return request.quoted(span) is None and request.starts(span[0], "missing", "missing_in") is not None


def _replaced(
    request: Request,
    found: Found,
    pairs: Sequence[tuple[str, str]],
    chosen: Sequence[tuple[TableColumn, Scalar]],
) -> Iterator[Proposal]:
    column, olds = chosen[0][0], [old for _, old in chosen]
    news = [
        new_cell(request, request.span(found, new), column, before=old)
        for (_, new), old in zip(pairs, olds, strict=True)
    ]
    nothing = request.words.readings["nothing"]
    for made in itertools.product(*news):
        values = list(zip(olds, made, strict=True))
        if len(set(olds)) == len(olds) and all(old != new for old, new in values):
            said = [
                _said(request, "replace_pair", _shown(old, nothing), _shown(new, nothing))
                for old, new in values
            ]
            exchanged: list[JsonValue] = [{"from": old, "to": new} for old, new in values]
            yield Proposal(
                arguments={"operation": "replace_values", "column": column.name, "values": exchanged},
                said=_said(request, "replace_values", column.name, ", ".join(said)),
            )


def _shown(value: Scalar, nothing: str) -> str:
    return nothing if value is None else f'"{value}"' if isinstance(value, str) else str(value)


# Cells that are computed anew


def _update(
    request: Request, found: Found, texts: Mapping[str, str], subject: TableColumn
) -> Iterator[Proposal]:
    arguments: dict[str, JsonValue] = {"operation": "update", "set": dict(texts)}
    said = ", ".join(f"{name} = {text}" for name, text in texts.items())
    yield from _within(request, found, arguments, "update", (said,), subject)


def _set(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    span = request.span(found, "value")
    bare = request.trimmed(span)
    worded = request.family(bare, "type") is not None or request.is_class(bare, "case", "upper", "lowered")
    if worded and request.quoted(span) is None:
        return
    if "where" in found and request.span(found, "where") < span:
        # `from new to open` exchanges cells.
        if request.starts(request.span(found, "where")[0], "from") is not None:
            return
    for column in request.columns_of(request.span(found, "column")):
        cells = new_cell(request, span, column)
        for cell in cells:
            text = "null" if cell is None else write.literal(cell)
            yield from _update(request, found, {column.name: text}, column)
        for formula in formulas(request, span) if not cells else ():
            if formula.named and formula.text != write.name(column.name):
                yield from _update(request, found, {column.name: formula.text}, column)


def _set_number(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    """Read `set the price 100`, where a preposition is missing; a text takes quotation marks or tells which rows."""
    span = request.span(found, "value")
    plain = request.number(span) is not None
    text = request.quoted(span) is not None or ("where" in found and span[1] - span[0] == 1)
    if plain or text:
        for column in request.columns_of(request.span(found, "column")):
            fits = (plain and column.kind.is_numeric) or (text and column.kind is ColumnKind.TEXT)
            for cell in new_cell(request, span, column) if fits else ():
                text = "null" if cell is None else write.literal(cell)
                yield from _update(request, found, {column.name: text}, column)


def _scale(request: Request, found: Found, sign: str) -> Iterator[Proposal]:
    """Read `price * 1.1` for ten percent more, `price + 5` for five more."""
    span = request.trimmed(request.span(found, "amount"))
    number = request.number(span)
    for column in _numeric(request, found):
        name = write.name(column.name)
        if number is None:
            texts = [
                f"{name} {sign} {formula.within(3)}"
                for formula in formulas(request, span)
                if formula.named and formula.numeric
            ]
        elif number.percent:
            share = Decimal(str(number.value)) / 100 * (1 if sign == "+" else -1)
            texts = [f"{name} * {write.number(float(1 + share))}"] if sign in "+-" else []
        else:
            texts = [f"{name} {sign} {write.number(number.value)}"]
        for text in texts:
            yield from _update(request, found, {column.name: text}, column)


def _numeric(request: Request, found: Found) -> Iterator[TableColumn]:
    columns = request.columns_of(request.span(found, "column"))
    numeric = [column for column in columns if column.kind.is_numeric]
    if columns and not numeric:
        raise Unfit(f"{columns[0].name} does not hold numbers", "Read it as a number first.")
    yield from numeric


def _round(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    digits = 0.0
    if "digits" in found:
        number = request.number(request.trimmed(request.span(found, "digits")))
        if number is None or not 0 <= number.value <= _MOST_DECIMALS or number.value % 1:
            return
        digits = number.value
    for column in _numeric(request, found):
        name = write.name(column.name)
        text = write.call("round", name, write.number(digits)) if digits else write.call("round", name)
        yield from _update(request, found, {column.name: text}, column)


def _compute(request: Request, found: Found, function: str) -> Iterator[Proposal]:
    for columns in request.column_lists(request.span(found, "column")):
        _check_numbers(function, columns)
        if function not in _ON_NUMBERS and any(column.kind is not ColumnKind.TEXT for column in columns):
            raise Unfit(f"{_listed(columns)} does not hold text")
        texts = {column.name: write.call(function, write.name(column.name)) for column in columns}
        yield from _update(request, found, texts, columns[0])


BUILDERS: Final[Mapping[str, Build]] = {
    "delete": _delete,
    "delete_where": _delete_where,
    "delete_others": _delete_others,
    "delete_missing": _delete_missing,
    "deduplicate": _deduplicate,
    "drop": _drop,
    "drop_bare": _drop_bare,
    "drop_empty": _drop_empty,
    "rename": _rename,
    "rename_perhaps": _rename_perhaps,
    "add": _add,
    "add_part": _add_part,
    "cast": _cast,
    "fill": _fill,
    "fill_unnamed": _fill_unnamed,
    "replace": _replace,
    "set": _set,
    "set_number": _set_number,
    "scale": _scale,
    "round": _round,
    "compute": _compute,
}
"""Builder of `patterns.toml` → the proposals that it makes of a request that fits."""
