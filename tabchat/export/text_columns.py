"""What is to be known of the columns of text before a long frame is written as it is: which have cells that call for more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.projection import project
from tabchat.engine.result.result import CHUNK_ROWS
from tabchat.export.formulas import NUMBER, STARTS
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from sqlglot import exp

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Row

    CellOf: TypeAlias = Callable[[int, exp.Column], exp.Expr]
    """Writes the cell of a column at a place."""

_PLAIN_STARTS: Final = (("0", "="), ("A", "\uff00"))
"""From where to below where all cells of a column lie which begin with no blank and with nothing that a formula does."""
_AT_ONCE: Final = 100
"""Columns of one query, which the engine would plan for long with more."""


@record
class TextColumn:
    """A column of text of one frame."""

    is_odd: bool
    """Whether some cell has to be quoted that the engine would not quote, or the other way round."""
    formulas: int
    """Cells that a spreadsheet would take for a formula."""


def is_repeatable(frame: Frame) -> bool:
    """Tell whether a frame is long, and its query no more than rows and columns of a relation that stays as it is.

    Such a query gives the same cells each time, and asking it twice costs less than looking at each cell on its way.
    """
    from sqlglot import exp

    if frame.row_count <= CHUNK_ROWS:
        return False
    known = (
        exp.Select, exp.Subquery, exp.From, exp.Where, exp.Order, exp.Ordered, exp.Table, exp.TableAlias, exp.Alias,
        exp.Star, exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.Not, exp.Is, exp.In,
        exp.Between, exp.Predicate, exp.Connector, exp.Add, exp.Sub, exp.Mul, exp.Div,
    )  # fmt: skip
    return all(isinstance(node, known) for node in frame.query.walk(prune=_is_source))


def _is_source(node: exp.Expr) -> bool:
    """Tell whether `node` is a table by its name or a stored file, with nothing done to its rows, such as a sample."""
    from sqlglot import exp

    if not isinstance(node, exp.Table):
        return False
    said = {name for name, value in node.args.items() if value}
    if not said <= {"this", "db", "catalog", "alias"}:
        return False
    # A stored version is read by a call that the reader made itself, not a parsed one.
    if isinstance(node.this, exp.Anonymous):
        return bool(node.this.name.lower() == "read_parquet")
    return isinstance(node.this, exp.Identifier | exp.ReadParquet)


def text_columns(frame: Frame, texts: Sequence[int], cell_of: CellOf) -> dict[int, TextColumn]:
    """Look at the columns of `frame` at the places `texts`, whose cells `cell_of` writes; returns place → what was found."""
    # The ends of a stored column are known from its file, without a look at any cell.
    ends = _asked(frame, texts, cell_of, lambda cell, _: _ends(cell))
    plain = {place for place, (low, high) in ends.items() if _is_plain(low, high)}
    looks = _asked(frame, texts, cell_of, lambda cell, place: _looks(cell, plain=place in plain))
    return {
        place: TextColumn(is_odd=bool(odd), formulas=formulas if isinstance(formulas, int) else 0)
        for place, (odd, formulas) in looks.items()
    }


def marked_columns(frame: Frame, texts: Sequence[int], cell_of: CellOf, delimiter: str) -> set[int]:
    """Return the places among `texts` where some cell has to be quoted that the engine would quote, too."""
    looks = _asked(frame, texts, cell_of, lambda cell, _: [_marks(cell, delimiter)])
    return {place for place, (marks,) in looks.items() if marks}


def _asked(
    frame: Frame,
    places: Sequence[int],
    cell_of: CellOf,
    wanted: Callable[[exp.Expr, int], Sequence[exp.Expr]],
) -> dict[int, Row]:
    """Return place → the aggregates that are `wanted` of its cells, as many for each."""
    found: dict[int, Row] = {}
    for start in range(0, len(places), _AT_ONCE):
        found |= _asked_at_once(frame, places[start : start + _AT_ONCE], cell_of, wanted)
    return found


def _asked_at_once(
    frame: Frame,
    places: Sequence[int],
    cell_of: CellOf,
    wanted: Callable[[exp.Expr, int], Sequence[exp.Expr]],
) -> dict[int, Row]:
    rows = frame.query.copy()
    # The same cells in whatever order.
    rows.set("order", None)
    query = project(
        rows,
        frame.schema,
        lambda columns: [item for place in places for item in wanted(cell_of(place, columns[place]), place)],
    )
    ((*values,),) = frame.engine.rows(query)
    count = len(values) // len(places)
    return {place: tuple(values[count * i : count * (i + 1)]) for i, place in enumerate(places)}


def _ends(cell: exp.Expr) -> Sequence[exp.Expr]:
    from sqlglot import exp

    return exp.Min(this=cell), exp.Max(this=cell.copy())


def _is_plain(low: object, high: object) -> bool:
    if not isinstance(low, str) or not isinstance(high, str):
        return low is None
    return any(first <= low and high < end for first, end in _PLAIN_STARTS)


def _marks(cell: exp.Expr, delimiter: str) -> exp.Expr:
    from sqlglot import exp

    empty = exp.EQ(this=cell.copy(), expression=exp.Literal.string(""))
    return _any_of(*(_test("contains", cell, mark) for mark in (delimiter, '"', "\n", "\r")), empty)


def _looks(cell: exp.Expr, *, plain: bool) -> Sequence[exp.Expr]:
    from sqlglot import exp

    odd = [_test("suffix", cell, blank) for blank in " \t"]
    if plain:
        return _any_of(*odd), exp.Literal.number(0)
    # The engine quotes what a reader may take for a comment, and no blanks at the ends.
    odd += [_test("prefix", cell, start) for start in " \t#"]
    starts = exp.RegexpLike(this=cell.copy(), expression=exp.Literal.string(STARTS))
    number = exp.RegexpLike(this=cell.copy(), expression=exp.Literal.string(NUMBER))
    return _any_of(*odd), exp.CountIf(this=exp.and_(starts, exp.not_(number)))


def _test(name: str, cell: exp.Expr, mark: str) -> exp.Expr:
    from sqlglot import exp

    return exp.func(name, cell.copy(), exp.Literal.string(mark), dialect="duckdb")


def _any_of(*conditions: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.func("bool_or", exp.or_(*conditions), dialect="duckdb")
