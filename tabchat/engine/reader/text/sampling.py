"""The sample that a text was judged by, converted as the whole text would be."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.connection import Connection, MalformedError, translated
from tabchat.engine.reader.relation import Relation
from tabchat.engine.reader.text import conversion

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.engine.reader.text.delimited import Judged
    from tabchat.engine.types import Row


def sample_rows(judged: Judged, workspace: Path, shown: str) -> list[Row] | None:
    """Return the sampled records as rows of values, in the order of the file; a cell that does not fit is missing.

    None where the engine does not follow the sample: line ends of two kinds within and between its records.
    """
    path = workspace / "sample.csv"
    with translated(), path.open("w", encoding="utf-8", newline="", errors="surrogatepass") as out:
        csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(judged.rows)
    cells = [nodes.column(f"c{i}") for i in range(judged.relation.width)]
    values = [conversion.value(guess.plan, cell) for guess, cell in zip(judged.guesses, cells, strict=True)]
    relation = Relation(path=path, width=judged.relation.width, longest=judged.relation.longest)
    connection = Connection(workspace, shown)
    try:
        return connection.rows(exp.Select(expressions=values).from_(relation.source()))
    except MalformedError:
        return None
    finally:
        connection.close()
