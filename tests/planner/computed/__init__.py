"""Questions that are composed of shapes and conditions, with the queries that answer them."""

from typing import Final

from tests.planner.computed.cases import CASES
from tests.planner.computed.domain import Domain
from tests.planner.computed.events import EVENTS
from tests.planner.computed.people import PEOPLE

__all__ = ["DOMAINS", "Domain"]

DOMAINS: Final = (*EVENTS, *PEOPLE, *CASES)
"""Tables of what happened, of people and of cases; those of one kind share few words."""
