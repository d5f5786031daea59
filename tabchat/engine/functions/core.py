"""Arithmetic, choice and missing values."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import fill, template

if TYPE_CHECKING:
    from tabchat.engine.functions.signature import Arguments, BuildContext, Builder

_core: Final = partial(function, "core")


def _if(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    otherwise = arguments.get("otherwise")
    choice = fill("CASE WHEN :condition THEN :x END", condition=arguments["condition"], x=arguments["then"])
    if otherwise is not None:
        choice.set("default", otherwise.sql.copy())
    return choice


def _every(name: str) -> Builder:
    """Build a call of the SQL function `name` on all the arguments."""

    def build(_context: BuildContext, arguments: Arguments) -> exp.Expr:
        return exp.func(name, *(argument.sql.copy() for argument in arguments.values()), dialect="duckdb")

    return build


def _bucket(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    return fill("FLOOR(:x / :width) * :width", x=arguments["x"], width=arguments["width"])


CORE: Final[tuple[Function, ...]] = (
    _core("abs(x: number) -> same", "Distance from zero.", template("ABS(:x)"), unit="same"),
    _core(
        "round(x: number, digits: whole = 0) -> number",
        "x to that many decimals, halves away from zero.",
        template("ROUND(:x, :digits)"),
        unit="same",
    ),
    _core("floor(x: number) -> integer", "Next whole number down.", template("CAST(FLOOR(:x) AS BIGINT)")),
    _core("ceil(x: number) -> integer", "Next whole number up.", template("CAST(CEIL(:x) AS BIGINT)")),
    _core(
        "log(x: number) -> number",
        "Natural logarithm; null unless x is positive.",
        template("CASE WHEN :x > 0 THEN LN(:x) END"),
        aliases=("ln",),
    ),
    _core(
        "log10(x: number) -> number",
        "Decimal logarithm; null unless x is positive.",
        template("CASE WHEN :x > 0 THEN LOG10(:x) END"),
    ),
    _core("exp(x: number) -> number", "e to the power x.", template("EXP(:x)"), finite=False),
    _core(
        "sqrt(x: number) -> number",
        "Square root; null for negative x.",
        template("CASE WHEN :x >= 0 THEN SQRT(:x) END"),
    ),
    _core(
        "power(x: number, y: number) -> number",
        "x to the power y, the same as x ** y; null where that is not a real number.",
        template("CASE WHEN ISFINITE(POWER(:x, :y)) THEN POWER(:x, :y) END"),
        aliases=("pow",),
    ),
    _core("sign(x: number) -> integer", "-1, 0 or 1.", template("CAST(SIGN(:x) AS BIGINT)")),
    _core(
        "if(condition: condition, then: any, otherwise: any = null) -> same",
        "then where the condition is true, otherwise (or null) elsewhere.",
        _if,
        picks=True,
    ),
    _core(
        "coalesce(...x: any) -> same", "The first argument that is not null.", _every("COALESCE"), picks=True
    ),
    _core(
        "nullif(x: any, y: any) -> same",
        "x, but null where x equals y.",
        template("NULLIF(:x, :y)"),
        picks=True,
    ),
    _core("is_null(x: any) -> boolean", "True where x is missing.", template(":x IS NULL")),
    _core(
        "isnan(x: number) -> boolean",
        "True where x is missing or no number (NaN), as pandas has it.",
        template("COALESCE(ISNAN(CAST(:x AS DOUBLE)), TRUE)"),
        aliases=("isna",),
    ),
    _core(
        "greatest(...x: orderable) -> same",
        "The largest argument of a row; nulls are skipped.",
        _every("GREATEST"),
        picks=True,
    ),
    _core(
        "least(...x: orderable) -> same",
        "The smallest argument of a row; nulls are skipped.",
        _every("LEAST"),
        picks=True,
    ),
    _core(
        "bucket(x: number, width: factor) -> number",
        "The lower edge of the equal-width bucket that holds x.",
        _bucket,
        unit="same",
    ),
)
