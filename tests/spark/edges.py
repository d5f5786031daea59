"""A table of values at the edges, and what is asked of it in SQL: the same on both, or refused by name."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import pyarrow as pa

_INF: Final = float("inf")
_NAN: Final = float("nan")


def _filled(values: list[Any], kind: pa.DataType) -> pa.Array:
    return pa.array([*values, *[None] * (12 - len(values))], kind)


_DAYS: Final = [
    "1500-01-01",
    "1582-10-04",
    "1582-10-15",
    "0001-01-01",
    "9999-12-31",
    "2024-12-30",
    "2021-01-03",
    "2024-02-29",
    "1969-12-31",
    "2023-01-31",
    "2020-12-31",
]
_TIMES: Final = [
    *(
        "1500-01-01 01:02:03.456789",
        "1582-10-04 23:59:59.999999",
        "1582-10-15 00:00:00",
        "0001-01-01 00:00:00",
    ),
    *(
        "2024-12-30 12:30:30",
        "2021-01-03 00:00:00.000001",
        "2024-02-29 03:04:05",
        "1969-12-31 23:59:59.999999",
    ),
    "2023-03-26 02:30:00",
]

EDGES: Final = pa.table(
    {
        "i": _filled([0, 1, -1, 7, -7, 2147483646, -2147483647, 3, 3, None, 2], pa.int32()),
        "b": _filled([0, 5, -5, 2**53 + 1, 2**62, -(2**62), 10, 3, -3, 1, 2], pa.int64()),
        "d": _filled([0.5, 1.5, 2.5, -0.5, -2.5, _NAN, _INF, -_INF, -0.0, 1e308, 0.1], pa.float64()),
        "q": _filled([0.25, 1.25, -2.75, 3.5, 3.5, 1.0, 0.0, -1.0, 4.0, 2.0, 1.005], pa.float64()),
        "f": _filled([0.1, 0.2, 16777216.0, 0.5, -1.5, 2.5, 0.0, 3.3], pa.float32()),
        "e": _filled(
            list(
                map(
                    Decimal,
                    [
                        "0.5",
                        "1.5",
                        "2.5",
                        "-0.5",
                        "-2.5",
                        "9999999.9999",
                        "0.0001",
                        "0.125",
                        "3.3333",
                        "1.005",
                        "2",
                    ],
                )
            ),
            pa.decimal128(18, 4),
        ),
        "s": _filled(
            ["a", "B", "é", "e\u0301", "", " 10 ", "😀x", "abc\n", "%_\\", "aax", "10"], pa.string()
        ),
        "u": _filled(["b", "a", "Z", "z", "Ä", "_", "1", "-", "A", "aa", "ÿ"], pa.string()),
        "n": _filled(["10", " 10 ", "1e3", "-5", "+7", "0.5", ".5", "5.", "007", "1.5"], pa.string()),
        "g": _filled(["x", "y", "x", "y", "x", "y", None, "x", "y", "", "x"], pa.string()),
        "day": _filled(_DAYS, pa.string()).cast(pa.date32()),
        "at": _filled(_TIMES, pa.string()).cast(pa.timestamp("us")),
        "ok": _filled([True, False, None, True, False, True, True, False, True, None, False], pa.bool_()),
    }
)

ROWWISE: Final = """
i + 1
i / 2
b // 3
i % -3
q % 2
e % 2
d / 0
e / 3
e + e
e * 0.5
i * 0.1
i ** 2
sqrt(q)
ln(q)
ln(d)
log(q)
log10(d)
sign(d)
sign(e)
exp(q)
round(q)
round(d)
round(q, 1)
round(q, 2)
round(q, -1)
round(d, 3)
round(e)
round(e, 2)
round(e, -1)
round(f, 1)
round(f, 1) = 0.1
round(i * 1.005, 2)
round(e, 1) * 2
floor(e)
ceil(-d)
greatest(d, q)
least(i, q, e)
coalesce(i, 0.5)
nullif(f, 0.1)
d > 1e300
d = -0.0
isnan(d)
CAST(q AS INTEGER)
CAST(e AS INTEGER)
CAST(e / 2 AS INTEGER)
CAST(i * 0.5 AS BIGINT)
CAST(round(e, 1) AS INTEGER)
CAST(q AS DECIMAL(10, 2))
CAST(q AS DECIMAL(38, 10))
CAST(f AS DECIMAL(12, 3))
TRY_CAST(d AS INTEGER)
TRY_CAST(b AS INTEGER)
TRY_CAST(d AS DECIMAL(10, 2))
TRY_CAST(e AS DECIMAL(4, 1))
TRY_CAST(g AS INTEGER)
TRY_CAST(g AS DATE)
CAST(n AS DOUBLE)
CAST(n AS DECIMAL(10, 2))
CAST(i AS VARCHAR)
CAST(e AS VARCHAR)
CAST(day AS VARCHAR)
CAST(at AS VARCHAR)
CAST(ok AS VARCHAR)
CAST(at AS DATE)
f / 3
f / 3 * 3 = f
f * 0.1
f + i
f = 0.1
f > 0.2
f = 16777217
f < e
f % 0.3
f IN (0.1, 5)
f BETWEEN 0.1 AND 0.2
f IS DISTINCT FROM 0.1
(CASE WHEN ok THEN f ELSE 0.3 END) = 0.3
b = 9007199254740993
b > 9007199254740992.0
i IN (1, NULL)
i NOT IN (1, NULL)
ok AND NULL
s = 'a '
s > u
u BETWEEN 'A' AND 'z'
s LIKE '%\\_%'
s NOT LIKE '%a%'
u ILIKE 'Ä'
u NOT ILIKE 'A%'
NOT (s LIKE 'a%')
s || u
length(s)
left(s, 1)
right(s, 2)
substring(s, 2, 1)
trim(s)
replace(s, 'a', 'b')
translate('aab', 'aa', 'xy')
concat_ws('-', s, NULL, u)
regexp_matches(s, '^.$')
regexp_matches(s, '\\bx')
regexp_matches(s, '\\p{Latin}')
regexp_matches(s, '[^\\w]')
regexp_matches(s, '[]a]')
regexp_extract(s, '([a-z])(.)', 1)
regexp_replace(s, '(a)', '\\1\\1', 'g')
regexp_replace(s, '\\s+$', '')
regexp_replace(s, '(?i)(.)(?:a|[x ])+$', '\\1-')
year(day)
week(day)
dayofweek(day)
isodow(day)
dayofyear(day)
epoch(at)
dayname(day)
monthname(day)
extract(epoch FROM at)
date_trunc('week', day)
date_trunc('quarter', day)
date_trunc('second', at)
date_diff('day', day, DATE '2024-01-01')
date_diff('week', day, DATE '2024-01-01')
date_diff('week', TIMESTAMP '2024-01-01 12:00:00', at)
date_diff('month', day, DATE '2024-01-01')
date_diff('hour', at, TIMESTAMP '2024-01-01 00:00:00')
date_diff('second', at, TIMESTAMP '2024-01-01 00:00:00.7')
day + 30
day - DATE '2000-01-01'
at + INTERVAL 1 MONTH
at - INTERVAL 90 MINUTE
DATE '2024-01-31' + INTERVAL 1 MONTH
strftime(day, '%B %d, %Y')
strftime(day, 'it''s %Y')
strftime(at, '%H:%M o''clock on %A')
time_bucket(INTERVAL '15 minutes', at)
at > day
day IN (DATE '2024-02-29')
coalesce(day, at)
NULL
NULL + 1
s || NULL
""".strip().splitlines()
"""Expressions over one row."""

QUERIES: Final = """
SELECT sum(i), sum(q), sum(e), sum(f), avg(i), avg(e), avg(d), sum(ok), median(i), median(q), median(f) FROM t
SELECT min(d), max(d), min(s), max(u), min(day), max(at), min(ok) FROM t
SELECT quantile_cont(q, 0.3), percentile_cont(0.9) WITHIN GROUP (ORDER BY q), mode(g ORDER BY g) FROM t
SELECT stddev(q), stddev_pop(q), var_samp(q), skewness(q), kurtosis(q), mad(q) FROM t
SELECT corr(q, 1), corr(q, i), regr_slope(q, 1), regr_intercept(q, 1), covar_samp(q, i) FROM t
SELECT corr(q, i), regr_slope(q, i), covar_samp(q, i), stddev(q), skewness(q) FROM t WHERE i = 1
SELECT corr(q, i), count(*), sum(i), avg(q), min(s), median(q), mad(q) FROM t WHERE FALSE
SELECT count(DISTINCT d), count(DISTINCT (i, g)), count(*) FILTER (WHERE i > 0), count_if(ok) FROM t
SELECT first(i ORDER BY b), last(i ORDER BY b), last(g ORDER BY b DESC), first(g ORDER BY q, b), first(i ORDER BY b DESC NULLS LAST) FROM t
SELECT median(f) = 0.2, round(avg(e), 2), round(sum(i) * 0.015, 1), CAST(avg(i) AS INTEGER) FROM t
SELECT g, corr(q, b) FILTER (WHERE i < 5) FROM t GROUP BY g
SELECT g, ok, count(*) AS n FROM t GROUP BY CUBE (g, ok) ORDER BY ALL
SELECT d, count(*) FROM t GROUP BY d ORDER BY d DESC
SELECT d FROM t ORDER BY d NULLS FIRST
SELECT u FROM t ORDER BY u DESC
SELECT i FROM t LIMIT 3 OFFSET 2
SELECT b, corr(q, i) OVER (ORDER BY b ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM t
SELECT b, lag(q, -1) OVER (ORDER BY b), last_value(i IGNORE NULLS) OVER (ORDER BY b), ntile(3) OVER (ORDER BY b) FROM t
SELECT q, sum(q) OVER (ORDER BY q), rank() OVER (ORDER BY q), cume_dist() OVER (ORDER BY q) FROM t
SELECT g, sum(q) / sum(sum(q)) OVER () AS share FROM t GROUP BY g ORDER BY g
SELECT a.i, c.b FROM t a FULL JOIN t c ON a.i = c.b ORDER BY ALL
SELECT a.f, c.e FROM t a JOIN t c ON a.f = c.e ORDER BY ALL
SELECT d FROM t EXCEPT SELECT q FROM t ORDER BY 1
SELECT i FROM t WHERE i NOT IN (SELECT b FROM t WHERE b IS NOT NULL) ORDER BY i
SELECT i AS "a`b", q AS "sel;ect 'x'", s AS "é\\ " FROM t LIMIT 2
""".strip().splitlines()

REFUSED: Final = {
    "q // 2": "//",
    "round(q, i)": "round",
    "log2(q)": "logarithm",
    "q::VARCHAR": "text of floating-point",
    "at - TIMESTAMP '2000-01-01'": "interval between two times",
    "regexp_replace(s, 'b*', '-', 'g')": "may match nothing",
    "regexp_replace(s, 'a|x$', '')": "first match alone",
    "regexp_matches(s, '(?m)c$')": r"\(\?m\)",
    "regexp_matches(s, 'a', 'i')": "options",
    "left(s, -1)": "left",
    "strftime(day, '%V')": "%V",
    "time_bucket(INTERVAL '15 minutes', at, TIMESTAMP '2000-01-01 00:07:00')": "of this form",
    "max(q, 2)": "max",
    "first(i)": "first",
    "last(i)": "last",
    "mode(g)": "mode",
    "mad(q) OVER ()": "over a window",
    "count(DISTINCT g) OVER ()": "DISTINCT over a window",
    "sum(q) OVER (ORDER BY b GROUPS 1 PRECEDING)": "GROUPS",
    "sum(q) OVER (ORDER BY day RANGE INTERVAL 30 DAY PRECEDING)": "interval",
    "percentile_cont(0.9) WITHIN GROUP (ORDER BY q DESC)": "descending",
    "[i, b]": "array",
    "{'a': i}": "PROPERTYEQ",
    "approx_count_distinct(g)": "approx",
    "i & 3": "BITWISEAND",
    "random()": "rand",
    "current_date": "current_date",
}
"""Expression → a part of the refusal."""
