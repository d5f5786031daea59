"""An edit while it is compiled: the columns of the new version, what they are made of, and what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.compile import first_relation
from tabchat.engine.compile.group import named
from tabchat.engine.compile.layers import Names, with_layers
from tabchat.engine.compile.step import Notes, Setting, StepContext, lookup, suggestion
from tabchat.engine.edits.values import EXACT_DOUBLE, assigned, loses_digits
from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.advice import quoted
from tabchat.engine.plan.binding import Place
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.plan.query_plan import QueryPlan
from tabchat.engine.types import HELPER_PREFIX, ROW, ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.edits.operations import Edit
    from tabchat.engine.functions import Bound
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


class EditDraft:
    """An edit on its way: the columns of the new version, and where its errors go."""

    def __init__(self, edit: Edit, visible: Schema, whole: Schema, relation: str, week_start: str) -> None:
        self.edit = edit
        self.visible = visible
        self.whole = whole
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

    def finished(self) -> CompiledEdit:
        """Return the edit as it stands; it means something only when there are no issues."""
        layers = self.context.layers
        roots = [*self.columns.values(), *(check.failing for check in self.checks)]
        layers.flush([*roots, self.condition] if self.condition is not None else roots)
        query = exp.select(
            exp.column(ROW, quoted=True),
            *(named(sql, name) for name, sql in self.columns.items()),
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

    # Names

    def column(self, step: str, name: str) -> Column | None:
        """Return the visible column that `name` means, or note that there is none."""
        found = lookup(self.context.relation.fields, name)
        if found is None:
            hint = suggestion(name, self.context.relation.fields, "Columns")
            self.context.issue(step, name, f"There is no column `{name}`.", hint)
            return None
        return next(column for column in self.visible if column.name == found.name)

    def known(self, step: str, names: Sequence[str]) -> list[Column]:
        """Return the columns that are named, each once."""
        found = [self.column(step, name) for name in names]
        return list(dict.fromkeys(column for column in found if column is not None))

    def check_new_name(self, step: str, name: str, taken: Sequence[str]) -> None:
        """Note why `name` cannot be the name of a column beside those that are `taken`."""
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

    def bound(self, step: str, text: str) -> Bound | None:
        """Return the meaning of an expression for each row; None when it has errors, which are noted."""
        found = self.context.bound(step, text, self.context.binder(Place.ROW, self.context.fields))
        if found is None:
            return None
        parsed, bound = found
        if parsed.alias is not None:
            self.context.issue(step, text, "`as` has no place here.", "Leave the name out.")
            return None
        self._note_reads(bound.sql)
        return bound

    def where(self, text: str | None) -> exp.Expr | None:
        """Return the meaning of a condition; None when there is none, or when it has errors, which are noted."""
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

    def finite(self, bound: Bound) -> exp.Expr:
        """Return cells in which NaN and infinities, which arithmetic may have made, are missing."""
        if bound.finite or bound.kind is not ColumnKind.NUMBER:
            return bound.sql
        raw = self.context.layers.keep("raw", bound.sql)
        return fill("CASE WHEN ISFINITE(:x) THEN :x END", x=raw)

    def write(self, step: str, column: Column, value: Bound, condition: exp.Expr | None) -> None:
        """Let `value` be the cells of `column` in the rows that meet `condition`."""
        try:
            value = assigned(value, column)
        except ExpressionError as error:
            self.context.issue(step, column.name, error.message, error.hint)
            return
        old = exp.column(column.name, quoted=True)
        condition = exp.true() if condition is None else condition
        if loses_digits(column, value):
            self.keep_digits(column, condition)
        # The type that holds old and new cells alike also where every cell is a new one.
        sql = fill(
            "CASE WHEN :condition THEN :value ELSE :old END",
            condition=condition,
            value=self.finite(value),
            old=old,
        )
        self.columns[column.name] = sql
        self.written.append(column.name)

    def keep_digits(self, column: Column, condition: exp.Expr) -> None:
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
