"""A file that was never read: facts from its sample, which say that they are not exact, and no scan of it."""

import csv
import io
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.facts import TableFacts, facts_of
from tabchat.engine.facts.sample import sample_facts
from tabchat.engine.reader import loading
from tabchat.engine.types import Column, ColumnKind
from tests.effort import examples
from tests.engine.facts.conftest import Reader


class Unasked:
    """An engine that nobody may ask."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


@pytest.fixture
def sampled(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> TableFacts:
    monkeypatch.setattr(loading, "DIRECT_BYTES", 1_000)
    rows = (
        f"{n},{'North' if n < 30_000 else 'South'},{n % 7}.5,2024-01-{n * 28 // 60_000 + 1:02},{'-' if n == 5 else n}"
        for n in range(1, 60_001)
    )
    text = "receipt_id,region,price,day,weight\n" + "\n".join(rows) + "\n"
    table = reader.open(text, "receipts.csv", direct=True)
    assert not table.stored
    return facts_of(Unasked(), table, reader.cache)


def test_a_sample_knows_head_middle_and_tail_without_a_scan(sampled: TableFacts) -> None:
    assert (sampled.row_count, sampled.exact, sampled.row_nouns) == (None, False, ("receipt",))
    region = sampled.column("region")
    assert region is not None
    assert set(region.texts) == {"North", "South"}
    receipt, day = sampled.column("receipt_id"), sampled.column("day")
    assert receipt is not None
    assert day is not None
    assert receipt.low == 1
    assert isinstance(receipt.high, int)
    assert receipt.high > 59_900
    assert (str(day.low), str(day.high), day.ascending) == ("2024-01-01", "2024-01-28", True)


def test_the_numbers_of_rows_are_known_by_the_first_of_them(sampled: TableFacts) -> None:
    numbering = [column.name for column in sampled.columns if column.numbers_rows]
    assert numbering == ["receipt_id"]


def test_a_sample_never_claims_to_be_complete(sampled: TableFacts) -> None:
    _assert_modest(sampled)


def _assert_modest(facts: TableFacts) -> None:
    assert not facts.exact
    assert facts.row_count is None
    for column in facts.columns:
        assert (column.exact, column.unique, column.counts) == (False, False, ())
        assert column.complete is (column.kind is not ColumnKind.TEXT)


@given(
    rows=st.lists(
        st.tuples(
            st.none() | st.integers(), st.none() | st.text(max_size=5), st.none() | st.dates(), st.booleans()
        ),
        max_size=30,
    )
)
def test_no_sample_claims_more_than_it_is(rows: list[Any]) -> None:
    kinds = (ColumnKind.INTEGER, ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.BOOLEAN)
    schema = tuple(Column(name=kind.value, kind=kind, sql_type="") for kind in kinds)
    facts = sample_facts(rows, schema, name="t", path="t.csv")
    _assert_modest(facts)
    for column, cells in zip(facts.columns, zip(*rows, strict=True) if rows else ((),) * 4, strict=True):
        assert column.filled == sum(cell is not None for cell in cells)
        assert column.distinct == len({cell for cell in cells if cell is not None})


@settings(
    max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    texts=st.lists(
        st.text(st.sampled_from('ab "\n,;é'), min_size=1, max_size=6).map(lambda text: f"x{text}x"),
        min_size=60,
        max_size=90,
    )
)
def test_sampled_cells_are_those_of_the_file(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, texts: list[str]
) -> None:
    monkeypatch.setattr(loading, "DIRECT_BYTES", 10)
    out = io.StringIO(newline="")
    csv.writer(out).writerows([("text", "number"), *((text, n) for n, text in enumerate(texts))])
    table = reader.open(out.getvalue(), direct=True)
    if table.stored:
        return
    found = reader.facts(table)
    assert found.columns[0].texts
    assert set(found.columns[0].texts) <= set(texts)


def test_a_direct_scan_without_a_sample_is_known_by_its_first_rows(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    monkeypatch.setattr(loading, "DIRECT_BYTES", 10)
    table = reader.open("a,b\n" + "1,x\n2,y\n" * 50, direct=True)
    assert not table.stored
    found = facts_of(reader.engine, replace(table, sampled=None), reader.cache)
    assert (found.columns[1].filled, found.columns[1].texts) == (100, ("x", "y"))
    _assert_modest(found)
