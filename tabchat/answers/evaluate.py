"""Evaluates one expression over results: cells, columns, sums, shares; nothing else is reachable.

The expression is read as Python's syntax tree and walked by an allowlist of nodes. No name, attribute or call leads to
an object of Python: `r1` is a result, what follows a column or a row of it, and functions come from one table. Length,
depth, lookups and powers are bounded.
"""

from __future__ import annotations

import ast
import datetime as dt
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.answers.operands import (
    ColumnOf,
    EvaluationError,
    Figure,
    LinesOf,
    computed,
    merged,
    over_values,
    plain_number,
)
from tabchat.answers.results import TIES, ResultCells, Span, is_value, label_text
from tabchat.engine.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.answers.operands import Operand
    from tabchat.answers.results import Line
    from tabchat.engine.types import Column, Value

MOST_NODES: Final = 120
MOST_DEPTH: Final = 24
MOST_LOOKUPS: Final = 40
_LISTED: Final = 8
"""Labels or columns that an error lists."""

FUNCTIONS: Final = ("sum", "mean", "median", "min", "max", "count", "abs", "round", "argmax", "argmin")
_SAME: Final = {"avg": "mean", "average": "mean", "len": "count"}


@dataclass
class Evaluator:
    """Evaluates expressions over the results of one conversation."""

    results: Mapping[int, ResultCells]
    by_label: bool = True
    """Whether rows may be named by their labels; at level strict a model could guess labels so."""
    _lookups: int = 0

    def evaluate(self, source: str) -> Figure:
        """Return what `source` stands for; raises `EvaluationError`."""
        self._lookups = 0
        operand = self._operand(_parsed(source))
        try:
            figure = self._figure(operand)
        except RecursionError as error:  # pragma: no cover - depth is bounded before
            raise EvaluationError("is nested too deeply") from error
        if not figure.cells:
            raise EvaluationError("refers to no cell of a result")
        return figure

    # What an expression is made of

    def _operand(self, node: ast.expr) -> Operand:
        match node:
            case ast.Name():
                return self._result(node.id)
            case ast.Constant():
                return _constant(node.value)
            case ast.Attribute():
                return self._member(self._operand(node.value), node.attr)
            case ast.Subscript():
                return self._subscript(self._operand(node.value), node.slice)
            case ast.UnaryOp(op=ast.USub()):
                figure = self._number(node.operand)
                return replace(figure, value=-plain_number(figure), is_cell=False)
            case ast.UnaryOp(op=ast.UAdd()):
                return self._number(node.operand)
            case ast.BinOp():
                return self._binary(node)
            case ast.Call():
                return self._call(node)
            case _:
                raise EvaluationError("may hold only results, + - * / **, parentheses and functions")

    def _result(self, name: str) -> ResultCells:
        number = name[1:]
        if name[:1] in "rR" and number.isdecimal() and int(number) in self.results:
            return self.results[int(number)]
        known = ", ".join(f"r{number}" for number in sorted(self.results))
        raise EvaluationError(f"there is no {name}; results: {known or 'none yet, run a query first'}")

    def _member(self, owner: Operand, name: str) -> Operand:
        match owner:
            case ResultCells():
                return self._column_of(owner, name)
            case LinesOf():
                return self._cell_in(owner, name)
            case _:
                hint = f"; write {_SAME.get(name, name)}(…)" if _SAME.get(name, name) in FUNCTIONS else ""
                raise EvaluationError(f"a value has no .{name}{hint}")

    def _column_of(self, cells: ResultCells, name: str) -> Operand:
        column = cells.column(name)
        if column is not None:
            return ColumnOf(cells=cells, column=column)
        if name == "rows":
            return self._counted(cells, "rows", cells.row_count)
        if name == "source_rows" and cells.result.source_row_count is not None:
            return self._counted(cells, "source_rows", cells.result.source_row_count)
        if name == "value" and len(cells.columns) == 1:
            return ColumnOf(cells=cells, column=next(iter(cells.columns.values())))
        raise EvaluationError(_no_column(cells, name))

    def _counted(self, cells: ResultCells, what: str, value: int) -> Figure:
        return Figure(value=value, cells=(cells.cite(what, None, value),), is_cell=True)

    def _subscript(self, owner: Operand, node: ast.expr) -> Operand:
        if isinstance(node, ast.Slice):
            return self._sliced(owner, node)
        match owner:
            case ResultCells():
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    if owner.column(node.value) is not None or not self.by_label:
                        return self._column_of(owner, node.value)
                    if not owner.keys:
                        raise EvaluationError(_no_column(owner, node.value))
                return self._lines(owner, node)
            case ColumnOf(cells=cells, column=column):
                return self._cell_in(self._lines(cells, node), column.name)
            case LinesOf():
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    return self._cell_in(owner, node.value)
                raise EvaluationError("name a column after the row")
            case _:
                raise EvaluationError("only a result or a column takes [ ]")

    def _sliced(self, owner: Operand, node: ast.Slice) -> ColumnOf:
        if not isinstance(owner, ColumnOf) or node.step is not None or owner.span != Span():
            raise EvaluationError("[a:b] takes rows a to b of a column, by position")
        count = owner.cells.row_count
        ends = [None if end is None else self._whole(end) for end in (node.lower, node.upper)]
        start, stop, _ = slice(*ends).indices(count)
        return replace(owner, span=Span(start=start, stop=stop))

    def _lines(self, cells: ResultCells, node: ast.expr) -> LinesOf:
        """Return the row that a subscript names."""
        self._look()
        items = list(node.elts) if isinstance(node, (ast.Tuple, ast.List)) else [node]
        if len(items) == 1:
            found = self._extreme_of(items[0])
            if found is not None:
                if found.cells is not cells:
                    return self._labelled(cells, [_only(found).cells[name] for name in found.cells.naming])
                return found
        labels = [self._label(item) for item in items]
        only = labels[0]
        if len(labels) == 1 and isinstance(only, int) and not isinstance(only, bool):
            return self._numbered(cells, only)
        return self._labelled(cells, labels)

    def _extreme_of(self, node: ast.expr) -> LinesOf | None:
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if is_call and node.func.id in {"argmax", "argmin"}:  # type: ignore[attr-defined] # checked above
            found = self._call(node)  # type: ignore[arg-type] # checked above
            return found if isinstance(found, LinesOf) else None
        return None

    def _label(self, node: ast.expr) -> Value:
        operand = self._operand(node)
        if isinstance(operand, LinesOf):
            return label_text(_only(operand).cells[operand.cells.naming[0]])
        return self._figure(operand).value

    def _numbered(self, cells: ResultCells, number: int) -> LinesOf:
        """Return the row at a position, or the one with that number as its label; refuses to guess which."""
        at_place = cells.line(number)
        named = cells.find([number]) if self.by_label else []
        if at_place is not None and named and at_place.position not in {line.position for line in named}:
            message = (
                f'[{number}] could be row {number} or the label {number}; write ["{number}"] for the label'
            )
            raise EvaluationError(message, names_data=True)
        if at_place is None and not named:
            raise EvaluationError(f"r{cells.number} has {cells.row_count} rows, none at {number}")
        if at_place is None and len(named) > 1:
            raise EvaluationError(_several(cells, [number]), names_data=True)
        return LinesOf(cells=cells, lines=(at_place or named[0],))

    def _labelled(self, cells: ResultCells, labels: Sequence[Value]) -> LinesOf:
        if not self.by_label:
            raise EvaluationError("name a row by its position [0], [-1], or by argmax(…) and argmin(…)")
        if any(not isinstance(label, (str, int, float, Decimal, dt.date)) for label in labels):
            raise EvaluationError("a row is named by labels or by a position")
        found = cells.find(labels)
        if not found:
            raise EvaluationError(_no_row(cells, labels), names_data=True)
        if len(found) > 1:
            raise EvaluationError(_several(cells, labels), names_data=True)
        return LinesOf(cells=cells, lines=tuple(found))

    def _cell_in(self, owner: LinesOf, name: str) -> Figure:
        cells = owner.cells
        column = cells.column(name)
        if column is None:
            raise EvaluationError(_no_column(cells, name))
        values = {label_text(line.cells[column.name]): line.cells[column.name] for line in owner.lines}
        if len(values) > 1:
            message = f"{len(owner.lines)} rows share that extreme, with different {column.name}"
            raise EvaluationError(message, names_data=True)
        value = owner.lines[0].cells[column.name]
        return Figure(
            value=value,
            cells=tuple(cells.cite(column.name, line, value) for line in owner.lines),
            lines=tuple((cells.number, line) for line in owner.lines),
            column=column,
            is_cell=True,
            is_label=column.name in cells.keys,
        )

    # Operators and functions

    def _binary(self, node: ast.BinOp) -> Figure:
        return computed(node.op, self._number(node.left), self._number(node.right))

    def _call(self, node: ast.Call) -> Operand:
        if not isinstance(node.func, ast.Name) or node.keywords:
            hint = ""
            if (
                isinstance(node.func, ast.Attribute)
                and _SAME.get(node.func.attr, node.func.attr) in FUNCTIONS
            ):
                hint = f": write {_SAME.get(node.func.attr, node.func.attr)}({ast.unparse(node.func.value)})"
            raise EvaluationError(f"calls only {', '.join(FUNCTIONS)}{hint}")
        name = _SAME.get(node.func.id, node.func.id)
        if name not in FUNCTIONS:
            raise EvaluationError(f"has no function {name[:40]}; there are {', '.join(FUNCTIONS)}")
        if not node.args:
            raise EvaluationError(f"{name}() needs a column or values")
        if name in {"argmax", "argmin"}:
            return self._extreme(name, node.args)
        if name == "round":
            return self._rounded(node.args)
        operands = self._listed(node.args)
        if name == "abs":
            figure = self._as_number(operands[0])
            return replace(figure, value=abs(plain_number(figure)), is_cell=False)
        if len(operands) == 1:
            return self._over_one(name, operands[0])
        figures = [self._as_number(operand) for operand in operands]
        return replace(merged(figures, over_values(name, figures)), scale=figures[0].scale)

    def _listed(self, nodes: Sequence[ast.expr]) -> list[Operand]:
        if len(nodes) == 1 and isinstance(nodes[0], (ast.List, ast.Tuple)):
            nodes = nodes[0].elts
        if not nodes:
            raise EvaluationError("there are no values")
        return [self._operand(node) for node in nodes]

    def _over_one(self, name: str, operand: Operand) -> Figure:
        """Apply a function to a column, or to a single value."""
        self._look()
        if isinstance(operand, ResultCells) and name == "count":
            return self._counted(operand, "rows", operand.row_count)
        if isinstance(operand, ColumnOf):
            cells, column = operand.cells, operand.column
            if name not in {"count", "min", "max"} and not column.kind.is_numeric:
                raise EvaluationError(f"{name}() needs numbers; {column.name} is {column.kind.value}")
            value = cells.aggregate(name, column, operand.span)
            if value is None:
                raise EvaluationError(f"{column.name} holds no value there", names_data=True)
            return Figure(
                value=value,
                cells=(cells.cite(column.name, None, value),),
                column=None if name == "count" else column,
                is_cell=operand.span == Span() and cells.row_count == 1,
            )
        figure = self._figure(operand)
        return figure if name != "count" else replace(figure, value=1, is_cell=False)

    def _extreme(self, name: str, nodes: Sequence[ast.expr]) -> LinesOf:
        operand = self._operand(nodes[0])
        if len(nodes) != 1 or not isinstance(operand, ColumnOf) or operand.span != Span():
            raise EvaluationError(f"{name}() takes one column")
        if operand.column.kind.value in {"text", "other", "boolean"}:
            raise EvaluationError(f"{operand.column.name} has no largest or smallest value")
        self._look()
        lines = operand.cells.extremes(operand.column, largest=name == "argmax")
        if not lines:
            raise EvaluationError(f"{operand.column.name} holds no value", names_data=True)
        if len(lines) > TIES:
            raise EvaluationError(f"more than {TIES} rows share that extreme", names_data=True)
        return LinesOf(cells=operand.cells, lines=tuple(lines))

    def _rounded(self, nodes: Sequence[ast.expr]) -> Figure:
        figure = self._number(nodes[0])
        digits = self._whole(nodes[1]) if len(nodes) > 1 else 0
        if len(nodes) > 2 or abs(digits) > 15:  # noqa: PLR2004 - the digits of a float
            raise EvaluationError("round() takes a value and a number of digits")
        value = plain_number(figure)
        return replace(figure, value=round(value, digits) if digits else round(value), is_cell=False)

    def _whole(self, node: ast.expr) -> int:
        value = self._number(node).value
        if not isinstance(value, int):
            raise EvaluationError("a position is a whole number")
        return value

    # Values

    def _number(self, node: ast.expr) -> Figure:
        return self._as_number(self._operand(node))

    def _as_number(self, operand: Operand) -> Figure:
        figure = self._figure(operand)
        value = figure.value
        if isinstance(value, (dt.date, dt.datetime)):
            return figure
        if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
            raise EvaluationError("computes with something that is no number", names_data=True)
        return figure

    def _figure(self, operand: Operand) -> Figure:
        """Return one value: a result, a column or a row stands for one only where it has just one."""
        match operand:
            case Figure():
                if operand.cells and not is_value(operand.value) and not operand.is_cell:
                    raise EvaluationError("has no value", names_data=True)
                return operand
            case ColumnOf(cells=cells, column=column, span=span):
                self._look()
                count = cells.row_count if span == Span() else (span.stop or 0) - span.start
                line = cells.line(span.start) if count == 1 else None
                if line is None:
                    raise EvaluationError(_which_row(cells, column, count, by_label=self.by_label))
                return self._cell_in(LinesOf(cells=cells, lines=(line,)), column.name)
            case LinesOf(cells=cells, lines=lines):
                return _named(cells, lines)
            case ResultCells():
                return self._figure(self._column_of(operand, _only_column(operand)))

    def _look(self) -> None:
        self._lookups += 1
        if self._lookups > MOST_LOOKUPS:
            raise EvaluationError("refers to too many cells at once")


def _parsed(source: str) -> ast.expr:
    # A backslash is a character of a label, unless it keeps a quote from ending one.
    escaped = source.replace("\\", "\\\\").replace('\\\\"', '\\"').replace("\\\\'", "\\'")
    try:
        tree = ast.parse(escaped, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise EvaluationError("is no expression") from error
    _check_size(tree)
    return tree


def _check_size(tree: ast.expr) -> None:
    nodes, level = 0, [tree]
    for _ in range(MOST_DEPTH):
        nodes += len(level)
        level = [
            child for node in level for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)
        ]  # type: ignore[misc]
        if not level:
            break
    if level or nodes > MOST_NODES:
        raise EvaluationError("is too long")


def _constant(value: object) -> Figure:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise EvaluationError("holds a constant that is no number and no label")
    constants = () if isinstance(value, str) else (value,)
    return Figure(value=value, constants=constants)


def _named(cells: ResultCells, lines: Sequence[Line]) -> Figure:
    """Return the labels of rows, which are what `argmax` stands for in a text."""
    if not cells.naming:
        raise EvaluationError(
            f"no column names the rows of r{cells.number}; write r{cells.number}.COLUMN[argmax(…)]"
        )
    labels = [", ".join(label_text(line.cells[name]) for name in cells.naming) for line in lines]
    single = len(lines) == 1 and len(cells.naming) == 1
    column = cells.columns[cells.naming[0]]
    return Figure(
        value=lines[0].cells[column.name] if single else ", ".join(labels),
        cells=tuple(cells.cite(column.name, line, line.cells[column.name]) for line in lines),
        lines=tuple((cells.number, line) for line in lines),
        column=column,
        is_cell=True,
        is_label=True,
    )


def _only(owner: LinesOf) -> Line:
    if len(owner.lines) > 1:
        raise EvaluationError("several rows share that extreme", names_data=True)
    return owner.lines[0]


def _only_column(cells: ResultCells) -> str:
    if len(cells.columns) != 1:
        raise EvaluationError(
            f"is the whole of r{cells.number}: name a column, or write {{r{cells.number}}} alone on a line"
        )
    return next(iter(cells.columns))


def _which_row(cells: ResultCells, column: Column, count: int, *, by_label: bool) -> str:
    place = (
        f"r{cells.number}.{column.name}"
        if column.name.isidentifier()
        else f'r{cells.number}["{column.name}"]'
    )
    how = ["LABEL"] if by_label and cells.keys else []
    return f"has {count} values: write {place}[{' or '.join([*how, '0'])}], or sum({place})"


def _no_column(cells: ResultCells, name: str) -> str:
    near = nearest(name, list(cells.columns))
    listed = near or list(cells.columns)[:_LISTED]
    more = " …" if len(listed) < len(cells.columns) and not near else ""
    said = "nearest" if near else "columns"
    return f'r{cells.number} has no column "{name[:80]}"; {said}: {", ".join(listed)}{more}'


def _no_row(cells: ResultCells, labels: Sequence[Value]) -> str:
    wanted = ", ".join(f'"{label_text(label)[:80]}"' for label in labels)
    lines = cells.shown()
    named = [
        f"{name}: {', '.join(_labels(lines, name)[:_LISTED])}{' …' if cells.row_count > _LISTED else ''}"
        for name in cells.naming
    ]
    return f"r{cells.number} has no row {wanted}" + (f"; {'; '.join(named)}" if lines and named else "")


def _labels(lines: Sequence[Line], name: str) -> list[str]:
    return list(dict.fromkeys(label_text(line.cells[name]) for line in lines))


def _several(cells: ResultCells, labels: Sequence[Value]) -> str:
    wanted = ", ".join(f'"{label_text(label)[:80]}"' for label in labels)
    return f"several rows of r{cells.number} are {wanted}: name {' and '.join(cells.naming)}, or the position"
