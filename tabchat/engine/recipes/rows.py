"""The rows that a recipe reads: filtered as a plan filters them, with the columns that its arguments name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from tabchat.engine.compile import first_relation
from tabchat.engine.compile.layers import Names, with_layers
from tabchat.engine.compile.queries import for_people
from tabchat.engine.compile.rows import compile_rows
from tabchat.engine.compile.step import HELPER, Notes, Setting, StepContext, lookup
from tabchat.engine.plan.expressions import doubled_equals
from tabchat.engine.plan.query_plan import QueryPlan
from tabchat.engine.plan.relation import find_field, narrow
from tabchat.engine.query import plan_facts
from tabchat.engine.types import ROW, ColumnKind
from tabchat.errors import PlanIssue, PlanValidationError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.request import Request

_ROW_NAMES: Final = ("row", "file_row", "source_row")


@record
class Accepts:
    """The kinds of value that an argument takes, in words."""

    kinds: frozenset[ColumnKind]
    words: str
    hint: str | None = None


NUMBERS: Final = Accepts(kinds=frozenset({ColumnKind.INTEGER, ColumnKind.NUMBER}), words="numbers")
CONDITION: Final = Accepts(
    kinds=frozenset({ColumnKind.BOOLEAN}),
    words="a condition",
    hint="Compare the column with something, such as status = 'pass'.",
)
ORDERED: Final = Accepts(
    kinds=frozenset(ColumnKind) - {ColumnKind.OTHER, ColumnKind.BOOLEAN}, words="values with an order"
)
KEYS: Final = Accepts(kinds=frozenset(ColumnKind) - {ColumnKind.OTHER}, words="plain values")


@record
class Wanted:
    """A column or an expression that an argument names."""

    argument: str
    text: str
    accepts: Accepts


class RecipeRows:
    """The rows after period and `where`; raises `PlanValidationError` with everything that is wrong at once."""

    def __init__(self, request: Request, wanted: Sequence[Wanted], extra: Sequence[PlanIssue] = ()) -> None:
        self.request = request
        table = request.table
        self._names = Names([table.name, *(column.name for column in table.schema)])
        self._relation = first_relation(table.name, table.schema)
        self._made = dict(self._expressions(wanted))
        plan = QueryPlan(
            period=request.text("period"),
            time_column=request.text("time_column"),
            where=_compared(request.text("where")),
            map=tuple((name, doubled_equals(item.text)) for name, item in self._made.items()),
        )
        self._notes = Notes()
        self._context = StepContext(
            plan,
            self._relation,
            prefix="",
            names=self._names,
            setting=Setting(
                sessions={}, week_start=request.week_start, facts=plan_facts(request.engine, table, plan)
            ),
            notes=self._notes,
        )
        compile_rows(self._context)
        issues = [*extra, *map(self._renamed, self._notes.issues), *self._misfits(wanted)]
        if issues:
            raise PlanValidationError(list(dict.fromkeys(issues)))
        self._fields = {(item.argument, item.text): self._named(item) for item in wanted}
        self._ctes: list[tuple[str, exp.Query]] = list(self._context.layers.ctes)
        self._plain = not self._ctes
        self._is_recursive = False

    def _expressions(self, wanted: Sequence[Wanted]) -> Iterator[tuple[str, Wanted]]:
        for item in dict.fromkeys(wanted):
            if lookup(self._relation.fields, item.text) is None:
                yield self._names.fresh(HELPER, item.argument), item

    def _renamed(self, issue: PlanIssue) -> PlanIssue:
        made = self._made.get(issue.step.removeprefix("map."))
        return replace(issue, step=made.argument) if made is not None else issue

    def _misfits(self, wanted: Sequence[Wanted]) -> Iterator[PlanIssue]:
        for item in wanted:
            kind = self._found(item).kind
            if kind is None or kind in item.accepts.kinds:
                continue
            fitting = [
                column.name for column in self.request.table.schema if column.kind in item.accepts.kinds
            ]
            hint = item.accepts.hint or (f"Such columns: {', '.join(fitting[:8])}." if fitting else None)
            yield PlanIssue(
                step=item.argument,
                expression=item.text,
                message=f"`{item.argument}` takes {item.accepts.words}, and `{item.text}` gives {kind} values.",
                hint=hint,
            )

    def _found(self, item: Wanted) -> Field:
        """Return the field of an argument; its `sql_name` is where the rows have it."""
        for name, made in self._made.items():
            if made == item:
                field = find_field(self._context.fields, name)
                break
        else:
            field = lookup(self._context.fields, item.text)
        if field is None:
            raise AssertionError(f"{item.text} was neither found nor refused")
        return field

    def _named(self, item: Wanted) -> Field:
        field = self._found(item)
        return replace(field, name=item.text) if field.name in self._made else field

    def field(self, argument: str, text: str | None) -> Field:
        """Return the field behind an argument; `name` is what a person calls it."""
        return self._fields[argument, text or ""]

    def keys(self, names: Sequence[str]) -> list[Field] | None:
        """Return the fields of arguments that are called `names`; nothing where one is no column of the rows."""
        known = {field.name: field for field in self._fields.values()}
        return [known[name] for name in names] if names and all(name in known for name in names) else None

    @property
    def time(self) -> Field | None:
        """The date column, when there is one."""
        return self._context.time

    @property
    def notes(self) -> tuple[str, ...]:
        """Rules that were applied, such as the dates that `last_month` stood for."""
        return tuple(dict.fromkeys(self._notes.notes))

    def keep(self, condition: exp.Expr) -> None:
        """Keep only the rows that meet `condition`, too."""
        self._context.layers.filter(condition)

    def select(self, *columns: exp.Expr) -> exp.Select:
        """Return a query of `columns` over the rows, without the layers that it reads."""
        select = exp.select(*columns).from_(exp.table_(self._context.layers.current, quoted=True))
        condition = self._context.layers.condition
        return select.where(condition.copy()) if condition is not None else select

    def recursive(self, name: str, query: exp.Query) -> None:
        """Add a layer that reads itself."""
        self._ctes.append((name, query))
        self._is_recursive = True

    def layer(self, select: exp.Query) -> exp.Expr:
        """Name a query, for others to read from; returns the name as a table."""
        name = self._names.fresh("rows_{number}")
        self._ctes.append((name, select))
        return exp.table_(name, quoted=True)

    def whole(self, query: exp.Select) -> exp.Select:
        """Return a query together with every layer that it may read."""
        whole = with_layers(query.copy(), self._ctes)
        if self._is_recursive:
            whole.args["with_"].set("recursive", True)
        return whole

    def runnable(self, query: exp.Select) -> exp.Select:
        """Return a query with its layers, over the visible columns alone."""
        return self.narrowed(self.whole(query))

    def narrowed(self, query: exp.Select) -> exp.Select:
        """Return a query over the visible columns alone, where the table has others."""
        for table in (self.request.table, self.request.children):
            if table is not None and table.hidden:
                query = narrow(query, table, ROW)
        return query

    def shown(self, query: exp.Select) -> exp.Select:
        """Return a query with its layers as people read it."""
        shown = for_people(self.whole(query), self.request.table.name, self._names)
        children = self.request.children
        return shown if children is None else for_people(shown, children.name, self._names)

    def arrays(self, query: exp.Select) -> list[Any]:
        """Return the columns of `query` as NumPy arrays; nothing in them is missing."""
        import pyarrow as pa

        table = pa.Table.from_batches(list(self.request.engine.execute(self.runnable(query))))
        return [column.to_numpy() for column in table.columns]

    def source(self) -> exp.Select:
        """Return the rows themselves, each with its number in the file where it has one."""
        fields = [field for field in self._context.fields if field.name not in self._made]
        columns = [exp.alias_(field.column(), field.name, quoted=True) for field in fields]
        if self.request.table.is_numbered:
            taken = {field.name.casefold() for field in fields}
            number = next(name for name in (*_ROW_NAMES, ROW) if name not in taken)
            columns.insert(0, exp.alias_(exp.column(ROW, quoted=True), number, quoted=True))
        layers = self._context.layers
        query = self.select(*columns)
        if not self._plain:
            query = query.order_by(*(key.ordered(layers.current) for key in self._relation.shown))
        return with_layers(query, layers.ctes)


def _compared(text: str | None) -> str | None:
    return text if text is None else doubled_equals(text)
