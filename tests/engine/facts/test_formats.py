"""Facts of the same rows are the same from whatever file they come, and a session asks for them by name."""

from pathlib import Path

import duckdb
import pytest

from tabchat.config import load_settings
from tabchat.session import Session
from tests.engine.facts.conftest import Reader

CSV = "order_no,city,price,day\n1,Kyiv,2.5,2024-01-02\n2,Lviv,,2024-01-03\n3,Kyiv,4.25,2024-02-01\n"


@pytest.mark.parametrize("name", ["orders.parquet", "orders.jsonl", "orders.xlsx"])
def test_every_format_has_the_facts_of_its_rows(reader: Reader, name: str) -> None:
    expected = reader.facts(reader.open(CSV))
    path = reader.folder / name
    rows = duckdb.read_csv(str(reader.folder / "orders.csv"))
    if name.endswith(".xlsx"):
        rows.df().assign(day=lambda frame: frame["day"].dt.date).to_excel(path, index=False)
    elif name.endswith(".parquet"):
        rows.write_parquet(str(path))
    else:
        duckdb.sql(f"COPY (SELECT * REPLACE (day::VARCHAR AS day) FROM rows) TO '{path}' (FORMAT json)")
    from tabchat.engine.reader import open_table
    from tabchat.engine.table import ReadOptions

    table = open_table(path, options=ReadOptions(), cache=reader.cache, name="orders")
    assert reader.facts(table) == expected


def test_a_session_knows_its_tables_and_the_versions_that_edits_make(tmp_path: Path) -> None:
    source = tmp_path / "orders.csv"
    source.write_text(CSV, encoding="utf-8")
    with Session.open([source], settings=load_settings({})) as session:
        before = session.facts()
        assert (before.name, before.row_count, before.row_nouns) == ("orders", 3, ("order",))
        session.commit(session.preview_edit({"operation": "delete_rows", "where": "city == 'Lviv'"}))
        after = session.facts("orders")
        assert (after.row_count, after.columns[1].texts, after.columns[1].counts) == (2, ("Kyiv",), (2,))
        assert session.facts() == after
