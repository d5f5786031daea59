"""Questions that are composed of shapes and conditions, with the queries that answer them."""

from typing import Final

from tests.planner.computed.budgets import BUDGETS
from tests.planner.computed.cases import CASES
from tests.planner.computed.domain import Domain
from tests.planner.computed.events import EVENTS
from tests.planner.computed.features import FEATURES
from tests.planner.computed.gauges import GAUGES
from tests.planner.computed.leagues import LEAGUES
from tests.planner.computed.ledgers import LEDGERS
from tests.planner.computed.lines import LINES
from tests.planner.computed.months import MONTHS
from tests.planner.computed.people import PEOPLE
from tests.planner.computed.stock import STOCK
from tests.planner.computed.surveys import SURVEYS
from tests.planner.computed.terms import TERMS

__all__ = ["DOMAINS", "Domain"]

DOMAINS: Final = (
    *(*EVENTS, *PEOPLE, *CASES, *STOCK, *BUDGETS, *LINES, *LEDGERS),
    *(*LEAGUES, *MONTHS, *FEATURES, *SURVEYS, *GAUGES, *TERMS),
)
"""Tables of what happened, of people and of cases, of stock, budgets, lines of orders, money, totals, months side by side, features,
answers, readings, of what begins and ends; those of one kind share few words."""
