"""The query nodes that turn text cells into values, and that find the cells which do not fit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, assert_never

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.text.dates import GAP
from tabchat.engine.reader.text.named_months import named_day
from tabchat.engine.reader.text.numbers import (
    BODY,
    EXACT_LIMIT,
    NEGATIVE,
    SEPARATORS,
    SIGNS,
    number_pattern,
    signs_of,
)
from tabchat.engine.reader.text.vocabulary import BLANKS, TEXT_NULL_WORDS, spellings
from tabchat.engine.reader.text.zones import ANY, OFFSET, UTC, ZONE
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.reader.text.dates import DateShape
    from tabchat.engine.reader.text.plans import ColumnPlan


def moments(plan: ColumnPlan, content: exp.Expression) -> list[tuple[exp.Expression, exp.Expression]]:
    """Return a condition and a value for each spelling of the dates and times of a column."""
    return [
        (nodes.call("regexp_full_match", content, shape.cell_pattern), _of_kind(plan, shape, content))
        for shape in plan.shapes
    ]


def _of_kind(plan: ColumnPlan, shape: DateShape, content: exp.Expression) -> exp.Expression:
    """Return the date, or the time of day, of a datetime in a column that a person made that."""
    moment = _moment(plan, shape, content)
    is_datetime = bool(shape.pattern and shape.clock)
    return (
        moment if plan.kind is ColumnKind.DATETIME or not is_datetime else nodes.cast(moment, plan.sql_type)
    )


def _moment(plan: ColumnPlan, shape: DateShape, content: exp.Expression) -> exp.Expression:
    if not shape.pattern:
        return _clock(shape, content)
    if shape.zone == ANY:
        return _utc(plan, shape, content)
    # A cell that is nothing but the date needs no part of it found.
    is_whole = shape.cell_pattern == shape.pattern and not shape.named
    text = content if is_whole else nodes.call("regexp_extract", content, f"^{shape.pattern}")
    parsed = nodes.cast(nodes.call("try_strptime", text, shape.date_format), "DATE")
    day = named_day(text) if shape.named else parsed
    if not shape.clock:
        return nodes.cast(day, plan.sql_type)
    return exp.Add(this=day, expression=_clock(shape, content))


def _utc(plan: ColumnPlan, shape: DateShape, content: exp.Expression) -> exp.Expression:
    """Return the moment in UTC; the engine reads offsets behind dates that begin with the year alone."""
    local = nodes.call("regexp_replace", content, f"{ZONE}$", "")
    if not shape.date_format.startswith("%Y"):
        local = nodes.call(
            "strftime", _moment(plan, replace(shape, zone=""), content), "%Y-%m-%d %H:%M:%S.%f"
        )
    # It reads none behind a blank, and the name of UTC in one form.
    offset = nodes.call("regexp_extract", content, f"({OFFSET})$", 1)
    written = nodes.call("concat", local, nodes.call("coalesce", nodes.call("nullif", offset, ""), UTC))
    return nodes.call("timezone", "UTC", nodes.try_cast(written, "TIMESTAMPTZ"))


def _clock(shape: DateShape, content: exp.Expression) -> exp.Expression:
    # Of `01/May/2024:10:00` the clock begins behind the year.
    written, group = (
        (f"^{shape.pattern}{GAP}({shape.clock_pattern})", 1) if shape.pattern else (shape.clock_pattern, 0)
    )
    text = nodes.call("regexp_extract", content, written, group)
    if shape.clock == "12":
        short = nodes.call("try_strptime", text, "%I:%M %p")
        long = nodes.call("try_strptime", text, "%I:%M:%S %p")
        return nodes.cast(nodes.call("coalesce", short, long), "TIME")
    return nodes.try_cast(text, "TIME")


_TEXT_WORDS: Final = spellings(TEXT_NULL_WORDS)
_MARKS: Final = ("!", "~")
"""The first and the last of the printed characters of ASCII, none of which is a blank."""


def value(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the converted cell; null when it is missing or does not fit."""
    if plan.typed and plan.kind is ColumnKind.TEXT:
        return cell
    if plan.kind is ColumnKind.TEXT:
        fixed = _content(plan, cell)
        return nodes.case((_odd_text(plan, cell), fixed), default=cell)
    if plan.plain:
        return nodes.try_cast(cell, plan.sql_type)
    return nodes.case(*_as_written(plan, cell), default=_convert(plan, _content(plan, cell)))


def converted(plans: Sequence[ColumnPlan], source: exp.Table) -> exp.Subquery:
    """Return the cells `c0` … of `source` and beside them their values, `v0` …, each computed once for all that ask."""
    cells = [nodes.column(f"c{i}") for i in range(len(plans))]
    values = [
        nodes.named(value(plan, cell), f"v{i}")
        for i, (plan, cell) in enumerate(zip(plans, cells, strict=True))
    ]
    query = exp.Select(expressions=[*cells, *values]).from_(source, copy=False)
    return query.subquery("converted", copy=False)


def misfit(plan: ColumnPlan, cell: exp.Expression, found: exp.Expression | None = None) -> exp.Expression:
    """Return the condition that a cell holds something which the plan cannot convert; never null.

    `found` is its value where that was computed before.
    """
    if plan.blank:
        return nodes.negate(nodes.is_null(_content(plan, cell)))
    if plan.kind is ColumnKind.TEXT:
        return exp.false()
    found = value(plan, cell) if found is None else found
    if not plan.plain:
        # Few cells have no value: only of those is it asked whether they mean that.
        filled = nodes.negate(nodes.is_null(_content(plan, cell)))
        return nodes.case((nodes.is_null(found), filled), default=exp.false())
    if plan.kind is ColumnKind.NUMBER:
        exact = exp.LT(this=nodes.call("abs", found), expression=exp.Literal.number(EXACT_LIMIT))
        fits = nodes.both(exact, nodes.negate(nodes.call("contains", cell, "_")))
        safe = nodes.call("coalesce", fits, exp.false())
        return nodes.both(nodes.negate(nodes.is_null(cell)), nodes.negate(safe))
    if plan.kind is ColumnKind.BOOLEAN:
        return nodes.both(nodes.negate(nodes.is_null(cell)), nodes.negate(_in_own_words(cell)))
    return nodes.differs(nodes.cast(found, "VARCHAR"), cell)


def _in_own_words(cell: exp.Expression) -> exp.Expression:
    return nodes.either([exp.EQ(this=cell.copy(), expression=nodes.text(word)) for word in ("true", "false")])


def missing(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the condition that a cell holds a null word; never null."""
    if plan.typed if plan.kind is ColumnKind.TEXT else plan.plain:
        return exp.false()
    trimmed = _trimmed(cell)
    present = nodes.both(nodes.negate(nodes.is_null(cell)), exp.NEQ(this=trimmed, expression=nodes.text("")))
    named = [nodes.negate(labelled(plan, cell))] if plan.labels else []
    return nodes.both(present, nodes.is_null(_content(plan, cell)), *named)


def labelled(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the condition that a cell holds the label of a record that sums up others; null for a missing one."""
    if not plan.labels:
        return exp.false()
    return nodes.one_of(nodes.call("lower", _trimmed(cell)), plan.labels)


def padded(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the condition that a cell has blanks around it; never null."""
    if plan.typed if plan.kind is ColumnKind.TEXT else plan.plain:
        return exp.false()
    return nodes.both(nodes.negate(nodes.is_null(cell)), exp.NEQ(this=cell.copy(), expression=_trimmed(cell)))


def refuted(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return the condition that a text, stored as it is, is not what its plan makes of it; it may be null for a missing one."""
    fixed = _content(plan, cell)
    return nodes.case((_odd_text(plan, cell), _altered(cell, fixed, fixed)), default=exp.false())


def noteworthy(
    plan: ColumnPlan, cell: exp.Expression, found: exp.Expression, *, underscored: bool = True
) -> exp.Expression:
    """Return a cheap condition that holds for every cell which `misfit`, `missing` or `padded` is about.

    `found` is the value of the cell; `underscored` says whether there may be numbers such as `1_000`.
    """
    if plan.blank:
        return nodes.negate(nodes.is_null(cell))
    if plan.kind is ColumnKind.TEXT:
        return exp.false() if plan.typed else _altered(cell, found, found)
    if plan.plain and plan.kind is ColumnKind.NUMBER:
        return _odd_number(cell, found, underscored=underscored)
    if plan.plain and plan.kind is ColumnKind.BOOLEAN:
        return misfit(plan, cell, found)
    if plan.plain:
        return _altered(cell, found, nodes.cast(found, "VARCHAR"))
    # Most cells begin and end with such a character.
    bare = nodes.both(_is_mark(cell), _is_mark(nodes.call("array_extract", cell, -1)))
    edged = nodes.case((bare, exp.false()), default=padded(plan, cell))
    filled = nodes.both(
        nodes.negate(nodes.is_null(cell)), exp.NEQ(this=cell.copy(), expression=nodes.text(""))
    )
    return nodes.case((nodes.is_null(found), filled), default=edged)


def _is_mark(text: exp.Expression) -> exp.Expression:
    """Return a condition that holds for most texts which begin with a printed character of ASCII, and for no others."""
    low, high = map(nodes.text, _MARKS)
    return nodes.both(exp.GTE(this=text, expression=low), exp.LTE(this=text.copy(), expression=high))


def _altered(cell: exp.Expression, found: exp.Expression, written: exp.Expression) -> exp.Expression:
    """Return whether a value, `found`, is not `written` as its cell is; it may be null where there is neither.

    Of texts, the engine compares those that are there in half the time that it takes when null counts as a value.
    """
    return nodes.either([exp.NEQ(this=written, expression=cell.copy()), _lost(cell, found)])


def _lost(cell: exp.Expression, found: exp.Expression) -> exp.Expression:
    return nodes.both(nodes.is_null(found), nodes.negate(nodes.is_null(cell)))


def _odd_number(cell: exp.Expression, found: exp.Expression, *, underscored: bool) -> exp.Expression:
    """Return what `misfit` says of a plain number, null where there is none: of so many cells, fewer tests count."""
    lost = _lost(cell, found)
    marked = [nodes.call("contains", cell, "_")] if underscored else []
    return nodes.either([lost, _large(found), *marked])


def _large(number: exp.Expression) -> exp.Expression:
    # NaN counts as above all numbers.
    return exp.GTE(this=nodes.call("abs", number), expression=exp.Literal.number(EXACT_LIMIT))


def strict(plan: ColumnPlan, cell: exp.Expression, found: exp.Expression, name: str) -> exp.Expression:
    """Return the value of a cell, which is `found`, failing the whole query for one that does not fit."""
    if plan.forced or (plan.kind is ColumnKind.TEXT and not plan.blank):
        return found
    failure = nodes.call("error", f"A cell of column {name!r} does not fit its type, {plan.kind.value}")
    return nodes.case((misfit(plan, cell, found), nodes.cast(failure, plan.sql_type)), default=found)


def _odd_text(plan: ColumnPlan, cell: exp.Expression) -> exp.Expression:
    """Return a cheap condition that holds for every cell of a text column that is not kept as it is.

    It is null for a missing cell, so that the engine may narrow the rows from one part of it to the next: with a
    COALESCE around it every part would be computed of every cell.
    """
    if plan.blank:
        return nodes.negate(nodes.is_null(cell))
    words = plan.null_words if plan.exact_nulls else _TEXT_WORDS
    blanks = " " if plan.plain else " \t\u00a0"
    edges = [nodes.call(name, cell, blank) for blank in blanks for name in ("prefix", "suffix")]
    return nodes.either([*edges, *_listed(cell, words)])


def _listed(cell: exp.Expression, words: Sequence[str]) -> Iterator[exp.Expression]:
    """Yield conditions one of which holds for a cell that is one of `words`, and for few others that are as short.

    Those of one byte, as grades are, and those with blanks, which a cell that is a part of one may have at its edge,
    are compared; the others are looked for in one text: the engine's parser takes longer over a word than over that.
    """
    compared = [word for word in words if _bytes(word) <= 1 or set(word) & set(BLANKS)]
    for word in compared:
        yield exp.EQ(this=cell.copy(), expression=nodes.text(word))
    sought = [word for word in words if word not in compared]
    if sought:
        # Most cells are longer than every word, and one look at their length will do.
        most = exp.Literal.number(max(map(_bytes, sought)))
        short = exp.LTE(this=nodes.call("strlen", cell), expression=most)
        several = exp.GT(this=nodes.call("strlen", cell), expression=exp.Literal.number(1))
        yield nodes.both(short, several, nodes.call("contains", nodes.text("|".join(sought)), cell))


def _as_written(plan: ColumnPlan, cell: exp.Expression) -> list[tuple[exp.Expression, exp.Expression]]:
    """Return conditions under which a cell is converted as it stands, as most are, and its values."""
    # Words that a person listed may be numbers and dates, such as -999.
    if plan.exact_nulls:
        return []
    match plan.kind:
        case ColumnKind.INTEGER | ColumnKind.NUMBER:
            return [_simple_number(plan, cell)]
        case ColumnKind.DATE | ColumnKind.DATETIME | ColumnKind.TIME:
            return moments(plan, cell)
        case _:
            return []


def _bytes(word: str) -> int:
    return len(word.encode())


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
            # Of a column without a date a person may have said that it holds some.
            nothing = nodes.cast(nodes.null(), plan.sql_type)
            return nodes.case(*found, default=nothing) if (found := moments(plan, content)) else nothing
        case ColumnKind.TEXT | ColumnKind.OTHER:
            return content
        case unreachable:
            assert_never(unreachable)


def _number(plan: ColumnPlan, content: exp.Expression) -> exp.Expression:
    whole = plan.kind is ColumnKind.INTEGER
    percents = (False, True) if plan.forced else (plan.unit == "%",)
    # An amount in another currency than those of the sample is looked at again.
    signs = SIGNS if plan.forced else signs_of(plan.unit)
    pattern = "|".join(
        number_pattern(
            plan.decimal, whole=whole, percent=percent, minus_behind=plan.minus_behind, signs=signs
        )
        for percent in percents
    )
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
