"""Evaluates one expression over results: cells, columns, sums, shares; nothing else is reachable.

The expression is read as Python's syntax tree and walked by an allowlist of nodes. No name, attribute or call leads to
an object of Python: `r1` is a result, what follows is a column or a row of it, and functions come from one table. Length,
depth, lookups and powers are bounded.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.answers.figures import EvaluationError, Figure, computed, merged, number_of
from tabchat.answers.results import WHOLE
from tabchat.engine.nearest import nearest
from tabchat.engine.result.aggregation import aggregated
from tabchat.engine.result.labels import fold, label_text
from tabchat.engine.result.lookup import TIES, Span
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.answers.results import NumberedResult
    from tabchat.engine.result.lookup import Line
    from tabchat.engine.types import Column, Value

MOST_NODES: Final = 120
MOST_DEPTH: Final = 24
MOST_LOOKUPS: Final = 40
_MOST_DIGITS: Final = 15
_LISTED: Final = 8
"""Labels or columns that an error lists."""

_BACKSLASH: Final = re.compile(r"\\([\\\"'])?")

FUNCTIONS: Final = ("sum", "mean", "median", "min", "max", "count", "abs", "round", "argmax", "argmin")
_SAME: Final = {"avg": "mean", "average": "mean", "len": "count"}


@record
class Selection:
    """Part of a result: all of it, a column, rows, or single cells; nothing is fetched for it but rows."""

    result: NumberedResult
    column: Column | None = None
    lines: tuple[Line, ...] = ()
    """The row that a label, a position or an extreme names; several only where they share an extreme."""
    span: Span | None = None

    @property
    def is_column(self) -> bool:
        """Whether it is a column, or some rows of one."""
        return self.column is not None and not self.lines

    @property
    def row_count(self) -> int:
        """How many rows are meant."""
        return self.result.row_count if self.span is None else (self.span.stop or 0) - self.span.start


Operand: TypeAlias = Figure | Selection


@dataclass
class Evaluator:
    """Evaluates expressions over the results of one conversation."""

    results: Mapping[int, NumberedResult]
    by_label: bool = True
    """Whether rows may be named by their labels; at level strict a model could guess labels so."""
    _lookups: int = 0

    def evaluate(self, source: str) -> Figure:
        """Return what `source` stands for; raises `EvaluationError`."""
        self._lookups = 0
        figure = self._figure(_parsed(source))
        if not figure.cells:
            raise EvaluationError("refers to no cell of a result")
        return figure

    def _operand(self, node: ast.expr) -> Operand:
        match node:
            case ast.Name(id=name):
                made: Operand = self.called(name)
            case ast.Constant(value=value):
                made = _constant(value)
            case ast.Attribute(value=owner, attr=name):
                made = self._column(self._selection(owner, name), name)
            case ast.Subscript(value=owner, slice=key):
                made = self._subscript(self._selection(owner), key)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
                figure = self._figure(operand)
                plain = number_of(figure)
                made = replace(figure, value=-plain if isinstance(sign, ast.USub) else plain, is_cell=False)
            case ast.BinOp(left=left, op=op, right=right):
                made = computed(op, self._figure(left), self._figure(right))
            case ast.Call():
                made = self._call(node)
            case _:
                raise EvaluationError("may hold only results, + - * / **, parentheses and functions")
        return made

    # Columns, rows and cells

    def called(self, name: str) -> Selection:
        """Return the result called `name`, such as `r1`; raises `EvaluationError`."""
        number = name[1:]
        if name[:1] in "rR" and number.isdecimal() and int(number) in self.results:
            return Selection(result=self.results[int(number)])
        known = ", ".join(f"r{number}" for number in sorted(self.results))
        raise EvaluationError(f"there is no {name}; results: {known or 'none yet, run a query first'}")

    def _selection(self, node: ast.expr, name: str = "") -> Selection:
        made = self._operand(node)
        if isinstance(made, Figure) or (name and made.column is not None):
            raise EvaluationError(f"has no .{name[:40]} or [ ] on a value{_as_function(name)}")
        return made

    def _column(self, owner: Selection, name: str, *, of_whole: bool = False) -> Operand:
        result, column = owner.result, None if of_whole else owner.result.column(name)
        if column is None and name == "value" and len(result.columns) == 1:
            column = next(iter(result.columns.values()))
        if column is not None:
            return replace(owner, column=column)
        if owner.lines or name not in result.whole:
            raise EvaluationError(_no_column(result, name))
        value = result.whole[name]
        return Figure(value=value, cells=(result.cite(name, None, value),), is_cell=True)

    def _subscript(self, owner: Selection, key: ast.expr) -> Operand:
        name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        if isinstance(key, ast.Slice):
            return self._sliced(owner, key)
        is_row = owner.result.keys and not owner.lines and owner.result.column(name or "") is None
        if name is not None and owner.column is None and not is_row:
            return self._column(owner, name)
        column = owner.column.name if owner.column and owner.is_column else ""
        if fold(name or "") == WHOLE and column in owner.result.whole:
            return self._column(Selection(result=owner.result), column, of_whole=True)
        if owner.lines or owner.span is not None:
            raise EvaluationError("takes [ ] only after a result or a column")
        return replace(owner, lines=self._lines(owner.result, key))

    def _sliced(self, owner: Selection, key: ast.Slice) -> Selection:
        ends = [None if end is None else self._whole(end) for end in (key.lower, key.upper)]
        if key.step is not None or owner.span is not None or not owner.is_column:
            raise EvaluationError("[a:b] takes rows a to b of a column, by position")
        start, stop, _ = slice(*ends).indices(owner.result.row_count)
        return replace(owner, span=Span(start=start, stop=max(start, stop)))

    def _lines(self, result: NumberedResult, key: ast.expr) -> tuple[Line, ...]:
        """Return the row that a subscript names."""
        self._look()
        labels: list[Value] = []
        for item in key.elts if isinstance(key, (ast.Tuple, ast.List)) else [key]:
            operand = self._operand(item)
            if isinstance(operand, Selection) and operand.result is result and operand.lines and item is key:
                return operand.lines
            if isinstance(operand, Selection) and operand.lines and operand.column is None:
                if len(operand.lines) > 1:
                    raise EvaluationError("several rows share that extreme", names_data=True)
                labels += [operand.lines[0].cells[name] for name in operand.result.naming]
            else:
                labels.append(self._value(operand).value)
        if len(labels) == 1 and isinstance(labels[0], int):
            return self._numbered(result, labels[0])
        if not self.by_label:
            raise EvaluationError("name a row by its position [0], [-1], or by argmax(…) and argmin(…)")
        return self._found(result, labels)

    def _found(self, result: NumberedResult, labels: Sequence[Value]) -> tuple[Line, ...]:
        found = result.find(labels)
        wanted = ", ".join(f'"{label_text(label)[:80]}"' for label in labels)
        if len(found) == 1:
            return tuple(found)
        many = f"several rows of r{result.number} are {wanted}: name {' and '.join(result.naming)}, or a position"
        none = f"r{result.number} has no row {wanted}{_rows(result)}"
        raise EvaluationError(many if found else none, names_data=True)

    def _numbered(self, result: NumberedResult, number: int) -> tuple[Line, ...]:
        """Return the row at a position, or the one with that number as its label; refuses to guess which."""
        at_place = result.line(number)
        named = result.find([number]) if self.by_label else []
        if at_place is None:
            if named:
                return self._found(result, [number])
            raise EvaluationError(f"r{result.number} has {result.row_count} rows, none at {number}")
        if named and at_place.position not in {line.position for line in named}:
            said = f'[{number}] could be row {number} or the label {number}; write ["{number}"] for the label'
            raise EvaluationError(said, names_data=True)
        return (at_place,)

    def _figure(self, node: ast.expr) -> Figure:
        return self._value(self._operand(node))

    def _value(self, operand: Operand) -> Figure:
        """Return one value: a result, a column or a row stands for one only where it has just one."""
        if isinstance(operand, Figure):
            return operand
        result, column, lines = operand.result, operand.column, operand.lines
        if column is None and lines:
            return _named(operand)
        if column is None:
            column = _only_column(result)
        if not lines:
            self._look()
            line = result.line(operand.span.start if operand.span else 0) if operand.row_count == 1 else None
            if line is None:
                raise EvaluationError(_which_row(replace(operand, column=column), by_label=self.by_label))
            lines = (line,)
        value = lines[0].cells[column.name]
        if any(line.cells[column.name] != value for line in lines[1:]):
            said = f"{len(lines)} rows share that extreme, with different {column.name}"
            raise EvaluationError(said, names_data=True)
        return Figure(
            value=value,
            cells=tuple(result.cite(column.name, line, value) for line in lines),
            lines=tuple((result.number, line) for line in lines),
            column=column,
            is_cell=True,
            is_label=column.name in result.keys and result.row_count > 1,
        )

    def _call(self, node: ast.Call) -> Operand:
        if not isinstance(node.func, ast.Name) or node.keywords or not node.args:
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            raise EvaluationError(f"calls only {', '.join(FUNCTIONS)}, of values{_as_function(method)}")
        name = _SAME.get(node.func.id, node.func.id)
        if name not in FUNCTIONS:
            raise EvaluationError(f"has no function {name[:40]}; there are {', '.join(FUNCTIONS)}")
        if name == "round":
            return self._rounded(node.args)
        listed = node.args[0].elts if isinstance(node.args[0], (ast.List, ast.Tuple)) else node.args
        operands = [self._operand(argument) for argument in listed]
        only = operands[0] if len(operands) == 1 else None
        if name in {"argmax", "argmin"}:
            return self._extreme(name, only)
        if isinstance(only, Selection) and not only.lines and name != "abs":
            return self._over_column(name, only)
        figures = [self._value(operand) for operand in operands]
        if name == "abs":
            return replace(figures[0], value=abs(number_of(figures[0])), is_cell=False)
        value = aggregated(name, [number_of(figure) for figure in figures])
        return replace(merged(figures, value), scale=figures[0].scale)

    def _over_column(self, name: str, operand: Selection) -> Figure:
        self._look()
        result = operand.result
        if operand.column is None and name == "count":
            return self._value(self._column(operand, "rows"))
        column = operand.column or _only_column(result)
        if name not in {"count", "min", "max"} and not column.kind.is_numeric:
            raise EvaluationError(f"{name}() needs numbers; {column.name} is {column.kind.value}")
        value = result.aggregate(name, column, operand.span)
        if value is None:
            raise EvaluationError(f"{column.name} holds no value there", names_data=True)
        cells = (result.cite(column.name, None, value),)
        return Figure(value=value, cells=cells, column=None if name == "count" else column)

    def _extreme(self, name: str, owner: Operand | None) -> Selection:
        if not isinstance(owner, Selection) or owner.column is None or owner.lines or owner.span is not None:
            raise EvaluationError(f"{name}() takes one column")
        if not (owner.column.kind.is_numeric or owner.column.kind.is_temporal):
            raise EvaluationError(f"{owner.column.name} has no largest or smallest value")
        self._look()
        lines = owner.result.extremes(owner.column, largest=name == "argmax")
        if not 0 < len(lines) <= TIES:
            said = "holds no value" if not lines else f"has that extreme in more than {TIES} rows"
            raise EvaluationError(f"{owner.column.name} {said}", names_data=True)
        return Selection(result=owner.result, lines=tuple(lines))

    def _rounded(self, nodes: Sequence[ast.expr]) -> Figure:
        figure = self._figure(nodes[0])
        digits = self._whole(nodes[1]) if len(nodes) > 1 else 0
        if abs(digits) > _MOST_DIGITS:
            raise EvaluationError("round() takes a value and a number of digits")
        value = number_of(figure)
        return replace(figure, value=round(value, digits) if digits else round(value), is_cell=False)

    def _whole(self, node: ast.expr) -> int:
        value = self._figure(node).value
        if not isinstance(value, int):
            raise EvaluationError("a position is a whole number")
        return value

    def _look(self) -> None:
        self._lookups += 1
        if self._lookups > MOST_LOOKUPS:
            raise EvaluationError("refers to too many cells at once")


def _parsed(source: str) -> ast.expr:
    # A backslash is a character of a label, unless it keeps a quote from ending one, or another from doing so.
    escaped = _BACKSLASH.sub(lambda match: match[0] if match[1] else r"\\", source)
    try:
        tree = ast.parse(escaped, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise EvaluationError("is no expression") from error
    nodes, level = 0, [tree]
    for _ in range(MOST_DEPTH):
        nodes += len(level)
        level = [one for node in level for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
    if level or nodes > MOST_NODES:
        raise EvaluationError("is too long")
    return tree


def _constant(value: object) -> Figure:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise EvaluationError("holds a constant that is no number and no label")
    return Figure(value=value, constants=() if isinstance(value, str) else (value,))


def _named(owner: Selection) -> Figure:
    """Return the labels of rows, which are what `argmax` stands for in a text."""
    result, lines = owner.result, owner.lines
    if not result.naming:
        raise EvaluationError("has no labels, since no column names the rows: write rN.COLUMN[argmax(…)]")
    labels = [", ".join(result.called(name, line.cells[name]) for name in result.naming) for line in lines]
    column = result.columns[result.naming[0]]
    single = len(lines) == len(result.naming) == 1 and labels == [label_text(lines[0].cells[column.name])]
    return Figure(
        value=lines[0].cells[column.name] if single else ", ".join(labels),
        cells=tuple(result.cite(column.name, line, line.cells[column.name]) for line in lines),
        lines=tuple((result.number, line) for line in lines),
        column=column,
        is_cell=True,
        is_label=True,
    )


def _only_column(result: NumberedResult) -> Column:
    if len(result.columns) != 1:
        name = f"r{result.number}"
        raise EvaluationError(f"is the whole of {name}: name a column, or write {{{name}}} alone on a line")
    return next(iter(result.columns.values()))


def reference(result: NumberedResult, column: str) -> str:
    """Return how an expression names a column."""
    return f"r{result.number}.{column}" if column.isidentifier() else f"r{result.number}[{quoted(column)}]"


def quoted(text: str) -> str:
    """Return `text` as a string of an expression."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _as_function(name: str) -> str:
    function = _SAME.get(name, name)
    return f"; write {function}(…)" if function in FUNCTIONS else ""


def _which_row(owner: Selection, *, by_label: bool) -> str:
    place = reference(owner.result, owner.column.name if owner.column else "COLUMN")
    row = "LABEL or 0" if by_label and owner.result.keys else "0"
    is_known = owner.column is not None and owner.column.name in owner.result.whole
    whole = f"{place}[{quoted(WHOLE)}]" if is_known else f"sum({place})"
    return f"has {owner.row_count} values: write {place}[{row}], or {whole}"


def _no_column(result: NumberedResult, name: str) -> str:
    near = nearest(name, result.told_names)
    listed = ", ".join(near or result.told_names[:_LISTED])
    return f'r{result.number} has no column "{name[:80]}"; {"nearest" if near else "columns"}: {listed}'


def _rows(result: NumberedResult) -> str:
    """Return the labels that a model was shown, as far as an error lists them."""
    lines = result.shown()
    more = " …" if result.row_count > _LISTED else ""
    named = [(name, dict.fromkeys(label_text(line.cells[name]) for line in lines)) for name in result.naming]
    return "".join(f"; {name}: {', '.join(list(labels)[:_LISTED])}{more}" for name, labels in named if labels)
