"""What the analysis recipes cost on a large table, beside a plain scan and a plain group-by of the same columns.

    python benchmarks/recipes.py [--rows 10000000] [--repeat 3]

Times are the best of the repeats, in seconds; `× scan` and `× group-by` are ratios within this run. The table is
written once into benchmarks/.data, 200 MB for ten million rows.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from running import seconds

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / ".data" / "recipes"

sys.path.insert(0, str(ROOT))

from tabchat.engine.backends.duckdb import DuckDBEngine  # noqa: E402 - found by the path above
from tabchat.engine.recipes import run_recipe  # noqa: E402
from tabchat.engine.recipes.request import Request  # noqa: E402
from tabchat.engine.table import LoadReport, Table  # noqa: E402
from tabchat.engine.types import ROW  # noqa: E402
from tests.sql import parsed  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

RECIPES: dict[str, tuple[str, dict[str, Any]]] = {
    "ratio by station": ("analyze_ratio", {"success": "result == 'PASS'", "by": "station"}),
    "pareto by cause": ("analyze_pareto", {"by": "cause", "weight": "cost"}),
    "measurements": ("measurement_statistics", {"value": "x"}),
    "measurements by station": ("measurement_statistics", {"value": "x", "by": "station"}),
    "control chart, subgroups": ("control_chart", {"value": "x", "subgroup": "batch"}),
    "control chart, individuals": ("control_chart", {"value": "x", "order": "id"}),
    "capability by station": ("process_capability", {"value": "x", "lsl": 5, "usl": 15, "by": "station"}),
    "change of a sum": ("explain_change", {"measure": "cost", "by": "station", "from": "2023", "to": "2024"}),
    "change of a mean": (
        "explain_change",
        {"measure": "x", "statistic": "mean", "by": "station", "from": "2023", "to": "2024"},
    ),
    "unit": ("describe_unit", {"key": "batch", "value": 77}),
}


def table_path(rows: int) -> Path:
    path = DATA / f"measured_{rows}.parquet"
    if not path.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        with duckdb.connect() as writer:
            writer.execute("SELECT SETSEED(0.5)")
            writer.execute(
                f"""COPY (SELECT i AS id, i // 5 AS batch, DATE '2023-01-01' + CAST(i * 730 // {rows} AS INTEGER) AS day,
                    'ST-' || (HASH(i) % 50) AS station, 'cause ' || (HASH(i + 1) % 200) AS cause,
                    ROUND(10 + RANDOM() + RANDOM() + RANDOM() - 1.5, 3) AS x, ROUND(RANDOM() * 100, 2) AS cost,
                    CASE WHEN RANDOM() < 0.96 THEN 'PASS' ELSE 'FAIL' END AS result
                    FROM RANGE({rows}) AS r(i)) TO '{path}' (FORMAT parquet, COMPRESSION lz4)"""
            )
    return path


def opened(engine: DuckDBEngine, path: Path, rows: int) -> Table:
    scan = parsed(
        f"SELECT file_row_number + 1 AS {ROW}, * EXCLUDE (file_row_number) "
        f"FROM read_parquet('{path}', file_row_number = true)"
    )
    engine.attach("measured", scan)
    schema = tuple(column for column in engine.schema(scan) if column.name != ROW)
    return Table(
        name="measured",
        version="measured",
        source=path,
        scan=scan,
        stored=True,
        schema=schema,
        row_count=rows,
        report=LoadReport(input_format="parquet"),
    )


def best(repeat: int, call: Callable[[], object]) -> float:
    return min(seconds(call) for _ in range(repeat))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    path = table_path(arguments.rows)
    scratch = Path(tempfile.mkdtemp(prefix="tabchat-recipes-"))
    try:

        def engine() -> DuckDBEngine:
            return DuckDBEngine(spill=scratch, folders=[DATA])

        plain = engine()
        opened(plain, path, arguments.rows)
        scan = parsed("SELECT AVG(x), MIN(result), COUNT(*) FROM measured")
        group = parsed("SELECT station, COUNT(*), AVG(x) FROM measured GROUP BY station")
        base = best(arguments.repeat, lambda: plain.rows(scan))
        grouped = best(arguments.repeat, lambda: plain.rows(group))
        plain.close()
        print(f"{arguments.rows:,} rows; scan {base:.2f} s, group-by {grouped:.2f} s")
        print(f"{'recipe':<28} {'seconds':>8} {'× scan':>8} {'× group-by':>11}")
        for title, (recipe, given) in RECIPES.items():

            def run(recipe: str = recipe, given: dict[str, Any] = given) -> None:
                # What a recipe keeps goes with its engine.
                fresh = engine()
                table = opened(fresh, path, arguments.rows)
                run_recipe(recipe, Request(engine=fresh, table=table, arguments=given))
                fresh.close()

            taken = best(arguments.repeat, run)
            print(f"{title:<28} {taken:>8.2f} {taken / base:>8.1f} {taken / grouped:>11.1f}", flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
