"""Which chart a result is, and what of it is drawn."""

import datetime as dt
from collections.abc import Iterator

import pytest

from tabchat.config import Settings
from tabchat.engine.chart.chart import MOST_POINTS, ChartKind
from tabchat.engine.chart.picture import default_kind, picture_of
from tabchat.engine.result.result import Result
from tabchat.engine.types import JsonValue
from tabchat.errors import UsageError
from tabchat.session import Session
from tests.conftest import EXAMPLES


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("pictures")
    settings = Settings(cache_dir=folder / "cache", data_dir=folder / "data")
    with Session.open([EXAMPLES / "sales.csv", EXAMPLES / "prices.csv"], settings=settings) as opened:
        yield opened


def asked(session: Session, question: str) -> Result:
    block = session.answer(question).block
    assert block is not None
    return block.result


def selected(session: Session, sql: str) -> Result:
    block = session.sql(sql).block
    assert block is not None
    return block.result


@pytest.mark.parametrize(
    "question, kind",
    [
        ("revenue by month", ChartKind.LINE),
        ("average revenue by region", ChartKind.BAR),
        ("average revenue by region and month", ChartKind.BAR),
        ("count by weekday", ChartKind.BAR),
        ("how many rows", ChartKind.NONE),
    ],
)
def test_a_time_series_is_a_line_and_other_groups_are_bars(
    session: Session, question: str, kind: ChartKind
) -> None:
    assert default_kind(asked(session, question)) is kind


def test_a_time_series_with_rows_of_no_time_is_a_line_that_says_so(session: Session) -> None:
    session.add(EXAMPLES / "messy.csv")
    plan: dict[str, JsonValue] = {
        "table": "messy",
        "map": {"month": "period_month(Date)"},
        "group_by": "month",
        "select": "count()",
    }
    block = session.query(plan).block
    assert block is not None
    assert block.result.frame.rows()[-1][0] is None
    assert default_kind(block.result) is ChartKind.LINE
    assert picture_of(block.result, ChartKind.LINE).told.endswith("groups without a value")


def test_a_line_has_a_point_for_each_row_in_the_order_of_time(session: Session) -> None:
    found = picture_of(selected(session, "SELECT date, close FROM prices ORDER BY close"), ChartKind.LINE)

    assert (found.x, found.y) == ("date", "close")
    assert len(found.points) == 756
    days = [day for day, _ in found.points]
    assert days == sorted(days, key=str)
    assert isinstance(days[0], dt.date)


def test_of_many_points_the_lowest_and_the_highest_of_each_stretch_stay(session: Session) -> None:
    result = selected(
        session, "SELECT i AS n, CASE WHEN i = 77777 THEN 1e6 ELSE i % 7 END AS y FROM range(100000) t(i)"
    )
    found = picture_of(result, ChartKind.LINE)

    assert len(found.points) <= MOST_POINTS
    numbers = [number for _, number in found.points if number is not None]
    assert (min(numbers), max(numbers)) == (0, 1e6)
    assert found.told == f"{len(numbers):,} of 100,000 rows"
    assert found.caption == f"drawn: {found.told}"


def test_a_scatter_chart_takes_one_in_every_so_many_rows(session: Session) -> None:
    found = picture_of(selected(session, "SELECT quantity, revenue FROM sales"), ChartKind.SCATTER)

    assert (found.x, found.y) == ("quantity", "revenue")
    assert len(found.points) + found.left_out == 5000
    assert len(found.points) <= MOST_POINTS
    assert found.told == f"{len(found.points):,} of 5,000 rows"


ONE_LACKS = "SELECT * FROM (VALUES ('a', 1.0, 5.0), ('b', NULL, 1.0), ('c', 3.0, 'inf'::DOUBLE)) t(c, y, z)"


@pytest.mark.parametrize(
    "kind, told",
    [
        (ChartKind.BAR, "1 of 3 rows without a number"),
        (ChartKind.LINE, "1 of 3 rows without a value"),
        (ChartKind.SCATTER, "2 of 3 rows without two numbers"),
        (ChartKind.HIST, "1 of 3 rows without a number"),
        (ChartKind.BOX, "1 of 3 rows without a number"),
    ],
)
def test_rows_that_cannot_be_drawn_are_counted(session: Session, kind: ChartKind, told: str) -> None:
    columns = "c, z, y" if kind is ChartKind.SCATTER else "c, y"
    found = picture_of(selected(session, f"SELECT {columns} FROM ({ONE_LACKS}) q ORDER BY c"), kind)
    assert (found.told, found.caption) == (told, f"not drawn: {told}")


def test_a_line_breaks_where_there_is_no_number(session: Session) -> None:
    found = picture_of(selected(session, f"SELECT c, y FROM ({ONE_LACKS}) q ORDER BY c"), ChartKind.LINE)
    assert found.points == (("a", 1.0), ("b", None), ("c", 3.0))


@pytest.mark.parametrize(
    "rows, points, told",
    [
        (
            "('2023-11', 1), ('2023-12', 2), ('2024-02', NULL), ('2024-04', 4)",
            (
                ("2023-11", 1.0),
                ("2023-12", 2.0),
                ("2024-01", None),
                ("2024-02", None),
                ("2024-03", None),
                ("2024-04", 4.0),
            ),
            "3 of 6 months, 1 without a value, nothing for 2024-01, 2024-03",
        ),
        (
            "('2023-Q4', 1), ('2024-Q2', 2)",
            (("2023-Q4", 1.0), ("2024-Q1", None), ("2024-Q2", 2.0)),
            "2 of 3 quarters, nothing for 2024-Q1",
        ),
        ("('2023-12', 1), ('2024-01', 2)", (("2023-12", 1.0), ("2024-01", 2.0)), ""),
        ("('2024-05', 1), ('2024-01', 2)", (("2024-05", 1.0), ("2024-01", 2.0)), ""),
        ("('2024-01', 1), ('2024-13', 2)", (("2024-01", 1.0), ("2024-13", 2.0)), ""),
        (
            "('0001-01', 1), ('2024-01', 2)",
            (("0001-01", 1.0), ("2024-01", 2.0)),
            "2 of 24,277 months, nothing for 0001-02, 0001-03, 0001-04 and 24,272 more",
        ),
    ],
)
def test_a_line_breaks_where_the_result_lacks_a_month_or_a_quarter(
    session: Session, rows: str, points: object, told: str
) -> None:
    found = picture_of(selected(session, f"SELECT * FROM (VALUES {rows}) t(c, y)"), ChartKind.LINE)
    assert (found.points, found.told) == (points, told)
    assert found.caption == (f"drawn: {told}" if told else "")


def test_groups_beyond_those_that_have_room_are_counted(session: Session) -> None:
    many = "SELECT 'c' || i AS c, i AS y FROM range(300) t(i)"
    assert picture_of(selected(session, many), ChartKind.BAR).told == "200 of 300 rows"
    boxes = picture_of(selected(session, many), ChartKind.BOX)
    assert (boxes.told, boxes.left_out, len(boxes.boxes)) == ("20 of 300 categories", 280, 20)


def test_all_that_is_drawn_needs_no_word(session: Session) -> None:
    assert picture_of(asked(session, "revenue by month"), ChartKind.LINE).told == ""
    assert picture_of(asked(session, "average revenue by region"), ChartKind.BAR).told == ""


@pytest.mark.parametrize(
    "sql",
    [
        (
            "SELECT * FROM (VALUES (DATE '2024-03-01', 2.5::DOUBLE), (DATE '2024-01-01', 'nan'::DOUBLE), "
            "(DATE '2024-02-01', NULL), (NULL, 7::DOUBLE), (DATE '2024-04-01', -0.1::DOUBLE)) t(day, x)"
        ),
        "SELECT * FROM (VALUES ('b', 2), ('a', 3), (NULL, 4), ('c', NULL)) t(name, x)",
        "SELECT i, (i * 7) % 5 AS x FROM range(9) AS t(i) ORDER BY x, i",
    ],
)
def test_few_rows_give_the_line_that_the_engine_gives(
    session: Session, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    result = selected(session, sql)
    few = picture_of(result, ChartKind.LINE)
    monkeypatch.setattr("tabchat.engine.result.result.FEW_ROWS", -1)
    assert not result.frame.is_few
    assert few == picture_of(result, ChartKind.LINE)


def test_a_line_of_two_kinds_of_groups_is_refused(session: Session) -> None:
    with pytest.raises(UsageError, match="one group for each point; the result is by region and") as raised:
        picture_of(asked(session, "average revenue by region and channel"), ChartKind.LINE)
    assert raised.value.hint is not None
    assert "by channel" in raised.value.hint


def test_a_box_tells_the_quartiles_of_each_category(session: Session) -> None:
    found = picture_of(
        selected(session, "SELECT 'a' AS c, i AS x FROM range(101) t(i) UNION ALL SELECT 'b', 5"),
        ChartKind.BOX,
    )
    box = found.boxes[0]
    assert (box.label, box.low, box.first_quartile, box.median, box.third_quartile, box.high) == (
        "a",
        0,
        25,
        50,
        75,
        100,
    )
    assert found.boxes[1].low == found.boxes[1].high == 5


@pytest.mark.parametrize(
    "sql, kind, lacks",
    [
        ("SELECT region FROM sales", ChartKind.HIST, "histogram needs a column of numbers"),
        ("SELECT revenue FROM sales", ChartKind.SCATTER, "two columns of numbers"),
        ("SELECT revenue FROM sales", ChartKind.BAR, "a column of categories"),
        ("SELECT NULL::DOUBLE AS x", ChartKind.HIST, "a number in it"),
        ("SELECT 'a' AS c, 1.0 AS x WHERE false", ChartKind.BAR, "bar chart needs a number"),
    ],
)
def test_what_a_chart_lacks_is_named(session: Session, sql: str, kind: ChartKind, lacks: str) -> None:
    with pytest.raises(UsageError, match=lacks):
        picture_of(selected(session, sql), kind)
