"""Tables with a column for each month."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "lookup": ("{n1} in March", "select mar from t where name = '{n1}'"),
    "total month": ("total in March", "select sum(mar) from t {where}"),
    "top": (
        "which {row} has the highest value in May",
        "select name from t {where} qualify rank() over (order by may desc) = 1",
    ),
    "by region": ("total of January by {grp}", "select grp, sum(jan) from t {where} group by 1"),
    "diff": ("difference between June and January for {n1}", "select jun - jan from t where name = '{n1}'"),
    "more": ("{rows} where June is higher than January", "select name from t {more} jun > jan"),
    "count": ("how many {rows} have more than 500 in April", "select count(*) from t {more} apr > 500"),
    "mean": ("average of February by {grp}", "select grp, avg(feb) from t {where} group by 1"),
}
_CONDITIONS: Final = {
    "in {g1}": "grp = '{g1}'",
    "not in {g2}": "grp <> '{g2}'",
    "with January over 300": "jan > 300",
}


def _months(name: str, header: str, words: str, cells: str) -> Domain:
    """Return a table of things: name, group, and an amount for each of six months."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    names, groups = (listed.split(",") for listed in cells.split(";"))
    columns, said = spoken(
        ("name", "grp", "jan", "feb", "mar", "apr", "may", "jun"), header, ("row", "rows"), words
    )
    return Domain(
        name=name,
        columns=columns,
        words={**said, "n1": names[2], **{f"g{n}": group for n, group in enumerate(groups, 1)}},
        rows=[
            f"{one},{chosen.choice(groups)},{','.join(map(str, chosen.sample(range(100, 990), 6)))}"
            for one in names
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
MONTHS: Final = (
    _months(
        "crops",
        "product,region,Jan,Feb,Mar,Apr,May,Jun",
        "product,products",
        "Barley,Wheat,Oats,Rye,Maize,Beans,Peas,Flax,Hops,Kale;North,South,East",
    ),
    _months(
        "shops",
        "shop,zone,January,February,March,April,May,June",
        "shop,shops",
        "Mill,Harbour,Airport,Castle,Bridge,Tower,Abbey,Garden,Quay;Inner,Outer",
    ),
)
