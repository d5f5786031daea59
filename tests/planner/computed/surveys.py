"""Tables of answers: marks from 1 to 5, yes or no, a remark."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "mean": ("average {sat}", "select avg(sat) from t {where}"),
    "mean by": ("average {sat} by {grp}", "select grp, avg(sat) from t {where} group by 1"),
    "dist": ("distribution of {sat}", "select sat, count(*) from t {where} group by 1"),
    "how many gave": ("how many {rows} gave a {sat} of 5", "select count(*) from t {more} sat = 5"),
    "share gave": (
        "what percentage of {rows} gave a {sat} of 4 or more",
        "select 100.0 * count(*) filter (sat >= 4) / count(*) from t {where}",
    ),
    "share yes": (
        "what percentage of {rows} {would}",
        "select 100.0 * count(*) filter (rec) / count(*) from t {where}",
    ),
    "share yes by": (
        "share of {rows} who {would} by {grp}",
        "select grp, 100.0 * count(*) filter (rec) / count(*) from t {where} group by 1",
    ),
    "yes": ("how many {rows} {would}", "select count(*) from t {more} rec"),
    "no": ("how many {rows} {wouldnt}", "select count(*) from t {more} not rec"),
    "field yes": (
        "number of {rows} with {rec} yes by {grp}",
        "select grp, count(*) from t {more} rec group by 1",
    ),
    "comment": ("{rows} without a {comment}", "select id from t {more} comment is null"),
    "comments": ("how many {rows} left a {comment}", "select count(*) from t {more} comment is not null"),
    "mention": (
        "{comment}s that mention price",
        "select comment from t {more} comment ilike '%price%'",
        "select id from t {more} comment ilike '%price%'",
    ),
    "count mention": (
        "how many {comment}s contain the word slow",
        "select count(*) from t {more} comment ilike '%slow%'",
    ),
    "best": (
        "which {grp} has the highest average {sat}",
        "select grp from t {where} group by grp qualify rank() over (order by avg(sat) desc) = 1",
    ),
    "lowest": (
        "which {grp} gave the lowest {ease} on average",
        "select grp from t {where} group by grp qualify rank() over (order by avg(ease)) = 1",
    ),
    "compare": (
        "compare average {sat} of {g1} and {g2}",
        "select grp, avg(sat) from t {more} grp in ('{g1}', '{g2}') group by 1",
    ),
    "two": (
        "average {sat} and average {ease} by {grp}",
        "select grp, avg(sat), avg(ease) from t {where} group by 1",
    ),
    "median": ("median {ease}", "select median(ease) from t {where}"),
    "common": (
        "most common {sat}",
        "select sat from t {where} group by 1 qualify rank() over (order by count(*) desc) = 1",
    ),
    "corr": ("correlation between {sat} and {ease}", "select corr(sat, ease) from t {where}"),
    "higher": ("how many {rows} rated {sat} higher than {ease}", "select count(*) from t {more} sat > ease"),
    "by month": (
        "average {sat} per month",
        "select date_trunc('month', day), avg(sat) from t {where} group by 1",
    ),
    "low": ("{rows} with {sat} below 3 and {ease} below 3", "select id from t {more} sat < 3 and ease < 3"),
    "per week": ("{rows} per week", "select date_trunc('week', day), count(*) from t {where} group by 1"),
    "groups": (
        "{grps} with an average {sat} over 3",
        "select grp from t {where} group by 1 having avg(sat) > 3",
    ),
}
_CONDITIONS: Final = {
    "in {g1}": "grp = '{g1}'",
    "in February 2024": "day between date '2024-02-01' and date '2024-02-29'",
    "with {ease} of at least 4": "ease >= 4",
    "where {rec} is no": "not rec",
    "excluding {g2}": "grp <> '{g2}'",
    "without a {comment}": "comment is null",
    "with a {sat} of 1 or 2": "sat in (1, 2)",
}


_REMARKS: Final = (
    "too slow",
    "fair price",
    "price is high",
    "love it",
    "very slow app",
    "great support",
    "",
    "",
    "",
)


def _survey(name: str, header: str, words: str, groups: str) -> Domain:
    """Return a table of answers: number, day, group, two marks, whether they would again, a remark."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    columns, said = spoken(
        ("id", "day", "grp", "sat", "ease", "rec", "comment"),
        header,
        ("row", "rows", "grps", "would", "wouldnt"),
        words,
    )
    return Domain(
        name=name,
        columns=columns,
        words={**said, **{f"g{n}": group for n, group in enumerate(groups.split(","), 1)}},
        rows=[
            f"{301 + n},{date(2024, 1, 1) + timedelta(days=chosen.randint(0, 100))},{chosen.choice(groups.split(','))},"
            f"{chosen.choice((1, 2, 3, 3, 4, 4, 5, 5, 5))},{chosen.randint(1, 5)},{chosen.choice(('yes', 'no', 'yes'))},"
            f"{chosen.choice(_REMARKS)}"
            for n in range(220)
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
SURVEYS: Final = (
    _survey(
        "survey",
        "respondent_id,answered_on,city,satisfaction,ease_of_use,recommend,comment",
        "respondent,respondents,cities,would recommend,would not recommend",
        "Leeds,Derby,Perth,York",
    ),
    _survey(
        "reviews",
        "review_id,written,branch,service,cleanliness,returning,remark",
        "review,reviews,branches,are returning,are not returning",
        "Mill Road,Harbour,Airport",
    ),
)
