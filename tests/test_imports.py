"""Heavy libraries load only where they are used; the public names are these and no others."""

import subprocess
import sys
from pathlib import Path

import pytest

import tabchat
from tests.command import tabchat as command
from tests.conftest import Example

PROBE = """
import sys
from tabchat.cli import run
code = run(sys.argv[1:])
heavy = {heavy!r}
print("LOADED", code, *sorted(name for name in heavy if name in sys.modules), file=sys.stderr)
"""
HEAVY = [
    "duckdb",  # the Python part of DuckDB: what runs queries is `_duckdb`
    "pandas",
    "litellm",
    "numpy",
    "pyarrow",
    "prompt_toolkit",
    "pydantic",
    "xlsxwriter",
    "python_calamine",
]
LIBRARIES = [*HEAVY, "_duckdb", "sqlglot", "rich", "diskcache", "email", "logging", "sqlite3"]


def loaded(*arguments: str | Path, heavy: list[str] = HEAVY) -> list[str]:
    """Run the command line in a fresh interpreter; return its exit code and the heavy libraries it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(heavy=heavy), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("LOADED")]
    return line.split()[1:]


def test_a_version_loads_nothing_heavy() -> None:
    assert loaded("--version") == ["0"]


def test_a_look_at_the_commands_loads_none_of_them() -> None:
    assert loaded("--help", heavy=[*LIBRARIES, "tempfile"]) == ["0"]


def test_a_question_loads_nothing_heavy_and_nothing_that_tells_what_went_wrong(example: Example) -> None:
    telling = ["tabchat.engine.backends.duckdb_errors", "tabchat.render.diagnostics"]
    assert loaded("ask", example("sales.csv"), "total revenue by region", heavy=[*HEAVY, *telling]) == ["0"]
    assert loaded("ask", example("messy.csv"), "how many rows?") == ["0"]
    assert loaded("ask", example("sales.csv"), "how is revenue distributed") == ["0"]


@pytest.mark.parametrize("asked", ["total revenue by region", "average quantity by country"])
def test_a_question_over_a_cached_table_loads_only_what_it_runs_through(example: Example, asked: str) -> None:
    assert command("ask", example("sales.csv"), "total revenue by region").code == 0
    idle = [
        "email",
        "calendar",
        "importlib.metadata",
        "locale",
        "queue",
        "typer",
        "subprocess",
        "tabchat.engine.backends.duckdb_errors",
        "tabchat.planner.shortcuts.catalogue",
        "tabchat.engine.compile.resample",
        "tabchat.engine.plan.operators",
        "tabchat.planner.cell_lookup",
        "tabchat.planner.intent_changes",
        "tabchat.planner.wording.suggestions",
        "tabchat.render.diagnostics",
        "tabchat.render.terminal.region",
        "tabchat.sandbox",
        "tabchat.session.background",
        "tabchat.tools.code.run",
        "tabchat.tools.describe",
        "tabchat.tools.edit",
        "tabchat.tools.error_text",
        "tabchat.tools.recipes",
        "tomllib",
    ]
    assert loaded("ask", example("sales.csv"), asked, heavy=[*HEAVY, *idle]) == ["0"]


def test_an_export_to_text_loads_nothing_heavy(example: Example) -> None:
    key = command("ask", example("sales.csv"), "total revenue by region", "--json").json["data_key"]
    assert loaded("export", key) == ["0"]
    assert loaded("show", key) == ["0"]


@pytest.mark.parametrize(
    "question", ["total revenue by region", "average revenue by month", "how many rows?"]
)
def test_a_question_that_was_answered_before_loads_neither_the_engine_nor_the_query_builder(
    example: Example, question: str
) -> None:
    assert command("ask", example("sales.csv"), question).code == 0
    assert loaded("ask", example("sales.csv"), question, heavy=[*HEAVY, "_duckdb", "sqlglot"]) == ["0"]
    for words in (["show"], ["export"], ["export", "--format", "jsonl"]):
        assert loaded(*words, heavy=[*HEAVY, "_duckdb", "sqlglot"]) == ["0"]


def test_a_list_of_results_starts_no_engine(example: Example) -> None:
    assert command("ask", example("sales.csv"), "total revenue by region").code == 0
    assert loaded("results", heavy=[*HEAVY, "_duckdb", "sqlglot"]) == ["0"]


def test_importing_the_package_loads_no_part_of_it() -> None:
    code = "import tabchat, sys; print([name for name in sys.modules if name.startswith('tabchat.')])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[]\n"


def test_public_names_are_these() -> None:
    assert sorted(tabchat.__all__) == [
        "Answer",
        "CodeFailedError",
        "CodeRefusedError",
        "DataKeyError",
        "DataStore",
        "DeclinedError",
        "DiskStore",
        "Frame",
        "InMemoryDataStore",
        "InputError",
        "InterruptedByUserError",
        "ModelError",
        "NotUnderstoodError",
        "OfferedReading",
        "OfflinePlanner",
        "OpenTable",
        "OutputError",
        "OutputExistsError",
        "PlanError",
        "PlanIssue",
        "PlanValidationError",
        "QueryFailedError",
        "QueryPlan",
        "QueryTimeoutError",
        "ReadOptions",
        "RefusedError",
        "Result",
        "SandboxUnavailableError",
        "ScriptedModel",
        "Session",
        "Settings",
        "SqlRefusedError",
        "TabchatError",
        "Table",
        "TableAnswer",
        "TableProfile",
        "ToolExecutor",
        "ToolProfile",
        "ToolRegistry",
        "ToolResultEnvelope",
        "UsageError",
        "load_settings",
        "open_table",
    ]


@pytest.mark.parametrize("name", tabchat.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(tabchat, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="frobnicate"):
        _ = tabchat.frobnicate
