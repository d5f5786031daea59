"""Doubts about what is set against one another or one after another: sides, what two words join, windows, changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    DENYING,
    EXCLUDING,
    AnyOf,
    Intent,
    Operator,
    Output,
    plain_conditions,
    single_conditions,
)
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.medals import plays_against
from tabchat.planner.readings.figures import ADDED

if TYPE_CHECKING:
    from tabchat.planner.links import Lattice

_JOINING: Final = frozenset({"and", "or", "compare", "either"})
"""Words between two things that are told of."""
_APART: Final = frozenset({Output.COMPARISON, Output.CHANGE, Output.CORRELATION})
"""Outputs that keep apart what is compared."""


@doubt
def _denies_one_of_two(lattice: Lattice, intent: Intent) -> bool:
    """`without returned orders and discount over 10%`, `not reserved and damaged`: whether the second is left out, too."""
    joined = lattice.behind("and")
    bare = [place for place in joined if lattice.at(place, LinkKind.CELL)]
    without, denials = lattice.behind("without"), lattice.behind("not")
    if not any(place > min(without) for place in joined if without) and not any(
        place > min(denials) for place in bare if denials
    ):
        return False
    flat = [clause.operator for clause in plain_conditions(intent.clauses)]
    denied = [operator in EXCLUDING for operator in flat]
    return any(denied) and not all(denied)


@doubt
def _joins_what_it_compares(lattice: Lattice, intent: Intent) -> bool:
    """`2023 vs 2024`, `with and without a cafe`, answered by the rows of both, or of one, or by one sum over them, also in each group."""
    if lattice.names.isdisjoint({"compare", "either"}) or intent.output in _APART:
        return False
    contrasts = [one.start for one in lattice.sentence.concepts if one.name in {"compare", "either"}]
    if all(plays_against(lattice, place) for place in contrasts):
        return False
    if intent.output is not Output.GROUPS:
        return True
    columns = lattice.vocabulary.by_name
    if intent.clauses and any(key.column and columns[key.column].flag for key in intent.keys):
        # `compare the returning ones and the new ones`, by yes and no among those that are new.
        return True
    listed = [clause for clause in single_conditions(intent.clauses) if clause.operator is Operator.IN]
    joined = {clause.column for clause in listed} - {key.column for key in intent.keys}
    timed = len(intent.periods) > 1 or any(clause.part is not None for clause in listed)
    return not (timed and any(key.unit is not None for key in intent.keys)) and bool(joined or timed)


@doubt
def _compares_what_is_commonest(_: Lattice, intent: Intent) -> bool:
    """Tell whether what is commonest is a figure: `what is repaired most often, city or electric bikes`, by the numbers of repairs."""
    modes = [one for one in intent.measures if one.function == "mode"]
    return any(intent.comparison is not None or one.part for one in modes)


@doubt
def _takes_one_of_both(lattice: Lattice, intent: Intent) -> bool:
    """`open and non-open orders by region`, answered by those that are not open."""
    links = [*lattice.links(LinkKind.CELL), *lattice.links(LinkKind.COLUMN)]
    denied = [link for link in links if link.name == "denied" or lattice.has(link.start - 1, "not")]
    both = {
        lattice.column(one).name
        for one in denied
        for other in links
        if (other.kind, other.column, other.texts) == (one.kind, one.column, one.texts)
        and other not in denied
        and (other.end <= one.start or other.start >= one.end)
    }
    joined = not _JOINING.isdisjoint(lattice.names)
    return joined and any(clause.column in both for clause in single_conditions(intent.clauses))


@doubt
def _tells_apart_what_is_joined(lattice: Lattice, intent: Intent) -> bool:
    """`in March, total fee for tea or coffee`, answered by the fees of both, one beside the other."""
    joined = intent.output is Output.COMPARISON and intent.comparison is None and "or" in lattice.names
    return joined and lattice.names.isdisjoint({"compare", "either", "each"})


@doubt
def _averages_both_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`rating of shared vs not shared rides`: which figure of the ratings, nothing says."""
    sided = (clause for side in intent.sides for clause in single_conditions(side.clauses))
    said = lattice.tells("agg.")
    averaged = any(one.function == "mean" for one in intent.measures)
    return averaged and not said and any(clause.operator in DENYING for clause in sided)


@doubt
def _joins_what_is_paired(lattice: Lattice, intent: Intent) -> bool:
    """`total revenue of N and average revenue of S`, answered by both figures of N and S together."""
    named = {one.column for one in intent.measures}
    figures = [one.start for one in lattice.sentence.concepts if one.name.startswith(("agg.", "count"))]
    figures += [one.start for one, column in lattice.column_links if column.name in named]
    scopes = [one.start for kind in (LinkKind.CELL, LinkKind.TIME) for one in lattice.links(kind)]
    return len(intent.measures) > 1 and any(
        min(figures, default=place) < scope < place <= figure < max(scopes)
        for name in ("and", "comma", "compare")
        for place in lattice.behind(name)
        for scope in scopes
        for figure in figures
    )


@doubt
def _takes_any_window(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether nothing says how many are moved over: `moving average of revenue by month`, answered by that of seven months."""
    said = {number.value for _, number in lattice.quantities}
    return intent.window is not None and intent.window not in said


@doubt
def _averages_means_of_totals(lattice: Lattice, intent: Intent) -> bool:
    """`3 month moving average of revenue`: of what all rows of a month come to, or of what one of them comes to."""
    dates = lattice.vocabulary.dates
    if intent.window is None or not dates:
        return False
    averaged = lattice.measured(intent, "mean")
    daily = len(intent.keys) == 1 and intent.keys[0].unit in {None, "day"} and dates[0].facts.unique
    return not daily and any(column.additive for column in averaged)


@doubt
def _changes_a_figure(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the mean of all changes may be meant, or the change of a mean: `average monthly growth of revenue`."""
    figures = {f"agg.{one.function}" for one in intent.measures if one.function not in ADDED}
    grown = [one.start for one in lattice.sentence.concepts if one.name == "growth"]
    said = [one.start for one in lattice.sentence.concepts if one.name in figures]
    return (
        intent.output is Output.CHANGE
        and intent.window is None
        and any(min(said) < at for at in grown if said)
    )


@doubt
def _turns_times_round(lattice: Lattice, intent: Intent) -> bool:
    """`growth from December to January`, `from 2025 to 2024`, answered by the earlier one's growth to the one that is later."""
    if intent.comparison not in {"percent", "difference"} or lattice.names.isdisjoint({"to", "until"}):
        return False
    base = intent.sides[0 if intent.comparison == "percent" else -1]
    first = lattice.behind("from")
    starts = {
        link.time.period.start
        for place in first
        for link in lattice.at(place, LinkKind.TIME)
        if link.time and link.time.period
    }
    if base.period is not None and starts:
        return base.period.start not in starts
    said = [
        int(one.name.rpartition(".")[2])
        for one in lattice.sentence.concepts
        if one.name.startswith(("month.", "quarter.")) and one.start in first
    ]
    return bool(said) and any(
        one.part and one.values != (said[0],) for one in single_conditions(base.clauses)
    )


@doubt
def _mixes_and_with_or(lattice: Lattice, intent: Intent) -> bool:
    """`diesel and full tank or over 60 litres`: which of them go together is open."""
    return (
        len(intent.clauses) > 1
        and {"and", "or"} <= lattice.names
        and any(
            isinstance(clause, AnyOf) and len({one.column for one in clause.conditions}) > 1
            for clause in intent.clauses
        )
    )


@doubt
def _compares_one_of_two_lists(lattice: Lattice, intent: Intent) -> bool:
    """`difference between Rome and Oslo for tea or milk`: which of the two lists is compared is open."""
    # `in May compared to April for tea or milk` compares the months.
    timed = any(lattice.has(link.end, "compare") for link in lattice.links(LinkKind.TIME))
    listed = any(
        (one.part is None or timed) and len(one.values) > 1
        for one in plain_conditions(intent.clauses, Operator.IN)
    )
    return intent.output is Output.COMPARISON and listed
