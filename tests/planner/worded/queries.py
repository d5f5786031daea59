"""What each meaning asks for; columns are named by what they hold, `{w}` is the condition, `{a}` what goes on with it."""

from __future__ import annotations

from typing import Final


def _first(what: str, by: str) -> str:
    """Return the query for the group that comes first, with those that tie with it."""
    return f"select {what} from t {{w}} group by {what} qualify rank() over (order by {by}) = 1"


def _side(by: str) -> str:
    """Return the query for the greater of two places; there is none where they are equal."""
    both = f"select place, {by} c from t {{w}} {{a}} place in ('{{p1}}', '{{p2}}') group by place"
    return f"select place from ({both}) qualify rank() over (order by c desc) = 1 and count(*) over (partition by c) = 1"


_FLAG: Final = "select count(*) filter (paid) from t {w}"
_MISSING: Final = "select id from t {w} {a} note is null"
_ABOVE: Final = "select count(*) from t {w} {a} fee > (select avg(fee) from t {w})"
_RANKS: Final = "select place, rank() over (order by sum(fee) desc) r from t {w} group by place"
_SIDES: Final = "select place, {} from t {w} {a} place in ('{p1}', '{p2}') group by place"
QUERIES: Final[dict[str, tuple[str, ...]]] = {
    "sum": ("select sum(fee) from t {w}",),
    "mean": ("select avg(fee) from t {w}",),
    "count": ("select count(*) from t {w}",),
    "sum by": ("select place, sum(fee) from t {w} group by place",),
    "count by": ("select place, count(*) from t {w} group by place",),
    "mean by": ("select place, avg(fee) from t {w} group by place",),
    "top groups": ("select place from t {w} group by place order by sum(fee) desc limit 3",),
    "best sum": (_first("place", "sum(fee) desc"),),
    "most": (_first("place", "count(*) desc"),),
    "fewest": (_first("place", "count(*)"),),
    "best mean": (_first("place", "avg(fee) desc"),),
    "best row": ("select id from t {w} order by fee desc limit 1",),
    "highest": ("select max(fee) from t {w}",),
    "lowest": ("select min(fee) from t {w}",),
    "share of a sum": ("select 100 * sum(fee) filter (place = '{p1}') / sum(fee) from t {w}",),
    "share of rows": ("select 100.0 * count(*) filter (place = '{p1}') / count(*) from t {w}",),
    "share of a flag": ("select 100.0 * count(*) filter (paid) / count(*) from t {w}",),
    "different": ("select count(distinct thing) from t {w}",),
    "list": ("select distinct thing from t {w}",),
    "monthly": ("select date_trunc('month', day), sum(fee) from t {w} group by 1",),
    "rows monthly": ("select date_trunc('month', day), count(*) from t {w} group by 1",),
    "groups of many": ("select place from t {w} group by place having count(*) > 15",),
    "groups of a sum": ("select thing from t {w} group by thing having sum(fee) > 300",),
    "missing count": ("select count(*) from t {w} {a} note is null",),
    "missing rows": (_MISSING,),
    "first day": ("select min(day) from t {w}",),
    "last day": ("select max(day) from t {w}",),
    # How many there are, or which, says whether there are any.
    "exists": (
        "select count(*) > 0 from t {w} {a} fee > 58",
        "select count(*) from t {w} {a} fee > 58",
        "select id from t {w} {a} fee > 58",
    ),
    "exists flag": (
        "select count(*) > 0 from t {w} {a} not paid",
        "select count(*) from t {w} {a} not paid",
        "select id from t {w} {a} not paid",
    ),
    "flag count": (_FLAG,),
    "unflag count": ("select count(*) filter (not paid) from t {w}",),
    # Of two that are only listed both together may be meant.
    "listed": (
        _SIDES.replace("{}", "sum(fee)"),
        "select sum(fee) from t {w} {a} place in ('{p1}', '{p2}')",
    ),
    "compare": (_SIDES.replace("{}", "sum(fee)"),),
    # Both numbers say where there are more.
    "which has more": (_side("count(*)"), _SIDES.replace("{}", "count(*)")),
    "which gave more": (_side("sum(fee)"), _SIDES.replace("{}", "sum(fee)")),
    "difference": ("select sum(fee) filter (place = '{p1}') - sum(fee) filter (place = '{p2}') from t {w}",),
    "above the mean": (_ABOVE, _ABOVE.replace("from t {w})", "from t)")),
    "rank": (f"select r from ({_RANKS}) where place = '{{p1}}'",),
    "best month": ("select date_trunc('month', day) from t {w} group by 1 order by sum(fee) desc limit 1",),
    "top rows": ("select id from t {w} order by fee desc limit 5",),
    "rows": ("select id from t {w}",),
    "most common": (_first("thing", "count(*) desc"),),
}
FIRST: Final = ("best row", "best month", "which", "first day", "last day")
"""Meanings whose answer stands in the first row of what comes back."""
