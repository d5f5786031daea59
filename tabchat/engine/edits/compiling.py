"""From an edit and a schema to the query of the new version; refuses an edit with all of its errors at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from sqlglot import exp

from tabchat.engine.edits.casting import KIND_OF, cast_hint, converted
from tabchat.engine.edits.drafting import Check, EditDraft
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
from tabchat.engine.edits.values import assigned, loses_digits, scalar
from tabchat.engine.functions import Bound
from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.advice import quoted
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.plan.kinds import compared
from tabchat.engine.types import ROW

if TYPE_CHECKING:
    from tabchat.engine.edits.drafting import CompiledEdit
    from tabchat.engine.edits.filling import Statistics
    from tabchat.engine.edits.operations import Edit, Scalar
    from tabchat.engine.types import Column, Schema
    from tabchat.errors import PlanIssue


class EditCompiler:
    """Compiles one edit of the rows called `relation`; it can name the columns of `visible` alone."""

    def __init__(self, edit: Edit, visible: Schema, whole: Schema, relation: str, week_start: str) -> None:
        self.draft = EditDraft(edit, visible, whole, relation, week_start)

    @property
    def issues(self) -> tuple[PlanIssue, ...]:
        """Everything that is wrong with the edit."""
        return self.draft.issues

    @property
    def names(self) -> list[str]:
        """Names of the new version's columns, in order."""
        return list(self.draft.columns)

    def compile(self, statistics: Statistics) -> CompiledEdit:
        """Compile the edit; the result means something only when there are no issues."""
        self._apply(self.draft.edit, statistics)
        return self.draft.finished()

    def _apply(self, edit: Edit, statistics: Statistics) -> None:
        match edit:
            case DeleteRows():
                self._delete(edit)
            case Update():
                self._update(edit)
            case AddColumn():
                self._add(edit)
            case DropColumns():
                self._drop(edit)
            case RenameColumns():
                self._rename(edit)
            case CastColumn():
                self._cast(edit)
            case FillMissing():
                self._fill(edit, statistics)
            case ReplaceValues():
                self._replace(edit)
            case Deduplicate():
                self._deduplicate(edit)
            case _:
                assert_never(edit)

    def _delete(self, edit: DeleteRows) -> None:
        condition = self.draft.where(edit.where)
        if condition is not None:
            self.draft.condition = fill("(:condition) IS NOT TRUE", condition=condition)

    def _update(self, edit: Update) -> None:
        condition = self.draft.where(edit.where)
        pairs: dict[str, str] = {}
        for name, text in edit.set:
            step = f"set.{name}"
            column, bound = self.draft.column(step, name), self.draft.bound(step, text)
            if column is None or bound is None:
                continue
            if column.name in pairs:
                self.draft.context.issue(
                    step, name, f"Column {quoted(column.name)} is set twice.", "Set it once."
                )
                continue
            pairs[column.name] = text
            self.draft.write(step, column, bound, condition)
        self.draft.edit = replace(edit, set=tuple(pairs.items()))

    def _add(self, edit: AddColumn) -> None:
        self.draft.check_new_name("name", edit.name, list(self.draft.columns))
        bound = self.draft.bound("expression", edit.expression)
        if bound is None:
            return
        sql = self.draft.finite(bound)
        if bound.kind is None:
            sql = exp.cast(exp.Null(), "VARCHAR", dialect="duckdb")
        self.draft.columns[edit.name] = sql
        self.draft.units[edit.name] = bound.unit

    def _drop(self, edit: DropColumns) -> None:
        dropped = self.draft.known("columns", edit.columns)
        for column in dropped:
            del self.draft.columns[column.name]
        if len(dropped) == len(self.draft.visible) or not self.draft.columns:
            message = "A table keeps at least one column."
            self.draft.context.issue("columns", ", ".join(edit.columns), message, "Drop fewer columns.")
        self.draft.edit = DropColumns(columns=tuple(column.name for column in dropped))

    def _rename(self, edit: RenameColumns) -> None:
        renamed: dict[str, str] = {}
        for old, new in edit.names:
            column = self.draft.column(f"names.{old}", old)
            if column is not None:
                renamed[column.name] = new
        names = [renamed.get(name, name) for name in self.draft.columns]
        for old, new in renamed.items():
            others = [name for before, name in zip(self.draft.columns, names, strict=True) if before != old]
            self.draft.check_new_name(f"names.{old}", new, others)
        self.draft.columns = dict(zip(names, self.draft.columns.values(), strict=True))
        self.draft.renamed = {old: new for old, new in renamed.items() if old != new}
        self.draft.edit = RenameColumns(names=tuple(renamed.items()))

    def _cast(self, edit: CastColumn) -> None:
        column = self.draft.column("column", edit.column)
        if column is None:
            return
        self.draft.edit = replace(edit, column=column.name)
        kind = KIND_OF[edit.type]
        if kind is column.kind:
            return
        found = converted(column, kind)
        if found is None:
            message = f"Column {quoted(column.name)} of {column.kind} values cannot become {edit.type}."
            self.draft.context.issue(
                "type", edit.type, message, "Cast it to text, or add_column with an expression."
            )
            return
        value, failing = found
        message = (
            f"Column {quoted(column.name).replace('{', '{{').replace('}', '}}')} has cells that are no {edit.type}:"
            " {count}, the first in row {row}."
        )
        self.draft.checks.append(Check(failing=failing, message=message, hint=cast_hint(column, kind)))
        self.draft.columns[column.name] = value
        self.draft.written.append(column.name)
        self.draft.reads.add(column.name)

    def _fill(self, edit: FillMissing, statistics: Statistics) -> None:
        condition = self.draft.where(edit.where)
        columns = self.draft.known("columns", edit.columns)
        for column in columns:
            try:
                value = filled(edit, column, self.draft.context.layers, statistics)
            except ExpressionError as error:
                self.draft.context.issue("columns", column.name, error.message, error.hint)
                continue
            missing = fill(":x IS NULL", x=exp.column(column.name, quoted=True))
            self.draft.write(
                "value", column, value, missing if condition is None else exp.and_(missing, condition)
            )
            self.draft.reads.add(column.name)
        self.draft.edit = replace(edit, columns=tuple(column.name for column in columns))

    def _replace(self, edit: ReplaceValues) -> None:
        column = self.draft.column("column", edit.column)
        if column is None:
            return
        self.draft.edit = replace(edit, column=column.name)
        branches = []
        for index, (before, after) in enumerate(edit.values):
            branch = self._replacement(column, before, after, f"values[{index}]")
            if branch is not None:
                branches.append(branch)
        old = exp.column(column.name, quoted=True)
        self.draft.columns[column.name] = exp.Case(ifs=branches, default=old) if branches else old
        self.draft.written.append(column.name)
        self.draft.reads.add(column.name)

    def _replacement(self, column: Column, before: Scalar, after: Scalar, step: str) -> exp.If | None:
        """Return the branch for one pair: where the old cell is `before`, the new one is `after`."""
        cell = Bound(sql=exp.column(column.name, quoted=True), kind=column.kind, sql_type=column.sql_type)
        try:
            assigned(scalar(before), column)
            value = assigned(scalar(after), column)
            left, right = compared(cell, scalar(before)) if before is not None else (cell, cell)
        except ExpressionError as error:
            self.draft.context.issue(step, str(before), error.message, error.hint)
            return None
        condition = fill(":x IS NULL", x=cell) if before is None else fill(":x = :y", x=left, y=right)
        if loses_digits(column, value):
            self.draft.keep_digits(column, condition)
        return exp.If(this=condition, true=value.sql.copy())

    def _deduplicate(self, edit: Deduplicate) -> None:
        columns = self.draft.known("columns", edit.columns) if edit.columns else list(self.draft.visible)
        if not columns:
            return
        self.draft.edit = replace(edit, columns=tuple(column.name for column in columns))
        row = exp.Ordered(this=exp.column(ROW, quoted=True), desc=edit.keep == "last")
        place = exp.Window(
            this=exp.RowNumber(),
            partition_by=[exp.column(column.name, quoted=True) for column in columns],
            order=exp.Order(expressions=[row]),
        )
        self.draft.condition = fill(":place = 1", place=self.draft.context.layers.keep("place", place))
