"""Questions that are composed of parts whose meaning is known: what is computed, of which rows, and for which groups.

No set of written questions has all plain combinations of these. Here each part brings the text and what it must become, so that
an answer which leaves one out, or takes two for one, shows.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Measure, Operator, Output

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.planner.intent import Clause, Intent, Period

Bounds = tuple[date | None, date | None]
Scope = Condition | Bounds


@dataclass(frozen=True, kw_only=True)
class Domain:
    """A table of three hundred rows, and how its columns and cells are spoken of."""

    name: str
    """Of the file."""
    columns: tuple[str, ...]
    """Number of the row, day, place, thing, how many, how much, note."""
    places: tuple[str, ...]
    things: tuple[str, ...]
    measures: tuple[tuple[str, Measure], ...]
    keys: tuple[tuple[str, str | None, str | None], ...]
    """Text, column, and unit of time."""
    conditions: tuple[tuple[str, Scope], ...]

    def rows(self) -> list[str]:
        """Return the lines of the file behind its header."""
        chosen = random.Random(self.name)  # noqa: S311 - which cells they are does not matter
        return [
            f"{1000 + n},{date(2024, 1, 1) + timedelta(days=chosen.randint(0, 180))},{chosen.choice(self.places)},"
            f"{chosen.choice(self.things)},{chosen.randint(1, 9)},{chosen.choice((9.5, 12, 18.25, 22, 31, 40))},"
            f"{chosen.choice(('ok', '', 'late'))}"
            for n in range(300)
        ]


@dataclass(frozen=True, kw_only=True)
class Composed:
    """A question and its parts."""

    text: str
    measure: Measure
    key: tuple[str | None, str | None]
    scopes: tuple[Scope, ...]

    def is_read(self, intent: Intent) -> bool:
        """Tell whether an intent computes this, of these rows, for these groups."""
        clauses, periods = [_plain(clause) for clause in intent.clauses], [*intent.periods]
        wanted = [scope for scope in self.scopes if isinstance(scope, Condition)]
        bounds = [scope for scope in self.scopes if not isinstance(scope, Condition)]
        keys = [(None if key.unit else key.column, key.unit) for key in intent.keys]
        return (
            intent.output is (Output.GROUPS if any(self.key) else Output.VALUE)
            and intent.measures == (self.measure,)
            and keys == ([self.key] if any(self.key) else [])
            and sorted(clauses, key=repr) == sorted(map(_plain, wanted), key=repr)
            and [_bounds(period) for period in periods] == bounds
            and not intent.having
        )


def _plain(clause: Clause) -> Clause:
    if isinstance(clause, Condition) and clause.operator in {Operator.IN, Operator.NOT_IN}:
        return Condition(
            column=clause.column, operator=clause.operator, values=tuple(sorted(map(str, clause.values)))
        )
    return clause


def _bounds(period: Period) -> Bounds:
    return period.start, period.end


def composed(domain: Domain, count: int) -> list[Composed]:
    """Return questions of a domain, the same ones each time, of one condition or of two on different columns."""
    chosen = random.Random(domain.name)  # noqa: S311 - which questions they are does not matter
    return chosen.sample([*_all(domain, chosen)], count)


def _all(domain: Domain, chosen: random.Random) -> Iterator[Composed]:
    pairs: list[tuple[tuple[str, Scope], ...]] = [((text, scope),) for text, scope in domain.conditions]
    pairs += [
        (one, other)
        for one, other in product(domain.conditions, repeat=2)
        if _column(one[1]) != _column(other[1])
    ]
    for (said, measure), (grouped, column, unit), conditions in product(domain.measures, domain.keys, pairs):
        if column is not None and column in {_fixed(scope) for _, scope in conditions}:
            continue
        behind = " ".join(text for text, _ in conditions)
        order = (said, behind, grouped) if chosen.random() < 1 / 2 else (said, grouped, behind)
        yield Composed(
            text=" ".join(filter(None, order)),
            measure=measure,
            key=(column, unit),
            scopes=tuple(scope for _, scope in conditions),
        )


def _column(scope: Scope) -> str | None:
    return scope.column if isinstance(scope, Condition) else None


def _fixed(scope: Scope) -> str | None:
    return scope.column if isinstance(scope, Condition) and scope.operator is Operator.EQ else None


def _domain(  # noqa: PLR0917 - they stand in the order of the columns
    name: str,
    columns: str,
    places: str,
    things: str,
    measures: Mapping[str, tuple[str, int | None]],
    keys: Mapping[str, tuple[int, str | None]],
    numbers: Mapping[str, tuple[Operator, tuple[float, ...]]],
    cells: Mapping[str, tuple[int, Operator, tuple[str, ...]]],
    times: Mapping[str, Bounds],
) -> Domain:
    """Return a domain; columns are told by their places."""
    names = tuple(columns.split(","))
    conditions: list[tuple[str, Scope]] = [
        (text.format(*names), Condition(column=names[5], operator=operator, values=values))
        for text, (operator, values) in numbers.items()
    ]
    conditions += [
        (text.format(*names), Condition(column=names[at], operator=operator, values=values))
        for text, (at, operator, values) in cells.items()
    ]
    return Domain(
        name=name,
        columns=names,
        places=tuple(places.split()),
        things=tuple(things.split()),
        measures=tuple(
            (text.format(*names), Measure(function=function, column=None if at is None else names[at]))
            for text, (function, at) in measures.items()
        ),
        keys=(
            ("", None, None),
            *((text.format(*names), None if unit else names[at], unit) for text, (at, unit) in keys.items()),
        ),
        conditions=(*conditions, *times.items()),
    )


_YEAR: Final = (date(2024, 1, 1), date(2024, 12, 31))
_MARCH: Final = (date(2024, 3, 1), date(2024, 3, 31))
_GT, _GE, _LT, _LE = Operator.GT, Operator.GE, Operator.LT, Operator.LE
_NE, _EQ, _IN = Operator.NE, Operator.EQ, Operator.IN
_ENGLISH_NUMBERS: Final = {
    "with {5} over 20": (_GT, (20,)),
    "with {5} from 20": (_GE, (20,)),
    "where {5} is at least 20": (_GE, (20,)),
    "where {5} is not over 20": (_LE, (20,)),
    "where {5} < 20": (_LT, (20,)),
    "with {5} no more than 20": (_LE, (20,)),
    "with {5} 20 or more": (_GE, (20,)),
    "with {5} between 10 and 20": (Operator.BETWEEN, (10, 20)),
}
_ENGLISH_TIMES: Final = {
    "in 2024": _YEAR,
    "in March 2024": _MARCH,
    "in Q2 2024": (date(2024, 4, 1), date(2024, 6, 30)),
    "since 15 March 2024": (date(2024, 3, 15), None),
    "before April 2024": (None, date(2024, 3, 31)),
    "from February to April 2024": (date(2024, 2, 1), date(2024, 4, 30)),
    "on 3 March 2024": (date(2024, 3, 3), date(2024, 3, 3)),
}

DOMAINS: Final = (
    _domain(
        "orders",
        "order_id,day,city,product,qty,fee,note",
        "Rome Oslo Paris Kyiv",
        "Tea Coffee Milk Bread",
        {
            "total {5}": ("sum", 5),
            "average {5}": ("mean", 5),
            "number of orders": ("count", None),
            "maximum {4}": ("max", 4),
        },
        {
            "by {2}": (2, None),
            "per {3}": (3, None),
            "for each {2}": (2, None),
            "by month": (1, "month"),
            "by quarter": (1, "quarter"),
        },
        _ENGLISH_NUMBERS,
        {
            "in Rome": (2, _EQ, ("Rome",)),
            "not in Rome": (2, _NE, ("Rome",)),
            "for Tea": (3, _EQ, ("Tea",)),
            "except Tea": (3, _NE, ("Tea",)),
            "where {3} is not Milk": (3, _NE, ("Milk",)),
            "where {3} is Tea or Milk": (3, _IN, ("Tea", "Milk")),
            "without a {6}": (6, Operator.MISSING, ()),
            "where {6} is not empty": (6, Operator.PRESENT, ()),
        },
        _ENGLISH_TIMES,
    ),
    _domain(
        "repairs",
        "ticket,received,workshop,device,parts,bill,remark",
        "North Harbour Mill Airport",
        "Phone Laptop Tablet Camera",
        {
            "total {5}": ("sum", 5),
            "median {5}": ("median", 5),
            "how many repairs": ("count", None),
            "minimum {4}": ("min", 4),
        },
        {"by {2}": (2, None), "per {3}": (3, None), "in each {2}": (2, None), "by month": (1, "month")},
        _ENGLISH_NUMBERS,
        {
            "at Harbour": (2, _EQ, ("Harbour",)),
            "not at Harbour": (2, _NE, ("Harbour",)),
            "where {3} is not Tablet": (3, _NE, ("Tablet",)),
            "where {3} is Phone or Camera": (3, _IN, ("Phone", "Camera")),
            "without a {6}": (6, Operator.MISSING, ()),
            "where {6} is not empty": (6, Operator.PRESENT, ()),
        },
        _ENGLISH_TIMES,
    ),
    _domain(
        "замовлення",
        "номер,дата,місто,товар,кількість,сума,примітка",
        "Київ Львів Одеса Харків",
        "Чай Кава Молоко Хліб",
        {"загальна {5}": ("sum", 5), "середня {5}": ("mean", 5), "скільки замовлень": ("count", None)},
        {
            "по містах": (2, None),
            "за товарами": (3, None),
            "для кожного міста": (2, None),
            "по місяцях": (1, "month"),
        },
        {
            "з сумою понад 20": (_GT, (20,)),
            "де {5} не менше 20": (_GE, (20,)),
            "з сумою не більше 20": (_LE, (20,)),
            "де {5} менше 20": (_LT, (20,)),
            "з сумою від 10 до 20": (Operator.BETWEEN, (10, 20)),
        },
        {
            "у Києві": (2, _EQ, ("Київ",)),
            "не в Києві": (2, _NE, ("Київ",)),
            "крім чаю": (3, _NE, ("Чай",)),
            "де {3} чай або молоко": (3, _IN, ("Чай", "Молоко")),
            "без примітки": (6, Operator.MISSING, ()),
        },
        {
            "у березні 2024": _MARCH,
            "з 15 березня 2024": (date(2024, 3, 15), None),
            "у другому кварталі 2024": (date(2024, 4, 1), date(2024, 6, 30)),
            "до квітня 2024": (None, date(2024, 3, 31)),
        },
    ),
    _domain(
        "заказы",
        "номер,дата,город,товар,количество,сумма,примечание",
        "Москва Казань Омск Тверь",
        "Чай Кофе Молоко Хлеб",
        {"общая {5}": ("sum", 5), "средняя {5}": ("mean", 5), "сколько заказов": ("count", None)},
        {
            "по городам": (2, None),
            "по товарам": (3, None),
            "для каждого города": (2, None),
            "по месяцам": (1, "month"),
        },
        {
            "с суммой больше 20": (_GT, (20,)),
            "где {5} не меньше 20": (_GE, (20,)),
            "с суммой не более 20": (_LE, (20,)),
            "где {5} меньше 20": (_LT, (20,)),
            "с суммой от 10 до 20": (Operator.BETWEEN, (10, 20)),
        },
        {
            "в Москве": (2, _EQ, ("Москва",)),
            "не в Москве": (2, _NE, ("Москва",)),
            "кроме чая": (3, _NE, ("Чай",)),
            "где {3} чай или молоко": (3, _IN, ("Чай", "Молоко")),
            "без примечания": (6, Operator.MISSING, ()),
        },
        {
            "в марте 2024": _MARCH,
            "с 15 марта 2024": (date(2024, 3, 15), None),
            "во втором квартале 2024": (date(2024, 4, 1), date(2024, 6, 30)),
            "до апреля 2024": (None, date(2024, 3, 31)),
        },
    ),
)
"""Two in English, of which the second shares no word for anything with the first, and one in each other language."""
