"""What is behind a key, on another file: the same steps, the drift of columns and figures, and nothing guessed."""

from pathlib import Path

import pytest

from tests.command import tabchat
from tests.journal.conftest import TABLE


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.csv"
    path.write_text(TABLE)
    return path


def new_file(shop: Path, text: str, name: str = "new.csv") -> Path:
    path = shop.parent / name
    path.write_text(text)
    return path


def key_of(*arguments: str | Path) -> str:
    return str(tabchat(*arguments, "--json").json["data_key"])


def test_figures_rows_and_columns_that_differ_are_told(shop: Path) -> None:
    key = key_of("ask", shop, "total amount by region")
    text = TABLE.replace("41.5", "43.5").replace("west", "east").replace(",note", ",remark")
    new = new_file(shop, text)
    done = tabchat("rerun", key[:8], "--on", new)
    assert done.code == 0
    assert [line.split() for line in done.out.splitlines()] == [
        ["shop:", "columns", "missing:", "note"],
        ["shop:", "columns", "new:", "remark"],
        ["region", "figure", "was", "is", "difference", "%"],
        [done.out.splitlines()[3]],
        ["south", "sum_amount", "71.5", "73.5", "2", "+2.80"],
        ["vanished:", "region=west,", "sum_amount=12.75"],
        ["appeared:", "region=east,", "sum_amount=12.75"],
    ]
    assert "3 differences · 3 rows, 3 before · ds_" in done.err
    told = tabchat("rerun", key, "--on", new, "--json", "-o", shop.parent / "out.csv").json
    assert told["ok"] is True
    assert told["data_key"] != key
    assert told["rerun"]["key"] == key
    assert told["rerun"]["schema"] == [
        {"table": "shop", "known": True, "missing": ["note"], "new": ["remark"], "kind_changed": []}
    ]
    assert [item["kind"] for item in told["rerun"]["differences"]] == ["changed", "vanished", "appeared"]
    assert (shop.parent / "out.csv").read_text() == "region,sum_amount\neast,12.75\nnorth,30.75\nsouth,73.5\n"
    again = tabchat("rerun", key, "--on", shop)
    assert (again.code, again.out) == (0, "")
    assert again.err.startswith("No figure is another one.")


def test_a_kind_that_changed_is_told(shop: Path) -> None:
    tabchat("query", shop, '{"select": "count()"}')
    new = new_file(shop, TABLE.replace("10.5", "ten").replace("2024-01-01", "later"))
    done = tabchat("rerun", "_", "--on", new)
    assert done.out.splitlines() == ["shop: day was date, is text", "shop: amount was number, is text"]


@pytest.mark.parametrize(
    "command",
    [
        ("ask", "total amount by region"),
        ("query", '{"group_by": "region", "select": "sum(amount)"}'),
        ("sql", "select region, sum(amount) from shop group by region"),
        ("run", "df.groupby('region')['amount'].sum()"),
        ("analyze",),
    ],
)
def test_a_missing_column_that_is_needed_is_an_error_with_the_nearest(
    shop: Path, command: tuple[str, ...]
) -> None:
    if command == ("analyze",):
        key = key_of("analyze", "ratio", shop, "--success", "amount > 10", "--by", "region")
    else:
        key = key_of(command[0], shop, command[1])
    new = new_file(shop, TABLE.replace("amount", "amounts"))
    done = tabchat("rerun", key, "--on", new)
    assert done.code == 9
    assert "amount" in done.err
    assert "amounts" in done.err.partition("try:")[2]
    assert done.out == "shop: columns missing: amount\nshop: columns new: amounts\n"


def test_results_of_results_edits_and_several_tables_go_the_same_way(shop: Path, tmp_path: Path) -> None:
    people = new_file(shop, "region,head\nnorth,Ann\nsouth,Bob\nwest,Cid\n", "people.csv")
    lines = (
        '/edit --yes {"operation": "delete_rows", "where": "region == \'west\'"}\n'
        "total amount by region\n"
        '/query {"table": "_", "sort": "sum_amount desc", "limit": 1}\n'
        "/sql select head, sum_amount from _ join people using (region)\n"
    )
    assert tabchat("repl", shop, people, stdin=lines).code == 0
    new = new_file(shop, TABLE.replace("41.5", "1.5"))
    done = tabchat("rerun", "_", "--on", f"shop={new}", "--json")
    assert done.code == 0, done.err
    assert done.json["table"]["rows"] == [["Bob", 31.5]]
    assert tabchat("rerun", "_", "--on", f"shop={shop}", "--json").json["table"]["rows"] == [["Bob", 71.5]]
    heads = new_file(shop, "region,head\nnorth,Ann\nsouth,Eve\nwest,Cid\n", "heads.csv")
    assert tabchat("rerun", "_", "--on", f"people={heads}", "--json").json["table"]["rows"] == [["Eve", 71.5]]
    done = tabchat("rerun", "_", "--on", new)
    assert (done.code, "it is not clear which" in done.err) == (2, True)
    done = tabchat("rerun", "_", "--on", f"shops={new}")
    assert (done.code, "--on shop=FILE" in done.err) == (2, True)


def test_what_cannot_be_run_again_says_so(shop: Path) -> None:
    assert tabchat("rerun", "ds_zzzz", "--on", shop).code == 7
    assert tabchat("rerun", "--on", shop).code == 7
    key = key_of("ask", shop, "total amount by region")
    assert tabchat("rerun", key, "--on", shop.parent / "none.csv").code == 3
    assert tabchat("rerun", key).code == 2
    assert tabchat("rerun", key, "--on", shop, "--source").code == 2
    lines = "/edit --yes df['amount'] = df['amount'] * 2\ntotal amount\n"
    assert tabchat("repl", shop, stdin=lines).code == 0
    done = tabchat("rerun", "_", "--on", new_file(shop, TABLE))
    assert (done.code, "code is not run again on its own" in done.err) == (9, True)


def test_figures_are_compared_also_when_the_old_file_has_changed(shop: Path) -> None:
    key = key_of("ask", shop, "total amount by region")
    tabchat("cache", "clear", "--tables", "--yes")
    shop.write_text(TABLE.replace("41.5", "2"))
    done = tabchat("rerun", key, "--on", shop)
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("shop: the columns that there were are not kept any more")
    assert "-55.24" in done.out
