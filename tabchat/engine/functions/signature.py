"""What a plan function is: a signature that both checks its arguments and documents it, and a way to build it.

A signature reads `rolling_mean(x: number, n: count) -> number`. Argument types are the column kinds below,
or literals; a default after `=` is a literal, `time` (the plan's date column) or the name of a price column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlglot import exp

Label: TypeAlias = Literal["weekday", "month", "hour"]
"""How a number is written for people at the last projection."""

_NUMERIC: Final = frozenset({ColumnKind.INTEGER, ColumnKind.NUMBER})
_TEMPORAL: Final = frozenset({ColumnKind.DATE, ColumnKind.DATETIME})
ACCEPTED: Final[Mapping[str, frozenset[ColumnKind]]] = {
    "number": _NUMERIC,
    "text": frozenset({ColumnKind.TEXT}),
    "condition": frozenset({ColumnKind.BOOLEAN}),
    "date": _TEMPORAL,
    "clock": frozenset({ColumnKind.DATETIME, ColumnKind.TIME}),
    "orderable": frozenset(ColumnKind) - {ColumnKind.OTHER},
    "any": frozenset(ColumnKind),
}
"""Argument type → kinds of column it takes."""
LITERALS: Final[Mapping[str, str]] = {
    "count": "a positive whole number",
    "whole": "a whole number",
    "fraction": "a number from 0 to 1",
    "factor": "a number",
    "word": "a text in single quotes",
}
"""Argument type → what must be written out, because it shapes the query."""

_TYPES: Final = frozenset((*ACCEPTED, *LITERALS))
_REST: Final = "..."
"""Before the name of a parameter that takes one or more arguments."""

ArgumentValue: TypeAlias = "int | float | str"


@record
class Bound:
    """An expression whose names are resolved: SQL over a known relation, with what is known of its values."""

    sql: exp.Expr
    kind: ColumnKind | None
    """None for a bare `null`, and for what failed to bind (so that one error does not cause others)."""
    sql_type: str | None = None
    """The engine's type, for a bare column."""
    literal: ArgumentValue | None = None
    """The value, when it was written out."""
    finite: bool = True
    """False when arithmetic may have produced NaN or an infinity."""
    label: Label | None = None
    unit: str | None = None


class BuildContext(Protocol):
    """What a function may ask of the query that it is built into."""

    week_start: str
    whole: str
    """The engine's type of a sum of whole numbers."""

    def row_order(self) -> list[exp.Ordered]:
        """Return the order in which row functions see the rows."""

    def file_row(self) -> exp.Column:
        """Return the number of the row in the file; raises `ExpressionError` for rows that are in none."""

    def keep(self, name: str, sql: exp.Expr) -> exp.Column:
        """Compute `sql` in an earlier layer of the query and return the column that holds it."""

    def column(self, name: str) -> exp.Expr:
        """Return a price column by its customary name; raises `ExpressionError` when there is none."""


Arguments: TypeAlias = "Mapping[str, Bound]"
Builder: TypeAlias = "Callable[[BuildContext, Arguments], exp.Expr]"


@record
class Parameter:
    """One argument of a function."""

    name: str
    accepts: str
    """A key of `ACCEPTED` or `LITERALS`."""
    default: str | None = None
    """Text of the default; None when the argument must be given."""
    rest: bool = False
    """True for a last parameter that takes one or more arguments."""


@record
class Function:
    """One function of the plan language."""

    name: str
    pack: str
    signature: str
    description: str
    parameters: tuple[Parameter, ...]
    returns: str
    """A column kind, or `same`: the common kind of the arguments that take values."""
    build: Builder
    row_order: bool = False
    """True when it looks at other rows."""
    aggregate: bool = False
    """True when it makes one value of many rows."""
    aliases: tuple[str, ...] = ()
    picks: bool = False
    """True when it returns one of its inputs unchanged, so that labels and exact types survive."""
    unit: str | None = None
    """Unit of its values; `same` keeps the unit of the first argument."""
    finite: bool = True
    """False when finite arguments can give NaN or an infinity."""
    label: Label | None = None

    @property
    def arity(self) -> tuple[int, int | None]:
        """Least and greatest number of arguments; no greatest for a variadic function."""
        least = sum(parameter.default is None for parameter in self.parameters)
        unbounded = any(parameter.rest for parameter in self.parameters)
        return least, None if unbounded else len(self.parameters)


def function(  # noqa: PLR0913 - one keyword for each property of a function, all optional
    pack: str,
    signature: str,
    description: str,
    build: Builder,
    *,
    row_order: bool = False,
    aggregate: bool = False,
    aliases: tuple[str, ...] = (),
    picks: bool = False,
    unit: str | None = None,
    finite: bool = True,
    label: Label | None = None,
) -> Function:
    """Make a registry entry of its signature."""
    name, _, rest = signature.partition("(")
    parameters, arrow, returns = rest.rpartition(") -> ")
    if not (arrow and name.isidentifier() and returns.isidentifier()):
        raise ValueError(signature)
    return Function(
        name=name,
        pack=pack,
        signature=signature,
        description=description,
        parameters=tuple(_parameter(part) for part in parameters.split(", ") if part),
        returns=returns,
        build=build,
        row_order=row_order,
        aggregate=aggregate,
        aliases=aliases,
        picks=picks,
        unit="same" if picks else unit,
        finite=finite,
        label=label,
    )


def _parameter(text: str) -> Parameter:
    declared, _, default = text.partition(" = ")
    name, _, accepts = declared.partition(": ")
    rest = name.startswith(_REST)
    name = name.removeprefix(_REST)
    if not name.isidentifier() or accepts not in _TYPES:
        raise ValueError(text)
    return Parameter(name=name, accepts=accepts, default=default or None, rest=rest)
