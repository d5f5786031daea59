"""The figure in a text with notes: `1,234[b]` and `12.5 km` as numbers, and what the words behind it make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.reader.text.vocabulary import DIGIT_SPACES, NOTE_MARKS

if TYPE_CHECKING:
    from tabchat.engine.functions.signature import Arguments, BuildContext

_PACK: Final = "text"
_SIGNS: Final = "$€£¥₴₽₹₺₩₪₸"
_DIGITS: Final = f"[0-9](?:[0-9.,'’{DIGIT_SPACES}]*[0-9])?"
_FIGURE: Final = rf"(?:(?:^|[^0-9\p{{L}}])[-−]\s?[{_SIGNS}]?)?{_DIGITS}"
"""A minus counts where no letter or digit is before it: `F-16` and `10-12` have none."""
_SCALES: Final = (
    (1e12, "trillion|трлн"),
    (1e9, r"billion|млрд|bn\b"),
    (1e6, r"million|млн|mln|mn\b"),
    (1e3, "thousand|тис|тыс"),
)
_MONEY: Final = ((1e9, "b"), (1e6, "m"), (1e3, "k"))
"""Letters that are scales only behind an amount of money: `$363m`, but not `363 m`."""


def _figure(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    decimal = arguments["decimal"].literal
    if decimal not in {".", ","}:
        raise ExpressionError(f"figure() has no decimal mark '{decimal}'.", "Use '.' or ','.")
    shape = "TRY_CAST(TRANSLATE(REGEXP_REPLACE(REGEXP_EXTRACT(:x, :figure), :others, '', 'g'), '−,', '-.') AS DOUBLE)"
    return fill(shape, x=arguments["x"], figure=_FIGURE, others=f"[^0-9{decimal}−-]")


def _magnitude(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    patterns = [
        *((factor, rf"(?i)^[^0-9]*{_DIGITS}\s*(?:{words})") for factor, words in _SCALES),
        *(
            (factor, rf"(?i)^[^0-9]*[{_SIGNS}]\s?{_DIGITS}\s?{letter}(?:[^\p{{L}}]|$)")
            for factor, letter in _MONEY
        ),
    ]
    return exp.Case(
        ifs=[
            exp.If(
                this=fill("REGEXP_MATCHES(:x, :pattern)", x=arguments["x"], pattern=pattern),
                true=fill(":factor", factor=factor),
            )
            for factor, pattern in patterns
        ],
        default=fill("CASE WHEN REGEXP_MATCHES(:x, '[0-9]') THEN :factor END", x=arguments["x"], factor=1.0),
    )


def _without_notes(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    return fill("REGEXP_REPLACE(:x, :marks, :kept)", x=arguments["x"], marks=NOTE_MARKS, kept="\\1")


FIGURES: Final[tuple[Function, ...]] = (
    function(
        _PACK,
        "figure(x: text, decimal: word = .) -> number",
        "The first number in x, without units, notes and scales; null where there is none.",
        _figure,
    ),
    function(
        _PACK,
        "magnitude(x: text) -> number",
        "What a word behind the first number in x multiplies it by: 1000000 in `$2 million` and `$2m`, else 1.",
        _magnitude,
    ),
    function(
        _PACK,
        "without_notes(x: text) -> text",
        "x without the footnote marks at its end, such as `[a]` and `*`.",
        _without_notes,
    ),
)
