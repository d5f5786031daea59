"""One way through a question: its effects sorted out, and the rows that they speak of."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Having, Measure, Operator
from tabchat.planner.readings.effect import Kind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.intent import Clause, Intent, Period
    from tabchat.planner.links import TableColumn, Vocabulary
    from tabchat.planner.readings.effect import Effect, Features

_PRIMARY: Final = (
    "revenue",
    "amount",
    "total",
    "gross",
    "profit",
    "price",
    "cost",
    "salary",
    "quantity",
    "points",
)
"""Groups of headers by how likely a question that names no column means them."""
_MOST_ALTERNATIVES: Final = 6
JUDGED: Final = frozenset({"top.best", "top.worst"})
"""Superlatives whose direction depends on what they are of."""
_RANGES: Final = frozenset({Operator.GT, Operator.GE, Operator.LT, Operator.LE, Operator.BETWEEN})


@record
class Built:
    """An intent, and what of the question went into it."""

    intent: Intent
    used: frozenset[int]
    """Places in `Draft.effects`."""
    features: Features = ()


@record
class Scope:
    """The rows in question."""

    clauses: tuple[Clause, ...]
    periods: tuple[Period, ...]
    having: tuple[Having, ...]
    used: frozenset[int]
    features: Features = ()


class Draft:
    """The effects of one way through the question."""

    def __init__(self, effects: Sequence[Effect], vocabulary: Vocabulary) -> None:
        self.effects = tuple(effects)
        self.vocabulary = vocabulary

    def places(self, *kinds: Kind) -> list[int]:
        """Return the places of the effects of some kinds."""
        return [place for place, effect in enumerate(self.effects) if effect.kind in kinds]

    def column(self, effect: Effect) -> TableColumn:
        """Return the column of an effect."""
        return self.vocabulary.columns[effect.column]

    def descends(self, rank: Effect, column: str | None) -> bool:
        """Tell whether the greatest come first: the worst shift by defects has the most of them."""
        if rank.name not in JUDGED or column is None:
            return rank.descending
        low = self.vocabulary.by_name[column].is_better_low(self.vocabulary.lexicons)
        return rank.descending != bool(low)

    def counted(self, rank: Effect) -> int | None:
        """Return how many a superlative asks for: by its own number, or by that of what it is of."""
        things = (effect.count for effect in self.effects if effect.kind in {Kind.COLUMN, Kind.ROWS})
        return rank.count or next((count for count in things if count), None)

    def plural(self, effect: Effect) -> bool:
        """Tell whether a word for rows is in the plural, as far as the lexicons tell."""
        return effect.many

    @cached_property
    def marks(self) -> dict[str, int]:
        """Mark → the place of the effect that says it first."""
        found: dict[str, int] = {}
        for place in self.places(Kind.MARK):
            found.setdefault(self.effects[place].name, place)
        return found

    @cached_property
    def opener(self) -> str:
        """How the question begins: which, who, when, howmany, howmuch, list, yesno, or nothing of these."""
        for effect in self.effects:
            if effect.kind is Kind.ASK:
                return effect.name
            if effect.kind is Kind.COLUMN and effect.asked:
                return effect.name
            if effect.kind is Kind.LIST:
                return "list"
            if effect.kind is Kind.COUNT or (
                effect.kind is Kind.MEASURE and effect.measure and effect.measure.function.startswith("count")
            ):
                return "howmany"
            if effect.kind not in {Kind.ROWS, Kind.DISTINCT}:
                break
        return "none"

    @cached_property
    def asks(self) -> frozenset[int]:
        """Places of what only opens the question: asks and list words."""
        return frozenset(self.places(Kind.ASK, Kind.LIST))

    @cached_property
    def rows(self) -> frozenset[int]:
        """Places of words for rows."""
        return frozenset(self.places(Kind.ROWS))

    @cached_property
    def measures(self) -> tuple[TableColumn, ...]:
        """Columns of amounts, the likeliest to be meant when none is named first."""
        order = {group: rank for rank, group in enumerate(_PRIMARY)}
        columns = self.vocabulary.measures
        return tuple(
            sorted(
                columns, key=lambda column: min((order.get(group, 99) for group in column.groups), default=99)
            )
        )

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
        clauses: list[Clause] = []
        periods: list[Period] = []
        used: set[int] = set()
        features: list[tuple[str, float]] = []
        for place in self.places(Kind.CLAUSE, Kind.CELLS, Kind.PERIOD):
            if place in without:
                continue
            effect = self.effects[place]
            used.add(place)
            clauses += effect.clauses
            periods += effect.periods
        clauses, merged = _merged(clauses)
        if merged:
            features.append(("scope.merged", float(merged)))
        if len({clause.column for clause in clauses if isinstance(clause, Condition)}) < len(clauses):
            features.append(("scope.repeated", 1.0))
        if len(periods) > 1:
            features.append(("scope.periods", 1.0))
        if any(self.effects[place].name == "versus" for place in used):
            features.append(("scope.versus", 1.0))
        if clauses or periods:
            features.append(("scope", 1.0))
        base = Scope(
            clauses=tuple(clauses),
            periods=tuple(periods),
            having=(),
            used=frozenset(used),
            features=tuple(features),
        )
        scopes = [base]
        if measure is not None:
            scopes += self._having(base)
        for place in self.places(Kind.BOUND):
            if place not in without:
                scopes = [wider for scope in scopes for wider in self._bounded(scope, place, focus, measure)]
        return scopes[:_MOST_ALTERNATIVES]

    def _having(self, scope: Scope) -> Iterator[Scope]:
        """Read a comparison with a number as one of the sum, or of the mean, of each group."""
        for clause in scope.clauses:
            if not isinstance(clause, Condition) or clause.operator not in _RANGES or clause.part:
                continue
            column = self.vocabulary.by_name[clause.column]
            numbers = tuple(value for value in clause.values if isinstance(value, int | float))
            if not column.measure or not numbers:
                continue
            rest = tuple(other for other in scope.clauses if other is not clause)
            for function in ("sum", "mean"):
                having = Having(
                    measure=Measure(function=function, column=column.name),
                    operator=clause.operator,
                    values=numbers,
                )
                fits = column.additive == (function == "sum")
                yield Scope(
                    clauses=rest,
                    periods=scope.periods,
                    having=(*scope.having, having),
                    used=scope.used,
                    features=(
                        *scope.features,
                        (f"having.{function}", 1.0),
                        ("having.unfit", float(not fits)),
                    ),
                )

    def _bounded(
        self, scope: Scope, place: int, focus: Sequence[int], measure: Measure | None
    ) -> Iterator[Scope]:
        effect = self.effects[place]
        operator = effect.operator or Operator.EQ
        if effect.name == "rows":
            if measure is not None:
                having = Having(measure=Measure(), operator=operator, values=effect.values)
                yield _wider(scope, place, having=having, features=(("bound.having", 1.0),))
            else:
                yield scope
            return
        if measure is not None and effect.operator is not Operator.EQ:
            having = Having(measure=measure, operator=operator, values=effect.values)
            yield _wider(scope, place, having=having, features=(("bound.of_measure", 1.0),))
        for column, features in self._targets(effect, focus):
            values = tuple(column.in_unit(quantity) for quantity in effect.quantities)
            condition = Condition(column=column.name, operator=effect.operator or Operator.EQ, values=values)
            yield _wider(scope, place, clause=condition, features=(*features, *_outside(column, values)))

    def _targets(self, effect: Effect, focus: Sequence[int]) -> list[tuple[TableColumn, Features]]:
        """Return the columns that a bare number may be of, the likeliest first."""
        quantity = effect.quantities[0] if effect.quantities else None
        columns = self.vocabulary.columns
        if quantity is not None and (quantity.seconds is not None or quantity.unit is not None):
            fitting = [column for column in columns if column.numeric and column.takes(quantity)]
            if fitting:
                return [
                    (column, (("bound.unit", 1.0), ("bound.rivals", float(len(fitting) > 1))))
                    for column in fitting[:2]
                ]
            return [(column, (("bound.no_unit", 1.0),)) for column in self.measures[:1]]
        named = [columns[place] for place in focus if columns[place].numeric]
        if named:
            return [(column, (("bound.focus", 1.0),)) for column in named[:2]]
        if len(self.measures) == 1:
            return [(self.measures[0], (("bound.only_measure", 1.0),))]
        return [
            (column, (("bound.default", 1.0), ("default.rank", float(rank))))
            for rank, column in enumerate(self.measures[:2])
        ]


def _outside(column: TableColumn, values: Sequence[float]) -> Features:
    low, high = column.facts.low, column.facts.high
    if not column.facts.exact or not isinstance(low, int | float) or not isinstance(high, int | float):
        return ()
    return (("bound.outside", 1.0),) if all(value < low or value > high for value in values) else ()


def _wider(
    scope: Scope,
    place: int,
    *,
    clause: Clause | None = None,
    having: Having | None = None,
    features: Features = (),
) -> Scope:
    return Scope(
        clauses=scope.clauses if clause is None else (*scope.clauses, clause),
        periods=scope.periods,
        having=scope.having if having is None else (*scope.having, having),
        used=scope.used | {place},
        features=(*scope.features, *features),
    )


def _merged(clauses: Sequence[Clause]) -> tuple[list[Clause], int]:
    """Join conditions that ask for different cells of one column into one that allows each of them."""
    found: list[Clause] = []
    merged = 0
    for clause in clauses:
        same = next(
            (
                place
                for place, other in enumerate(found)
                if isinstance(clause, Condition)
                and isinstance(other, Condition)
                and other.column == clause.column
                and clause.part == other.part
                and {other.operator, clause.operator} <= {Operator.EQ, Operator.IN}
            ),
            None,
        )
        if same is None or not isinstance(clause, Condition):
            if clause not in found:
                found.append(clause)
            continue
        other = found[same]
        if isinstance(other, Condition):
            values = tuple(dict.fromkeys((*other.values, *clause.values)))
            found[same] = Condition(
                column=clause.column, operator=Operator.IN, values=values, part=clause.part
            )
            merged += 1
    return found, merged
