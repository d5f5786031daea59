"""One way through a question: its effects sorted out, and the rows that they speak of."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import BOUNDING, COUNT, Condition, Having, Intent, Measure, Operator, Output
from tabchat.planner.links.link import told
from tabchat.planner.readings.bounds import outside
from tabchat.planner.readings.effect import Kind, Scope, merged_clauses
from tabchat.planner.readings.targets import targets_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabchat.planner.intent import Key
    from tabchat.planner.links import TableColumn, Vocabulary
    from tabchat.planner.readings.effect import Effect, Features
    from tabchat.planner.readings.figures import Figures

_PRIMARY: Final = (
    *("revenue", "amount", "total", "worth", "gross", "profit"),
    *("price", "cost", "salary", "quantity", "points"),
)
"""Groups of headers by how likely a question that names no column means them."""
_RANKED: Final = ("measures",)  # where they are kept in that order among the indexes of a table
# Their figures lie between the least and the greatest cell.
_WITHIN: Final = frozenset({"mean", "median", "max", "min"})
_MOST_ALTERNATIVES: Final = 6
SEVERAL: Final = 10  # rows or groups that a superlative in the plural asks for, where it has no number
JUDGED: Final = frozenset({"top.best", "top.worst"})  # their direction depends on what they are of
SIZES: Final = frozenset({"super.max", "super.min"})  # of an amount: no date is the smallest
_OUTPUTS: Final = {
    **dict.fromkeys(("group_count", "ratio", "share"), Output.VALUE),
    **dict.fromkeys(("never", "series"), Output.GROUPS),
    "ranked": Output.ROWS,
}
"""Readings whose output has another name."""
_AHEAD: Final = frozenset({Kind.ROWS, Kind.DISTINCT, Kind.CLAUSE, Kind.CELLS, Kind.PERIOD})
_ROWLESS: Final = frozenset({"values", "correlation"})
"""Readings that no word for rows goes into."""


@record
class Built:
    """An intent, and what of the question went into it."""

    intent: Intent
    used: frozenset[int]
    """Places in `Draft.effects`."""
    features: Features = ()
    name: str = ""
    """Of the construction."""


class Draft:
    """The effects of one way through the question."""

    def __init__(self, effects: Sequence[Effect], vocabulary: Vocabulary) -> None:
        self.effects = tuple(effects)
        self.vocabulary = vocabulary
        self._by_kind: dict[Kind, tuple[int, ...]] = {}
        for place, effect in enumerate(self.effects):
            self._by_kind[effect.kind] = (*self._by_kind.get(effect.kind, ()), place)
        self._places, self._scopes = cache(self._placed), cache(self._unbounded)
        self._of_a_kind = [p for p in self._by_kind.get(Kind.COLUMN, ()) if self.effects[p].clauses]

    def places(self, *kinds: Kind) -> Sequence[int]:
        """Return the places of the effects of some kinds: every builder asks, mostly for what is not there."""
        return self._places(kinds)

    def _placed(self, kinds: tuple[Kind, ...]) -> tuple[int, ...]:
        found = [self._by_kind[kind] for kind in kinds if kind in self._by_kind]
        return tuple(sorted(chain.from_iterable(found))) if len(found) > 1 else found[0] if found else ()

    def each(self, *kinds: Kind) -> list[Effect]:
        """Return the effects of some kinds."""
        return [self.effects[place] for place in self.places(*kinds)]

    def column(self, effect: Effect) -> TableColumn:
        """Return the column of an effect."""
        return self.vocabulary.columns[effect.column]

    def column_at(self, place: int) -> TableColumn:
        """Return the column of the effect at a place."""
        return self.column(self.effects[place])

    def own_column(self, effect: Effect) -> TableColumn | None:
        """Return the column that an effect is of; None where it names none, or a figure of one."""
        return self.column(effect) if effect.column >= 0 and effect.measure is None else None

    def names(self, places: Iterable[int]) -> tuple[str, ...]:
        """Return the names of the columns of the effects at some places, each once."""
        effects = [self.effects[place] for place in places]
        named = ((self.column(one).name,) if one.column >= 0 else one.columns for one in effects)
        return tuple(dict.fromkeys(chain.from_iterable(named)))

    def has(self, *names: str) -> bool:
        """Tell whether one of some marks was said."""
        return not self.marks.keys().isdisjoint(names)

    def idle(self, *names: str) -> frozenset[int]:
        """Return the places of marks that add nothing to an output."""
        return frozenset(place for place in self.places(Kind.MARK) if self.effects[place].name in names)

    def built(
        self,
        name: str,
        scope: Scope,
        figure: Figures | None = None,
        used: Iterable[int] = (),
        features: Features = (),
        **fields: Any,
    ) -> Built:
        """Return an intent over the rows of a scope, with `fields` of its own; `name` tells its features what it is.

        Every intent uses what opens the question, and most use the words for rows.
        """
        output = fields.pop("output", None) or _OUTPUTS.get(name) or Output(name)
        figured = figure.used if figure is not None else ()
        told_of = figure.features if figure is not None else ()
        # The first names that differ are asked for without those.
        if output is Output.ROWS and fields.get("columns"):
            fields["columns"] = self.vocabulary.in_full(fields["columns"])
        opening = self.places(Kind.ASK, Kind.LIST, *(() if name in _ROWLESS else (Kind.ROWS,)))
        opened: Features = ((f"out.{name}", 1.0), (f"open.{self.opener}.{name}", 1.0))
        return Built(
            intent=Intent(output=output, clauses=scope.clauses, periods=scope.periods, **fields),
            used=frozenset({*used, *figured, *scope.used, *opening}),
            features=(*told_of, *scope.features, *features, *opened),
            name=name,
        )

    def descends(self, rank: Effect, column: str | None) -> bool:
        """Tell whether the greatest come first: the worst shift by defects has the most of them."""
        if rank.name not in JUDGED or column is None:
            return rank.descending
        low = self.vocabulary.by_name[column].is_better_low(self.vocabulary.lexicons)
        return rank.descending != bool(low)

    def counted(self, rank: Effect) -> int | None:
        """Return how many a superlative asks for: by its own number, or by that of what it is of."""
        things = (effect.count for effect in self.each(Kind.COLUMN, Kind.ROWS))
        return rank.count or next((count for count in things if count), None)

    def limits(self, rank: Effect, *, several: bool = False) -> tuple[dict[str, Any], bool]:
        """Return how many of an order a superlative asks for, and whether it is several: in the plural, without a number.

        Without one, those that equal the last come along; `the second` is one.
        """
        count = self.counted(rank)
        alone = count is None and not rank.offset
        limit = SEVERAL if alone and several else count or 1
        ties = alone and not several
        return {"limit": limit, "offset": rank.offset, "with_ties": ties}, alone and several

    @cached_property
    def marks(self) -> dict[str, int]:
        """Mark → the place of the effect that says it first."""
        found: dict[str, int] = {}
        for place in self.places(Kind.MARK):
            found.setdefault(self.effects[place].name, place)
        return found

    @cached_property
    def opener(self) -> str:
        """How the question begins, behind the conditions in front of it: which, who, when, howmany, howmuch, list, yesno, or nothing of these."""
        for effect in self.effects:
            if effect.kind is Kind.ASK or (effect.kind is Kind.COLUMN and effect.asked):
                return effect.name
            if effect.kind is Kind.LIST:
                return "list"
            if effect.counts:
                return "howmany"
            if effect.kind not in _AHEAD:
                break
        return "none"

    @cached_property
    def counts_each(self) -> bool:
        """Whether a number is asked for more than once: how many cats and how many dogs."""
        return sum(effect.counts for effect in self.effects) > 1

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """What the rows are said to be grouped by."""
        return tuple(key for effect in self.each(Kind.KEY) for key in effect.keys)

    @cached_property
    def measures(self) -> tuple[TableColumn, ...]:
        """Columns of amounts, the likeliest to be meant when none is named first."""

        def rank(column: TableColumn) -> int:
            groups = column.groups | (column.kinds & {"total"})
            return next((rank for rank, group in enumerate(_PRIMARY) if group in groups), len(_PRIMARY))

        indexes = self.vocabulary.indexes
        if _RANKED not in indexes:
            indexes[_RANKED] = tuple(sorted(self.vocabulary.measures, key=rank))
        ranked: tuple[TableColumn, ...] = indexes[_RANKED]
        return ranked

    def likeliest(self) -> Iterator[tuple[TableColumn, Features]]:
        """Yield the three columns that a question which names no column means likeliest, with the features of that."""
        for rank, column in enumerate(self.measures[:3]):
            yield column, told({"default.rank": rank, "default.only": len(self.measures) == 1})

    def scoped(
        self, figures: Iterable[Figures], without: frozenset[int] = frozenset()
    ) -> Iterator[tuple[Figures, Scope]]:
        """Yield each of some figures with each of the scopes that it can be of."""
        for figure in figures:
            for scope in self.scopes(figure.focus, without=without):
                yield figure, scope

    def scopes(
        self,
        focus: Sequence[int] = (),
        *,
        measure: Measure | None = None,
        without: frozenset[int] = frozenset(),
    ) -> list[Scope]:
        """Return what the conditions of the question can mean; `focus` are columns that a bare number may be of.

        `measure` is that of groups, which a condition may be on; `without` are places of effects that are no
        conditions here.
        """
        # Most questions have no number whose column stands elsewhere: whatever is measured, their scopes are the same.
        scopes = self._scopes(without, grouped=measure is not None)
        for place in self.places(Kind.BOUND):
            if place not in without:
                scopes = [wider for scope in scopes for wider in self._bounded(scope, place, focus, measure)]
        return scopes[:_MOST_ALTERNATIVES]

    def _unbounded(self, without: frozenset[int], *, grouped: bool) -> list[Scope]:
        said = (*self.places(Kind.CLAUSE, Kind.CELLS, Kind.PERIOD), *self._of_a_kind)
        used = [p for p in said if p not in without]
        effects = [self.effects[place] for place in used]
        clauses, merged = merged_clauses([clause for effect in effects for clause in effect.clauses])
        periods = tuple(period for effect in effects for period in effect.periods)
        columns = {clause.column for clause in clauses if isinstance(clause, Condition)}
        features = {
            "scope.merged": merged,
            "scope.repeated": len(columns) < len(clauses),
            "scope.periods": len(periods) > 1,
            "scope.versus": any(effect.name == "versus" for effect in effects),
            "scope": bool(clauses or periods),
        }
        base = Scope(
            clauses=clauses, periods=periods, having=(), used=frozenset(used), features=told(features)
        )
        return [base, *(self._having(base) if grouped else ())]

    def _having(self, scope: Scope) -> Iterator[Scope]:
        """Read a comparison with a number as one of the sum, or of the mean, of each group."""
        for clause in scope.clauses:
            if not isinstance(clause, Condition) or clause.operator not in BOUNDING or clause.part:
                continue
            column = self.vocabulary.by_name[clause.column]
            numbers = tuple(value for value in clause.values if isinstance(value, int | float))
            rest = tuple(other for other in scope.clauses if other is not clause)
            for function in ("sum", "mean") if column.measure and numbers else ():
                measure = Measure(function=function, column=column.name)
                having = Having(measure=measure, operator=clause.operator, values=numbers)
                unfit = column.additive != (function == "sum")
                features = (*scope.features, *told({f"having.{function}": 1, "having.unfit": unfit}))
                features += outside(column, numbers) if function in _WITHIN else ()
                yield replace(scope, clauses=rest, having=(having,), features=features)

    def _bounded(
        self, scope: Scope, place: int, focus: Sequence[int], measure: Measure | None
    ) -> Iterator[Scope]:
        effect = self.effects[place]
        operator = effect.operator or Operator.EQ
        rows, own = effect.name == "rows", effect.measure
        if (rows or own) and measure is None:
            yield scope
            return
        wider = replace(scope, used=scope.used | {place})
        # Five dollars are no number of rows, and no number is dearer than another.
        of = COUNT if rows else own or measure
        bare = effect.name not in {"price", "cost"} and all(one.unit is None for one in effect.quantities)
        if of is not None and (bare or of != COUNT) and (rows or effect.operator is not Operator.EQ):
            measured = self.vocabulary.by_name.get(of.column or "")
            scaled = (
                effect.values if measured is None or own else tuple(map(measured.in_unit, effect.quantities))
            )
            having = Having(measure=of, operator=operator, values=scaled)
            beyond = outside(measured, scaled) if measured is not None and of.function in _WITHIN else ()
            features = (*scope.features, ("bound.having" if rows else "bound.of_measure", 1.0), *beyond)
            yield replace(wider, having=(*scope.having, having), features=features)
        for column, features in targets_of(effect, focus, self) if not (rows or own) else ():
            values = tuple(column.in_unit(quantity) for quantity in effect.quantities)
            clause = Condition(column=column.name, operator=operator, values=values)
            more = (*features, *outside(column, values))
            yield replace(wider, clauses=(*scope.clauses, clause), features=(*scope.features, *more))
