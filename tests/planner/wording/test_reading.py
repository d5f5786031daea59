"""The line that says how a question was read: complete, in three languages."""

import datetime as dt
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.facts.records import ColumnFacts, TableFacts
from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import (
    AnyOf,
    Condition,
    Intent,
    Key,
    Measure,
    Operator,
    Order,
    Output,
    Period,
    Side,
)
from tabchat.planner.plan import PlannedCall, Unplannable, plan_of
from tabchat.planner.wording import read_as
from tests.effort import examples
from tests.planner.plan import families

_KINDS = {
    "g": ColumnKind.TEXT,
    "the h": ColumnKind.TEXT,
    "n": ColumnKind.INTEGER,
    "x": ColumnKind.NUMBER,
    "d": ColumnKind.DATE,
    "b": ColumnKind.BOOLEAN,
}
FACTS = TableFacts(
    name="t",
    row_count=10,
    columns=tuple(ColumnFacts(name=name, kind=kind, low=0, high=9) for name, kind in _KINDS.items()),
)
SALES = TableFacts(
    name="sales",
    row_count=10,
    columns=tuple(
        ColumnFacts(name=name, kind=kind)
        for name, kind in {
            "order_date": ColumnKind.DATE,
            "region": ColumnKind.TEXT,
            "country": ColumnKind.TEXT,
            "channel": ColumnKind.TEXT,
            "revenue": ColumnKind.NUMBER,
            "returned": ColumnKind.BOOLEAN,
        }.items()
    ),
)
REVENUE = Measure(function="sum", column="revenue")
GERMANY = Condition(column="country", operator=Operator.EQ, values=("Germany",))
YEAR = Period(start=dt.date(2024, 1, 1), end=dt.date(2024, 12, 31))
ONLINE, STORE = (
    Side(label=name, clauses=(Condition(column="channel", operator=Operator.EQ, values=(name,)),))
    for name in ("online", "store")
)

LAST = Side(label="last month", period=Period(unit="month", ago=1))
MARCH = Side(
    label="month 3",
    clauses=(Condition(column="order_date", operator=Operator.EQ, values=(3,), part="month"),),
)


@pytest.mark.parametrize(
    "intent,en,uk,ru",
    [
        (
            Intent(
                output=Output.GROUPS,
                measures=(REVENUE,),
                keys=(Key(column="region"),),
                clauses=(GERMANY,),
                periods=(YEAR,),
                orders=(Order(),),
                limit=5,
            ),
            "sum of revenue · by region · country = Germany · 2024 · top 5",
            "сума «revenue» · за «region» · «country» = Germany · 2024 · перші 5",
            "сумма «revenue» · по «region» · «country» = Germany · 2024 · первые 5",
        ),
        (
            Intent(output=Output.VALUE, measures=(Measure(part=(replace(GERMANY),)),), periods=(Period(unit="month", ago=1),)),
            "percentage of the number of rows where country = Germany · last month",
            "відсоток (кількість рядків), де «country» = Germany · минулий місяць",
            "процент (число строк), где «country» = Germany · прошлый месяц",
        ),
        (
            Intent(
                output=Output.ROWS,
                columns=("country",),
                orders=(Order(column="revenue"),),
                limit=3,
                limit_keys=(Key(column="region"),),
            ),
            "country of the rows · top 3 by revenue in each region",
            "«country» у рядках · перші 3 за «revenue» у кожній групі («region»)",
            "«country» в строках · первые 3 по «revenue» в каждой группе («region»)",
        ),
        (
            Intent(
                output=Output.COMPARISON, measures=(REVENUE,), sides=(ONLINE, STORE), comparison="difference"
            ),
            "difference of the sum of revenue: online (channel = online) minus store (channel = store)",
            "різниця (сума «revenue»): online («channel» = online) мінус store («channel» = store)",
            "разница (сумма «revenue»): online («channel» = online) минус store («channel» = store)",
        ),
        (
            Intent(output=Output.COMPARISON, measures=(REVENUE,), sides=(LAST, MARCH)),
            "sum of revenue: last month vs March (month of order_date = March)",
            "сума «revenue»: минулий місяць проти березень (місяць у «order_date» = березень)",
            "сумма «revenue»: прошлый месяц против март (месяц в «order_date» = март)",
        ),
        (
            Intent(
                output=Output.CHANGE,
                measures=(REVENUE,),
                keys=(Key(unit="quarter"),),
                change="percent",
                against="year",
                orders=(Order(),),
                limit=3,
            ),
            "change of the sum of revenue in percent, since a year before · by quarter · sorted by its change, highest first · top 3",
            "зміна у відсотках (сума «revenue»), проти року перед тим · за кварталами · за спаданням: зміна · перші 3",
            "изменение в процентах (сумма «revenue»), к году перед тем · по кварталам · по убыванию: изменение · первые 3",
        ),
        (
            Intent(
                output=Output.EXISTS,
                clauses=(
                    AnyOf(
                        conditions=(
                            Condition(column="order_date", operator=Operator.EQ, values=(2,), part="month"),
                            Condition(column="country", operator=Operator.MISSING),
                        )
                    ),
                ),
            ),
            "whether there are rows · (month of order_date = February or country is missing)",
            "чи є рядки · (місяць у «order_date» = лютий або «country» порожнє)",
            "есть ли строки · (месяц в «order_date» = февраль или «country» пусто)",
        ),
    ],
)  # fmt: skip
def test_an_intent_is_read_back_in_each_language(intent: Intent, en: str, uk: str, ru: str) -> None:
    assert [read_as(intent, SALES, language) for language in ("en", "uk", "ru")] == [en, uk, ru]


@pytest.mark.parametrize(
    "one,other",
    [
        (
            (Condition(column="country", operator=Operator.EQ, values=("A or country = B",)),),
            (
                AnyOf(
                    conditions=(
                        Condition(column="country", operator=Operator.EQ, values=("A",)),
                        Condition(column="country", operator=Operator.EQ, values=("B",)),
                    )
                ),
            ),
        ),
        (
            (Condition(column="country", operator=Operator.EQ, values=("A · region = B",)),),
            (
                Condition(column="country", operator=Operator.EQ, values=("A",)),
                Condition(column="region", operator=Operator.EQ, values=("B",)),
            ),
        ),
        (
            (Condition(column="country", operator=Operator.IN, values=("A, B",)),),
            (Condition(column="country", operator=Operator.IN, values=("A", "B")),),
        ),
        (
            (Condition(column="country", operator=Operator.EQ, values=("5",)),),
            (Condition(column="country", operator=Operator.EQ, values=("“5”",)),),
        ),
    ],
)
@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_no_cell_passes_for_words_of_the_reading(one: Any, other: Any, language: str) -> None:
    texts = {read_as(Intent(output=Output.ROWS, clauses=item), SALES, language) for item in (one, other)}

    assert len(texts) == 2


_BLENDED = [item.name for item in fields(Intent) if item.name != "output"]


@settings(deadline=None, max_examples=examples(400), suppress_health_check=list(HealthCheck))
@given(
    one=families.intents,
    other=families.intents,
    names=st.lists(st.sampled_from(_BLENDED), max_size=2),
    language=st.sampled_from(["en", "uk", "ru"]),
    extra=st.sampled_from(
        [{}, {"limit": 2}, {"offset": 1}, {"with_ties": True}, {"chart": "bar"}, {"window": 3}]
    ),
)
def test_what_reads_the_same_computes_the_same(
    one: Intent, other: Intent, names: list[str], language: str, extra: dict[str, Any]
) -> None:
    changed = replace(one, **({name: getattr(other, name) for name in names} | extra))
    calls = [_planned(item) for item in (one, changed)]

    if calls[0] != calls[1] and all(isinstance(call, PlannedCall) for call in calls):
        assert read_as(one, FACTS, language) != read_as(changed, FACTS, language)


def _planned(intent: Intent) -> PlannedCall | str:
    try:
        return plan_of(intent, FACTS)
    except Unplannable as error:
        return error.reason


def test_keys_of_a_limit_that_there_is_not_change_nothing() -> None:
    groups = Intent(output=Output.GROUPS, measures=(Measure(function="count"),), keys=(Key(column="g"),))

    assert _planned(replace(groups, limit_keys=groups.keys)) == _planned(groups)


def test_every_language_says_the_same_things() -> None:
    from tabchat.planner.wording.terms import LANGUAGES, phrases_of

    spoken = [phrases_of(language) for language in LANGUAGES]
    names: Callable[[Any], set[str]] = lambda words: {name for name in words if not name.startswith("by_")}  # noqa: E731

    assert len({frozenset(names(item.read_as)) for item in spoken}) == 1
    assert len({frozenset(item.phrasing) for item in spoken}) == 1
