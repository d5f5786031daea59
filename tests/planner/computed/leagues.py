"""Tables of totals, a name a row."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "most": (
        "who has the most {pts}",
        "select name from t {where} qualify rank() over (order by pts desc) = 1",
    ),
    "which most": (
        "which {row} has the most {pts}",
        "select name from t {where} qualify rank() over (order by pts desc) = 1",
    ),
    "fewest": (
        "which {row} has the fewest {lost}",
        "select name from t {where} qualify rank() over (order by lost) = 1",
    ),
    "top": ("top 3 {rows} by {pts}", "select name from t {where} order by pts desc limit 3"),
    "of one": ("how many {won} does {n1} have", "select won from t where name = '{n1}'"),
    "lookup": ("{pts} of {n2}", "select pts from t where name = '{n2}'"),
    "more than": ("how many more {won} than {lost} has {n1}", "select won - lost from t where name = '{n1}'"),
    "more rows": ("{rows} with more {won} than {lost}", "select name from t {more} won > lost"),
    "how many more": (
        "how many {rows} have more {won} than {lost}",
        "select count(*) from t {more} won > lost",
    ),
    "over": ("{rows} with more than 12 {won}", "select name from t {more} won > 12"),
    "over2": ("how many {rows} have fewer than 8 {lost}", "select count(*) from t {more} lost < 8"),
    "gap": (
        "difference in {pts} between {n1} and {n2}",
        "select max(pts) filter (name = '{n1}') - max(pts) filter (name = '{n2}') from t",
    ),
    "how many more pts": (
        "how many more {pts} does {n1} have than {n2}",
        "select max(pts) filter (name = '{n1}') - max(pts) filter (name = '{n2}') from t",
    ),
    "best diff": (
        "{row} with the highest difference between {gf} and {ga}",
        "select name from t {where} qualify rank() over (order by gf - ga desc) = 1",
        "select name from t {where} qualify rank() over (order by abs(gf - ga) desc) = 1",
    ),
    "share": (
        "share of {n1} in total {gf}",
        "select 100.0 * coalesce(sum(gf) filter (name = '{n1}'), 0) / sum(gf) from t {where}",
    ),
    "ratio": ("ratio of {won} to {lost} for {n1}", "select 1.0 * won / lost from t where name = '{n1}'"),
    "total": ("total {gf}", "select sum(gf) from t {where}"),
    "mean": ("average {pts} by {grp}", "select grp, avg(pts) from t {where} group by 1"),
    "best each": (
        "best {row} by {pts} in each {grp}",
        "select grp, name from t {where} qualify rank() over (partition by grp order by pts desc) = 1",
    ),
    "above mean": (
        "{rows} with {pts} above the average",
        "select name from t {more} pts > (select avg(pts) from t {where})",
        "select name from t {more} pts > (select avg(pts) from t)",
    ),
    "count": ("how many {rows}", "select count(*) from t {where}"),
    "count by": ("number of {rows} per {grp}", "select grp, count(*) from t {where} group by 1"),
    "either": (
        "who has more {pts}, {n1} or {n2}",
        "select name from t where name in ('{n1}', '{n2}') qualify rank() over (order by pts desc) = 1",
        "select name, pts from t where name in ('{n1}', '{n2}')",
    ),
    "second": (
        "which {row} has the second most {pts}",
        "select name from t {where} order by pts desc limit 1 offset 1",
    ),
    "two": (
        "{won} and {lost} of {n1} and {n3}",
        "select name, won, lost from t where name in ('{n1}', '{n3}')",
    ),
    "compare groups": (
        "total {gf} of {g1} compared to {g2}",
        "select grp, sum(gf) from t {more} grp in ('{g1}', '{g2}') group by 1",
    ),
}
_CONDITIONS: Final = {
    "in {g1}": "grp = '{g1}'",
    "not in {g2}": "grp <> '{g2}'",
    "with more than 30 {ga}": "ga > 30",
    "where {won} is at least 8": "won >= 8",
    "excluding {n3}": "name <> '{n3}'",
    "with fewer than 40 {gf}": "gf < 40",
}


def _league(name: str, header: str, words: str, names: str, groups: str) -> Domain:
    """Return a table of totals: name, group, and six amounts."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    listed, parts = names.split(","), groups.split(",")
    amounts = [
        chosen.sample(range(low, high), len(listed)) for low, high in ((10, 80), (20, 90), (20, 90), (1, 30))
    ]
    columns, said = spoken(
        ("name", "grp", "won", "drawn", "lost", "gf", "ga", "pts"),
        header,
        ("row", "rows", "pts", "won", "lost", "drawn", "gf", "ga"),
        words,
    )
    return Domain(
        name=name,
        columns=columns,
        words={
            **said,
            **{f"n{n}": one for n, one in enumerate(listed, 1)},
            **{f"g{n}": group for n, group in enumerate(parts, 1)},
        },
        rows=[
            f"{one},{chosen.choice(parts)},{chosen.randint(2, 22)},{chosen.choice((0, 2, 3, 4, 5))},{lost},{scored},{let},{points}"
            for one, points, scored, let, lost in zip(listed, *amounts, strict=True)
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
LEAGUES: Final = (
    _league(
        "league",
        "team,division,wins,draws,losses,goals_for,goals_against,points",
        "team,teams,points,wins,losses,draws,goals for,goals against",
        "Rovers,United,Athletic,Wanderers,Albion,County,Orient,Rangers,Harriers,Celtic,Victoria,Sparta",
        "North,South",
    ),
    _league(
        "election",
        "candidate,district,votes_2024,spoiled,votes_2020,donations,spending,score",
        "candidate,candidates,score,votes 2024,votes 2020,spoiled,donations,spending",
        "Anna Berg,Ivo Marek,Carla Dunn,Piet Vos,Elena Ruiz,Farid Haddad,Greta Lind,Hugo Roth,Iris Kane,Jonas Falk",
        "East,West",
    ),
)
