"""What a checked SELECT gives, read off its tree: group keys, kind, source rows, focus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.sql.functions import AGGREGATES, UNREPEATABLE
from tabchat.engine.sql.policy import DIALECT, called_functions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

SOURCE_ROWS: Final = "__source_rows__"
"""Hidden column that counts the source rows in the same scan as the aggregates."""

_BARE_CLAUSES: Final = frozenset({"kind", "expressions", "from_"})


@dataclass(frozen=True)
class Block:
    """The outermost SELECT of a query."""

    select: exp.Select

    @cached_property
    def has_star(self) -> bool:
        """True when the output columns cannot be told from the projections one by one."""
        return any(
            projection.is_star or projection.find(exp.Columns) is not None
            for projection in self.select.expressions
        )

    @cached_property
    def is_grouped(self) -> bool:
        """True for GROUP BY with a key among the output columns."""
        return self.select.args.get("group") is not None and bool(self.keys)

    @cached_property
    def is_aggregate(self) -> bool:
        """True when the whole input makes one row, or one row for each group."""
        if self.select.args.get("group") is not None:
            return True
        return any(_aggregates(projection) for projection in self.select.expressions)

    @cached_property
    def gives_one_row(self) -> bool:
        """True when there is one row by construction: an aggregate without groups, or no FROM."""
        plain = self.select.args.get("group") is None
        return plain and (self.is_aggregate or self.select.args.get("from_") is None)

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """Positions of the output columns that are group keys."""
        if self.has_star or self.select.args.get("group") is None:
            return ()
        return tuple(index for index, projection in enumerate(self.select.expressions) if _is_key(projection))

    @property
    def is_bare(self) -> bool:
        """True for columns of one table as it lies: nothing filtered, ordered, computed or joined."""
        given = {name for name, value in self.select.args.items() if value}
        from_ = self.select.args.get("from_")
        return (
            given <= _BARE_CLAUSES
            and from_ is not None
            and isinstance(from_.this, exp.Table)
            and isinstance(from_.this.this, exp.Identifier)
            and {name for name, value in from_.this.args.items() if value} <= {"this", "alias"}
            and all(isinstance(part.unalias(), (exp.Column, exp.Star)) for part in self.select.expressions)
        )

    @cached_property
    def counts_source_in_scan(self) -> bool:
        """True when a hidden column can count the source rows without changing the result."""
        group = self.select.args.get("group")
        simple = group is None or not any(
            group.args.get(name) for name in ("cube", "rollup", "grouping_sets")
        )
        sets = group is not None and group.find(exp.Cube, exp.Rollup, exp.GroupingSets) is not None
        clauses = ("distinct", "having", "qualify")
        return simple and not sets and not any(self.select.args.get(name) for name in clauses)

    def focus(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the output columns that were computed or sorted by, else the ones that were named."""
        if not self.has_star:
            names = [projection.output_name for projection in self.select.expressions]
            computed = {
                name
                for name, projection in zip(columns, self.select.expressions, strict=False)
                if not isinstance(projection.unalias(), exp.Column)
            }
        else:
            names, computed = [], set()
        chosen = computed | set(sorted_by(self.select, columns))
        wanted = {name.casefold() for name in chosen or names}
        return tuple(name for name in columns if name.casefold() in wanted)


def sorted_by(query: exp.Query, columns: Sequence[str]) -> Iterator[str]:
    """Yield the names in the outermost ORDER BY; `columns` are the output's, for those named by position."""
    order = query.args.get("order")
    for key in order.expressions if order else ():
        value = key.this if isinstance(key, exp.Ordered) else key
        if isinstance(value, exp.Literal):
            yield columns[int(value.this) - 1]
        else:
            yield from (column.name for column in value.find_all(exp.Column))


def unrepeatable(nodes: Iterable[exp.Expr]) -> tuple[str, ...]:
    """Return what makes another run give other values: function names, and `TABLESAMPLE`."""
    found: dict[str, None] = {}
    for node in nodes:
        rendered = node.sql(DIALECT, identify=True)
        found |= dict.fromkeys(f"{name}()" for name in called_functions(rendered) if name in UNREPEATABLE)
        if node.find(exp.TableSample):
            found["TABLESAMPLE"] = None
        if node.find(exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime):
            found["the current time"] = None
    return tuple(found)


def inline_aliases(condition: exp.Expr, select: exp.Select, columns: Collection[str]) -> exp.Expr:
    """Replace aliases of `select` that `condition` uses, as DuckDB allows, by what they stand for.

    `columns` are the names that FROM gives; they win over aliases.
    """
    known = {name.casefold() for name in columns}
    aliases = {
        projection.alias.casefold(): projection.this
        for projection in select.expressions
        if isinstance(projection, exp.Alias) and projection.alias.casefold() not in known
    }

    def inlined(node: exp.Expr, hidden: frozenset[str]) -> exp.Expr:
        name = node.name.casefold() if isinstance(node, exp.Column) and not node.table else ""
        if name not in aliases or name in hidden:
            return node
        value = aliases[name].copy().transform(inlined, hidden | {name}, copy=False)
        return exp.Paren(this=value)

    return condition.copy().transform(inlined, frozenset(), copy=False)


def _is_key(projection: exp.Expr) -> bool:
    value = projection.unalias()
    if _aggregates(value) or value.find(exp.Window):
        return False
    return any(isinstance(node, exp.Column) for node in _own_nodes(value))


def _aggregates(node: exp.Expr) -> bool:
    """Return whether an aggregate over the block's own rows stands in `node`."""
    if isinstance(node, exp.Query):
        return False
    if isinstance(node, exp.Window):
        return any(_aggregates(part) for part in _window_parts(node))
    return _is_aggregate(node) or any(_aggregates(child) for child in node.iter_expressions())


def _window_parts(window: exp.Window) -> Iterator[exp.Expr]:
    """Yield what a window function is computed from, without the function itself."""
    function = window.this
    while isinstance(function, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls)):
        function = function.this
    yield from function.iter_expressions()
    yield from (child for child in window.iter_expressions() if child is not window.this)


def _is_aggregate(node: exp.Expr) -> bool:
    if isinstance(node, exp.AggFunc):
        return True
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower() in AGGREGATES
    if not isinstance(node, exp.Func) or isinstance(node, (exp.Binary, exp.Case, exp.Cast)):
        return False
    return next(called_functions(node.sql(DIALECT, identify=True)), "") in AGGREGATES


def _own_nodes(node: exp.Expr) -> Iterator[exp.Expr]:
    yield node
    for child in node.iter_expressions():
        if not isinstance(child, exp.Query):
            yield from _own_nodes(child)
