"""The sales as a lake has them: a Delta table with a file that was removed, a folder of CSV files, one of Parquet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow.csv as pc
import pyarrow.parquet as pq

from tests.engine.tables import read_example

if TYPE_CHECKING:
    from pathlib import Path

_TYPES = {"int64": "long", "double": "double", "string": "string", "bool": "boolean", "date32[day]": "date"}


def commit(folder: Path, version: int, *actions: dict[str, Any]) -> None:
    """Write one commit of a Delta table."""
    log = folder / "_delta_log"
    log.mkdir(exist_ok=True)
    (log / f"{version:020d}.json").write_text("\n".join(map(json.dumps, actions)))


def delta(folder: Path) -> Path:
    """Write the sales as a Delta table, whose second commit replaces the file of the first."""
    folder.mkdir()
    sales = read_example("sales.csv")
    for name, part in (("old", sales.slice(0, 10)), ("a", sales.slice(0, 3000)), ("b", sales.slice(3000))):
        pq.write_table(part, folder / f"{name}.parquet")
    fields = [
        {"name": field.name, "type": _TYPES[str(field.type)], "nullable": True, "metadata": {}}
        for field in sales.schema
    ]
    schema = json.dumps({"type": "struct", "fields": fields})
    commit(
        folder,
        0,
        {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
        {"metaData": {"schemaString": schema, "partitionColumns": []}},
        {"add": {"path": "old.parquet"}},
    )
    added = [{"add": {"path": f"{name}.parquet"}} for name in "ab"]
    commit(folder, 1, {"remove": {"path": "old.parquet"}}, *added)
    return folder


def parts(folder: Path, suffix: str) -> Path:
    """Write the sales as two files of a folder, the second the larger one."""
    folder.mkdir()
    sales = read_example("sales.csv")
    for number, part in enumerate((sales.slice(0, 100), sales.slice(100))):
        target = folder / f"part-{number}.{suffix}"
        if suffix == "csv":
            pc.write_csv(part, target)
        else:
            pq.write_table(part, target)
    return folder
