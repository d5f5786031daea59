"""Functions and operators of one row whose edges differ between DuckDB and Spark."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.spark.calendar import moved
from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.patterns import java_pattern, java_replacement
from tabchat.engine.backends.spark.trees import (
    Kind,
    binary,
    call,
    cast,
    double,
    infinity,
    kind_of,
    number,
    refused_where_not,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.backends.spark.trees import Translate

_INTEGRAL: Final = 2.0**52
"""From here on every double is a whole number."""


def _operator(node: exp.Expr, go: Translate) -> exp.Expr:
    found = moved(node, go)
    if found is not None:
        return found
    return type(node)(this=go(node.this), expression=go(node.args["expression"]))


def _divided(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return a quotient, always a double; by zero it is infinite, or no number."""
    below = node.args["expression"]
    left, right = double(go(node.this)), double(go(below))
    quotient = exp.Div(this=left, expression=right)
    if isinstance(below.unnest(), exp.Nullif) or (
        isinstance(below.unnest(), exp.Literal) and float(below.unnest().this)
    ):
        return quotient
    by_zero = exp.Mul(this=left.copy(), expression=infinity())
    return when(exp.EQ(this=right.copy(), expression=number(0.0)), by_zero, quotient)


def _whole_quotient(node: exp.Expr, go: Translate) -> exp.Expr:
    if {kind_of(node.this), kind_of(node.args["expression"])} != {Kind.WHOLE}:
        raise not_on_spark("// of fractional numbers", "Take floor(x / y).")
    return exp.IntDiv(this=go(node.this), expression=go(node.args["expression"]))


def _to_whole(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        made = go(node.this)
        if kind_of(node.this) is not Kind.FLOAT:
            return call(name, made)
        # Spark's own gives a whole number, which a large double does not fit into.
        near = exp.LT(this=call("ABS", made), expression=number(_INTEGRAL))
        return when(near, double(call(name, made.copy())), made.copy())

    return build


def _logarithm(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        operand = node.this
        if isinstance(node, exp.Log):
            if node.this.name != "10" or node.args.get("expression") is None:
                raise not_on_spark("A logarithm to that base", "Take ln(x) / ln(base).")
            operand = node.args["expression"]
        made = double(go(operand))
        at_zero = when(
            exp.EQ(this=made.copy(), expression=number(0.0)), exp.Neg(this=infinity()), call(name, made)
        )
        return refused_where_not(
            exp.GTE(this=made.copy(), expression=number(0.0)), at_zero, "the logarithm of a negative number"
        )

    return build


def _root(node: exp.Expr, go: Translate) -> exp.Expr:
    made = double(go(node.this))
    return refused_where_not(
        exp.GTE(this=made.copy(), expression=number(0.0)),
        call("SQRT", made),
        "the square root of a negative number",
    )


def _not_a_number(node: exp.Expr, go: Translate) -> exp.Expr:
    made = go(node.this)
    return when(exp.Not(this=exp.Is(this=made, expression=exp.Null())), call("ISNAN", made.copy()))


def _in_other_letters(
    name: str, letters: Callable[[], str], case: str
) -> Callable[[exp.Expr, Translate], exp.Expr]:
    """Return the translation of a change of case; a text with letters that become several is an error, DuckDB keeps them one."""

    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        made = go(node.this)
        plain = exp.Not(this=call("REGEXP_LIKE", made, f"[{letters()}]"))
        return refused_where_not(
            plain, call(name, made.copy()), f"the {case} case of a text with letters like 'ß'"
        )

    return build


@cache
def _growing() -> str:
    """Return the letters whose upper case is several letters where rules of languages are followed (Unicode, SpecialCasing)."""
    return "".join(letter for letter in map(chr, range(0x80, 0xD800)) if len(letter.upper()) > 1) + "".join(
        letter for letter in map(chr, range(0xE000, 0x10000)) if len(letter.upper()) > 1
    )


def _by_name(name: str, *floats: bool) -> Callable[[exp.Expr, Translate], exp.Expr]:
    """Return the translation of a call whose arguments are taken in order; those marked are doubles."""

    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        given = [item for key in node.arg_types for item in _items(node.args.get(key))]
        made = [go(item) for item in given]
        return call(name, *(double(item) if any(floats) else item for item in made))

    return build


def _items(value: object) -> list[exp.Expr]:
    if isinstance(value, exp.Expr):
        return [value]
    return [item for item in value if isinstance(item, exp.Expr)] if isinstance(value, list) else []


def _rounded(node: exp.Expr, go: Translate) -> exp.Expr:
    digits = node.args.get("decimals")
    made = go(node.this)
    return call("ROUND", made) if digits is None else call("ROUND", made, go(digits))


def _literal(node: exp.Expr | None, what: str) -> str:
    if not isinstance(node, exp.Literal) or not node.is_string:
        raise not_on_spark(f"{what} that is not a constant")
    return str(node.this)


def _matches(node: exp.Expr, go: Translate) -> exp.Expr:
    flag = node.args.get("flag")
    if flag is not None:
        raise not_on_spark("A regular expression with options", "Write them into the pattern: (?i).")
    pattern = java_pattern(_literal(node.args["expression"], "A regular expression"))
    return call("RLIKE", go(node.this), pattern)


def _extracted(node: exp.Expr, go: Translate) -> exp.Expr:
    given = node.args.get("group")
    group = (
        int(given.name)
        if isinstance(given, exp.Literal) and given.name.isdigit()
        else 0
        if given is None
        else None
    )
    others = [key for key in ("position", "occurrence", "parameters") if node.args.get(key)]
    if group is None or others:
        raise not_on_spark("regexp_extract() of this form")
    pattern = java_pattern(_literal(node.args["expression"], "A regular expression"))
    return call("REGEXP_EXTRACT", go(node.this), pattern, group)


def _replaced(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return a replacement of all matches, or of the only one that there can be."""
    pattern = _literal(node.args["expression"], "A regular expression")
    options = node.args.get("modifiers")
    everywhere = options is not None and options.name == "g"
    if not everywhere and (not pattern.endswith("$") or pattern.endswith(r"\$") or re.search(pattern, "")):
        raise not_on_spark(
            "regexp_replace() of the first match alone", "Replace all of them with the option 'g'."
        )
    if options is not None and not everywhere:
        raise not_on_spark("regexp_replace() with such options")
    replacement = java_replacement(_literal(node.args.get("replacement"), "A replacement"))
    return call("REGEXP_REPLACE", go(node.this), java_pattern(pattern), replacement)


def _part_of_text(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        places = [item for key in ("expression", "start", "length") for item in _items(node.args.get(key))]
        for item in places:
            if not isinstance(item, exp.Literal) or item.is_string or int(item.this) < 0:
                raise not_on_spark(f"{name.lower()}() with a place that is no positive constant")
        start = node.args.get("start")
        if start is not None and int(start.this) < 1:
            raise not_on_spark(f"{name.lower()}() from before the first character")
        return call(name, go(node.this), *(item.copy() for item in places))

    return build


def _like(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        # Where none is named, Spark takes the backslash for an escape.
        escaped = call("REPLACE", go(node.args["expression"]), "\\", "\\\\")
        return call(name, go(node.this), escaped)

    return build


def _trimmed(node: exp.Expr, go: Translate) -> exp.Expr:
    if any(node.args.get(key) for key in ("expression", "position", "collation")):
        raise not_on_spark("trim() of other characters than blanks")
    return call("TRIM", go(node.this))


def _concatenated(node: exp.Expr, go: Translate) -> exp.Expr:
    parts = [call("COALESCE", cast(go(item), "VARCHAR"), "") for item in node.expressions]
    if any(kind_of(item) is not Kind.TEXT for item in node.expressions):
        raise not_on_spark("concat() of other values than texts", "Cast them: CAST(x AS VARCHAR).")
    return call("CONCAT", *parts)


def _joined(node: exp.Expr, go: Translate) -> exp.Expr:
    if any(
        kind_of(item) not in {Kind.TEXT, Kind.NULL, Kind.UNKNOWN}
        for item in (node.this, node.args["expression"])
    ):
        raise not_on_spark("|| of other values than texts", "Cast them: CAST(x AS VARCHAR).")
    return binary(exp.DPipe, go(node.this), go(node.args["expression"]))


def element_of_list(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return an element of a constant list, by its place from 1."""
    given, place = node.expressions
    items = given.this if isinstance(given, exp.Cast) else given
    if not isinstance(items, exp.Array) or not all(
        isinstance(item, exp.Literal) for item in items.expressions
    ):
        raise not_on_spark("list_extract() of a list that is not constant")
    return call(
        "ELEMENT_AT", call("ARRAY", *(item.copy() for item in items.expressions)), call("INT", go(place))
    )


SCALARS: Final[Mapping[type[exp.Expr], Callable[[exp.Expr, Translate], exp.Expr]]] = {
    exp.Add: _operator,
    exp.Sub: _operator,
    exp.Div: _divided,
    exp.IntDiv: _whole_quotient,
    exp.Floor: _to_whole("FLOOR"),
    exp.Ceil: _to_whole("CEIL"),
    exp.Ln: _logarithm("LN"),
    exp.Log: _logarithm("LOG10"),
    exp.Sqrt: _root,
    exp.Exp: _by_name("EXP", True),
    exp.Pow: _by_name("POWER", True),
    exp.Sign: _by_name("SIGN", True),
    exp.Abs: _by_name("ABS"),
    exp.Round: _rounded,
    exp.IsNan: _not_a_number,
    exp.Greatest: _by_name("GREATEST"),
    exp.Least: _by_name("LEAST"),
    exp.Coalesce: _by_name("COALESCE"),
    exp.Nullif: _by_name("NULLIF"),
    # A sigma at the end of a word is another letter to Spark.
    exp.Lower: _in_other_letters("LOWER", lambda: "İΣ", "lower"),
    exp.Upper: _in_other_letters("UPPER", _growing, "upper"),
    exp.Length: _by_name("LENGTH"),
    exp.Contains: _by_name("CONTAINS"),
    exp.StartsWith: _by_name("STARTSWITH"),
    exp.EndsWith: _by_name("ENDSWITH"),
    exp.Replace: _by_name("REPLACE"),
    exp.Translate: _by_name("TRANSLATE"),
    exp.Trim: _trimmed,
    exp.Left: _part_of_text("LEFT"),
    exp.Right: _part_of_text("RIGHT"),
    exp.Substring: _part_of_text("SUBSTRING"),
    exp.Concat: _concatenated,
    exp.ConcatWs: _by_name("CONCAT_WS"),
    exp.DPipe: _joined,
    exp.Like: _like("LIKE"),
    exp.ILike: _like("ILIKE"),
    exp.RegexpLike: _matches,
    exp.RegexpExtract: _extracted,
    exp.RegexpReplace: _replaced,
}
