"""From a typed query of DuckDB to Spark's: what is known to give the same is written as Spark has it, the rest refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.aggregates import COMPOSED, SIMPLE, WINDOWED
from tabchat.engine.backends.spark.sql.calendar import CALENDAR
from tabchat.engine.backends.spark.sql.casts import finite, translated_cast
from tabchat.engine.backends.spark.sql.scalars import SCALARS, element_of_list
from tabchat.engine.backends.spark.sql.texts import TEXTS
from tabchat.engine.backends.spark.sql.trees import cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.backends.spark.sql.trees import Translate

_SAME: Final = (
    *(exp.Select, exp.From, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset),
    *(exp.With, exp.CTE, exp.Subquery, exp.Table, exp.TableAlias, exp.Identifier, exp.Column, exp.Alias),
    *(exp.Literal, exp.Boolean, exp.Null, exp.And, exp.Or, exp.Not, exp.Paren, exp.Neg, exp.Is),
    *(exp.Case, exp.If, exp.Window, exp.WindowSpec, exp.IgnoreNulls, exp.RespectNulls, exp.Union, exp.Except),
    *(exp.Intersect, exp.Exists, exp.Tuple, exp.Star, exp.Cube, exp.Rollup, exp.GroupingSets, exp.Qualify),
    *(exp.Var, exp.Count, exp.CountIf, exp.LogicalAnd, exp.LogicalOr, exp.RowNumber, exp.Rank, exp.DenseRank),
    *(exp.PercentRank, exp.CumeDist, exp.Ntile),
    *(exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue),
    # Of the keys that order the rows of a table without numbers.
    exp.Struct,
)
"""What both have and mean alike."""
_JOINS: Final = frozenset({"", "LEFT", "RIGHT", "FULL"})
_KINDS: Final = frozenset({"", "INNER", "OUTER", "CROSS", "SEMI", "ANTI"})

_REWRITERS: Final[Mapping[type[exp.Expr], Callable[[exp.Expr, Translate], exp.Expr]]] = {
    **CALENDAR,
    **SCALARS,
    **TEXTS,
    **{kind: build for kind, build in SIMPLE.items() if isinstance(kind, type)},
    exp.Cast: translated_cast,
    exp.TryCast: translated_cast,
}
_BY_NAME: Final[Mapping[str, Callable[[exp.Expr, Translate], exp.Expr]]] = {
    **{name: build for name, build in SIMPLE.items() if isinstance(name, str)},
    "ISFINITE": finite,
    "LIST_EXTRACT": element_of_list,
}


_OPERANDS: Final = frozenset({"this", "expression", "expressions"})
_READ: Final[Mapping[type[exp.Expr], frozenset[str]]] = {
    exp.Cast: frozenset({"to"}),
    exp.TryCast: frozenset({"to", "safe", "requires_string"}),
    exp.Concat: frozenset({"safe", "coalesce"}),
    exp.ConcatWs: frozenset({"safe", "coalesce"}),
    exp.DPipe: frozenset({"safe"}),
    exp.Div: frozenset({"typed", "safe"}),
    exp.DateBin: frozenset({"zone"}),
    exp.DateDiff: frozenset({"unit", "date_part_boundary"}),
    exp.DateTrunc: frozenset({"unit"}),
    exp.TimestampTrunc: frozenset({"unit"}),
    exp.Interval: frozenset({"unit"}),
    exp.ILike: frozenset({"negate"}),
    exp.Like: frozenset({"negate"}),
    exp.RegexpExtract: frozenset({"group", "position", "occurrence", "parameters", "null_if_pos_overflow"}),
    exp.RegexpLike: frozenset({"flag"}),
    exp.RegexpReplace: frozenset({"replacement", "modifiers", "single_replace"}),
    exp.Replace: frozenset({"replacement"}),
    exp.Round: frozenset({"decimals"}),
    exp.Substring: frozenset({"start", "length"}),
    exp.TimeToStr: frozenset({"format"}),
    exp.Translate: frozenset({"from_", "to"}),
    exp.Trim: frozenset({"position", "collation"}),
    exp.Between: frozenset({"low", "high"}),
    exp.In: frozenset({"query"}),
    exp.Greatest: frozenset({"ignore_nulls"}),
    exp.Least: frozenset({"ignore_nulls"}),
}
"""What the translation of a call reads of it beside its operands; whatever else it says is not to be lost."""


def rewritten(node: exp.Expr) -> exp.Expr:  # noqa: PLR0911 - one return for each kind of node
    """Return the tree as Spark has it; raises `NotOnSparkError` for the first thing that would not be the same."""
    if isinstance(node, exp.Filter):
        return _filtered(node)
    if isinstance(node, exp.Window):
        return _window(node)
    composed = COMPOSED.get(_name_of(node))
    if composed is not None:
        return composed(_read_whole(node), None, rewritten)
    if isinstance(node, exp.Anonymous):
        build = _BY_NAME.get(node.name.upper())
        if build is None:
            raise not_on_spark(_called(node))
        return build(node, rewritten)
    build = _REWRITERS.get(type(node))
    if build is not None:
        return build(_read_whole(node), rewritten)
    if isinstance(node, exp.Join):
        return _join(node)
    if isinstance(node, exp.Distinct):
        return _distinct(node)
    if type(node) in _SAME:
        made = _with_parts(node)
        # Of 32-bit floats and decimals DuckDB makes such a float, and Spark a wide one.
        is_narrow = isinstance(node, exp.Case) and node.is_type(exp.DataType.Type.FLOAT)
        return cast(made, "FLOAT") if is_narrow else made
    raise not_on_spark(_called(node))


def _read_whole(node: exp.Expr) -> exp.Expr:
    """Return a call all of which its translation reads; raises `NotOnSparkError` for any other."""
    read = _OPERANDS | _READ.get(type(node), frozenset())
    if any(value and name not in read for name, value in node.args.items()):
        raise not_on_spark(f"{_called(node)} of this form")
    return node


def _filtered(node: exp.Filter) -> exp.Expr:
    condition = rewritten(node.expression.this)
    composed = COMPOSED.get(_name_of(node.this))
    if composed is not None:
        return composed(_read_whole(node.this), condition, rewritten)
    return exp.Filter(this=rewritten(node.this), expression=exp.Where(this=condition))


def _window(node: exp.Window) -> exp.Expr:
    """Return an aggregate over a window; of one that becomes several calls, each is over it."""
    inner = node.this.this if isinstance(node.this, exp.Filter) else node.this
    if inner.find(exp.Distinct) is not None:
        raise not_on_spark("DISTINCT over a window")
    if _name_of(inner) not in COMPOSED:
        return _with_parts(node)
    if inner is not node.this or not isinstance(inner, WINDOWED):
        raise not_on_spark(f"{_called(inner)} over a window")
    made = rewritten(inner)
    over = {name: _part(value) for name, value in node.args.items() if name != "this"}
    for aggregate in tuple(made.find_all(exp.RegrCount, *WINDOWED)):
        aggregate.replace(exp.Window(this=aggregate.copy(), **over))
    return made


def _name_of(node: exp.Expr) -> type[exp.Expr] | str:
    return node.name.upper() if isinstance(node, exp.Anonymous) else type(node)


def _join(node: exp.Join) -> exp.Expr:
    if node.args.get("method") or node.side.upper() not in _JOINS or node.kind.upper() not in _KINDS:
        raise not_on_spark(f"A {node.args.get('method') or node.kind or node.side} join")
    return _with_parts(node)


def _distinct(node: exp.Distinct) -> exp.Expr:
    if node.args.get("on") is not None:
        raise not_on_spark("DISTINCT ON", "Rank the rows in a window, and keep the first.")
    return _with_parts(node)


def _with_parts(node: exp.Expr) -> exp.Expr:
    """Return a copy of a node with its parts rewritten."""
    if isinstance(node, (exp.Lag, exp.Lead)) and not _is_constant(node.args.get("offset")):
        raise not_on_spark(f"{_called(node)} by a number of rows that is not constant")
    if isinstance(node, exp.WindowSpec):
        return _frame(node)
    if isinstance(node, exp.SetOperation) and node.args.get("by_name"):
        raise not_on_spark("A set operation BY NAME")
    if isinstance(node, exp.CTE) and _is_of_itself(node) and node.this.args.get("distinct"):
        raise not_on_spark("A recursive query with UNION")
    return type(node)(**{name: _part(value) for name, value in node.args.items()})


def _is_of_itself(cte: exp.CTE) -> bool:
    return isinstance(cte.this, exp.Union) and any(
        table.name == cte.alias for table in cte.this.find_all(exp.Table)
    )


def _frame(node: exp.WindowSpec) -> exp.Expr:
    if node.args.get("exclude"):
        raise not_on_spark("EXCLUDE in a window")
    if node.args.get("kind") == "GROUPS":
        raise not_on_spark("GROUPS in a window")
    if node.find(exp.Interval) is not None:
        raise not_on_spark("A window as long as an interval", "Take a number of rows: ROWS BETWEEN ….")
    return type(node)(**{name: _part(value) for name, value in node.args.items()})


def _is_constant(offset: exp.Expr | None) -> bool:
    return offset is None or offset.find(exp.Column) is None


def _part(value: object) -> object:
    if isinstance(value, list):
        return [_part(item) for item in value]
    return rewritten(value) if isinstance(value, exp.Expr) else value


def _called(node: exp.Expr) -> str:
    """Return what a person wrote, by its name."""
    if isinstance(node, exp.Anonymous):
        return f"{node.name.lower()}()"
    if isinstance(node, exp.Func):
        return f"{node.sql_name().lower()}()"
    return f"`{type(node).__name__.upper()}`"
