"""What a pattern makes of a request: the arguments of `edit_table`, and the line that reads them back."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.conditions import rows_meant
from tabchat.planner.edits.request import Unfit
from tabchat.planner.edits.typed import new_name, opens_rows
from tabchat.planner.edits.values import formulas, listed_cells
from tabchat.planner.links.lattice import LinkKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.columns import Columns
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.planner.edits.patterns import Fit
    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.links import TableColumn
    from tabchat.values import JsonValue

    Build = Callable[[Fit, str], Iterator["Proposal"]]

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
    request: Request, operation: str, *parts: str, form: str = "", sure: bool = True, **fields: Any
) -> Proposal:
    """Return an edit with `fields`, read back by the template of its operation, of a form of it, with some parts."""
    said = request.words.readings[f"{operation}{form}"].format(*parts)
    return Proposal(arguments={"operation": operation, **fields}, said=said, sure=sure)


def names_of(columns: Sequence[TableColumn]) -> list[JsonValue]:
    """Return the names of columns as an argument."""
    return [column.name for column in columns]


def listed(columns: Sequence[TableColumn]) -> str:
    """Return the names of columns as they are read back."""
    return ", ".join(column.name for column in columns)


# Rows


def _delete(fit: Fit, slot: str) -> Iterator[Proposal]:
    """Read `rows where …`, `orders from Spain` in the slot `rows`; all `others` but those that are named."""
    request, span = fit.request, fit.slots[slot]
    if "noun" in fit.slots and not request.links(fit.trimmed("noun"), LinkKind.ROWS):
        return
    if slot == "where" and request.starts(span[0], "where") is None:
        return
    excepted = any(request.starts(place, "except") is not None for place in range(*span))
    if slot == "rows" and (excepted or request.starts(fit.trimmed(slot)[0], "dup") is not None):
        return
    meant = rows_meant(request, span, named=slot == "rows")
    every = {request.starts(start, "row", "everything") for start in (span[0], fit.trimmed(slot)[0])}
    if not meant and slot == "rows" and span[1] in every:
        hint = "Say it with a column of the table, such as: delete rows where price < 0"
        raise Unfit("which rows are meant?", hint)
    for rows in meant:
        # The others are those, too, of which it is not known.
        others: dict[str, Any] = {
            "where": f"not {write.call('coalesce', rows.where, 'false')}",
            "form": "_others",
        }
        fields = others if slot == "others" else {"where": rows.where}
        yield propose(request, "delete_rows", rows.said, sure=rows.sure, **fields)


def _delete_missing(fit: Fit, tie: str) -> Iterator[Proposal]:
    parts = [f"{write.name(column.name)} is null" for column in fit.request.columns]
    while len(parts) > _TOGETHER:
        batches = (parts[at : at + _TOGETHER] for at in range(0, len(parts), _TOGETHER))
        parts = [f"({f' {tie} '.join(batch)})" for batch in batches]
    yield propose(fit.request, "delete_rows", form=f"_missing_{tie}", where=f" {tie} ".join(parts))


def _deduplicate(fit: Fit, _: str) -> Iterator[Proposal]:
    last = fit.told.get("keep") == "last"
    kept: dict[str, Any] = {"keep": "last"} if last else {}
    form = "_last" if last else ""
    if "columns" not in fit.slots:
        yield propose(fit.request, "deduplicate", form=form, **kept)
        return
    for columns in fit.column_lists():
        kept["columns"] = names_of(columns)
        yield propose(fit.request, "deduplicate", listed(columns), form=f"_by{form}", **kept)


# Columns


def _dropped(request: Request, columns: Sequence[TableColumn]) -> Proposal:
    return propose(request, "drop_columns", listed(columns), columns=names_of(columns))


def _drop(fit: Fit, others: str) -> Iterator[Proposal]:
    if fit.request.starts(fit.trimmed("columns")[0], "row", "dup", "empty_row") is not None:
        return
    real = [column for column in fit.request.columns if column.facts.formula is None]
    for columns in fit.column_lists():
        rest = [column for column in real if column not in columns] if others else columns
        yield from [_dropped(fit.request, rest)] if rest else []


def _drop_bare(fit: Fit, _: str) -> Iterator[Proposal]:
    """Read `drop notes`: columns by their own names, where nothing says what is meant."""
    request, span = fit.request, fit.trimmed("columns")
    said = {token.norm for token in request.tokens[slice(*span)]}
    own, rows = request.is_own_name(span), bool(request.links(span, LinkKind.ROWS))
    for columns in request.column_lists(span) if not rows else ():
        flag = len(columns) == 1 and columns[0].flag and len(columns[0].words) == 1
        if not flag and (own or all(set(column.words) <= said for column in columns)):
            yield _dropped(request, columns)


def _drop_empty(fit: Fit, _: str) -> Iterator[Proposal]:
    empty = [column for column in fit.request.columns if column.facts.filled == 0]
    if not empty:
        raise Unfit("no column is wholly empty")
    if not fit.request.facts.exact:
        raise Unfit("which columns are empty shows when all rows are read", "Name them: drop column notes.")
    yield _dropped(fit.request, empty)


def _rename(fit: Fit, perhaps: str) -> Iterator[Proposal]:
    """Read `rename a to b`; `change a to b` may as well ask for other cells: then both are offered."""
    counts = [count for count in ("", "2", "3") if f"old{count}" in fit.slots]
    olds = [fit.columns(f"old{count}") for count in counts]
    if not all(olds) or (perhaps and _is_value(fit.request, fit.slots["new"], olds[0])):
        return
    if perhaps and fit.request.quoted(fit.slots["new"]) is None and opens_rows(fit.request, fit.slots["new"]):
        return
    news = [new_name(fit.request, fit.slots[f"new{count}"]) for count in counts]
    for chosen in itertools.product(*olds):
        names = {column.name: new for column, new in zip(chosen, news, strict=True)}
        said = ", ".join(f"{old} → {new}" for old, new in names.items())
        if len(names) == len(counts):
            yield propose(fit.request, "rename_columns", said, names=names)


def _is_value(request: Request, span: Span, columns: Sequence[TableColumn]) -> bool:
    """Tell whether a stretch is rather a cell of a column, a type or another column than a new name."""
    if request.quoted(span) is not None:
        return False
    places = {column.place for column in columns[:1]}
    inner = request.trimmed(span)
    cell = any(owner.place in places for part in {span, inner} for owner, _ in listed_cells(request, part))
    return cell or is_worded(request, inner) or request.is_class(span, "nothing") or request.is_own_name(span)


def is_worded(request: Request, span: Span) -> bool:
    """Tell whether a stretch names a type or a case of letters."""
    return request.family(span, "type") is not None or request.is_class(span, "case", "upper", "lowered")


def _added(request: Request, name: str, expression: str) -> Proposal:
    return propose(request, "add_column", name, expression, name=name, expression=expression)


def _add(fit: Fit, noun: str) -> Iterator[Proposal]:
    request, span = fit.request, fit.trimmed("expr")
    made, quoted, number = formulas(request, span), request.quoted(span), request.number(span)
    if not made and quoted is not None:
        made = (write.text(quoted),)
    elif not made and number is not None and not number.percent:
        made = (write.number(number.value),)
    # In `a total column` the article is of the column.
    named = fit.trimmed("name") if noun else fit.slots["name"]
    if not (noun and request.is_class(named, "filler")):
        yield from (_added(request, new_name(request, named), formula) for formula in made)


def _copy(fit: Fit, _: str) -> Iterator[Proposal]:
    name = new_name(fit.request, fit.slots["name"])
    yield from (_added(fit.request, name, write.name(column.name)) for column in fit.columns())


def _join(fit: Fit, _: str) -> Iterator[Proposal]:
    """Read `combine a and b into c`: nobody says what stands between them, so that both ways are offered."""
    name = new_name(fit.request, fit.slots["name"])
    for columns in fit.column_lists():
        for tie in (f", {write.text(' ')}, ", ", ") if len(columns) > 1 else ():
            made = f"concat({tie.join(write.name(one.name) for one in columns)})"
            yield replace(_added(fit.request, name, made), sure=False)


def _add_part(fit: Fit, _: str) -> Iterator[Proposal]:
    """Read `a column named year from order date`: the name says which part of the date."""
    span = fit.trimmed("part", "called")
    part = fit.request.family(span, "fn")
    for column in fit.columns() if part is not None else ():
        if part is not None and column.temporal:
            name = new_name(fit.request, span)
            yield _added(fit.request, name, write.call(part, write.name(column.name)))


def numbers_of(request: Request, column: TableColumn) -> str:
    """Return the request that makes a column of numbers: of its cells, or of the figures in them."""
    if column.facts.figures is None:
        return f'Read it as a number first: convert "{column.name}" to number'
    number = Columns(request.facts, inline=True).cell(column.facts)
    return f'Put its numbers into a column: add column "{column.name} number" = {number}'


def _cast(fit: Fit, _: str) -> Iterator[Proposal]:
    kind = fit.told["type"]
    for column in fit.columns():
        if kind == "float" and column.kind is ColumnKind.NUMBER:
            raise Unfit(f"{column.name} holds numbers already")
        if kind in {"float", "int"} and column.facts.figures is not None:
            raise Unfit(f"the cells of {column.name} are more than numbers", numbers_of(fit.request, column))
        said = fit.request.words.readings[f"type_{kind}"]
        yield propose(fit.request, "cast", column.name, said, column=column.name, type=kind)


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
    "copy": _copy,
    "join": _join,
    "cast": _cast,
}
"""Builder of `rules.toml` → the proposals that it makes of a request that fits."""
