"""Cells beyond what the facts hold are looked up for words that nothing explains, in stored versions and nowhere else."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tabchat.engine.facts import TableFacts
from tabchat.engine.facts.lookup import find_texts
from tabchat.errors import NotUnderstoodError
from tabchat.planner import OfflinePlanner
from tabchat.planner.cell_lookup import spans, with_cells
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES

SALES = EXAMPLES / "sales.csv"


def partial(facts: TableFacts, column: str, known: Sequence[str] = ()) -> TableFacts:
    """Return facts that hold only some texts of a column, as those of a column with very many do."""
    columns = tuple(
        replace(item, texts=tuple(known), counts=(), complete=False) if item.name == column else item
        for item in facts.columns
    )
    return replace(facts, columns=columns)


@pytest.fixture
def searched() -> list[tuple[Sequence[str], Sequence[str]]]:
    return []


@pytest.fixture
def planner(asker: Asker, searched: list[tuple[Sequence[str], Sequence[str]]]) -> OfflinePlanner:
    def lookup(table: str, columns: Sequence[str], texts: Sequence[str]) -> Sequence[tuple[str, str]]:
        searched.append((columns, texts))
        return find_texts(asker.engine, asker.tables[SALES], columns, texts)

    facts = partial(asker.open(SALES), "customer", ["Olive Group"])
    made = asker.planner(SALES, lookup=lookup)
    made.facts = dict.fromkeys(made.facts, lambda: facts)
    return made


def offered(planner: OfflinePlanner, question: str) -> list[str]:
    try:
        found = planner.plan(question).readings
    except NotUnderstoodError as refusal:
        found = refusal.readings
    return [reading.interpretation for reading in found]


@pytest.mark.parametrize("name", ["Sequoia Partners", "sequoia partners", '"Sequoia Partners"'])
def test_a_cell_that_the_facts_do_not_hold_is_found_whatever_its_case(
    planner: OfflinePlanner, name: str
) -> None:
    found = offered(planner, f"total revenue of {name}")

    assert "sum of revenue · customer = Sequoia Partners" in found


def test_only_columns_that_are_known_in_part_are_searched(
    planner: OfflinePlanner, searched: list[tuple[Sequence[str], Sequence[str]]]
) -> None:
    offered(planner, "total revenue of Sequoia Partners")

    assert [columns for columns, _ in searched] == [["customer"]]
    assert "Sequoia Partners" in searched[0][1]


def test_what_is_explained_is_not_looked_up(
    planner: OfflinePlanner, searched: list[tuple[Sequence[str], Sequence[str]]]
) -> None:
    offered(planner, "average revenue by channel")

    assert searched == []


def test_what_a_certain_reading_explains_is_not_looked_up_for_another(
    planner: OfflinePlanner, searched: list[tuple[Sequence[str], Sequence[str]]]
) -> None:
    question = "number of rows by quantity"
    likeliest = planner.interpreter().read(question)
    assert likeliest.certain

    assert offered(planner, question)[0] == "number of rows · by quantity"
    assert searched == []


def test_what_no_cell_holds_stays_unexplained(planner: OfflinePlanner) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        planner.plan("total revenue of Zorp Industries")

    assert "Zorp" in refusal.value.words


def test_a_file_that_was_not_stored_is_not_searched(asker: Asker) -> None:
    asker.open(SALES)
    table = replace(asker.tables[SALES], stored=False)

    assert find_texts(asker.engine, table, ["customer"], ["Sequoia Partners"]) == ()


def test_cells_are_added_once_and_those_known_stay(asker: Asker) -> None:
    facts = partial(asker.open(SALES), "customer", ["Olive Group"])

    found = with_cells(
        "orders of Acme",
        ["Acme"],
        facts,
        lambda *_: [("customer", "Acme"), ("customer", "Acme"), ("customer", "Olive Group")],
    )

    assert found is not None
    column = found.column("customer")
    assert column is not None
    assert (column.texts, column.complete) == (("Olive Group", "Acme"), False)
    assert with_cells("orders of Acme", ["Acme"], facts, lambda *_: []) is None


def test_several_words_are_looked_for_together() -> None:
    found = spans("revenue of Sequoia Partners in 2023", ["Sequoia", "Partners"])

    assert {"Sequoia", "Partners", "Sequoia Partners"} <= set(found)
    assert "revenue" not in found
    assert spans("revenue of Sequoia", []) == ()
