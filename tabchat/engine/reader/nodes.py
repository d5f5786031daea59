"""Short constructors for the query nodes that reading needs; identifiers are always quoted.

What they are given becomes a part of what they make; what is a part of something already is copied.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_APART: Final = ("|", "\n")
"""What may stand between words."""


def column(name: str) -> exp.Expression:
    """Refer to a column."""
    return exp.Column(this=exp.Identifier(this=name, quoted=True))


def text(value: str) -> exp.Expression:
    """Make a string literal."""
    return exp.Literal.string(value)


def call(name: str, *arguments: exp.Expression | str | int) -> exp.Expression:
    """Call an engine function by its own name; strings become literals."""
    return exp.Anonymous(this=name, expressions=[_argument(item) for item in arguments])


def _argument(item: exp.Expression | str | int) -> exp.Expression:
    if isinstance(item, str):
        return text(item)
    return exp.Literal.number(item) if isinstance(item, int) else _own(item)


def _own(node: exp.Expression) -> exp.Expression:
    # Copying every part at each step up would copy what is deep down once for every step.
    return node if node.parent is None else node.copy()


def cast(value: exp.Expression, sql_type: str) -> exp.Expression:
    """Convert, or fail."""
    return exp.Cast(this=_own(value), to=exp.DataType(this=exp.DataType.Type[sql_type]))


def try_cast(value: exp.Expression, sql_type: str) -> exp.Expression:
    """Convert, or give null."""
    return exp.TryCast(this=_own(value), to=exp.DataType(this=exp.DataType.Type[sql_type]))


def case(*branches: tuple[exp.Expression, exp.Expression], default: exp.Expression) -> exp.Expression:
    """Give the value of the first condition that holds."""
    if not branches:
        return _own(default)
    ifs = [exp.If(this=_own(condition), true=_own(value)) for condition, value in branches]
    return exp.Case(ifs=ifs, default=_own(default))


def null() -> exp.Expression:
    """Make the missing value."""
    return exp.Null()


def is_null(value: exp.Expression) -> exp.Expression:
    """Test for a missing value."""
    return exp.Is(this=_own(value), expression=exp.Null())


def negate(value: exp.Expression) -> exp.Expression:
    """Logical not."""
    return exp.Not(this=exp.Paren(this=_own(value)))


def either(conditions: Iterable[exp.Expression]) -> exp.Expression:
    """Test whether any condition holds."""
    return reduce(lambda left, right: exp.Or(this=left, expression=right), map(_wrapped, conditions))


def both(*conditions: exp.Expression) -> exp.Expression:
    """Test whether every condition holds."""
    return reduce(lambda left, right: exp.And(this=left, expression=right), map(_wrapped, conditions))


def _wrapped(condition: exp.Expression) -> exp.Expression:
    return exp.Paren(this=_own(condition))


def one_of(value: exp.Expression, words: Iterable[str]) -> exp.Expression:
    """Test whether the value is one of the words; false for null.

    Neither `IN` nor `list_contains`, which the engine turns into joins from five words on.
    """
    found = call("list_position", _listed(tuple(words)), value)
    return exp.GT(this=call("coalesce", found, 0), expression=exp.Literal.number(0))


def _listed(words: Sequence[str]) -> exp.Expression:
    """Make the list of the words, from one literal where they can be told apart in it: the engine's parser is slow."""
    apart = next((mark for mark in _APART if not any(mark in word for word in words)), None)
    if apart is None:
        return exp.Array(expressions=[text(word) for word in words])
    return call("string_split", apart.join(words), apart)


def differs(left: exp.Expression, right: exp.Expression) -> exp.Expression:
    """Inequality that takes null for a value."""
    return exp.NullSafeNEQ(this=_own(left), expression=_own(right))


def named(value: exp.Expression, name: str) -> exp.Expression:
    """Give an expression a column name."""
    return exp.Alias(this=_own(value), alias=exp.Identifier(this=name, quoted=True))


def table_function(
    name: str, path: str | Sequence[str], options: Mapping[str, exp.Expression] | None = None
) -> exp.Table:
    """Call a table function on a file, or on a list of files."""
    settings = [exp.EQ(this=exp.column(key), expression=value) for key, value in (options or {}).items()]
    place = text(path) if isinstance(path, str) else exp.Array(expressions=list(map(text, path)))
    return exp.Table(this=exp.Anonymous(this=name, expressions=[place, *settings]))
