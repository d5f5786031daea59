"""The query nodes that turn text cells into values, and that find the cells which do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.numbers import BODY, EXACT_LIMIT, NEGATIVE, SEPARATORS, number_pattern
from tabchat.engine.reader.vocabulary import BLANKS, TEXT_NULL_WORDS, spellings
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.reader.dates import DateShape
    from tabchat.engine.reader.plans import ColumnPlan

_TEXT_WORDS: Final = spellings(TEXT_NULL_WORDS)


def value(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the converted cell; null when it is missing or does not fit."""
    if plan.typed and plan.kind is ColumnKind.TEXT:
        return cell
    if plan.kind is ColumnKind.TEXT:
        fixed = _content(plan, cell)
        return nodes.case((noteworthy(plan, cell), fixed), default=cell)
    if plan.plain:
        return nodes.try_cast(cell, plan.sql_type)
    return _convert(plan, _content(plan, cell))


def misfit(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the condition that a cell holds something which the plan cannot convert; never null."""
    if plan.blank:
        return nodes.negate(nodes.is_null(_content(plan, cell)))
    if plan.kind is ColumnKind.TEXT:
        return exp.false()
    if not plan.plain:
        content = _content(plan, cell)
        return nodes.both(nodes.negate(nodes.is_null(content)), nodes.is_null(_convert(plan, content)))
    converted = value(plan, cell)
    if plan.kind is ColumnKind.NUMBER:
        exact = exp.LT(this=nodes.call("abs", converted), expression=exp.Literal.number(EXACT_LIMIT))
        fits = nodes.both(exact, nodes.negate(nodes.call("contains", cell, "_")))
        safe = nodes.call("coalesce", fits, exp.false())
        return nodes.both(nodes.negate(nodes.is_null(cell)), nodes.negate(safe))
    return nodes.differs(nodes.cast(converted, "VARCHAR"), cell)


def missing(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the condition that a cell holds a null word; never null."""
    if plan.typed if plan.kind is ColumnKind.TEXT else plan.plain:
        return exp.false()
    trimmed = _trimmed(cell)
    present = nodes.both(nodes.negate(nodes.is_null(cell)), exp.NEQ(this=trimmed, expression=nodes.text("")))
    return nodes.both(present, nodes.is_null(_content(plan, cell)))


def padded(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the condition that a cell has blanks around it; never null."""
    if plan.typed if plan.kind is ColumnKind.TEXT else plan.plain:
        return exp.false()
    return nodes.both(nodes.negate(nodes.is_null(cell)), exp.NEQ(this=cell.copy(), expression=_trimmed(cell)))


def noteworthy(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return a cheap condition that holds for every cell which `misfit`, `missing` or `padded` is about."""
    if plan.kind is not ColumnKind.TEXT:
        if plan.plain:
            return misfit(plan, cell)
        return nodes.either([misfit(plan, cell), missing(plan, cell), padded(plan, cell)])
    if plan.blank:
        return nodes.negate(nodes.is_null(cell))
    if plan.typed:
        return exp.false()
    words = plan.null_words if plan.exact_nulls else _TEXT_WORDS
    blanks = " " if plan.plain else " \t\u00a0"
    edges = [nodes.call(name, cell, blank) for blank in blanks for name in ("prefix", "suffix")]
    # Most cells are longer than any null word, which is quicker to see.
    short = exp.LTE(this=nodes.call("strlen", cell), expression=exp.Literal.number(_longest(words)))
    listed = [nodes.case((short, nodes.one_of(cell, words)), default=exp.false())] if words else []
    return nodes.call("coalesce", nodes.either([*edges, *listed]), exp.false())


def strict(plan: ColumnPlan, cell: exp.Expression, name: str) -> exp.Expression:
    """Return the converted cell, failing the whole query for one that does not fit."""
    converted = value(plan, cell)
    if plan.forced or (plan.kind is ColumnKind.TEXT and not plan.blank):
        return converted
    failure = nodes.call("error", f"A cell of column {name!r} does not fit its type, {plan.kind.value}")
    return nodes.case(
        (misfit(plan, cell), nodes.cast(failure, plan.sql_type)),
        default=converted,
    )


def _longest(words: Sequence[str]) -> int:
    return max((len(word.encode()) for word in words), default=0)


def _trimmed(cell: exp.Expression) -> exp.Expression:
    return nodes.call("trim", cell, BLANKS)


def _content(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the trimmed cell, null when it is blank or a null word."""
    trimmed = _trimmed(cell)
    if plan.exact_nulls:
        words, compared = ("", *plan.null_words), trimmed
    elif plan.kind is ColumnKind.TEXT:
        words, compared = ("", *_TEXT_WORDS), trimmed
    else:
        words, compared = ("", *plan.null_words), nodes.call("lower", trimmed)
    return nodes.case((nodes.one_of(compared, words), nodes.null()), default=trimmed)


def _convert(plan: ColumnPlan, content: exp.Expression) -> exp.Expression:
    match plan.kind:
        case ColumnKind.INTEGER | ColumnKind.NUMBER:
            return _number(plan, content)
        case ColumnKind.BOOLEAN:
            yes, no = plan.truths or ("true", "false")
            lowered = nodes.call("lower", content)
            return nodes.case(
                (exp.EQ(this=lowered.copy(), expression=nodes.text(yes)), exp.true()),
                (exp.EQ(this=lowered.copy(), expression=nodes.text(no)), exp.false()),
                default=nodes.null(),
            )
        case ColumnKind.DATE | ColumnKind.DATETIME | ColumnKind.TIME:
            branches = [
                (nodes.call("regexp_full_match", content, shape.cell_pattern), _moment(plan, shape, content))
                for shape in plan.shapes
            ]
            return nodes.case(*branches, default=nodes.null())
        case ColumnKind.TEXT | ColumnKind.OTHER:
            return content
        case unreachable:
            assert_never(unreachable)


def _number(plan: ColumnPlan, content: exp.Expression) -> exp.Expression:
    whole = plan.kind is ColumnKind.INTEGER
    percents = (False, True) if plan.forced else (plan.unit == "%",)
    pattern = "|".join(number_pattern(plan.decimal, whole=whole, percent=percent) for percent in percents)
    body = nodes.call("regexp_extract", content, BODY)
    digits = nodes.call("regexp_replace", body, SEPARATORS[plan.decimal], "", "g")
    if plan.decimal == ",":
        digits = nodes.call("replace", digits, ",", ".")
    negative = nodes.call("regexp_matches", content, NEGATIVE)
    sign = nodes.case((negative, nodes.text("-")), default=nodes.text(""))
    number = nodes.try_cast(nodes.call("concat", sign, digits), plan.sql_type)
    fits = nodes.call("regexp_full_match", content, pattern)
    if not whole:
        small = exp.LT(this=nodes.call("abs", number), expression=exp.Literal.number(EXACT_LIMIT))
        fraction = nodes.call("regexp_matches", content, f"[{plan.decimal}]|[0-9][eE][-+]?[0-9]")
        finite = nodes.call("isfinite", number)
        exact = [nodes.either([small, fraction])] if not plan.forced else []
        fits = nodes.both(fits, finite, *exact)
    simple, quick = _simple_number(plan, content)
    return nodes.case((simple, quick), (fits, number), default=nodes.null())


def _simple_number(plan: ColumnPlan, content: exp.Expression) -> tuple[exp.Expression, exp.Expression]:
    """Return a condition under which a bare cast is right, and that cast: most cells need no patterns."""
    if plan.kind is ColumnKind.INTEGER:
        number = nodes.try_cast(content, "BIGINT")
        return exp.EQ(this=nodes.cast(number, "VARCHAR"), expression=content.copy()), number
    percent = plan.unit == "%" and not plan.forced
    body = nodes.call("left", content, exp.Literal.number(-1)) if percent else content
    number = nodes.try_cast(nodes.call("replace", body, plan.decimal, "."), "DOUBLE")
    small = exp.LT(this=nodes.call("abs", number), expression=exp.Literal.number(EXACT_LIMIT))
    odd = [
        nodes.call("contains", content, mark) for mark in ("_", "." if plan.decimal == "," else "") if mark
    ]
    ending = [nodes.call("suffix", content, "%")] if percent else []
    plainly = nodes.both(small, *(nodes.negate(condition) for condition in odd), *ending)
    return nodes.call("coalesce", plainly, exp.false()), number


def _moment(plan: ColumnPlan, shape: DateShape, content: exp.Expression) -> exp.Expression:
    if not shape.pattern:
        return _clock(shape, content)
    if shape.zone == "any":
        moment = nodes.try_cast(content, "TIMESTAMPTZ")
        return nodes.call("timezone", "UTC", moment)
    text = nodes.call("regexp_extract", content, f"^{shape.pattern}")
    day = nodes.cast(nodes.call("try_strptime", text, shape.date_format), "DATE")
    if not shape.clock:
        return nodes.cast(day, plan.sql_type)
    return exp.Add(this=day, expression=_clock(shape, content))


def _clock(shape: DateShape, content: exp.Expression) -> exp.Expression:
    text = nodes.call("regexp_extract", content, shape.clock_pattern)
    if shape.clock == "12":
        short = nodes.call("try_strptime", text, "%I:%M %p")
        long = nodes.call("try_strptime", text, "%I:%M:%S %p")
        return nodes.cast(nodes.call("coalesce", short, long), "TIME")
    return nodes.try_cast(text, "TIME")
