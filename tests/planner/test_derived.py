"""Days from one date to another, and what a quantity comes to at its price, are asked for like columns."""

import datetime as dt
from pathlib import Path

import pytest

from tabchat.planner.derived import with_derived
from tabchat.planner.intent import Condition, Intent, Measure, Operator, Output
from tabchat.planner.plan import Unplannable
from tests.planner.asking import Asker
from tests.planner.tables import table_of


def _loans(folder: Path, more: str = "") -> Path:
    rows = [
        f"L{n},2024-01-{n % 28 + 1:02d},2024-02-{(n * 3) % 28 + 1:02d},{n % 5 + 1},{n % 9}.5"
        for n in range(40)
    ]
    path = folder / f"loans{more}.csv"
    cells = [f"{row},{n}" for n, row in enumerate(rows)] if more else rows
    head = "loan,borrowed,returned,quantity,price" + (f",{more}" if more else "")
    path.write_text("\n".join([head, *cells]), encoding="utf-8")
    return path


def _derived(asker: Asker, path: Path) -> list[str]:
    return [column.name for column in asker.interpreter(path).facts.columns if column.formula is not None]


def test_a_table_tells_the_days_between_two_dates_and_what_rows_come_to(asker: Asker, tmp_path: Path) -> None:
    assert _derived(asker, _loans(tmp_path)) == ["borrowed → returned", "quantity × price"]


def test_what_the_table_says_itself_is_not_computed(asker: Asker, tmp_path: Path) -> None:
    assert _derived(asker, _loans(tmp_path, "revenue")) == ["borrowed → returned"]


@pytest.mark.parametrize(
    "last, found",
    [
        # Picked up, and not delivered yet.
        ("2024-03-25,", ["picked → delivered"]),
        # Either was delivered without being picked up, or the columns are told in the other order.
        (",2024-03-25", []),
    ],
)
def test_of_two_dates_that_begin_on_one_day_the_one_with_gaps_is_the_end(
    asker: Asker, tmp_path: Path, last: str, found: list[str]
) -> None:
    path = tmp_path / "parcels.csv"
    rows = [f"2024-03-{n:02d},2024-03-{n:02d}" for n in range(1, 20)]
    path.write_text("\n".join(["picked,delivered", *rows, last]), encoding="utf-8")

    assert _derived(asker, path) == found


def test_dates_that_lie_years_apart_are_no_span(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "patients.csv"
    rows = [f"{1950 + n}-03-01,2024-02-{n % 28 + 1:02d}" for n in range(30)]
    path.write_text("\n".join(["born,visited", *rows]), encoding="utf-8")

    assert _derived(asker, path) == []


@pytest.mark.parametrize(
    "first, last, found",
    [
        (9, 9, ["begun → ended"]),
        # The first end lies before the first start, the last end behind the last start.
        (-60, 9, []),
        # What was begun last has not ended.
        (9, None, ["begun → ended"]),
    ],
)
def test_an_end_lies_behind_its_start(
    asker: Asker, tmp_path: Path, first: int, last: int | None, found: list[str]
) -> None:
    start = dt.datetime(2024, 3, 1, 8, tzinfo=dt.UTC)
    lasting = [first, *[20] * 28, last]
    rows = []
    for place, minutes in enumerate(lasting):
        begun = start + dt.timedelta(hours=place)
        ended = "" if minutes is None else f"{begun + dt.timedelta(minutes=minutes):%Y-%m-%d %H:%M}"
        rows.append(f"{ended},{begun:%Y-%m-%d %H:%M}")
    path = tmp_path / f"rides_{first}_{last}.csv"
    path.write_text("\n".join(["ended,begun", *rows]), encoding="utf-8")

    assert _derived(asker, path) == found


def test_facts_that_have_nothing_to_derive_stay_what_they_are(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("name,size\na,1\nb,2\n", encoding="utf-8")
    facts = asker.open(path)

    assert with_derived(facts, lambda _: frozenset()) is facts


@pytest.mark.parametrize(
    "question,sql",
    [
        ("average days between borrowed and returned", "avg(date_diff('day', borrowed, returned))"),
        ("how many days from borrowed to returned on average", "avg(date_diff('day', borrowed, returned))"),
    ],
)
def test_a_span_of_days_is_computed_like_a_column(
    asker: Asker, tmp_path: Path, question: str, sql: str
) -> None:
    import duckdb

    path = _loans(tmp_path)
    found = asker.interpreter(path).read(question)
    answers = [asker.answer(path, asker.call(path, item.intent)).rows[0][0] for item in found.offered]

    (wanted,) = duckdb.connect().execute(f"select {sql} from read_csv_auto('{path}')").fetchall()[0]
    assert wanted in [float(str(value)) for value in answers]


@pytest.mark.parametrize("output", list(Output))
@pytest.mark.parametrize("name", ["borrowed → returned", "quantity × price"])
@pytest.mark.parametrize("operator", [None, Operator.PRESENT, Operator.GT])
def test_what_can_be_planned_of_a_derived_column_runs(
    asker: Asker, tmp_path: Path, output: Output, name: str, operator: Operator | None
) -> None:
    path = _loans(tmp_path)
    asker.open(path)
    values = (3,) if operator is Operator.GT else ()
    intent = Intent(
        output=output,
        columns=(name,),
        measures=(Measure(),) if output is Output.VALUE else (),
        clauses=() if operator is None else (Condition(column=name, operator=operator, values=values),),
    )

    try:
        call = asker.call(path, intent)
    except Unplannable:
        return
    assert asker.answer(path, call).columns


def test_what_is_sold_by_weight_comes_to_what_it_weighs_at_its_price(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"{('Ann', 'Bob')[n % 2]},{('Pears', 'Plums')[n // 2 % 2]},{n + 1},{n % 4 + 2}.5,2024-0{8 + n % 2}-11"
        for n in range(24)
    ]
    path = table_of(tmp_path, "market_september", "seller,goods,kg,price per kg,date", rows)
    september = sum((n + 1) * (n % 4 + 2.5) for n in range(24) if n % 2)

    for question in ("total value in September", "total sales in September"):
        found = asker.interpreter(path).read(question)
        assert asker.answer(path, asker.call(path, found.candidates[0].intent)).rows == ((september,),)


def test_what_is_cheaper_has_the_lower_price(asker: Asker, tmp_path: Path) -> None:
    rows = [f"Aspirin,{maker},{stock},{price}" for maker, stock, price in (("Bayer", 10, 8), ("Teva", 40, 6))]
    path = table_of(tmp_path, "shelf", "name,maker,stock,price", rows)

    best = asker.interpreter(path).read("which is cheaper, Bayer or Teva").candidates[0]
    assert asker.answer(path, asker.call(path, best.intent)).rows[0][0] == "Teva"


@pytest.mark.parametrize(
    "question", ["total revenue", "total sales", "how much did we sell", "revenue by warehouse"]
)
def test_what_lies_in_stock_was_not_sold(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [f"S{n},{('Leeds', 'York')[n % 2]},{n % 13},{n % 7 + 1}.5" for n in range(60)]
    path = table_of(tmp_path, "stock", "sku,warehouse,stock,price", rows)

    assert not asker.interpreter(path).read(question).certain


def test_what_stock_was_worth_on_several_days_has_no_sum(asker: Asker, tmp_path: Path) -> None:
    rows = [f"2024-03-{1 + n // 10:02d},S{n % 10},{n % 13},{n % 7 + 1}.5" for n in range(100)]
    path = table_of(tmp_path, "stock_daily", "date,sku,stock,price", rows)

    assert not asker.interpreter(path).read("total worth").certain


@pytest.mark.parametrize(
    "header, last, question",
    [
        ("qty,price,value", "7.5", "total sales"),
        ("qty,price,line total", "7.5", "revenue by item"),
        ("qty,price,discount_pct", "10", "total sales"),
        ("m2,price per m2,floor", "3", "total price"),
    ],
)
def test_what_a_row_comes_to_is_not_computed_beside_a_column_that_tells_otherwise(
    asker: Asker, tmp_path: Path, header: str, last: str, question: str
) -> None:
    rows = [f"Item {n % 9},{n % 5 + 1},{n % 7 + 1},{last}" for n in range(60)]
    path = table_of(tmp_path, "lines", f"item,{header}", rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.mark.parametrize(
    "header", ["category,amount", "borrower,loan_amount", "driver,fine_amount", "owner,budget_usd"]
)
@pytest.mark.parametrize(
    "question", ["total revenue", "revenue by month", "turnover by month", "total sales"]
)
def test_the_only_column_of_money_need_not_be_what_was_earned(
    asker: Asker, tmp_path: Path, header: str, question: str
) -> None:
    rows = [
        f"2024-{1 + n % 6:02d}-{1 + n % 27:02d},{('Rent', 'Food', 'Fuel')[n % 3]},{10 + n * 7 % 90}"
        for n in range(60)
    ]
    path = table_of(tmp_path, header.replace(",", "_"), f"date,{header}", rows)

    assert not asker.interpreter(path).read(question).certain
