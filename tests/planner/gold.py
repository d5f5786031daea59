"""Gold answers: the question files and the tables that their queries read."""

from __future__ import annotations

import csv
import functools
import io
import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import duckdb

DATA: Final = Path(__file__).parent / "data"
EXAMPLES: Final = Path(__file__).parents[2] / "examples" / "data"
TABLES: Final = DATA / "tables"
"""Our own tables of other domains; those with odd cells have a plain copy in `clean/`, which gold queries read."""

_TEXT_FILES: Final = {
    "tovary_ua.csv": ("utf-8", ";"),
    "employees_ru.csv": ("cp1251", ","),
    "messy.csv": ("utf-8-sig", ","),
}
"""Files whose cells are cleaned by views: encoding and delimiter."""

_STOCKS: Final = "SELECT symbol, CAST(strptime(date, '%b %-d %Y') AS DATE) AS date, price FROM {source}"


@dataclass(frozen=True, kw_only=True)
class GoldQuestion:
    """One question with its gold query."""

    id: str
    lang: str
    file: str
    question: str
    shape: str
    answerable: bool
    sql: str | None
    ordered: bool
    notes: str
    also: tuple[str, ...] = ()
    """Queries whose rows answer as well."""

    @property
    def path(self) -> Path:
        """The file that the question is asked about."""
        folders = (EXAMPLES, TABLES, public_folder())
        return next(
            (folder / self.file for folder in folders if (folder / self.file).exists()), Path(self.file)
        )


def read_questions(name: str) -> tuple[GoldQuestion, ...]:
    """Read a question file of `data/`."""
    fields = GoldQuestion.__dataclass_fields__
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    return tuple(
        GoldQuestion(
            **{key: value for key, value in record.items() if key in fields and key != "also"},
            also=tuple(record.get("also", ())),
        )
        for record in records
    )


@functools.cache
def public_folder() -> Path:
    """Return the folder of the tables that come with vega_datasets."""
    spec = find_spec("vega_datasets")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("vega_datasets")
    return Path(spec.origin).parent / "_data"


def gold_rows(
    question: GoldQuestion, connections: dict[str, duckdb.DuckDBPyConnection], path: Path | None = None
) -> list[tuple[Any, ...]]:
    """Run the gold query; connections are kept in `connections` by file."""
    if question.file not in connections:
        connections[question.file] = _connect(path or question.path)
    return connections[question.file].execute(question.sql or "SELECT 1").fetchall()


def gold_columns(
    question: GoldQuestion, connections: dict[str, duckdb.DuckDBPyConnection]
) -> tuple[str, ...]:
    """Return the columns of a gold query that was run before."""
    described = connections[question.file].execute(f"DESCRIBE {question.sql}").fetchall()
    return tuple(name for name, *_ in described)


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    if path.name in _TEXT_FILES:
        _load_text(connection, path)
        return connection
    path = _plain_copy(path)
    source = f"read_json_auto('{path}')" if path.suffix in {".json", ".jsonl"} else f"read_csv_auto('{path}')"
    select = _STOCKS.format(source=source) if path.name == "stocks.csv" else f"FROM {source}"
    connection.execute(f"CREATE TABLE t AS {select}")
    return connection


def sources_of(path: Path) -> tuple[Path, ...]:
    """Return the files that say what a table holds, to the planner and to gold queries."""
    return (path, DATA / "views.sql" if path.name in _TEXT_FILES else _plain_copy(path))


def _plain_copy(path: Path) -> Path:
    plain = path.parent / "clean" / path.name
    return plain if plain.exists() else path


def _load_text(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    encoding, delimiter = _TEXT_FILES[path.name]
    header, *rows = csv.reader(
        io.StringIO(path.read_bytes().decode(encoding), newline=""), delimiter=delimiter
    )
    names = ", ".join(f"c{place} VARCHAR" for place in range(1, len(header) + 1))
    connection.execute(f"CREATE TABLE raw_{path.stem} ({names})")
    marks = ", ".join("?" for _ in header)
    padded = [[*row, *([None] * (len(header) - len(row)))] for row in rows]
    insert = f"INSERT INTO raw_{path.stem} VALUES ({marks})"
    connection.executemany(insert, padded)
    script = (DATA / "views.sql").read_text(encoding="utf-8")
    for statement in script.split("CREATE OR REPLACE ")[1:]:
        if statement.startswith(("MACRO", f"VIEW {path.stem} ")):
            connection.execute("CREATE OR REPLACE " + statement)
