"""Giving an expression its meaning: names become columns, calls become SQL, and every type error is noted."""

from __future__ import annotations

import re
from dataclasses import field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.functions import Bound, find_function
from tabchat.engine.functions.signature import ACCEPTED, LITERALS
from tabchat.engine.functions.templates import double
from tabchat.engine.nearest import nearest
from tabchat.engine.plan.advice import (
    ARITY_HINTS,
    accepted_words,
    column_hint,
    function_hint,
    kind_hint,
    quoted,
    wrong_count,
)
from tabchat.engine.plan.expressions import ExpressionError, call_name
from tabchat.engine.plan.kinds import aligned_temporal, common_kind, describe_kind, operand_value
from tabchat.engine.plan.relation import find_field
from tabchat.engine.types import HELPER_PREFIX, ColumnKind
from tabchat.record import mutable, record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.compile.layers import Layers
    from tabchat.engine.functions import Function, Parameter
    from tabchat.engine.functions.signature import Arguments
    from tabchat.engine.plan.expressions import Parsed
    from tabchat.engine.plan.relation import Field

_LONGEST: Final = 1_000_000
"""Rows that a moving window or an offset may span."""
_MOST_DIGITS: Final = 30


def literal(node: exp.Expr) -> Bound:
    """Return a written value as itself."""
    if isinstance(node, exp.Null):
        return Bound(sql=exp.Null(), kind=None)
    if isinstance(node, exp.Boolean):
        return Bound(sql=node.copy(), kind=ColumnKind.BOOLEAN)
    if node.args.get("is_string"):
        return Bound(sql=node.copy(), kind=ColumnKind.TEXT, literal=str(node.this))
    text = str(node.this)
    if text.isdigit():
        return Bound(sql=node.copy(), kind=ColumnKind.INTEGER, literal=int(text))
    return Bound(sql=double(float(text)), kind=ColumnKind.NUMBER, literal=float(text))


def parsed_default(text: str) -> int | str:
    """Return the value that a signature gives as a default."""
    return int(text) if text.lstrip("-").isdigit() else text


def placed(found: Function, nodes: list[exp.Expr]) -> list[tuple[str, Parameter, exp.Expr | None]]:
    """Pair arguments with parameters; a leading number skips a column that has a default, as in rsi(14)."""
    parameters = list(found.parameters)
    waiting: list[exp.Expr | None] = list(nodes)
    skippable = len(parameters) > 1 and parameters[0].default is not None and parameters[1].accepts == "count"
    if skippable and waiting and isinstance(waiting[0], exp.Literal):
        waiting.insert(0, None)
    placed: list[tuple[str, Parameter, exp.Expr | None]] = []
    for parameter in parameters:
        if parameter.rest:
            placed += [(f"{parameter.name}{index}", parameter, node) for index, node in enumerate(waiting)]
            break
        placed.append((parameter.name, parameter, waiting.pop(0) if waiting else None))
    return placed


def fits(accepts: str, value: Bound) -> bool:
    """Tell whether a value is the literal that a parameter asks for."""
    given = value.literal
    match accepts:
        case "word":
            return isinstance(given, str)
        case "count":
            return isinstance(given, int) and 1 <= given <= _LONGEST
        case "whole":
            return isinstance(given, int | float) and given == int(given) and abs(given) <= _MOST_DIGITS
        case "fraction":
            return isinstance(given, int | float) and 0 <= given <= 1
        case _:
            return isinstance(given, int | float)


def result_kind(found: Function, arguments: dict[str, Bound]) -> ColumnKind | None:
    """Return the kind of a call's result; raises `ExpressionError` when its values share none."""
    return common_kind(_values(found, arguments)) if found.returns == "same" else ColumnKind(found.returns)


def _values(found: Function, arguments: dict[str, Bound]) -> list[Bound]:
    """Return the arguments that the result is made of: no conditions, no literals that only shape the query."""
    names = {item.name for item in found.parameters if item.accepts in {"any", "number", "orderable"}}
    return [value for key, value in arguments.items() if key.rstrip("0123456789") in names]


def result(found: Function, arguments: dict[str, Bound], sql: exp.Expr, kind: ColumnKind | None) -> Bound:
    """Return the meaning of a call that was built as `sql`."""
    values = _values(found, arguments)
    labels = {value.label for value in values} if found.picks else {found.label}
    units = {value.unit for value in values} if found.unit == "same" else {found.unit}
    return Bound(
        sql=sql,
        kind=kind,
        finite=found.finite and all(value.finite for value in arguments.values()),
        label=labels.pop() if len(labels) == 1 else None,
        unit=units.pop() if len(units) == 1 else None,
    )


Reading: TypeAlias = "tuple[Function, Arguments]"

FAILED: Final = Bound(sql=exp.Null(), kind=None)
"""Stands for what could not be bound."""


class Place(Enum):
    """Where an expression stands, which decides the functions it may use."""

    ROW = auto()
    """`map` and `where`: one value for each row; other rows may be looked at, but not aggregated."""
    GROUP = auto()
    """`select`, `having` and `sort` after aggregation: aggregates, keys and arithmetic on them."""
    ARGUMENT = auto()
    """Inside an aggregate: one value for each row, without a look at other rows."""


@record
class Problem:
    """What is wrong with an expression."""

    message: str
    hint: str | None = None


@mutable
class Binder:
    """Binds the expressions of one place; `problems` collects every error of the expression at hand."""

    place: Place
    layers: Layers
    fields: Sequence[Field]
    """What a name can refer to here."""
    rows: Sequence[Field] = ()
    """What a name can refer to inside an aggregate."""
    time: str | None = None
    """The plan's date column."""
    hoist: Callable[[exp.Expr], exp.Expr] | None = None
    """Where a finished aggregate is put, when it is computed in an earlier layer."""
    problems: list[Problem] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    """The aggregates that were bound, with what each reads of a row."""
    _quoted: frozenset[str] = frozenset()

    def bind(self, parsed: Parsed) -> Bound:
        """Return the meaning of an expression; look at `problems` for its errors."""
        self._quoted = parsed.quoted
        return self.value(parsed.tree)

    def note(self, message: str, hint: str | None = None) -> Bound:
        """Note an error and return the stand-in for what failed."""
        self.problems.append(Problem(message=message, hint=hint))
        return FAILED

    def value(self, node: exp.Expr) -> Bound:
        """Bind one node of the expression."""
        name = call_name(node)
        if name is not None:
            return self._call(name, list(node.expressions))
        match node:
            case exp.Paren():
                return self.value(node.this)
            case exp.Column():
                return self._column(node)
            case exp.Literal() | exp.Null() | exp.Boolean():
                return literal(node)
            case _:
                return self._operation(node)

    def _operation(self, node: exp.Expr) -> Bound:
        from tabchat.engine.plan.operators import OPERATORS

        operator = OPERATORS.get(type(node))
        if operator is None:
            what = "*" if isinstance(node, exp.Star) else type(node).__name__.lower()
            return self.note(f"`{what}` has no value here.", "Use columns, operators and functions.")
        try:
            return operator(self, node)
        except ExpressionError as error:
            return self.note(error.message, error.hint)

    def _column(self, node: exp.Column) -> Bound:
        found = find_field(self.fields, node.name)
        return bound_field(found) if found is not None else self._unknown_column(node.name)

    def _unknown_column(self, name: str) -> Bound:
        names = [item.name for item in self.fields if not item.name.startswith(HELPER_PREFIX)]
        near = nearest(name, names)
        if self.place is Place.GROUP and find_field(self.rows, name) is not None:
            return self.note(
                f"`{name}` has no single value after aggregation.",
                f"Aggregate it, such as mean({quoted(name)}), or add it to `group_by`.",
            )
        if name in self._quoted:
            columns = f" Did you mean the column {', '.join(quoted(item) for item in near)}?" if near else ""
            return self.note(
                f"There is no column `{name}`.",
                f"Double quotes name columns; a text value takes single quotes: '{name}'.{columns}",
            )
        if find_function(name) is not None and not near:
            return self.note(f"There is no column `{name}`.", f"`{name}` is a function: {name}().")
        return self.note(f"There is no column `{name}`.", column_hint(near, names))

    def _call(self, name: str, nodes: list[exp.Expr]) -> Bound:
        found = find_function(name)
        if found is None:
            return self._unknown_function(name)
        if self._misplaced(found):
            return FAILED
        before = len(self.problems)
        try:
            arguments = self._arguments(found, nodes)
            if len(self.problems) > before:
                return FAILED if found.returns == "same" else replace(FAILED, kind=ColumnKind(found.returns))
            sql = found.build(self.layers, arguments)
            kind = result_kind(found, arguments)
        except ExpressionError as error:
            return self.note(error.message, error.hint)
        if found.aggregate:
            self.readings.append((found, arguments))
        if found.aggregate and self.hoist is not None:
            sql = self.hoist(sql)
        return result(found, arguments, sql, kind)

    def _unknown_function(self, name: str) -> Bound:
        if find_field(self.fields, name) is not None:
            return self.note(
                f"`{name}` is a column, not a function.", f"Write {quoted(name)} without brackets."
            )
        # A name such as `Price (€)` that was not quoted reads as a call.
        beginning = re.compile(rf"{re.escape(name)}\s*\(", re.IGNORECASE)
        meant = next((field.name for field in self.fields if beginning.match(field.name)), None)
        hint = f"If the column is meant: {quoted(meant)}, in double quotes." if meant else function_hint(name)
        return self.note(f"There is no function `{name}`.", hint)

    def _misplaced(self, found: Function) -> bool:
        call = f"{found.name}()"
        if found.aggregate and self.place is Place.ROW:
            self.note(
                f"`{call}` makes one value of many rows, and this is evaluated for each row.",
                "Put it in `select`; to compare rows with a total, use total(x) or an earlier step.",
            )
        elif found.aggregate and self.place is Place.ARGUMENT:
            self.note(f"`{call}` stands inside another aggregate.", "Aggregate once, or use two `steps`.")
        elif found.pack == "ohlc" and not found.row_order and self.place is Place.GROUP:
            self.note(f"`{call}` has a value for each row.", f"Aggregate it, such as mean({call}).")
        elif found.row_order and self.place is not Place.ROW:
            self.note(
                f"`{call}` looks at other rows, and here the rows are being aggregated.",
                f'Name it in `map` first, then use that name: {{"map": {{"x": "{call}"}}}}.',
            )
        else:
            return False
        return True

    def _arguments(self, found: Function, nodes: list[exp.Expr]) -> dict[str, Bound]:
        if [type(node) for node in nodes] == [exp.Star] and found.name in {"count", "share"}:
            nodes = []
        inner = self._inside(found)
        given = placed(found, nodes)
        least, greatest = found.arity
        if not least <= len(nodes) or (greatest is not None and len(nodes) > greatest):
            self.note(
                wrong_count(found, len(nodes)), ARITY_HINTS.get(found.name, f"Usage: {found.signature}.")
            )
            return {}
        arguments: dict[str, Bound] = {}
        for key, parameter, node in given:
            before = len(self.problems)
            value = inner.value(node) if node is not None else inner.default(parameter)
            if value is not None and len(self.problems) == before:
                arguments[key] = inner.checked(found, parameter, value)
        return arguments

    def _inside(self, found: Function) -> Binder:
        """Return the binder for the arguments, which notes its errors here."""
        if not found.aggregate:
            return self
        return Binder(
            place=Place.ARGUMENT,
            layers=self.layers,
            fields=self.rows,
            time=self.time,
            problems=self.problems,
            _quoted=self._quoted,
        )

    def default(self, parameter: Parameter) -> Bound | None:
        """Return what an argument that was left out stands for; None when for nothing."""
        default = parameter.default
        if default in {None, "rows", "null"}:
            return None
        if parameter.accepts in LITERALS:
            return literal(exp.convert(parsed_default(str(default))))
        if default == "time":
            return self._time()
        try:
            return bound_field(self.layers.price(str(default)))
        except ExpressionError as error:
            return self.note(error.message, error.hint)

    def _time(self) -> Bound:
        found = find_field(self.fields, self.time) if self.time is not None else None
        if found is None:
            return self.note("There is no date column here.", "Name the column: month(column).")
        return bound_field(found)

    def checked(self, found: Function, parameter: Parameter, value: Bound) -> Bound:
        """Return an argument ready for its parameter, or note why it does not fit."""
        usage = f"Usage: {found.signature}."
        if parameter.accepts in LITERALS:
            if not fits(parameter.accepts, value):
                self.note(f"`{parameter.name}` of {found.name}() is {LITERALS[parameter.accepts]}.", usage)
            return value
        accepted = ACCEPTED[parameter.accepts]
        if accepted & {ColumnKind.DATE, ColumnKind.DATETIME} and parameter.accepts == "date":
            value = aligned_temporal(value, ColumnKind.DATE) or value
        untyped = value.kind is None and parameter.accepts != "any" and isinstance(value.sql, exp.Null)
        if untyped or (value.kind is not None and value.kind not in accepted):
            self.note(
                f"{found.name}() takes {accepted_words(parameter.accepts)} as `{parameter.name}`,"
                f" not {describe_kind(value)}.",
                kind_hint(found, value) or usage,
            )
        exact = found.aggregate and (found.picks or found.name in {"sum", "share"})
        return value if exact or parameter.accepts != "number" else operand_value(value)


def bound_field(found: Field) -> Bound:
    """Return a reference to a field."""
    return Bound(
        sql=found.column(), kind=found.kind, sql_type=found.sql_type, label=found.label, unit=found.unit
    )
