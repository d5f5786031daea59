"""Sessions on Spark: the same answers and keys as on DuckDB, and refusals where Spark would give others."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tabchat.chat.turn.answer import Answer
from tabchat.config import load_settings
from tabchat.engine.backends.spark.engine import SparkEngine
from tabchat.errors import DataKeyError, InputError, PlanError, QueryFailedError, RefusedError, UsageError
from tabchat.session import Session
from tests.conftest import Example
from tests.spark import lake
from tests.spark.both import ComparingEngine, same_cell

PLAN: dict[str, Any] = {"group_by": "region", "select": ["mean(revenue)", "sum(quantity)", "count()"]}


@contextmanager
def opened(*sources: str | Path, engine: str = "spark", **settings: object) -> Iterator[Session]:
    """Open sources, on the Spark that runs already."""
    own = {"spark": "local[2]"} if engine == "spark" else {}
    found = load_settings({"engine": engine, **own, **settings})
    with Session.open([*map(str, sources)], settings=found) as session:
        yield session


def rows_of(answer: Answer) -> list[Any]:
    assert answer.block is not None
    return answer.block.result.frame.rows()


def assert_alike(left: list[Any], right: list[Any]) -> None:
    assert len(left) == len(right)
    assert left
    for row, other in zip(left, right, strict=True):
        assert all(map(same_cell, row, other)), (row, other)


@pytest.mark.usefixtures("engine")
def test_a_question_has_the_same_answer_key_and_source_rows(example: Example) -> None:
    said = []
    for name in ("duckdb", "spark"):
        with opened(example("sales.csv"), engine=name) as session:
            engine = session.engine.started()
            assert isinstance(engine, SparkEngine) is (name == "spark")
            answer = session.answer("average revenue by region")
            assert answer.block is not None
            result = answer.block.result
            behind = result.source.rows(3, 700) if result.source is not None else []
            said.append((answer.text, answer.block.data_key, answer.block.summary, result.sql, behind))
            assert not isinstance(engine, SparkEngine) or engine._connection.link().views.made
    assert said[0] == said[1]


@pytest.mark.usefixtures("engine")
def test_sql_is_checked_and_answered_alike(example: Example) -> None:
    text = "SELECT channel, count(*) AS n, avg(revenue) FROM sales WHERE quantity > 2 GROUP BY ALL ORDER BY n DESC"
    with opened(example("sales.csv")) as far, opened(example("sales.csv"), engine="duckdb") as near:
        one, other = far.sql(text), near.sql(text)
        assert_alike(rows_of(one), rows_of(other))
        assert one.block is not None
        assert other.block is not None
        assert one.block.data_key == other.block.data_key
        for session in (far, near):
            with pytest.raises(PlanError, match="read_csv"):
                session.sql("SELECT * FROM read_csv('/etc/passwd')")
            with pytest.raises(QueryFailedError, match="revenu"):
                session.sql("SELECT revenu FROM sales")
        joined = far.sql(
            f"SELECT s.channel, r.n FROM sales s JOIN {one.block.data_key} r USING (channel) LIMIT 0"
        )
        assert rows_of(joined) == []


@pytest.mark.usefixtures("engine")
def test_rows_that_are_kept_here_are_not_sent_elsewhere(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(example("sales.csv")) as session:
        kept = session.sql("SELECT channel, count(*) AS n FROM sales GROUP BY ALL").block
        assert kept is not None
        monkeypatch.setattr(session.engine.started(), "address", "sc://spark.example:15002")
        with pytest.raises(RefusedError, match="do not leave"):
            session.sql(f"SELECT s.channel, r.n FROM sales s JOIN {kept.data_key} r USING (channel) LIMIT 0")


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    "text",
    [
        "SELECT list(revenue) FROM sales",
        "SELECT string_agg(region, ',') FROM sales",
        "SELECT revenue::TEXT FROM sales",
    ],
)
def test_what_would_differ_is_refused_by_name(example: Example, text: str) -> None:
    with (
        opened(example("sales.csv")) as session,
        pytest.raises(QueryFailedError, match="same on Spark") as caught,
    ):
        session.sql(text)
    assert caught.value.code == "not_on_spark"


@pytest.mark.usefixtures("engine")
def test_a_result_over_the_cap_is_refused_and_not_cut(example: Example) -> None:
    with opened(example("sales.csv"), spark_rows=100) as session:
        with pytest.raises(QueryFailedError, match="more than 100 rows"):
            session.query({"where": "revenue > 0"})
        assert len(rows_of(session.query(PLAN))) == 5


@pytest.mark.usefixtures("engine")
def test_tables_are_not_edited(example: Example) -> None:
    with opened(example("sales.csv")) as session, pytest.raises(PlanError, match="not edited"):
        session.preview_edit({"operation": "drop_columns", "columns": ["region"]})


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", ["delta", "texts", "columns"])
def test_folders_of_a_lake_answer_as_the_file_does(lakes: Path, example: Example, name: str) -> None:
    with opened(example("sales.csv"), engine="duckdb") as near:
        expected = rows_of(near.query(PLAN))
    with opened(lakes / name) as far:
        assert far.current.row_count == 5000
        assert_alike(rows_of(far.query(PLAN)), expected)
        assert far.answer("average revenue by region").error is None


@pytest.mark.usefixtures("engine")
def test_rows_of_several_files_keep_their_order_and_numbers(lakes: Path) -> None:
    plan: dict[str, Any] = {"where": "revenue > 900", "columns": ["order_id", "revenue"], "limit": 40}
    with opened(lakes / "columns") as far, opened(lakes / "columns", engine="duckdb") as near:
        one, other = far.query(plan), near.query(plan)
        assert rows_of(one) == rows_of(other)
        assert one.block is not None
        assert other.block is not None
        assert one.block.data_key == other.block.data_key


@pytest.mark.usefixtures("engine")
def test_an_order_of_rows_is_named_or_what_needs_it_refused(lakes: Path) -> None:
    last: dict[str, Any] = {"select": "last(customer)"}
    some: dict[str, Any] = {"columns": ["order_id"], "limit": 3}
    with opened(lakes / "delta") as session:
        for plan in (last, some):
            with pytest.raises(QueryFailedError, match="needs a row order") as caught:
                session.query(plan)
            assert "--order-by" in (caught.value.hint or "")
        assert len(session.frame().rows(2)) == 2
    with opened(lakes / "delta", order_by=["order_id"]) as session:
        assert rows_of(session.query(last)) == [("Yarrow Stores",)]
        assert rows_of(session.query(some)) == [(100002,), (100003,), (100005,)]
    with pytest.raises(UsageError, match="share a value"), opened(lakes / "delta", order_by=["region"]):
        pass


@pytest.mark.usefixtures("engine")
def test_a_delta_table_that_needs_more_of_a_reader_is_refused(tmp_path: Path) -> None:
    lake.delta(tmp_path / "t")
    protocol = {"minReaderVersion": 3, "readerFeatures": ["deletionVectors"]}
    lake.commit(tmp_path / "t", 2, {"protocol": protocol})
    with pytest.raises(InputError, match="deletionVectors"), opened(tmp_path / "t"):
        pass


def test_a_table_of_a_catalogue_is_named(engine: ComparingEngine, lakes: Path) -> None:
    frame = engine.session.read.parquet((lakes / "columns").as_uri())
    frame.write.mode("overwrite").option("path", str(lakes / "kept")).saveAsTable("sales_kept")
    with opened("spark:default.sales_kept") as session:
        assert session.current.name == "default_sales_kept"
        assert len(rows_of(session.query(PLAN))) == 5
    with pytest.raises(InputError, match="nowhere"), opened("spark:default.nowhere"):
        pass


@pytest.mark.usefixtures("engine")
def test_a_view_of_a_catalogue_has_another_key_when_what_is_beneath_it_changes(
    engine: ComparingEngine, tmp_path: Path
) -> None:
    def kept(n: int) -> str | None:
        engine.session.range(n).withColumnRenamed("id", "n").write.mode("append").parquet(
            str(tmp_path / "rows")
        )
        with opened("spark:default.counted") as session:
            block = session.query({"select": "count()"}).block
            assert block is not None
            assert block.data_key == key(session)
            return block.data_key

    def key(session: Session) -> str | None:
        block = session.query({"select": "count()"}).block
        assert block is not None
        return block.data_key

    engine.session.range(3).withColumnRenamed("id", "n").write.parquet(str(tmp_path / "rows"))
    view = "CREATE OR REPLACE VIEW counted AS SELECT * FROM rows_beneath WHERE n >= "
    engine.session.sql(f"CREATE TABLE rows_beneath (n BIGINT) USING parquet LOCATION '{tmp_path / 'rows'}'")
    engine.session.sql(view + "0")
    first, grown = kept(2), kept(4)
    engine.session.sql(view + "1")
    with opened("spark:default.counted") as session:
        assert len({first, grown, key(session)}) == 3
        engine.session.range(5).withColumnRenamed("id", "n").write.mode("append").parquet(
            str(tmp_path / "rows")
        )
        with pytest.raises(DataKeyError, match="changed on Spark"):
            session.query({"select": "max(n)"})


def test_a_table_of_which_nothing_tells_the_state_never_keeps_its_key(engine: ComparingEngine) -> None:
    engine.session.sql("CREATE OR REPLACE VIEW constants AS SELECT * FROM VALUES (1), (2) AS v(n)")
    keys = set()
    for _ in range(2):
        with opened("spark:default.constants") as session:
            assert any("Source unknown" in note.message for note in session.current.report.notes)
            block = session.query({"select": "sum(n)"}).block
            assert block is not None
            keys.add(block.data_key)
    assert len(keys) == 2


@pytest.mark.usefixtures("engine")
def test_one_spark_answers_all_questions_of_a_conversation(lakes: Path) -> None:
    with opened(lakes / "texts", order_by=["order_id"]) as session:
        assert session.answer("average revenue by region").error is None
        spark = session.engine.started()
        assert isinstance(spark, SparkEngine)
        before = spark.session
        assert session.answer("how many rows").error is None
        assert session.profile().rows == 5000
        assert spark.session is before


@pytest.mark.usefixtures("engine")
def test_source_rows_over_the_cap_are_not_exported_in_part(example: Example, tmp_path: Path) -> None:
    with opened(example("sales.csv"), spark_rows=100) as session:
        block = session.query(PLAN).block
        assert block is not None
        assert block.data_key is not None
        with pytest.raises(QueryFailedError, match="more than 100 rows") as caught:
            session.export(block.data_key, tmp_path / "rows.csv", source=True)
        assert "TABCHAT_SPARK_ROWS" in (caught.value.hint or "")
        assert not (tmp_path / "rows.csv").exists()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("order", [["order_id"], []])
def test_source_rows_of_a_lake_have_no_column_of_numbers_that_nobody_gave(
    lakes: Path, tmp_path: Path, order: list[str]
) -> None:
    with opened(lakes / "delta", order_by=order) as session:
        by_plan = session.query(PLAN)
        by_text = session.sql("SELECT region, count(*) FROM delta GROUP BY ALL")
        by_recipe = session.analyze("analyze_pareto", {"by": "product"})
        for answer in (by_plan, by_text, by_recipe):
            assert answer.block is not None
            source = answer.block.result.source
            assert source is not None
            assert source.columns == tuple(column.name for column in session.current.schema)
        assert by_plan.block is not None
        assert by_plan.block.data_key is not None
        session.export(by_plan.block.data_key, tmp_path / "rows.csv", source=True)
    lines = (tmp_path / "rows.csv").read_text("utf-8").splitlines()
    assert len(lines) == 5001
    assert lines[0].startswith("order_id,")
    assert not order or lines[1].startswith("100002,")


@pytest.mark.usefixtures("engine")
def test_points_of_a_chart_are_told_apart_where_no_row_has_a_number(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,x\n3,10.3\n1,10.1\n", "utf-8")
    (tmp_path / "b.csv").write_text("id,x\n2,10.2\n", "utf-8")
    with opened(tmp_path, order_by=["id"]) as session:
        block = session.analyze("control_chart", {"value": "x"}).block
        assert block is not None
        assert block.result.frame.columns[:2] == ("point", "x")
        assert [row[:2] for row in block.result.frame.rows()] == [(1, 10.1), (2, 10.2), (3, 10.3)]


@pytest.mark.usefixtures("engine")
def test_a_tree_of_units_is_refused_by_name(example: Example) -> None:
    with (
        opened(example("sales.csv")) as session,
        pytest.raises(QueryFailedError, match="recursive query with UNION") as caught,
    ):
        session.analyze("describe_unit", {"key": "order_id", "value": "100002", "parent": "quantity"})
    assert caught.value.code == "not_on_spark"
