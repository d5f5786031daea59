"""Tables of what was planned and what came of it, by whom and month."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "total by": ("total {planned} by {dep}", "select dep, sum(planned) from t {where} group by 1"),
    "by month": ("total {actual} by {month}", "select month, sum(actual) from t {where} group by 1"),
    "over budget": (
        "{deps} over budget",
        "select dep from t {where} group by 1 having sum(actual) > sum(planned)",
    ),
    "over plan": (
        "{deps} whose total {actual} is above total {planned}",
        "select dep from t {where} group by 1 having sum(actual) > sum(planned)",
    ),
    "over months": (
        "rows where {actual} is over {planned}",
        "select dep, month from t {more} actual > planned",
    ),
    "how many over": (
        "how many rows have {actual} above {planned}",
        "select count(*) from t {more} actual > planned",
    ),
    "how many times over": (
        "how many times was {actual} higher than {planned} by {dep}",
        "select dep, count(*) from t {more} actual > planned group by 1",
    ),
    "diff by": (
        "difference between {actual} and {planned} by {dep}",
        "select dep, sum(actual) - sum(planned) from t {where} group by 1",
    ),
    "minus": (
        "total {actual} minus {planned}",
        "select sum(actual) - sum(planned) from t {where}",
        "select sum(planned), sum(actual) from t {where}",
    ),
    "top month": (
        "which month had the highest total {actual}",
        "select month from t {where} group by month qualify rank() over (order by sum(actual) desc) = 1",
    ),
    "lookup": (
        "{actual} of {d1} in May 2024",
        "select actual from t where dep = '{d1}' and month = '2024-05'",
    ),
    "quarter": (
        "total {actual} in the first quarter of 2024",
        "select sum(actual) from t {more} month between '2024-01' and '2024-03'",
    ),
    "since": ("total {planned} since June 2024", "select sum(planned) from t {more} month >= '2024-06'"),
    "per month": (
        "average {actual} per month",
        "select avg(s) from (select month, sum(actual) s from t {where} group by 1)",
        "select avg(actual) from t {where}",
        "select month, avg(actual) from t {where} group by 1",
    ),
    "both by owner": (
        "{actual} and {planned} by {owner}",
        "select owner, sum(actual), sum(planned) from t {where} group by 1",
    ),
    "ratio by": (
        "ratio of {actual} to {planned} by {dep}",
        "select dep, sum(actual) / sum(planned) from t {where} group by 1",
    ),
    "share by": (
        "{actual} as a percentage of {planned} by {dep}",
        "select dep, 100 * sum(actual) / sum(planned) from t {where} group by 1",
    ),
    "share": (
        "{actual} as a percentage of {planned}",
        "select 100 * sum(actual) / sum(planned) from t {where}",
    ),
    "share2": (
        "what percentage of {planned} is {actual} by {dep}",
        "select dep, 100 * sum(actual) / sum(planned) from t {where} group by 1",
    ),
    "compare": (
        "compare {d1} and {d2} by {actual}",
        "select dep, sum(actual) from t {more} dep in ('{d1}', '{d2}') and owner is not null group by 1",
    ),
    "change": (
        "change of {actual} from month to month for {d2}",
        "select month, actual - lag(actual) over (order by month) from t where dep = '{d2}'",
        "select month, 100 * (actual - lag(actual) over (order by month)) / lag(actual) over (order by month) from t where dep = '{d2}'",
    ),
    "top of each": (
        "top 2 {deps} by {actual} in each month",
        "select month, dep from t {where} qualify rank() over (partition by month order by actual desc) <= 2",
    ),
    "cumulative": (
        "cumulative {actual} by month",
        "select month, sum(sum(actual)) over (order by month) from t {where} group by 1",
    ),
    "biggest diff": (
        "{dep} with the biggest difference between {actual} and {planned}",
        "select dep from t {where} group by 1 qualify rank() over (order by abs(sum(actual) - sum(planned)) desc) = 1",
    ),
    "most over": (
        "{dep} with the highest {actual} minus {planned}",
        "select dep from t {where} group by 1 qualify rank() over (order by sum(actual) - sum(planned) desc) = 1",
    ),
    "quarters": (
        "total {actual} by quarter",
        "select substr(month, 1, 4)||'-Q'||((substr(month, 6)::int+2)//3), sum(actual) from t {where} group by 1",
    ),
    "highest share": (
        "share of each {dep} in total {actual}",
        "select dep, 100 * sum(actual) / (select sum(actual) from t {where}) from t {where} group by 1",
    ),
}
_CONDITIONS: Final = {
    "for {d1} and {d2}": "dep in ('{d1}', '{d2}')",
    "where {owner} is {o1}": "owner = '{o1}'",
    "since May 2024": "month >= '2024-05'",
    "excluding {d3}": "dep <> '{d3}'",
    "with {planned} over 20000": "planned > 20000",
    "in the first quarter of 2024": "month <= '2024-03'",
}


def _budget(name: str, header: str, plural: str, cells: str) -> Domain:
    """Return a table of budgets: who, in which month, what was planned, what came of it, who answers for it."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    teams, owners = (listed.split(",") for listed in cells.split(";"))
    amounts = iter(chosen.sample(range(5000, 60000), len(teams) * 24))
    columns, said = spoken(("dep", "month", "planned", "actual", "owner"), header, ("deps",), plural)
    return Domain(
        name=name,
        columns=columns,
        words={
            **said,
            **{f"d{n}": team for n, team in enumerate(teams, 1)},
            **{f"o{n}": owner for n, owner in enumerate(owners, 1)},
        },
        rows=[
            f"{team},2024-{month:02d},{next(amounts)},{next(amounts)},{owners[n % len(owners)]}"
            for n, team in enumerate(teams)
            for month in range(1, 13)
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
BUDGETS: Final = (
    _budget(
        "budget",
        "department,month,planned,actual,owner",
        "departments",
        "Legal,Sales,IT,Support,Finance,Design;Ana,Ben,Cy",
    ),
    _budget("spending", "team,month,budget,spent,lead", "teams", "Growth,Platform,Brand,Care,Data;Ines,Otto"),
)
