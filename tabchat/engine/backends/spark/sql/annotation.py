"""Types of the parts of a query, as DuckDB gives them: sqlglot's own rules take `0.1` for a double and a mean for a decimal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.optimizer.annotate_types import annotate_types

from tabchat.engine.backends.spark.sql.trees import TEMPORAL, Kind, items_of, kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_VALUES: Final[Mapping[type[exp.Expr], tuple[str, ...]]] = {
    exp.Add: ("this", "expression"),
    exp.Sub: ("this", "expression"),
    exp.Mul: ("this", "expression"),
    exp.Mod: ("this", "expression"),
    exp.Div: ("this", "expression"),
    exp.IntDiv: ("this", "expression"),
    exp.Coalesce: ("this", "expressions"),
    exp.Greatest: ("this", "expressions"),
    exp.Least: ("this", "expressions"),
    exp.Case: ("ifs", "default"),
    exp.If: ("true", "false"),
    exp.Round: ("this",),
    exp.Nullif: ("this",),
    exp.First: ("this",),
    exp.Last: ("this",),
    exp.Order: ("this",),
}
"""What a node's value is made of."""
_RANKS: Final = (
    *(Kind.NULL, Kind.BOOLEAN, Kind.WHOLE, Kind.EXACT, Kind.FLOAT),
    *(Kind.DATE, Kind.TIMESTAMP, Kind.ZONED),
)
"""Kinds of which the later one is that of both."""
_QUOTIENTS: Final = (exp.Div, exp.IntDiv)


def annotated(query: exp.Expr, types: Mapping[str, object]) -> exp.Expr:
    """Return a qualified query over views with these types of columns, every part of it with its type."""
    return annotate_types(query, schema=dict(types), expression_metadata=dict(_METADATA), dialect="duckdb")


def _literal(_: Any, node: exp.Literal) -> exp.Expr:
    if node.is_string:
        found = "VARCHAR"
    elif node.is_int:
        found = "BIGINT"
    else:
        found = "DOUBLE" if "e" in node.this.lower() else "DECIMAL"
    return _typed(node, found)


def _widest(_: Any, node: exp.Expr) -> exp.Expr:
    """Give a node the type that all of its values have room in."""
    values = [item for name in _VALUES[type(node)] for item in items_of(node.args.get(name))]
    if not values:
        # The keys of a whole query have no value before them.
        return node
    kinds = [kind_of(value) for value in values]
    if isinstance(node, (exp.Add, exp.Sub)) and (moved := _moved(node, set(kinds))) is not None:
        return _typed(node, moved)
    widest = max(kinds, key=lambda kind: _RANKS.index(kind) if kind in _RANKS else len(_RANKS))
    if isinstance(node, _QUOTIENTS) and (isinstance(node, exp.Div) or widest is not Kind.WHOLE):
        widest = Kind.FLOAT
    if widest is Kind.FLOAT:
        singles = any(value.is_type(exp.DataType.Type.FLOAT) for value in values)
        doubles = any(value.is_type(exp.DataType.Type.DOUBLE) for value in values)
        return _typed(node, "FLOAT" if singles and not doubles else "DOUBLE")
    first = next(value for value, kind in zip(values, kinds, strict=True) if kind is widest)
    node.type = first.type.copy() if first.type is not None else None
    return node


def _moved(node: exp.Expr, kinds: set[Kind]) -> str | None:
    """Return the type of a date or time that is moved, or of what lies between two; nothing where none is there."""
    if Kind.INTERVAL in kinds:
        others = kinds - {Kind.INTERVAL}
        known = {
            Kind.DATE: "TIMESTAMP",
            Kind.TIMESTAMP: "TIMESTAMP",
            Kind.ZONED: "TIMESTAMPTZ",
            Kind.CLOCK: "TIME",
        }
        return known.get(others.pop(), "UNKNOWN") if others else "INTERVAL"
    if not kinds & TEMPORAL:
        return None
    if isinstance(node, exp.Sub) and kinds <= TEMPORAL:
        return "BIGINT" if kinds == {Kind.DATE} else "INTERVAL"
    return "DATE"


def _total(_: Any, node: exp.Sum) -> exp.Expr:
    inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    found = {Kind.FLOAT: "DOUBLE", Kind.EXACT: "DECIMAL"}.get(kind_of(inner), "INT128")
    return _typed(node, found)


def _percentile(_: Any, node: exp.Expr) -> exp.Expr:
    # Of decimals it is one, of a scale that is not known here.
    if kind_of(node.this) not in {Kind.WHOLE, Kind.FLOAT}:
        return _typed(node, "UNKNOWN")
    return _typed(node, "FLOAT" if node.this.is_type(exp.DataType.Type.FLOAT) else "DOUBLE")


def _part(_: Any, node: exp.Extract) -> exp.Expr:
    return _typed(node, "DOUBLE" if node.this.name.upper() == "EPOCH" else "BIGINT")


def _typed(node: exp.Expr, sql_type: str) -> exp.Expr:
    node.type = exp.DataType.build(sql_type, dialect="duckdb")
    return node


_METADATA: Final[Mapping[Any, Any]] = {
    **DuckDB.EXPRESSION_METADATA,
    **{kind: {"annotator": _widest} for kind in _VALUES},
    exp.Literal: {"annotator": _literal},
    exp.Sum: {"annotator": _total},
    exp.Extract: {"annotator": _part},
    exp.Median: {"annotator": _percentile},
    exp.PercentileCont: {"annotator": _percentile},
}
