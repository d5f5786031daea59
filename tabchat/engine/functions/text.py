"""Texts: case, length, parts and tests."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import template

if TYPE_CHECKING:
    from tabchat.engine.functions.signature import Arguments, BuildContext

_text: Final = partial(function, "text")


def _concat(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    parts = [exp.cast(argument.sql.copy(), "VARCHAR", dialect="duckdb") for argument in arguments.values()]
    return exp.func("CONCAT", *parts, dialect="duckdb")


TEXT: Final[tuple[Function, ...]] = (
    _text("lower(x: text) -> text", "x in lower case.", template("LOWER(:x)")),
    _text("upper(x: text) -> text", "x in upper case.", template("UPPER(:x)")),
    _text("trim(x: text) -> text", "x without blanks at its ends.", template("TRIM(:x)")),
    _text("length(x: text) -> integer", "Number of characters.", template("LENGTH(:x)"), aliases=("len",)),
    _text(
        "contains(x: text, part: text) -> boolean",
        "True where part occurs in x, case and all.",
        template("CONTAINS(:x, :part)"),
    ),
    _text(
        "icontains(x: text, part: text) -> boolean",
        "True where part occurs in x, whatever the case.",
        template("CONTAINS(LOWER(:x), LOWER(:part))"),
    ),
    _text(
        "starts_with(x: text, part: text) -> boolean",
        "True where x begins with part.",
        template("STARTS_WITH(:x, :part)"),
        aliases=("startswith",),
    ),
    _text(
        "ends_with(x: text, part: text) -> boolean",
        "True where x ends with part.",
        template("ENDS_WITH(:x, :part)"),
        aliases=("endswith",),
    ),
    _text(
        "matches(x: text, pattern: word) -> boolean",
        "True where the regular expression (RE2) matches somewhere in x.",
        template("REGEXP_MATCHES(:x, :pattern)"),
    ),
    _text(
        "replace(x: text, part: text, by: text) -> text",
        "x with every part replaced.",
        template("REPLACE(:x, :part, :by)"),
    ),
    _text("left(x: text, n: count) -> text", "The first n characters.", template("LEFT(:x, :n)")),
    _text("right(x: text, n: count) -> text", "The last n characters.", template("RIGHT(:x, :n)")),
    _text(
        "substring(x: text, start: count, n: count) -> text",
        "n characters of x from the start-th, counted from 1.",
        template("SUBSTRING(:x, :start, :n)"),
        aliases=("substr",),
    ),
    _text(
        "concat(...x: any) -> text", "The arguments written one after the other; nulls add nothing.", _concat
    ),
)
