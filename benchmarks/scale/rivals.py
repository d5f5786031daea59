"""The same question to PandasAI and to datasight, in environments of their own, all three with a model that reads a script."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from files import MAKES
from measures import Bench, home_folder, python
from questions import QUESTIONS, duckdb_code
from running import DATA, TABCHAT, at_home

if TYPE_CHECKING:
    from collections.abc import Iterator

    from measures import Row

ROWS = 1_000_000
QUESTION = QUESTIONS[2]
PACKAGES = {"PandasAI": "pandasai>=3,<4", "datasight": "datasight"}
_PANDASAI = """
import sys
import pandasai
from pandasai.llm.base import LLM

class Scripted(LLM):
    type = "scripted"

    def call(self, instruction, context=None):
        sql = "SELECT region, sum(revenue) AS total FROM %s GROUP BY region" % frame.schema.name
        lines = ["found = execute_sql_query(%r)" % sql, 'result = {"type": "dataframe", "value": found}']
        return chr(10).join(["```python", *lines, "```"])

pandasai.config.set({"llm": Scripted()})
frame = pandasai.read_csv(sys.argv[1])
print(frame.chat("total revenue by region"))
"""


def measure_rivals(repeat: int) -> list[Row]:
    """Ask one question of each that can be installed; the others are named on stderr and missing from the table."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.fake_provider import FakeProvider

    bench = Bench(MAKES[0], ROWS)
    commands = dict(_commands(bench.path))
    with FakeProvider(_step) as provider, home_folder() as home:
        env = at_home(home, OPENAI_BASE_URL=provider.base_url, OPENAI_API_KEY="scripted")
        ours = [*TABCHAT, "ask", "--planner", "llm", "-m", "openai/fake", "--api-base", provider.base_url]
        for _ in range(repeat):
            bench.note("with a model", "duckdb", python(duckdb_code(QUESTION, bench.source)))
            for who, command in commands.items():
                bench.note("with a model", who, command, env)
            asked = [*ours, "--fresh", str(bench.path), QUESTION.words]
            bench.note("with a model", "first", [*asked, "--no-cache"], env)
            bench.note("with a model", "later", asked, env)
    return list(bench.medians())


def _commands(path: Path) -> Iterator[tuple[str, list[str]]]:
    for who, package in PACKAGES.items():
        folder = DATA / "environments" / who
        if not folder.exists():
            venv.create(folder, with_pip=True)
        pip = [str(folder / "bin" / "pip"), "install", "--quiet", package]
        if subprocess.run(pip, check=False).returncode:
            print(f"{who} cannot be installed: {package}", file=sys.stderr)
        elif who == "PandasAI":
            yield who, [str(folder / "bin" / "python"), "-c", _PANDASAI, str(path)]
        else:
            project = _project(folder, path)
            yield who, [str(folder / "bin" / who), "ask", "--project-dir", str(project), QUESTION.words]


def _project(folder: Path, path: Path) -> Path:
    """Make a project of datasight: a database with a view of the file, and who is asked."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    view = f"CREATE OR REPLACE VIEW orders AS FROM read_csv('{path}')"
    made = f'import duckdb; duckdb.connect("{project / "data.duckdb"}").execute("""{view}""")'
    subprocess.run([str(folder / "bin" / "python"), "-c", made], check=True)
    settings = {
        "LLM_PROVIDER": "openai",
        "OPENAI_MODEL": "fake",
        "DB_MODE": "duckdb",
        "DB_PATH": "data.duckdb",
    }
    (project / ".env").write_text("".join(f"{name}={value}{os.linesep}" for name, value in settings.items()))
    return project


def _step(body: dict[str, Any]) -> Any:
    """Call the tool that asks for the totals, whoever's it is; then end."""
    from tests.fake_provider import call, say

    if any(message["role"] == "tool" for message in body["messages"]):
        return say("These are the totals.")
    if "run_sql" in str(body["tools"]) and "run_query" not in str(body["tools"]):
        return call("run_sql", {"sql": QUESTION.sql.format(t="orders")})
    return call("run_query", {"group_by": "region", "select": "sum(revenue)"})
