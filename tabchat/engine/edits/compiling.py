"""From an edit and a schema to the query of the new version; refuses an edit with all of its errors at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from sqlglot import exp

from tabchat.engine.advice import quoted
from tabchat.engine.binding import Place
from tabchat.engine.compile import first_relation
from tabchat.engine.compile.step import Notes, Setting, StepContext, lookup, suggestion
from tabchat.engine.edits.casting import KIND_OF, cast_hint, converted
from tabchat.engine.edits.filling import filled
from tabchat.engine.edits.operations import (
    AddColumn,
    CastColumn,
    Deduplicate,
    DeleteRows,
    DropColumns,
    FillMissing,
    RenameColumns,
    ReplaceValues,
    Update,
)
from tabchat.engine.edits.values import EXACT_DOUBLE, assigned, loses_digits, scalar
from tabchat.engine.expressions import ExpressionError
from tabchat.engine.functions import Bound
from tabchat.engine.functions.templates import fill
from tabchat.engine.kinds import compared
from tabchat.engine.layers import Names, with_layers
from tabchat.engine.plan import QueryPlan
from tabchat.engine.types import HELPER_PREFIX, ROW, ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.edits.filling import Statistics
    from tabchat.engine.edits.operations import Edit, Scalar
    from tabchat.engine.types import Column, Schema
    from tabchat.errors import PlanIssue


@record
class Check:
    """Cells that the edit cannot be made of."""

    failing: exp.Expr
    """True in each row with such a cell."""
    message: str
    """What is wrong, with `{count}` and the first `{row}`."""
    hint: str


@record
class CompiledEdit:
    """The query of a new version, and what it does to the columns."""

    edit: Edit
    """The edit with every column spelled as the table spells it."""
    query: exp.Select
    """`__row__` and the new columns, over the relation's name."""
    renamed: Mapping[str, str]
    """Old name → new name."""
    written: tuple[str, ...]
    """Columns, by their new names, that were there before and whose cells may differ."""
    units: Mapping[str, str | None]
    """Units of columns that were added."""
    reads: frozenset[str]
    """Columns, by their old names, that new cells are computed from."""
    checks: exp.Select | None
    """Counts the cells of each check, and finds the first row; nothing when there is nothing to check."""
    warnings: tuple[Check, ...]
    """The checks behind `checks`, in its order."""


class EditCompiler:
    """An edit on its way: the columns of the new version, and where its errors go."""

    def __init__(self, edit: Edit, visible: Schema, whole: Schema, relation: str, week_start: str) -> None:
        self.edit = edit
        self.visible = visible
        self.whole = whole
        self.relation = relation
        self.notes = Notes()
        self.columns: dict[str, exp.Expr] = {
            column.name: exp.column(column.name, quoted=True) for column in whole
        }
        """New name → its cells; what an edit changes is changed here."""
        self.renamed: dict[str, str] = {}
        self.written: list[str] = []
        self.units: dict[str, str | None] = {}
        self.reads: set[str] = set()
        self.checks: list[Check] = []
        self.condition: exp.Expr | None = None
        """Rows that stay; all of them when absent."""
        self.context = StepContext(
            QueryPlan(),
            first_relation(relation, visible),
            prefix="",
            names=Names([relation, *(column.name for column in whole)]),
            setting=Setting(sessions={}, week_start=week_start, facts=None),
            notes=self.notes,
        )

    @property
    def issues(self) -> tuple[PlanIssue, ...]:
        """Everything that is wrong with the edit."""
        return tuple(dict.fromkeys(self.notes.issues))

    def compile(self, statistics: Statistics) -> CompiledEdit:
        """Compile the edit; the result means something only when there are no issues."""
        self._apply(statistics)
        layers = self.context.layers
        roots = [*self.columns.values(), *(check.failing for check in self.checks)]
        layers.flush([*roots, self.condition] if self.condition is not None else roots)
        query = exp.select(
            exp.column(ROW, quoted=True),
            *(_named(sql, name) for name, sql in self.columns.items()),
        ).from_(exp.table_(layers.current, quoted=True))
        if self.condition is not None:
            query = query.where(self.condition.copy())
        if any(select.find(exp.Window) for _, select in layers.ctes):
            # Window functions hand the rows on in an order of their own.
            query = query.order_by(exp.column(ROW, quoted=True))
        return CompiledEdit(
            edit=self.edit,
            query=with_layers(query, layers.ctes),
            renamed=self.renamed,
            written=tuple(self.written),
            units=self.units,
            reads=frozenset(self.reads),
            checks=self._check_query(),
            warnings=tuple(self.checks),
        )

    def _check_query(self) -> exp.Select | None:
        if not self.checks:
            return None
        cells = [
            fill(shape, failing=exp.Paren(this=check.failing.copy()))
            for check in self.checks
            for shape in ("COUNT(*) FILTER (WHERE :failing)", "MIN(__row__) FILTER (WHERE :failing)")
        ]
        layers = self.context.layers
        return with_layers(exp.select(*cells).from_(exp.table_(layers.current, quoted=True)), layers.ctes)

    def _apply(self, statistics: Statistics) -> None:
        match self.edit:
            case DeleteRows():
                self._delete(self.edit)
            case Update():
                self._update(self.edit)
            case AddColumn():
                self._add(self.edit)
            case DropColumns():
                self._drop(self.edit)
            case RenameColumns():
                self._rename(self.edit)
            case CastColumn():
                self._cast(self.edit)
            case FillMissing():
                self._fill(self.edit, statistics)
            case ReplaceValues():
                self._replace(self.edit)
            case Deduplicate():
                self._deduplicate(self.edit)
            case _:
                assert_never(self.edit)

    # Names

    def _column(self, step: str, name: str) -> Column | None:
        """Return the visible column that `name` means, or note that there is none."""
        found = lookup(self.context.relation.fields, name)
        if found is None:
            hint = suggestion(name, self.context.relation.fields, "Columns")
            self.context.issue(step, name, f"There is no column `{name}`.", hint)
            return None
        return next(column for column in self.visible if column.name == found.name)

    def _known(self, step: str, names: Sequence[str]) -> list[Column]:
        """Return the columns that are named, each once."""
        found = [self._column(step, name) for name in names]
        return list(dict.fromkeys(column for column in found if column is not None))

    def _check_new_name(self, step: str, name: str, taken: Sequence[str]) -> None:
        if not name.strip() or name != name.strip():
            self.context.issue(step, name, "A column's name cannot begin or end with a space.", "Trim it.")
        elif name.startswith(HELPER_PREFIX):
            message = f"A column's name cannot begin with `{HELPER_PREFIX}`."
            self.context.issue(step, name, message, "Choose another name.")
        elif any(not character.isprintable() for character in name):
            message = "A column's name cannot hold control characters or line breaks."
            self.context.issue(step, name, message, "Choose another name.")
        elif name.casefold() in {other.casefold() for other in taken}:
            message = f"The name {quoted(name)} is taken."
            self.context.issue(step, name, message, "Choose another name; update changes an existing column.")

    # Expressions

    def _bound(self, step: str, text: str) -> Bound | None:
        found = self.context.bound(step, text, self.context.binder(Place.ROW, self.context.fields))
        if found is None:
            return None
        parsed, bound = found
        if parsed.alias is not None:
            self.context.issue(step, text, "`as` has no place here.", "Leave the name out.")
            return None
        self._note_reads(bound.sql)
        return bound

    def _where(self, text: str | None) -> exp.Expr | None:
        if text is None:
            return None
        binder = self.context.binder(Place.ROW, self.context.fields)
        condition = self.context.condition("where", text, binder)
        if condition is not None:
            self._note_reads(condition)
        return condition

    def _note_reads(self, sql: exp.Expr) -> None:
        """Remember the columns behind `sql`, also through the helper columns of functions."""
        self.reads |= self.context.layers.behind(sql) & {column.name for column in self.whole}

    def _finite(self, bound: Bound) -> exp.Expr:
        """Return cells in which NaN and infinities, which arithmetic may have made, are missing."""
        if bound.finite or bound.kind is not ColumnKind.NUMBER:
            return bound.sql
        raw = self.context.layers.keep("raw", bound.sql)
        return fill("CASE WHEN ISFINITE(:x) THEN :x END", x=raw)

    def _write(self, step: str, column: Column, value: Bound, condition: exp.Expr | None) -> None:
        """Let `value` be the cells of `column` in the rows that meet `condition`."""
        try:
            value = assigned(value, column)
        except ExpressionError as error:
            self.context.issue(step, column.name, error.message, error.hint)
            return
        old = exp.column(column.name, quoted=True)
        condition = exp.true() if condition is None else condition
        if loses_digits(column, value):
            self._keep_digits(column, condition)
        # The type that holds old and new cells alike also where every cell is a new one.
        sql = fill(
            "CASE WHEN :condition THEN :value ELSE :old END",
            condition=condition,
            value=self._finite(value),
            old=old,
        )
        self.columns[column.name] = sql
        self.written.append(column.name)

    def _keep_digits(self, column: Column, condition: exp.Expr) -> None:
        """Refuse to make doubles of whole numbers that stay and have more digits than those hold."""
        failing = fill(
            "ABS(CAST(:x AS HUGEINT)) > :most AND (:condition) IS NOT TRUE",
            x=exp.column(column.name, quoted=True),
            most=EXACT_DOUBLE,
            condition=condition,
        )
        message = (
            f"Column {quoted(column.name)} has numbers with more digits than are exact beside a fraction:"
            " {count}, the first in row {row}."
        )
        hint = "Use whole numbers, such as round(x), or cast the column to text."
        self.checks.append(Check(failing=failing, message=message, hint=hint))

    # Operations

    def _delete(self, edit: DeleteRows) -> None:
        condition = self._where(edit.where)
        if condition is not None:
            self.condition = fill("(:condition) IS NOT TRUE", condition=condition)

    def _update(self, edit: Update) -> None:
        condition = self._where(edit.where)
        pairs: dict[str, str] = {}
        for name, text in edit.set:
            step = f"set.{name}"
            column, bound = self._column(step, name), self._bound(step, text)
            if column is None or bound is None:
                continue
            if column.name in pairs:
                self.context.issue(step, name, f"Column {quoted(column.name)} is set twice.", "Set it once.")
                continue
            pairs[column.name] = text
            self._write(step, column, bound, condition)
        self.edit = replace(edit, set=tuple(pairs.items()))

    def _add(self, edit: AddColumn) -> None:
        self._check_new_name("name", edit.name, list(self.columns))
        bound = self._bound("expression", edit.expression)
        if bound is None:
            return
        sql = self._finite(bound)
        if bound.kind is None:
            sql = exp.cast(exp.Null(), "VARCHAR", dialect="duckdb")
        self.columns[edit.name] = sql
        self.units[edit.name] = bound.unit

    def _drop(self, edit: DropColumns) -> None:
        dropped = self._known("columns", edit.columns)
        for column in dropped:
            del self.columns[column.name]
        if len(dropped) == len(self.visible) or not self.columns:
            message = "A table keeps at least one column."
            self.context.issue("columns", ", ".join(edit.columns), message, "Drop fewer columns.")
        self.edit = DropColumns(columns=tuple(column.name for column in dropped))

    def _rename(self, edit: RenameColumns) -> None:
        renamed: dict[str, str] = {}
        for old, new in edit.names:
            column = self._column(f"names.{old}", old)
            if column is not None:
                renamed[column.name] = new
        names = [renamed.get(name, name) for name in self.columns]
        for old, new in renamed.items():
            others = [name for before, name in zip(self.columns, names, strict=True) if before != old]
            self._check_new_name(f"names.{old}", new, others)
        self.columns = dict(zip(names, self.columns.values(), strict=True))
        self.renamed = {old: new for old, new in renamed.items() if old != new}
        self.edit = RenameColumns(names=tuple(renamed.items()))

    def _cast(self, edit: CastColumn) -> None:
        column = self._column("column", edit.column)
        if column is None:
            return
        self.edit = replace(edit, column=column.name)
        kind = KIND_OF[edit.type]
        if kind is column.kind:
            return
        found = converted(column, kind)
        if found is None:
            message = f"Column {quoted(column.name)} of {column.kind} values cannot become {edit.type}."
            self.context.issue(
                "type", edit.type, message, "Cast it to text, or add_column with an expression."
            )
            return
        value, failing = found
        message = (
            f"Column {quoted(column.name).replace('{', '{{').replace('}', '}}')} has cells that are no {edit.type}:"
            " {count}, the first in row {row}."
        )
        self.checks.append(Check(failing=failing, message=message, hint=cast_hint(column, kind)))
        self.columns[column.name] = value
        self.written.append(column.name)
        self.reads.add(column.name)

    def _fill(self, edit: FillMissing, statistics: Statistics) -> None:
        condition = self._where(edit.where)
        columns = self._known("columns", edit.columns)
        for column in columns:
            try:
                value = filled(edit, column, self.context.layers, statistics)
            except ExpressionError as error:
                self.context.issue("columns", column.name, error.message, error.hint)
                continue
            missing = fill(":x IS NULL", x=exp.column(column.name, quoted=True))
            self._write(
                "value", column, value, missing if condition is None else exp.and_(missing, condition)
            )
            self.reads.add(column.name)
        self.edit = replace(edit, columns=tuple(column.name for column in columns))

    def _replace(self, edit: ReplaceValues) -> None:
        column = self._column("column", edit.column)
        if column is None:
            return
        self.edit = replace(edit, column=column.name)
        branches = []
        for index, (before, after) in enumerate(edit.values):
            branch = self._replacement(column, before, after, f"values[{index}]")
            if branch is not None:
                branches.append(branch)
        old = exp.column(column.name, quoted=True)
        self.columns[column.name] = exp.Case(ifs=branches, default=old) if branches else old
        self.written.append(column.name)
        self.reads.add(column.name)

    def _replacement(self, column: Column, before: Scalar, after: Scalar, step: str) -> exp.If | None:
        """Return the branch for one pair: where the old cell is `before`, the new one is `after`."""
        cell = Bound(sql=exp.column(column.name, quoted=True), kind=column.kind, sql_type=column.sql_type)
        try:
            assigned(scalar(before), column)
            value = assigned(scalar(after), column)
            left, right = compared(cell, scalar(before)) if before is not None else (cell, cell)
        except ExpressionError as error:
            self.context.issue(step, str(before), error.message, error.hint)
            return None
        condition = fill(":x IS NULL", x=cell) if before is None else fill(":x = :y", x=left, y=right)
        if loses_digits(column, value):
            self._keep_digits(column, condition)
        return exp.If(this=condition, true=value.sql.copy())

    def _deduplicate(self, edit: Deduplicate) -> None:
        columns = self._known("columns", edit.columns) if edit.columns else list(self.visible)
        if not columns:
            return
        self.edit = replace(edit, columns=tuple(column.name for column in columns))
        row = exp.Ordered(this=exp.column(ROW, quoted=True), desc=edit.keep == "last")
        place = exp.Window(
            this=exp.RowNumber(),
            partition_by=[exp.column(column.name, quoted=True) for column in columns],
            order=exp.Order(expressions=[row]),
        )
        self.condition = fill(":place = 1", place=self.context.layers.keep("place", place))


def _named(sql: exp.Expr, name: str) -> exp.Expr:
    if isinstance(sql, exp.Column) and sql.name == name:
        return sql.copy()
    return exp.alias_(sql.copy(), name, quoted=True)
