"""Which of several dates is meant, abbreviated headers, lengths of time, and cells by another name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError
from tests.planner.gold import TABLES

if TYPE_CHECKING:
    from tests.planner.asking import Asker

_RECRUITING, _ADS = "recruiting.csv", "ad_performance.csv"
_HELPDESK, _SHIPMENTS, _INVOICES = "helpdesk.csv", "shipments.csv", "invoices.csv"


@pytest.mark.parametrize(
    "file,question,column",
    [
        (_HELPDESK, "how many tickets in March 2025", "Opened"),
        (_HELPDESK, "how many tickets were closed in March 2025", "Closed"),
        (_SHIPMENTS, "freight cost in March 2025", "ship_dt"),
        (_SHIPMENTS, "shipments delivered in March 2025", "dlv_dt"),
        (_INVOICES, "net amount in 2024", "Invoice Date"),
        (_INVOICES, "invoices due in March 2024", "Due Date"),
        (_INVOICES, "how many invoices were paid in 2024", "Paid On"),
    ],
)
def test_a_time_is_that_of_the_event_or_the_day_on_which_rows_begin(
    asker: Asker, file: str, question: str, column: str
) -> None:
    assert asker.planner(TABLES / file).plan(question).arguments["time_column"] == column


def test_a_date_of_no_known_order_is_asked_for(asker: Asker) -> None:
    """A project starts and is due: neither is more its day than the other."""
    with pytest.raises(NotUnderstoodError, match="which date is meant"):
        asker.planner(TABLES / "projects.csv").plan("projects by month")


@pytest.mark.parametrize(
    "file,question,condition",
    [
        (_HELPDESK, "how many tickets were closed", "Closed is not null"),
        (_HELPDESK, "tickets that are not closed", "Closed is null"),
        (_HELPDESK, "unassigned tickets", '"Assigned To" is null'),
        (_HELPDESK, "tickets of Grace", "\"Assigned To\" == 'Grace Obi'"),
        (_HELPDESK, "tickets that took longer than 90 minutes to resolve", '"Time to Resolve (h)" > 1.5'),
        (_SHIPMENTS, "shipments to Germany", "dest_ctry == 'DE'"),
        (_SHIPMENTS, "посилки до Німеччини", "dest_ctry == 'DE'"),
        (_SHIPMENTS, "shipments that took more than a week", "transit_days > 7"),
        (_SHIPMENTS, "shipments heavier than 500 kg", "wt_kg > 500"),
        (_RECRUITING, "how many candidates have no decision", '"Decision Date" is null'),
        (_INVOICES, "invoices for Dunmore", "\"Customer Name\" == 'Dunmore Bank'"),
        (_INVOICES, "Irish invoices", "Country == 'Ireland'"),
    ],
)
def test_a_condition_may_be_said_in_other_words(
    asker: Asker, file: str, question: str, condition: str
) -> None:
    assert asker.planner(TABLES / file).plan(question).arguments["where"] == condition


@pytest.mark.parametrize(
    "file,question",
    [
        (_RECRUITING, "how many candidates were interviewed"),
        (_ADS, "average ctr of brilliant ads"),
        (_SHIPMENTS, "freight cost per pallet"),
        (_SHIPMENTS, "shipments heavier than 500 km"),
        (_HELPDESK, "number of tickets by Grace Obi and Priya Nair"),
    ],
)
def test_what_may_mean_something_else_is_refused(asker: Asker, file: str, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(TABLES / file).plan(question)


def test_a_name_beside_a_number_of_its_own_counts_every_row(asker: Asker) -> None:
    """Two candidates of one name are two candidates: another column numbers them."""
    draft = asker.planner(TABLES / _RECRUITING).plan("how many candidates applied in January")

    assert draft.arguments["select"] == ["count() as count"]
