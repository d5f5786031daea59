"""Moving windows over the last n rows, and exponential averages.

A moving value is null until n values are there, and wherever one of the n is null.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Final

from tabchat.engine.functions.rows import whole_sum
from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import fill, offset, window
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from sqlglot import exp

    from tabchat.engine.functions.signature import Arguments, Bound, BuildContext, Builder
    from tabchat.engine.functions.templates import Filling

_BLOCK_DECAY: Final = 230.0
"""Natural logarithm of the decay within one block of an exponential average: e^230 ≈ 1e100.

Within a block, weights grow by at most that factor, far from the range of a double; beyond a whole block
they have decayed to 1e-100, so that the end of the block before stands for everything earlier.
"""


def rolling(context: BuildContext, name: str, call: str, x: Bound | exp.Expr, n: int) -> exp.Expr:
    """Return `call` over the last n values of x; null unless all n are there."""
    value = window(context, name, call, last=n, x=x)
    found = window(context, "full", "COUNT(:x)", last=n, x=x)
    return fill("CASE WHEN :found = :n THEN :value END", found=found, n=n, value=value)


def exponential(context: BuildContext, x: Bound | exp.Expr, alpha: float) -> exp.Expr:
    """Return the average with weights (1 - alpha)^k; the first value starts it.

    The recursion y = ((1-α)^g · y' + α · x) / ((1-α)^g + α), g rows after the last value, is what pandas
    computes as `ewm(alpha=…, adjust=False).mean()`. It is unrolled into prefix sums over blocks, so that it
    runs as ordinary windows: each value is scaled by the decay since the start of its block, summed, and
    scaled back.
    """
    if alpha >= 1:
        return window(context, "ema", "LAST_VALUE(:x IGNORE NULLS)", x=x)
    row = offset(context, "place", "ROW_NUMBER()")
    seen = context.keep("seen", fill("CASE WHEN NOT :x IS NULL THEN :row END", x=x, row=row))
    latest = window(context, "latest", "MAX(:seen)", seen=seen)
    before = offset(context, "before", "LAG(:latest)", latest=latest)
    old = context.keep("old", fill("POWER(:decay, :row - :before)", decay=1 - alpha, row=row, before=before))
    # Logarithm of the weight that this row leaves to everything before it; rows without a value leave all.
    leave = context.keep(
        "leave",
        fill(
            "CASE WHEN :seen IS NULL OR :before IS NULL THEN 0e0"
            " ELSE (:row - :before) * :log_decay - LN(:old + :alpha) END",
            seen=seen,
            before=before,
            row=row,
            old=old,
            log_decay=math.log1p(-alpha),
            alpha=alpha,
        ),
    )
    left = window(context, "left", "SUM(:leave)", leave=leave)
    block = context.keep("block", fill("CAST(FLOOR(-:left / :size) AS BIGINT)", left=left, size=_BLOCK_DECAY))
    place = window(context, "place_in_block", "COUNT(*)", by=[block])
    # Within a block the logarithms start anew, so that they stay small and exact in a table of any length.
    later = context.keep(
        "later", fill("CASE WHEN :place = 1 THEN 0e0 ELSE :leave END", place=place, leave=leave)
    )
    inner = window(context, "inner", "SUM(:later)", by=[block], later=later)
    entry = window(context, "entry", "FIRST_VALUE(:leave)", by=[block], leave=leave)
    gain = context.keep(
        "gain",
        fill(
            "CASE WHEN :seen IS NULL THEN 0e0 WHEN :before IS NULL THEN :x"
            " ELSE :x * :alpha / (:old + :alpha) END * EXP(-:inner)",
            seen=seen,
            before=before,
            x=x,
            old=old,
            alpha=alpha,
            inner=inner,
        ),
    )
    inside = window(context, "inside", "SUM(:gain)", by=[block], gain=gain)
    own = context.keep("own", fill(":inside * EXP(:inner)", inside=inside, inner=inner))
    # The row before the first of a block is the end of the block before.
    ended = offset(context, "ended", "LAG(:own)", own=own)
    earlier = window(context, "earlier", "FIRST_VALUE(:ended)", by=[block], ended=ended)
    return fill(
        "CASE WHEN NOT :latest IS NULL THEN :own + COALESCE(:earlier * EXP(:entry + :inner), 0e0) END",
        latest=latest,
        own=own,
        earlier=earlier,
        entry=entry,
        inner=inner,
    )


def span_alpha(span: int) -> float:
    """Return the weight of the newest value for an average over about `span` rows."""
    return 2 / (span + 1)


def _rolling(name: str, call: str) -> Builder:
    def build(context: BuildContext, arguments: Arguments) -> exp.Expr:
        x = arguments["x"]
        value = rolling(context, name, call, x, int(arguments["n"].literal or 0))
        return whole_sum(context, x, value) if name == "rolling_sum" else value

    return build


def _rolling_count(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x, n = arguments["x"], int(arguments["n"].literal or 0)
    counted: Filling = x
    if x.kind is ColumnKind.BOOLEAN:
        counted = fill("CASE WHEN :x THEN 1 END", x=x)
    value = window(context, "rolling_count", "COUNT(:x)", last=n, x=counted)
    rows = window(context, "full", "COUNT(*)", last=n)
    return fill("CASE WHEN :rows = :n THEN :value END", rows=rows, n=n, value=value)


def _ema(context: BuildContext, arguments: Arguments) -> exp.Expr:
    return exponential(context, arguments["x"], span_alpha(int(arguments["n"].literal or 0)))


_window: Final = partial(function, "window", row_order=True)

WINDOWS: Final[tuple[Function, ...]] = (
    _window(
        "rolling_mean(x: number, n: count) -> number",
        "Mean of the last n values, this row included.",
        _rolling("rolling_mean", "AVG(:x)"),
        unit="same",
        aliases=("sma",),
    ),
    _window(
        "rolling_sum(x: number, n: count) -> same",
        "Sum of the last n values.",
        _rolling("rolling_sum", "SUM(:x)"),
        unit="same",
        finite=False,
    ),
    _window(
        "rolling_max(x: orderable, n: count) -> same",
        "Largest of the last n values.",
        _rolling("rolling_max", "MAX(:x)"),
        picks=True,
    ),
    _window(
        "rolling_min(x: orderable, n: count) -> same",
        "Smallest of the last n values.",
        _rolling("rolling_min", "MIN(:x)"),
        picks=True,
    ),
    _window(
        "rolling_std(x: number, n: count) -> number",
        "Sample standard deviation of the last n values.",
        _rolling("rolling_std", "STDDEV_SAMP(:x)"),
        unit="same",
    ),
    _window(
        "rolling_count(x: any, n: count) -> integer",
        "How many of the last n rows have a value, or for a condition how many meet it.",
        _rolling_count,
    ),
    _window(
        "ema(x: number, n: count) -> number",
        "Exponential average over about n rows: the newest value weighs 2 / (n + 1), the first value starts it"
        " (pandas: ewm(span=n, adjust=False)).",
        _ema,
        unit="same",
    ),
)
