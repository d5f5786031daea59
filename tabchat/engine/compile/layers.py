"""Queries in layers: window functions cannot nest, so each depth of them becomes one more named subquery."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.signature import Bound
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.plan.kinds import operand_value
from tabchat.engine.plan.relation import find_field
from tabchat.engine.types import ROW

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from tabchat.engine.plan.relation import Field, Order, OrderKey

_HELPER: Final = "__{name}_{number}"
_LAYER: Final = "layer_{number}"


class Names:
    """Gives out names that no column and no relation of the query bears."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {name.casefold() for name in taken}
        self._numbers: dict[str, int] = {}

    def fresh(self, pattern: str, name: str = "") -> str:
        """Return `pattern` with the first free number."""
        while True:
            number = self._numbers[pattern + name] = self._numbers.get(pattern + name, 0) + 1
            made = pattern.format(name=name, number=number)
            if made.casefold() not in self._taken:
                self._taken.add(made.casefold())
                return made


class Layers:
    """One step's rows on their way through the query; the build context of its functions.

    Columns are first defined, then flushed: every definition lands in the first layer in which all that it
    refers to is there. A filter waits until the next layer, or the caller's own SELECT, takes it along.
    """

    def __init__(
        self,
        *,
        source: str,
        order: Order,
        fields: Sequence[Field],
        names: Names,
        week_start: str,
        whole: str = "BIGINT",
        has_row: bool = False,
    ) -> None:
        self.week_start = week_start
        self.whole = whole
        self._has_row = has_row
        self.within: tuple[exp.Expr, ...] = ()
        """Columns in whose groups row functions see the rows."""
        self.current = source
        self.ctes: list[tuple[str, exp.Select]] = []
        self._order = order
        self._fields = tuple(fields)
        self._names = names
        self._condition: exp.Expr | None = None
        self._definitions: dict[str, exp.Expr] = {}
        self._depths: dict[str, int] = {}
        self._targets: list[str] = []
        self._emitted: set[str] = set()
        self._kept: dict[str, str] = {}

    def row_order(self) -> list[exp.Ordered]:
        """Return the order in which row functions see the rows."""
        return [key.ordered() for key in self._order]

    def file_row(self) -> exp.Column:
        """Return the number of the row in the file; raises `ExpressionError` for rows that are in none."""
        if not self._has_row:
            raise ExpressionError("These rows are computed, and stand in no file.", "Use row_number().")
        return exp.column(ROW, quoted=True)

    def keep(self, name: str, sql: exp.Expr) -> exp.Column:
        """Define a helper column, or return the one that already computes the same."""
        if isinstance(sql, exp.Column):
            return sql
        sql = self._parted(sql)
        text = sql.sql("duckdb")
        if text not in self._kept:
            helper = self._names.fresh(_HELPER, name)
            self._add(helper, sql)
            self._kept[text] = helper
        return exp.column(self._kept[text], quoted=True)

    def _parted(self, sql: exp.Expr) -> exp.Expr:
        """Return `sql` with its windows over the groups of `within`."""
        if not self.within or sql.find(exp.Window) is None:
            return sql
        parted = sql.copy()
        for window in parted.find_all(exp.Window):
            groups = [group.copy() for group in self.within]
            window.set("partition_by", [*groups, *(window.args.get("partition_by") or ())])
        return parted

    def column(self, name: str) -> exp.Expr:
        """Return a price column by its customary name."""
        field = self.price(name)
        return operand_value(Bound(sql=field.column(), kind=field.kind, sql_type=field.sql_type)).sql

    def price(self, name: str) -> Field:
        """Return the field of a price column; raises `ExpressionError` when there is none."""
        field = find_field(self._fields, name)
        if field is None:
            raise ExpressionError(f"There is no column `{name}`, which this function reads.")
        if field.kind is not None and not field.kind.is_numeric:
            raise ExpressionError(f"Column `{field.name}`, which this function reads, does not hold numbers.")
        return field

    def define(self, name: str, sql: exp.Expr, *, finite: bool) -> str:
        """Define a column that the plan named; returns its name in the query.

        Unless it is `finite` anyway, NaN and infinities become null.
        """
        taken = any(field.sql_name.casefold() == name.casefold() for field in self._fields)
        target = self._names.fresh(_HELPER, name) if taken else name
        if not finite:
            raw = self.keep("raw", sql)
            sql = exp.Case(
                ifs=[exp.If(this=exp.func("ISFINITE", raw.copy(), dialect="duckdb"), true=raw.copy())]
            )
        elif isinstance(sql, exp.Column) and sql.name in self._definitions and sql.name not in self._targets:
            sql = self._definitions[sql.name]
        self._add(target, sql)
        self._targets.append(target)
        return target

    def definition(self, name: str) -> exp.Expr | None:
        """Return what a column of the query is made of; None for one that the rows had before."""
        return self._definitions.get(name)

    def add_field(self, field: Field) -> None:
        """Make a defined column known to the expressions that follow."""
        others = (item for item in self._fields if item.name.casefold() != field.name.casefold())
        self._fields = (*others, field)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field that expressions can name now."""
        return self._fields

    def filter(self, condition: exp.Expr) -> None:
        """Keep only the rows for which `condition` is true, from the next layer on."""
        self._condition = condition if self._condition is None else exp.and_(self._condition, condition)

    @property
    def condition(self) -> exp.Expr | None:
        """The waiting filter, for the caller's own SELECT."""
        return self._condition

    def behind(self, sql: exp.Expr) -> set[str]:
        """Return every name that `sql` depends on: its columns, and those that its helper columns are made of."""
        found: set[str] = set()
        waiting = _columns_of(sql)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += _columns_of(self._definitions[name]) if name in self._definitions else []
        return found

    def flush(self, roots: Collection[exp.Expr] = ()) -> None:
        """Emit a layer for each depth of the definitions that the plan's columns and `roots` need."""
        needed = self._needed(roots) - self._emitted
        for depth in sorted({self._depths[name] for name in needed}):
            level = [name for name in self._definitions if name in needed and self._depths[name] == depth]
            self.push(
                exp.select(
                    exp.Star(),
                    *(exp.alias_(self._definitions[name].copy(), name, quoted=True) for name in level),
                )
            )
        self._emitted |= needed

    def push(self, select: exp.Select) -> None:
        """Read `select` from the current rows, waiting filter included, and go on from there."""
        name = self._names.fresh(_LAYER)
        condition, self._condition = self._condition, None
        select = select.from_(exp.table_(self.current, quoted=True))
        self.ctes.append((name, select.where(condition) if condition is not None else select))
        self.current = name

    def _add(self, name: str, sql: exp.Expr) -> None:
        self._definitions[name] = sql
        self._depths[name] = 1 + max((self._depths.get(used, 0) for used in _columns_of(sql)), default=0)

    def _needed(self, roots: Collection[exp.Expr]) -> set[str]:
        waiting = [*self._targets]
        for root in roots:
            waiting += _columns_of(root)
        found: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in self._definitions and name not in found:
                found.add(name)
                waiting += _columns_of(self._definitions[name])
        return found


def ordering(keys: Iterable[OrderKey], table: str) -> list[exp.Ordered]:
    """Return ORDER BY items that name the columns of `table`, never an alias of the projection."""
    return [key.ordered(table) for key in keys]


def with_layers(query: exp.Select, ctes: Iterable[tuple[str, exp.Query]]) -> exp.Select:
    """Put the layers before the query that reads them."""
    for name, select in ctes:
        query = query.with_(exp.to_identifier(name, quoted=True), as_=select.copy(), copy=False)
    return query


def _columns_of(sql: exp.Expr) -> list[str]:
    return [column.name for column in sql.find_all(exp.Column)]
