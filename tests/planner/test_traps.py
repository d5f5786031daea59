"""Questions whose small words turn the meaning round: what is answered must be right, the rest is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError
from tests.planner.asking import Outcome, figures
from tests.planner.gold import EXAMPLES, TABLES, read_questions

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


def _path(name: str) -> Path:
    return next(folder / name for folder in (EXAMPLES, TABLES) if (folder / name).exists())


def test_what_is_answered_of_the_traps_is_right(asker: Asker) -> None:
    found = [asker.ask(question) for question in read_questions("traps.jsonl")]

    assert [_shown(item) for item in found if item.answered and not item.right] == []
    assert figures(found)["coverage"] >= 0.38


def _shown(outcome: Outcome) -> str:
    return f"{outcome.question.question} | {outcome.note}"


@pytest.mark.parametrize(
    "table,question,interpretation",
    [
        ("sales.csv", "how many orders with quantity not between 5 and 10", "number of rows · quantity not 5–10"),
        ("sales.csv", "orders with discount more than 0.1 percent", "rows · discount > 0.001"),
        ("sales.csv", "revenue in June, July and August 2023", "sum of revenue · period 2023-06, 2023-07, 2023-08"),
        ("sales.csv", "revenue in June 2023 and 2024", "sum of revenue · period 2023-06, 2024-06"),
        ("sales.csv", "revenue in the last quarter of 2023", "sum of revenue · period last quarter of 2023"),
        ("sales.csv", "percent of orders from Germany that were returned", "percentage of number of rows where returned · country = Germany"),
        ("sales.csv", "percent of returned among orders from Germany", "percentage of number of rows where returned · country = Germany"),
        ("sales.csv", "revenue in Germany excluding returned orders", "sum of revenue · country = Germany · not returned"),
        ("sales.csv", "orders not online and from Germany", "rows · channel ≠ online · country = Germany"),
        ("sales.csv", "customers with revenue over 50000", "customer · with sum of revenue > 50000"),
        ("sales.csv", "average revenue by month", "mean of revenue · by month"),
        ("sales.csv", "last 5 orders", "5 rows with the highest order_date"),
        ("tickets.csv", "tickets in January and March", "rows · period 2024-01, 2024-03"),
        ("projects.csv", "projects with a budget over $500,000", "rows · Budget (k$) > 500"),
        ("projects.csv", "projects with budget above 1 million", "rows · Budget (k$) > 1000"),
        ("projects.csv", "managers with total budget over 3000", "Manager · with sum of Budget (k$) > 3000"),
        ("installations.csv", "installations costing over $2 billion", "rows · cost_musd > 2000"),
        ("listings.csv", "listings with price between 200 and 300 thousand", "rows · price_usd 200000–300000"),
        ("production.csv", "worst shift by defects", "shift with the highest sum of defects"),
        ("production.csv", "which line has the most downtime", "line with the highest sum of downtime_min"),
        ("server_log.csv", "GET and POST requests", "rows · method in GET, POST"),
        ("films.csv", "director with highest grossing film", "rows with the highest worldwide_gross"),
        ("chek_uk.csv", "магазини із середнім чеком понад 9000", "магазин · де середнє «сума» > 9000"),
        ("kavyarnia_uk.csv", "на скільки виручка Поділ більша за Оболонь", "різниця: сума «Виручка, грн», Поділ мінус Оболонь"),
        ("dogovory_ru.csv", "договоры с планом больше 500 тысяч", "строки · План, тыс. руб > 500"),
        ("dogovory_ru.csv", "процент расторгнутых среди новых", "процент строк, где Статус = расторгнут · Тип клиента = новый"),
    ],
)  # fmt: skip
def test_small_words_are_read(asker: Asker, table: str, question: str, interpretation: str) -> None:
    assert asker.planner(_path(table)).plan(question).interpretation == interpretation


@pytest.mark.parametrize(
    "table,question",
    [
        ("sales.csv", "products sold only in Europe"),
        ("sales.csv", "countries where all orders were online"),
        ("sales.csv", "customers who bought Kitchen and Office"),
        ("sales.csv", "customers who spent more than 50000"),
        ("sales.csv", "who never returned"),
        ("sales.csv", "are all orders returned"),
        ("sales.csv", "do all customers in Japan buy online?"),
        ("sales.csv", "orders that are not online and returned"),
        ("sales.csv", "revenue excluding Germany and online"),
        ("sales.csv", "orders except online ones in Germany"),
        ("sales.csv", "highest monthly revenue"),
        ("sales.csv", "average revenue per customer"),
        ("sales.csv", "revenue per unit"),
        ("sales.csv", "2nd highest revenue country"),
        ("sales.csv", "worst country by discount"),
        ("sales.csv", "percent of online orders in Germany"),
        ("sales.csv", "percent of orders that were returned in Germany"),
        ("tickets.csv", "tickets created in the last week of February"),
        ("tickets.csv", "which channel has the lowest csat"),
        ("server_log.csv", "average status"),
        ("production.csv", "most units in a day"),
        ("players.csv", "goals plus assists by player"),
        ("candidates.csv", "stages"),
        ("bookings.csv", "guests with more than one cancelled booking"),
        ("loans.csv", "loans renewed more than once"),
        ("loans.csv", "loans with a fine"),
        ("loans.csv", "who borrowed the most books"),
        ("loans.csv", "who borrowed science books"),
        ("loans.csv", "reserved dvds and books"),
        ("rides.csv", "drivers with rating below 3"),
        ("rides.csv", "share of shared rides by driver"),
        ("sales.csv", "revenue since June"),
        ("projects.csv", "projects with budget over 1000"),
        ("chek_uk.csv", "який касир продав найбільше сиру"),
        ("postavky_uk.csv", "який менеджер працює тільки з АТБ"),
        ("postavky_uk.csv", "середня вага на менеджера"),
        ("postavky_uk.csv", "середня вага за місяць"),
        ("postavky_uk.csv", "вартість за кг"),
        ("postavky_uk.csv", "поставки без оплати"),
        ("postavky_uk.csv", "найкращий менеджер за вагою"),
        ("dogovory_ru.csv", "у кого нет расторгнутых договоров"),
        ("dogovory_ru.csv", "факт с 1 июня"),
        ("dogovory_ru.csv", "какой был бы факт без затрат"),
        ("employees_ru.csv", "доля инженеров в разработке"),
        ("employees_ru.csv", "все ли сотрудники из Москвы"),
    ],
)
def test_what_may_mean_two_things_is_refused(asker: Asker, table: str, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(_path(table)).plan(question)
