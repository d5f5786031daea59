"""Results of results: computed again along the chain down to the files, and never from other bytes."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabchat.config import Settings
from tabchat.engine.chart.chart import ChartKind
from tabchat.errors import DataKeyError, PlanError, PlanValidationError, UsageError
from tabchat.export import ExportFormat
from tabchat.session import Session
from tabchat.session.pictures import draw_to_file
from tabchat.tools.executor import ToolExecutor
from tabchat.viewer.opening import key_sheet
from tests.command import tabchat
from tests.conftest import Example


def evict(settings: Settings) -> None:
    """Take the rows of every kept result away, and leave the entries."""
    for path in settings.cache_dir.glob("results/**/*.parquet"):
        path.unlink()


def chain(session: Session) -> dict[str, list[Any]]:
    """Compute results on results; returns each key with its rows."""
    answers = [session.query({"select": ["sum(quantity)", "count()"], "group_by": ["region", "country"]})]
    answers.append(
        session.query(
            {"table": "_", "where": "count > 100", "select": "sum(sum_quantity)", "group_by": "region"}
        )
    )
    middle = answers[-1].block
    assert middle is not None
    answers.append(session.sql("SELECT max(sum_sum_quantity) FROM _"))
    answers.append(
        session.sql(
            f"SELECT region, r.sum_sum_quantity, max(revenue) AS best FROM {middle.data_key} r "
            "JOIN sales USING (region) GROUP BY ALL ORDER BY region"
        )
    )
    blocks = [answer.block for answer in answers]
    return {str(block.data_key): block.result.frame.rows() for block in blocks if block is not None}


def test_evicted_results_are_computed_again_along_the_chain(source: Path, settings: Settings) -> None:
    with Session.open([source], settings=settings) as session:
        kept = chain(session)
        frames = [session.source(key) for key in kept]
        counts = [frame.row_count if frame else None for frame in frames]
    assert counts == [5000, 12, 5, 5000]
    for key in reversed(kept):
        evict(settings)
        with Session.open([source], settings=settings) as session:
            assert session.result(key).frame.rows() == kept[key]
            assert session.sql(f"SELECT count(*) FROM {key}").block.result.value == len(kept[key])  # type: ignore[union-attr] # it has a block
    evict(settings)
    with Session.open([source], settings=settings) as session:
        frames = [session.source(key) for key in kept]
        assert [frame.row_count if frame else None for frame in frames] == counts


def test_a_chain_is_computed_again_where_its_file_is_not_open(
    source: Path, settings: Settings, example: Example
) -> None:
    with Session.open([source], settings=settings) as session:
        kept = chain(session)
    evict(settings)
    with Session.open([example("prices.csv")], settings=settings) as session:
        for key, rows in kept.items():
            assert session.result(key).frame.rows() == rows
            assert session.sql(f"SELECT count(*) FROM {key}").block.result.value == len(rows)  # type: ignore[union-attr] # it has a block


def test_a_chain_on_a_file_that_has_changed_says_so(
    source: Path, settings: Settings, example: Example
) -> None:
    with Session.open([source], settings=settings) as session:
        *_, last = chain(session)
    source.write_text("region,country,quantity,revenue\na,b,1,2\n")
    evict(settings)
    shutil.rmtree(settings.cache_dir / "tables")
    with (
        Session.open([example("prices.csv")], settings=settings) as session,
        pytest.raises(DataKeyError, match="has changed") as caught,
    ):
        session.result(last)
    assert caught.value.code == "source_changed"


def test_a_result_under_hidden_columns_is_computed_again_without_them(
    source: Path, settings: Settings
) -> None:
    with Session.open([source], settings=settings) as session:
        model = ToolExecutor.for_workspace(
            session.kept.workspace(settings).for_model(["revenue", "customer"])
        )
        outcomes = [
            model.run("run_sql", {"sql": "SELECT * FROM sales WHERE quantity > 9"}),
            model.run("run_query", {"where": "quantity > 9", "map": {"revenue": "quantity * 2"}}),
        ]
        kept = {str(outcome.envelope.data_key): outcome.result for outcome in outcomes}
        before = {key: (result.frame.columns, result.frame.rows()) for key, result in kept.items() if result}
    evict(settings)
    with Session.open([source], settings=settings) as session:
        for key, (columns, rows) in before.items():
            again = session.result(key).frame
            assert (again.columns, again.rows()) == (columns, rows)
            assert "customer" not in columns


def test_a_plan_is_computed_again_with_the_settings_it_had(source: Path, settings: Settings) -> None:
    sunday = replace(settings, week_start="sunday")
    with Session.open([source], settings=sunday) as session:
        block = session.query({"period": "last_week", "select": "count()"}).block
        assert block is not None
    evict(sunday)
    with Session.open([source], settings=settings) as session:
        assert session.result(str(block.data_key)).value == block.result.value


def test_a_person_names_results_in_plans_and_sql(source: Path, settings: Settings) -> None:
    with Session.open([source], settings=settings) as session:
        with pytest.raises(PlanError, match="no earlier result"):
            session.query({"table": "_"})
        session.answer("total revenue by region")
        assert session.sql("SELECT count(*) FROM _").block.result.value == 5  # type: ignore[union-attr] # it has a block
        with pytest.raises(PlanValidationError, match="no column `revenue`"):
            session.query({"table": "_", "select": "sum(revenue)"})
        with pytest.raises(DataKeyError, match="There is no result"):
            session.query({"table": "ds_" + "a" * 20})


@pytest.mark.parametrize("name", ["sales.csv", "link.svg"])
def test_the_file_behind_a_kept_result_is_never_written_to(
    name: str, source: Path, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "link.svg").symlink_to(source)
    with Session.open([source], settings=settings) as first:
        keys = list(chain(first))
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n")
    before = source.read_bytes()

    with Session.open([other], settings=settings) as later:
        for each in keys:
            block = later.show(each).block
            assert block is not None
            assert {source, other} <= set(later.protected(each))
            assert set(later.protected(key_sheet(later, each).data_key)) == set(later.protected(each))
            with pytest.raises(UsageError, match="source file is never touched"):
                later.export(each, tmp_path / name, ExportFormat.CSV, force=True)
            if name.endswith(".svg"):
                with pytest.raises(UsageError, match="source file is never touched"):
                    draw_to_file(later, block, tmp_path / name, ChartKind.HIST, force=True)
    assert source.read_bytes() == before


def test_show_never_writes_to_the_source_file(source: Path, tmp_path: Path) -> None:
    assert tabchat("ask", source, "average quantity by region").code == 0
    before = source.read_bytes()
    link = tmp_path / "chart.html"
    link.symlink_to(source)

    places: list[list[str | Path]] = [["-o", source], ["-o", link, "--format", "csv"], ["--chart-out", link]]
    for place in places:
        done = tabchat("show", "_", *place, "--force")
        assert done.code != 0, done.out
        assert source.read_bytes() == before
    assert "source file is never touched" in tabchat("show", "_", "-o", source, "--force").err


@pytest.mark.parametrize(
    "place", ["data/secret", "data/egress/x.csv", "cache/tables/x.csv", "cache/results/x.csv"]
)
def test_what_tabchat_keeps_for_itself_is_no_target(
    source: Path, settings: Settings, tmp_path: Path, place: str
) -> None:
    target = tmp_path / place
    target.parent.mkdir(parents=True, exist_ok=True)
    with Session.open([source], settings=settings) as session:
        block = session.query({"select": "count()"}).block
        assert block is not None
        assert block.data_key is not None
        before = target.read_bytes() if target.exists() else None
        with pytest.raises(UsageError, match="is never touched"):
            session.export(block.data_key, target, ExportFormat.CSV, force=True)
        assert (target.read_bytes() if target.exists() else None) == before
