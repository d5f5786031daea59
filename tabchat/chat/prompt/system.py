"""The system prompt: rules, expressions, tables and earlier results, within fixed budgets of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from tabchat.chat.prompt.ranking import Ranking, tokens
from tabchat.chat.prompt.texts import data, rules
from tabchat.chat.prompt.token_estimate import estimate_tokens
from tabchat.chat.prompt.wording import count_text, name_text, value_text
from tabchat.config import PrivacyLevel
from tabchat.engine.cells import cell_text, inert, joined, quoted
from tabchat.engine.functions import FUNCTIONS
from tabchat.engine.functions.signature import ACCEPTED
from tabchat.engine.profile.sketch import FEW
from tabchat.engine.types import ColumnKind
from tabchat.tools.counts import classed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from tabchat.chat.prompt.context import PromptContext, RecentResult
    from tabchat.engine.functions import Function, Parameter
    from tabchat.engine.profile.sketch import ColumnSketch, TableSketch
    from tabchat.engine.table import LoadNote, Table
    from tabchat.engine.types import Column

_T = TypeVar("_T")

ROW_PACKS: Final = ("lag", "cumulative", "pattern", "window")
"""Packs that look at other rows."""

_ALWAYS_MADE: Final = frozenset({ColumnKind.BOOLEAN, ColumnKind.INTEGER, ColumnKind.NUMBER})
"""Kinds that expressions make of any column."""


def function_lines(question: str, tables: Iterable[Table]) -> list[str]:
    """Return one line for each pack of functions that the question and the columns call for."""
    columns = [column for table in tables for column in table.schema]
    kinds = {column.kind for column in columns} | _ALWAYS_MADE
    names = {column.name.casefold() for column in columns}
    words = tokens(question)
    lines = []
    for pack, needs in data("families").items():
        if pack != "examples" and _is_needed(needs, kinds, names, words):
            common = needs.get("common", FUNCTIONS)
            usable = [
                item
                for item in FUNCTIONS.values()
                if item.pack == pack and item.name in common and _is_usable(item, kinds)
            ]
            lines.append(f"{pack}: {_shaped(usable)}")
    return lines


def row_function_examples(lines: Sequence[str]) -> str | None:
    """Return the names of some functions over other rows, when `lines` hold none of them."""
    if any(line.partition(":")[0] in ROW_PACKS for line in lines):
        return None
    named = [FUNCTIONS[name] for name in data("families")["examples"]["names"]]
    return ", ".join(f"{item.name}{_shape(item)}" for item in named)


def _is_needed(
    needs: Mapping[str, Sequence[str]],
    kinds: Collection[ColumnKind],
    names: Collection[str],
    words: Sequence[str],
) -> bool:
    if needs.keys() <= {"common"}:
        return True
    wanted = {ColumnKind(kind) for kind in needs.get("kinds", ())}
    return (
        not wanted.isdisjoint(kinds)
        or (bool(needs.get("columns")) and set(needs["columns"]) <= set(names))
        or any(word.startswith(stem) for stem in needs.get("stems", ()) for word in words)
    )


def _is_usable(item: Function, kinds: Collection[ColumnKind]) -> bool:
    needed = [ACCEPTED[parameter.accepts] for parameter in item.parameters if parameter.accepts in ACCEPTED]
    return all(not accepted.isdisjoint(kinds) for accepted in needed)


def _shaped(items: Sequence[Function]) -> str:
    """Write functions of one shape together: `sum|mean(x), percentile(x, p)`."""
    by_shape: dict[str, list[str]] = {}
    for item in items:
        by_shape.setdefault(_shape(item), []).append(item.name)
    return ", ".join(f"{'|'.join(names)}{shape}" for shape, names in by_shape.items())


def _shape(item: Function) -> str:
    return f"({', '.join(filter(None, map(_argument, item.parameters)))})"


def _argument(parameter: Parameter) -> str:
    name = f"{parameter.name}, …" if parameter.rest else parameter.name
    match parameter.default:
        case None:
            return name
        case "time":
            return ""
        case "rows" | "null":
            return f"[{name}]"
        case _:
            return f"{name}={parameter.default}"


COLUMN_TOKENS: Final = 1_000
"""What the described columns of the current table may take; the rest are named."""
NAME_TOKENS: Final = 450
"""What the names of columns without a description may take."""
OTHER_TOKENS: Final = 150
"""What each of the other tables may take."""
PREVIEW_CHARACTERS: Final = 1_200
OTHER_TABLES: Final = 4
RESULTS: Final = 5

_ROW_LIMIT: Final = 240
_RESULT_LIMIT: Final = 160
LISTED: Final = 6
"""Values of a column that are listed."""
NOTES: Final = 3
"""Notes on the reading of one column that are told."""
VALUE_LIMIT: Final = 30
"""Values longer than this are texts rather than names, and not listed."""

_MANY: Final = 256
"""More different values than this are called many."""
_UNIT_LIMIT: Final = 12


def system_prompt(context: PromptContext) -> str:
    """Return what a model is told before `context.question`; the same question gets the same text."""
    texts = rules()
    strict = context.privacy is PrivacyLevel.STRICT
    parts = [
        texts["opening-strict" if strict else "opening"],
        f"{texts['rules']}\n{texts['figures-strict' if strict else 'figures']}",
        "\n".join(_expressions(context, texts["expressions"], texts["row-functions"])),
        *_tables(context, texts["several-tables"]),
    ]
    if context.results:
        parts.append("\n".join(_results(context.results, strict=strict)))
    return "\n\n".join(parts)


def _expressions(context: PromptContext, head: str, more: str) -> Iterator[str]:
    lines = function_lines(context.question, context.tables.values())
    examples = row_function_examples(lines)
    yield head
    yield from lines
    if examples is not None:
        yield more.format(examples=examples)


def _tables(context: PromptContext, several: str) -> Iterator[str]:
    ranking = Ranking(context.question)
    current = context.tables.get(context.current)
    others = [table for name, table in context.tables.items() if name != context.current]
    if current is not None:
        yield "\n".join(_described(context, current, ranking))
    lines = [_short(table, ranking) for table in others[:OTHER_TABLES]]
    if len(others) > OTHER_TABLES:
        names = joined([name_text(table.name) for table in others[OTHER_TABLES:]], _ROW_LIMIT, "tables")
        lines.append(f"Also open: {names}")
    if lines:
        yield "\n".join([*lines, several] if len(context.tables) > 1 else lines)


def _head(table: Table) -> str:
    name = name_text(table.name)
    read = "".join(f"; {told}" for told in told_notes(table.report.notes, None))
    return f"Table {name}: {table.row_count} rows × {len(table.schema)} columns{read}"


def _described(context: PromptContext, table: Table, ranking: Ranking) -> Iterator[str]:
    sketch = None
    if context.privacy is not PrivacyLevel.STRICT and context.sketch_of is not None:
        sketch = context.sketch_of(table)
    lines = {
        column.name: column_line(
            column,
            sketch.columns.get(column.name) if sketch is not None else None,
            ranking.names,
            table.report.notes,
        )
        for column in table.schema
    }
    yield _head(table)
    if sum(map(_cost, lines.values())) <= COLUMN_TOKENS:
        told = list(table.schema)
        yield from lines.values()
    else:
        ranked = ranking.order(table, sketch)
        told = _within(COLUMN_TOKENS, ranked, lambda column: _cost(lines[column.name]))
        yield from (lines[column.name] for column in table.schema if column in told)
        yield _left_out([column for column in ranked if column not in told])
    if context.privacy is PrivacyLevel.PREVIEW and sketch is not None:
        yield from _preview(table, sketch, told, context.preview_rows)


def _within(room: int, items: Iterable[_T], cost: Callable[[_T], int]) -> list[_T]:
    """Return the first of `items` that together cost no more than `room`."""
    told = []
    for item in items:
        room -= cost(item)
        if room < 0:
            break
        told.append(item)
    return told


def _left_out(columns: Sequence[Column]) -> str:
    """Say how many columns are not described, and name as many of them as there is room for."""
    named = _within(NAME_TOKENS, (name_text(column.name) for column in columns), _cost_in_list)
    unnamed = len(columns) - len(named)
    rest = f", … and {unnamed} more columns (describe_table)" if unnamed else ""
    return f"… and {len(columns)} more columns, see describe_column: {', '.join(named)}{rest}"


def _cost(line: str) -> int:
    return estimate_tokens(line) + 1


def _cost_in_list(item: str) -> int:
    return estimate_tokens(f", {item}")


def _short(table: Table, ranking: Ranking) -> str:
    """Describe a table that the question may be about, by names and kinds."""
    head = _head(table)
    described = (column_line(column, None, ranking.names) for column in ranking.order(table, None))
    fields = _within(OTHER_TOKENS - estimate_tokens(head), described, _cost_in_list)
    more = len(table.schema) - len(fields)
    return f"{head}: {', '.join(fields)}{f', … and {more} more columns' if more else ''}"


def _preview(table: Table, sketch: TableSketch, told: Sequence[Column], rows: int) -> Iterator[str]:
    places = [index for index, column in enumerate(table.schema) if column in told]
    shown = sketch.preview[:rows]
    written = (joined([cell_text(row[place]) for place in places], _ROW_LIMIT, "columns") for row in shown)
    lines = _within(PREVIEW_CHARACTERS, written, len)
    if lines:
        yield f"First {len(lines)} rows, in the order of these columns:"
        yield from lines


def _results(results: Sequence[RecentResult], *, strict: bool) -> Iterator[str]:
    recent = results[-RESULTS:]
    yield f"Earlier results ({len(results)} in all):"
    for result in recent:
        names = joined([name_text(name) for name in result.columns], _RESULT_LIMIT, "columns")
        title = f" {quoted(result.title)}" if result.title and not strict else ""
        rows = classed(result.rows) if strict else result.rows
        yield f"r{result.number}{title}: {result.kind}, {rows} rows ({names})"


def column_line(
    column: Column,
    sketch: ColumnSketch | None,
    is_asked: Callable[[str], bool],
    notes: Sequence[LoadNote] = (),
) -> str:
    """Describe `column`; without a sketch by name and kind, and by how its cells were read, of which `notes` tell.

    Of a column with few values, those that `is_asked` says the question names come first.
    """
    head = f"{name_text(column.name)} {column.kind.value}"
    read = "".join(f"; {told}" for told in told_notes(notes, column.name))
    if sketch is None:
        return f"{head}{read}"
    unit = f" {quoted(inert(column.unit)[:_UNIT_LIMIT])}" if column.unit else ""
    missing = f"; {count_text(sketch.missing)} missing" if sketch.missing else ""
    return f"{head}{unit}{_values(sketch, is_asked)}{missing}{read}"


def told_notes(notes: Sequence[LoadNote], column: str | None) -> Iterator[str]:
    """Yield what a model is told of the reading of `column`; with none, of the table as a whole."""
    told = [note.told for note in notes if note.told and note.column == column]
    yield from map(inert, told[:NOTES])


def _values(sketch: ColumnSketch, is_asked: Callable[[str], bool]) -> str:
    if sketch.min is not None and sketch.max is not None:
        low, high = value_text(sketch.min), value_text(sketch.max)
        return f" {low} to {high}" if low != high else f" {low}"
    if sketch.distinct is None or not sketch.distinct:
        return ""
    listed = _listed(sketch.values, is_asked)
    if not listed:
        # Above `FEW` the number is an estimate.
        number = f"~{sketch.distinct}" if sketch.distinct > FEW else str(sketch.distinct)
        return f": {number} values" if sketch.distinct <= _MANY else ": many values"
    if sketch.distinct > len(listed):
        return f": {', '.join(listed)} … {sketch.distinct} values"
    return f": {', '.join(listed)}"


def _listed(values: Sequence[str], is_asked: Callable[[str], bool]) -> list[str]:
    if any(len(value) > VALUE_LIMIT for value in values) or len(values) > FEW:
        return []
    asked_first = sorted(values, key=lambda value: not is_asked(value))
    return [quoted(value) for value in asked_first[:LISTED]]
