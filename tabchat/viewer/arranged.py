"""The rows of a ground as they lie, or filtered and sorted: which they are is settled once, then windows are cheap."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.relation import OrderKey
from tabchat.engine.result.result import Frame
from tabchat.engine.source_files import PLACE
from tabchat.engine.types import MOST_ROWS, ColumnKind, whole
from tabchat.record import record
from tabchat.viewer.filters import all_of, holds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.types import Engine, Row
    from tabchat.viewer.filters import Filter
    from tabchat.viewer.ground import Ground

_NUMERIC: Final = re.compile(r"[\d.:+\- ]*\d[\d.:+\- ]*")
_GROUPED: Final = re.compile(r"[+\-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")
"""A number as the screen shows it, with its thousands apart."""
_OF_DIGITS: Final = frozenset(
    {ColumnKind.INTEGER, ColumnKind.NUMBER, ColumnKind.DATE, ColumnKind.DATETIME, ColumnKind.TIME}
)
"""Kinds whose cells are digits and the signs between them."""

NumberedRow: TypeAlias = "tuple[int, Row]"
"""The number of a row on its ground, and its cells."""


@record
class Sort:
    """The column that rows are sorted by; missing cells come last either way."""

    column: str
    descending: bool = False


@record
class Arranged:
    """Rows in the order in which they are shown."""

    ground: Ground
    filters: tuple[Filter, ...] = ()
    sort: Sort | None = None
    row_count: int
    kept: exp.Select | None = None
    """The numbers of the rows, in order; nothing where they stand as they lie."""

    def window(self, first: int, count: int) -> list[NumberedRow]:
        """Return at most `count` rows from the one at `first` on, 0 being the first."""
        engine, numbered = self.ground.engine, self.ground.numbered
        place = exp.column(PLACE, quoted=True)
        if self.kept is None:
            shown = numbered.limit(count).offset(first)
            if self.ground.is_sought:
                shown = numbered.where(place.between(first, first + count - 1))
            return [_split(row) for row in engine.rows(shown)]
        numbers = [whole(row[0]) for row in engine.rows(self.kept.limit(count).offset(first))]
        if not numbers:
            return []
        # The range lets the engine pass over the parts of a file that hold none of them.
        wanted = exp.and_(
            fill(":n BETWEEN :low AND :high", n=place, low=min(numbers), high=max(numbers)),
            place.isin(*numbers),
        )
        found = dict(_split(row) for row in engine.rows(numbered.where(wanted)))
        return [(number, found[number]) for number in numbers]

    def find(self, text: str, columns: Sequence[str], *, after: int, backwards: bool = False) -> int | None:
        """Return where the next row is that holds `text` in one of `columns`; None when there is none."""
        # Only what can hold it: writing millions of numbers as text takes longer than all else.
        kinds = {column.name: column.kind for column in self.ground.schema}
        sought = {name: _bare(text) if kinds[name].is_numeric else text for name in columns}
        searched = [
            name for name in columns if _NUMERIC.fullmatch(sought[name]) or kinds[name] not in _OF_DIGITS
        ]
        if not searched:
            return None
        matches = exp.or_(*(holds(name, sought[name]) for name in searched))
        if self.kept is not None:
            return self._found_kept(self.kept, matches, after, backwards=backwards)
        return self._found(matches, after, backwards=backwards)

    def _found(self, matches: exp.Expr, after: int, *, backwards: bool) -> int | None:
        ground, place = self.ground, exp.column(PLACE, quoted=True)
        here = after if ground.is_dense else self._number_at(after)
        beyond = fill(":n < :here" if backwards else ":n > :here", n=place, here=here)
        query = exp.select(place).from_(ground.numbered.subquery("rows")).where(exp.and_(beyond, matches))
        query = query.order_by(OrderKey(sql_name=PLACE, descending=True).ordered()) if backwards else query
        found = [whole(row[0]) for row in ground.engine.rows(query.limit(1))]
        if not found or ground.is_dense:
            return found[0] if found else None
        before = fill(":n < :found", n=place, found=found[0])
        return count_rows(
            ground.engine, exp.select(place).from_(ground.numbered.subquery("rows")).where(before)
        )

    def _number_at(self, row: int) -> int:
        """Return the number of a row; before the first and after the last one, a number beyond all of them."""
        rows = self.window(row, 1) if row >= 0 else []
        return rows[0][0] if rows else -1 if row < 0 else MOST_ROWS

    def _found_kept(
        self, numbers: exp.Select, matches: exp.Expr, after: int, *, backwards: bool
    ) -> int | None:
        ground = self.ground
        at = exp.column("__at", quoted=True)
        kept = numbers.copy().select(exp.alias_(exp.column("rowid"), "__at", quoted=True))
        beyond = fill(":n < :here" if backwards else ":n > :here", n=at, here=after)
        query = (
            exp.select(fill("MAX(:n)" if backwards else "MIN(:n)", n=at))
            .from_(ground.numbered.subquery("rows"))
            .join(kept.subquery("kept"), using=[exp.to_identifier(PLACE, quoted=True)])
            .where(exp.and_(beyond, matches))
        )
        ((found,),) = ground.engine.rows(query)
        return None if found is None else whole(found)

    def rows_unordered(self) -> exp.Select:
        """Return the query of the rows that the filters leave, `PLACE` among their columns."""
        condition = all_of(self.filters)
        rows = exp.select("*").from_(self.ground.numbered.subquery("rows"))
        return rows if condition is None else rows.where(condition)

    def frame(self, columns: Sequence[str], first: int = 0, count: int | None = None) -> Frame:
        """Return `count` rows from `first` on as a frame with these columns, in the order in which they are shown."""
        ground = self.ground
        total = self.row_count - first if count is None else min(count, self.row_count - first)
        cells = [exp.column(name, table="rows", quoted=True) for name in columns]
        query = exp.select(*cells).from_(ground.numbered.subquery("rows"))
        if self.kept is None:
            query = query.limit(total).offset(first)
        else:
            at = exp.alias_(exp.column("rowid"), "__at", quoted=True)
            kept = self.kept.copy().select(at).limit(total).offset(first)
            query = query.join(kept.subquery("kept"), using=[exp.to_identifier(PLACE, quoted=True)])
            query = query.order_by(OrderKey(sql_name="__at").ordered("kept"))
        by_name = {column.name: column for column in ground.schema}
        schema = tuple(by_name[name] for name in columns)
        return Frame(engine=ground.engine, query=query, schema=schema, row_count=total)


def arrange(ground: Ground, filters: tuple[Filter, ...] = (), sort: Sort | None = None) -> Arranged:
    """Settle which rows are shown in which order; reads only the columns that it depends on."""
    if not filters and sort is None:
        return Arranged(ground=ground, row_count=ground.row_count)
    place = exp.column(PLACE, quoted=True)
    query = exp.select(place).from_(ground.numbered.subquery("rows"))
    condition = all_of(filters)
    query = query if condition is None else query.where(condition)
    if sort is not None:
        query = query.order_by(OrderKey(sql_name=sort.column, descending=sort.descending).ordered())
        query = query.order_by(OrderKey(sql_name=PLACE).ordered())
    made = ground.engine.materialise(query)
    source = made.args["from_"].this
    kept = exp.select(place).from_(source.copy())
    return Arranged(
        ground=ground, filters=filters, sort=sort, row_count=count_rows(ground.engine, kept), kept=kept
    )


def count_rows(engine: Engine, query: exp.Query) -> int:
    """Return how many rows a query gives."""
    ((count,),) = engine.rows(exp.select(exp.Count(this=exp.Star())).from_(query.subquery("counted")))
    return whole(count)


def _bare(text: str) -> str:
    """Return a number without the signs between its thousands, any other text as it is."""
    return text.replace(",", "") if _GROUPED.fullmatch(text.strip()) else text


def _split(row: Row) -> NumberedRow:
    return whole(row[0]), row[1:]
