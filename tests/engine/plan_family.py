"""A family of plans: expressions, conditions and aggregates, each with its reading in pandas."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from hypothesis import strategies as st

from tests.engine import oracle
from tests.engine.oracle import Aggregate, Term

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

SCHEMA = pa.schema(
    [
        ("ts", pa.date32()),
        ("g", pa.string()),
        ("h", pa.bool_()),
        ("n", pa.int64()),
        ("x", pa.float64()),
        ("y", pa.float64()),
    ]
)
NUMBERS = ("n", "x", "y")

# Quarters add, subtract and multiply without rounding, so both engines must agree on ties and on thresholds.
quarters = st.integers(-40, 40).map(lambda value: value / 4)
literals = st.sampled_from([-2.5, -1.0, 0.0, 0.25, 1.0, 3.75])
rows = st.lists(
    st.fixed_dictionaries(
        {
            "ts": st.none() | st.dates(dt.date(2024, 1, 1), dt.date(2024, 1, 20)),
            "g": st.none() | st.sampled_from(["a", "b", "B", "it's", "", "ж"]),
            "h": st.none() | st.booleans(),
            "n": st.none() | st.integers(-5, 5),
            "x": st.none() | quarters | st.just(float("nan")),
            "y": st.none() | quarters,
        }
    ),
    max_size=25,
)


def _column(name: str) -> Term:
    return Term(name, lambda frame: frame[name])


columns = st.sampled_from(NUMBERS).map(_column)


@st.composite
def numbers(draw: st.DrawFn, depth: int = 2) -> Term:  # noqa: PLR0911 - one return for each kind
    """Draw a numeric expression over the rows."""
    if depth == 0:
        return draw(columns)
    kind = draw(
        st.sampled_from(["column", "arithmetic", "divide", "choice", "lag", "window", "cumulative", "ema"])
    )
    inner = draw(numbers(depth - 1))
    match kind:
        case "arithmetic":
            return _arithmetic(inner, draw(st.sampled_from("+-*")), draw(numbers(0)))
        case "divide":
            return _quotient(inner, draw(columns))
        case "choice":
            return _choice(draw(conditions(0)), inner, draw(literals))
        case "lag":
            return _lag(inner, draw(st.sampled_from(["prev", "next"])), draw(st.integers(1, 3)))
        case "window":
            name = draw(st.sampled_from(["mean", "sum", "max", "min", "std", "count"]))
            return _rolling(inner, name, draw(st.integers(1, 4)))
        case "cumulative":
            return _cumulative(inner, draw(st.sampled_from(["cumsum", "cummax", "cummin"])))
        case "ema":
            # Not 3: for that span alone pandas weighs the value after a gap otherwise than it documents.
            return _ema(inner, draw(st.sampled_from([1, 2, 4, 5, 12])))
        case _:
            return inner


def _arithmetic(left: Term, sign: str, right: Term) -> Term:
    apply = {"+": "__add__", "-": "__sub__", "*": "__mul__"}[sign]
    return Term(
        f"({left.text}) {sign} {right.text}",
        lambda frame: getattr(left.value(frame).astype("Float64"), apply)(
            right.value(frame).astype("Float64")
        ),
        left.exact and right.exact,
    )


def _quotient(left: Term, right: Term) -> Term:
    return Term(
        f"({left.text}) / {right.text}",
        lambda frame: oracle.divided(left.value(frame), right.value(frame)),
        exact=False,
    )


def _choice(condition: Term, inner: Term, otherwise: float) -> Term:
    def value(frame: pd.DataFrame) -> pd.Series[Any]:
        chosen = condition.value(frame).fillna(False).astype(bool)
        return inner.value(frame).astype("Float64").where(chosen, otherwise)

    return Term(f"if({condition.text}, {inner.text}, {otherwise})", value, inner.exact)


def _lag(inner: Term, name: str, n: int) -> Term:
    step = n if name == "prev" else -n
    return Term(
        f"{name}({inner.text}, {n})",
        lambda frame: oracle.in_order(frame, inner.value(frame), lambda values: values.shift(step)),
        inner.exact,
    )


def _rolling(inner: Term, name: str, n: int) -> Term:
    def compute(values: pd.Series[Any]) -> pd.Series[Any]:
        if name == "count":
            there = values.notna().astype(float).rolling(n).sum()
            return there.astype("Float64")
        windows = oracle.floats(values).rolling(n)
        return oracle.finite(getattr(windows, name)())

    return Term(
        f"rolling_{name}({inner.text}, {n})",
        lambda frame: oracle.in_order(frame, inner.value(frame), compute),
        inner.exact and name in {"max", "min", "count"},
    )


def _cumulative(inner: Term, name: str) -> Term:
    return Term(
        f"{name}({inner.text})",
        lambda frame: oracle.in_order(
            frame, inner.value(frame), lambda values: getattr(values.astype("Float64"), name)()
        ),
        inner.exact,
    )


def _ema(inner: Term, n: int) -> Term:
    def compute(values: pd.Series[Any]) -> pd.Series[Any]:
        return oracle.finite(oracle.floats(values).ewm(span=n, adjust=False).mean())

    return Term(
        f"ema({inner.text}, {n})",
        lambda frame: oracle.in_order(frame, inner.value(frame), compute),
        exact=False,
    )


@st.composite
def conditions(draw: st.DrawFn, depth: int = 1) -> Term:  # noqa: PLR0911 - one return for each kind
    """Draw a condition over the rows; nothing hangs on the last bits of an inexact number."""
    kind = draw(st.sampled_from(["compare", "text", "null", "boolean", "chain", "and", "or", "not"]))
    if kind in {"and", "or"} and depth:
        return _joined(draw(conditions(depth - 1)), kind, draw(conditions(depth - 1)))
    match kind:
        case "text":
            return _membership(
                draw(st.sets(st.sampled_from(["a", "b", "it's", "zz"]), min_size=1)), draw(st.booleans())
            )
        case "null":
            name = draw(st.sampled_from(["ts", "g", "n", "x"]))
            return Term(f"{name} is null", lambda frame: frame[name].isna().astype("boolean"))
        case "boolean":
            return Term("h", lambda frame: frame["h"])
        case "chain":
            low, name = draw(literals), draw(st.sampled_from(NUMBERS))
            return Term(
                f"{low} < {name} <= 2",
                lambda frame: (frame[name] > low).astype("boolean") & (frame[name] <= 2).astype("boolean"),
            )
        case "not" if depth:
            inner = draw(conditions(depth - 1))
            return Term(f"not ({inner.text})", lambda frame: ~inner.value(frame).astype("boolean"))
        case _:
            sign = draw(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
            return _comparison(draw(numbers(depth)), sign, draw(literals))


def _comparison(left: Term, sign: str, right: float) -> Term:
    apply = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}[sign]
    edge = right if left.exact else right + 0.013
    return Term(
        f"{left.text} {sign} {edge}",
        lambda frame: getattr(left.value(frame).astype("Float64"), apply)(edge).astype("boolean"),
    )


def _joined(left: Term, word: str, right: Term) -> Term:
    def value(frame: pd.DataFrame) -> pd.Series[Any]:
        sides = left.value(frame).astype("boolean"), right.value(frame).astype("boolean")
        return sides[0] & sides[1] if word == "and" else sides[0] | sides[1]

    return Term(f"({left.text} {word} {right.text})", value)


def _membership(wanted: set[str], negated: bool) -> Term:
    listed = ", ".join("'" + item.replace("'", "''") + "'" for item in sorted(wanted))

    def value(frame: pd.DataFrame) -> pd.Series[Any]:
        import pandas as pd

        cells = [None if oracle.is_missing(cell) else (cell in wanted) is not negated for cell in frame["g"]]
        return pd.Series(cells, index=frame.index, dtype="boolean")

    return Term(f"g {'not ' if negated else ''}in [{listed}]", value)


def _over(name: str, column: str, value: Any, *, exact: bool = True) -> Aggregate:
    return Aggregate(f"{name}({column})", f"{name}_{column}", lambda part: value(part[column]), exact)


def _statistic(name: str) -> Any:
    return lambda values: STATISTICS[name](oracle.floats(values).dropna())


def _shape(name: str, least: int) -> Any:
    """Return a measure of shape as pandas has it, missing where pandas calls a column that does not vary normal."""
    return lambda values: (
        getattr(values, name)() if len(values) >= least and len(set(values)) > 1 else math.nan
    )


STATISTICS: Final[dict[str, Callable[[pd.Series[float]], Any]]] = {
    "mean": lambda values: values.mean(),
    "median": lambda values: values.median(),
    "std": lambda values: values.std(),
    "var": lambda values: values.var(),
    "std_pop": lambda values: values.std(ddof=0),
    "var_pop": lambda values: values.var(ddof=0),
    "skewness": _shape("skew", 3),
    "kurtosis": _shape("kurt", 4),
    "iqr": lambda values: values.quantile(0.75) - values.quantile(0.25),
    "mad": lambda values: (values - values.median()).abs().median(),
}


@st.composite
def aggregates(draw: st.DrawFn) -> Aggregate:  # noqa: PLR0911 - one return for each kind
    """Draw an aggregate over a column or a condition."""
    column = draw(st.sampled_from(NUMBERS))
    kind = draw(
        st.sampled_from(
            ["count", "distinct", "sum", "extreme", "statistic", "end", "mode", "pct", "quantile"]
        )
    )
    match kind:
        case "count":
            return _over(
                "count", draw(st.sampled_from(["g", "x", "h"])), lambda values: len(oracle.present(values))
            )
        case "distinct":
            name = draw(st.sampled_from(["g", "n", "h"]))
            return _over("count_distinct", name, lambda values: len(set(oracle.present(values))))
        case "sum":
            return _over("sum", column, lambda values: values.sum(min_count=1))
        case "extreme":
            name, column = draw(st.sampled_from(["min", "max"])), draw(st.sampled_from(["n", "x", "g", "ts"]))
            pick = min if name == "min" else max
            return _over(name, column, lambda values: pick(oracle.present(values), default=None))
        case "statistic":
            name = draw(st.sampled_from(sorted(STATISTICS)))
            return _over(name, column, _statistic(name), exact=False)
        case "end":
            return _end(draw(st.sampled_from(["first", "last"])), draw(st.sampled_from(["g", "x", "n"])))
        case "mode":
            return _over("mode", draw(st.sampled_from(["g", "n"])), oracle.mode)
        case "pct":
            return _percentage(draw(conditions(0)))
        case _:
            p = draw(st.sampled_from([0.0, 0.1, 0.5, 0.9]))
            return Aggregate(
                f"percentile({column}, {p}) as p",
                "p",
                lambda part: oracle.floats(part[column]).quantile(p),
                exact=False,
            )


def _end(name: str, column: str) -> Aggregate:
    def pick(part: pd.DataFrame) -> Any:
        places = sorted(part.index, key=lambda i: (oracle.is_missing(part["ts"][i]), str(part["ts"][i]), i))
        found = oracle.present(part[column].loc[places])
        return (found[0] if name == "first" else found[-1]) if found else None

    return Aggregate(f"{name}({column})", f"{name}_{column}", pick)


def _percentage(condition: Term) -> Aggregate:
    def value(part: pd.DataFrame) -> Any:
        met = sum(bool(cell) for cell in oracle.present(condition.value(part)))
        return 100 * met / len(part) if len(part) else None

    return Aggregate(f"pct({condition.text}) as share", "share", value, exact=False)
