"""Price bars: changes, candle parts and the classical indicators, over columns named open, high, low, close."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from tabchat.engine.functions.rows import percent_of_change, previous
from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import fill, window
from tabchat.engine.functions.windows import exponential, rolling, span_alpha

if TYPE_CHECKING:
    from sqlglot import exp

    from tabchat.engine.functions.signature import Arguments, Bound, BuildContext, Builder

_over_bars: Final = partial(function, "ohlc", row_order=True)
_of_bar: Final = partial(function, "ohlc", finite=False)


def _change(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    return fill(":x - :before", x=x, before=previous(context, x))


def _change_pct(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    return percent_of_change(x, previous(context, x))


def _gap(context: BuildContext, _arguments: Arguments) -> exp.Expr:
    return fill(
        ":open - :before", open=context.column("open"), before=previous(context, context.column("close"))
    )


def _gap_pct(context: BuildContext, _arguments: Arguments) -> exp.Expr:
    return percent_of_change(context.column("open"), previous(context, context.column("close")))


def _candle(text: str, *names: str) -> Builder:
    """Build a shape over the price columns `names` of one bar."""

    def build(context: BuildContext, _arguments: Arguments) -> exp.Expr:
        return fill(text, **{name: context.column(name) for name in names})

    return build


def _true_range(context: BuildContext, _arguments: Arguments) -> exp.Expr:
    return fill(
        "GREATEST(:high - :low, ABS(:high - :before), ABS(:low - :before))",
        high=context.column("high"),
        low=context.column("low"),
        before=previous(context, context.column("close")),
    )


def _wilder(context: BuildContext, x: exp.Expr, n: int) -> exp.Expr:
    """Return Wilder's smoothing: the mean of the first n values, then 1/n of each new one.

    Source: J. Welles Wilder, New Concepts in Technical Trading Systems (1978).
    """
    kept = context.keep("smoothed", x)
    found = window(context, "found", "COUNT(:x)", x=kept)
    mean = window(context, "mean", "AVG(:x)", x=kept)
    seeded = fill(
        "CASE WHEN :x IS NULL OR :found < :n THEN NULL WHEN :found = :n THEN :mean ELSE :x END",
        x=kept,
        found=found,
        n=n,
        mean=mean,
    )
    return exponential(context, context.keep("seeded", seeded), 1 / n)


def _atr(context: BuildContext, arguments: Arguments) -> exp.Expr:
    """Average true range. Source: Wilder (1978)."""
    return _wilder(context, _true_range(context, arguments), _whole(arguments, "n"))


def _rsi(context: BuildContext, arguments: Arguments) -> exp.Expr:
    """Relative strength index, 100 × gains / (gains + losses), both smoothed. Source: Wilder (1978)."""
    x, n = arguments["x"], _whole(arguments, "n")
    change = context.keep("change", fill(":x - :before", x=x, before=previous(context, x)))
    gains, losses = (
        context.keep(name, _wilder(context, fill(text, change=change), n))
        for name, text in (
            ("gains", "CASE WHEN :change > 0 THEN :change WHEN :change <= 0 THEN 0e0 END"),
            ("losses", "CASE WHEN :change < 0 THEN -:change WHEN :change >= 0 THEN 0e0 END"),
        )
    )
    return fill(":gains * 100 / NULLIF(:gains + :losses, 0)", gains=gains, losses=losses)


def _macd_line(context: BuildContext, arguments: Arguments) -> exp.Expr:
    """Difference of two exponential averages. Source: Gerald Appel, Technical Analysis: Power Tools (2005)."""
    fast, slow = (
        context.keep(name, exponential(context, arguments["x"], span_alpha(_whole(arguments, name))))
        for name in ("fast", "slow")
    )
    return fill(":fast - :slow", fast=fast, slow=slow)


def _macd_signal(context: BuildContext, arguments: Arguments) -> exp.Expr:
    line = context.keep("macd", _macd_line(context, arguments))
    return exponential(context, line, span_alpha(_whole(arguments, "signal")))


def _macd_histogram(context: BuildContext, arguments: Arguments) -> exp.Expr:
    line = context.keep("macd", _macd_line(context, arguments))
    return fill(":line - :signal", line=line, signal=_macd_signal(context, arguments))


def _bollinger(context: BuildContext, x: Bound, n: int) -> tuple[exp.Expr, exp.Expr]:
    """Return middle and population deviation. Source: John Bollinger, Bollinger on Bollinger Bands (2001)."""
    middle = context.keep("middle", rolling(context, "middle", "AVG(:x)", x, n))
    return middle, context.keep("deviation", rolling(context, "deviation", "STDDEV_POP(:x)", x, n))


def _band(text: str) -> Builder:
    def build(context: BuildContext, arguments: Arguments) -> exp.Expr:
        middle, deviation = _bollinger(context, arguments["x"], _whole(arguments, "n"))
        width = arguments.get("k")
        return fill(text, middle=middle, deviation=deviation, k=1 if width is None else width)

    return build


def _whole(arguments: Arguments, name: str) -> int:
    return int(arguments[name].literal or 0)


OHLC: Final[tuple[Function, ...]] = (
    _over_bars(
        "change(x: number = close) -> same",
        "close (or x) minus that of the row before.",
        _change,
        unit="same",
        finite=False,
    ),
    _over_bars(
        "change_pct(x: number = close) -> number",
        "Change of close (or x) since the row before, in percent.",
        _change_pct,
        unit="%",
        finite=False,
    ),
    _over_bars("gap() -> number", "open minus the close of the row before.", _gap, finite=False),
    _over_bars(
        "gap_pct() -> number",
        "open against the close of the row before, in percent.",
        _gap_pct,
        unit="%",
        finite=False,
    ),
    _of_bar("range() -> number", "high minus low.", _candle(":high - :low", "high", "low")),
    _of_bar(
        "range_pct() -> number",
        "high minus low, in percent of open.",
        _candle("(:high - :low) / NULLIF(:open, 0) * 100", "high", "low", "open"),
        unit="%",
    ),
    _of_bar(
        "body() -> number",
        "Size of the candle's body: distance between open and close.",
        _candle("ABS(:close - :open)", "close", "open"),
    ),
    _of_bar(
        "body_pct() -> number",
        "close against open, in percent; negative when the bar fell.",
        _candle("(:close - :open) / NULLIF(:open, 0) * 100", "close", "open"),
        unit="%",
    ),
    _of_bar(
        "upper_wick() -> number",
        "high minus the upper end of the body.",
        _candle(":high - GREATEST(:open, :close)", "high", "open", "close"),
    ),
    _of_bar(
        "lower_wick() -> number",
        "Lower end of the body minus low.",
        _candle("LEAST(:open, :close) - :low", "open", "close", "low"),
    ),
    _of_bar(
        "typical_price() -> number",
        "(high + low + close) / 3.",
        _candle("(:high + :low + :close) / 3", "high", "low", "close"),
    ),
    _over_bars(
        "true_range() -> number",
        "Largest of high - low and the distances of high and low from the close before (Wilder 1978).",
        _true_range,
        finite=False,
    ),
    _over_bars(
        "atr(n: count = 14) -> number",
        "Average true range with Wilder's smoothing over n rows (Wilder 1978).",
        _atr,
    ),
    _over_bars(
        "rsi(x: number = close, n: count = 14) -> number",
        "Relative strength index, 0 to 100, with Wilder's smoothing over n rows (Wilder 1978).",
        _rsi,
    ),
    _over_bars(
        "macd(x: number = close, fast: count = 12, slow: count = 26) -> number",
        "ema(x, fast) minus ema(x, slow) (Appel 2005).",
        _macd_line,
    ),
    _over_bars(
        "macd_signal(x: number = close, fast: count = 12, slow: count = 26, signal: count = 9) -> number",
        "Exponential average of macd.",
        _macd_signal,
    ),
    _over_bars(
        "macd_histogram(x: number = close, fast: count = 12, slow: count = 26, signal: count = 9) -> number",
        "macd minus its signal.",
        _macd_histogram,
    ),
    _over_bars(
        "bbands_middle(x: number = close, n: count = 20) -> number",
        "Middle Bollinger band: mean of the last n values (Bollinger 2001).",
        _band(":middle"),
    ),
    _over_bars(
        "bbands_upper(x: number = close, n: count = 20, k: factor = 2) -> number",
        "Middle band plus k population standard deviations.",
        _band(":middle + :k * :deviation"),
    ),
    _over_bars(
        "bbands_lower(x: number = close, n: count = 20, k: factor = 2) -> number",
        "Middle band minus k population standard deviations.",
        _band(":middle - :k * :deviation"),
    ),
    _over_bars(
        "bbands_width(x: number = close, n: count = 20, k: factor = 2) -> number",
        "Distance of the outer bands in percent of the middle one.",
        _band("200 * :k * :deviation / NULLIF(:middle, 0)"),
        unit="%",
    ),
)
