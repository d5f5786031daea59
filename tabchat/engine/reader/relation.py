"""A regular delimited text as the engine reads it, and rows on their way into a Parquet file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.copying import group_rows
from tabchat.engine.reader import nodes
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection


@record
class Relation:
    """A regular delimited text that the engine reads as text columns called `c0`, `c1` and so on."""

    path: Path
    width: int
    delimiter: str = ","
    quote: str = '"'
    escape: str = '"'
    header: bool = False
    null_mark: str = ""
    """How a missing value is written; quoted cells are then never missing."""
    uneven: bool = False
    """Records may lack their last cells."""
    longest: int = 0
    """Bytes of the longest record known; the engine's own limit is 2 MB."""

    def source(self, numbers: Collection[int] = ()) -> exp.Table:
        """Return the table function call that reads it; cells of the columns `numbers` come as DOUBLE, or it fails."""
        columns = exp.Struct(
            expressions=[
                exp.PropertyEQ(
                    this=exp.to_identifier(f"c{i}"),
                    expression=nodes.text("DOUBLE" if i in numbers else "VARCHAR"),
                )
                for i in range(self.width)
            ]
        )
        options: dict[str, exp.Expression] = {
            "auto_detect": exp.false(),
            "delim": nodes.text(self.delimiter),
            "quote": nodes.text(self.quote),
            "escape": nodes.text(self.escape),
            "header": exp.true() if self.header else exp.false(),
            "compression": nodes.text("none"),
            "hive_partitioning": exp.false(),
            "columns": columns,
        }
        if self.null_mark:
            options["nullstr"] = nodes.text(self.null_mark)
            options["allow_quoted_nulls"] = exp.false()
        if self.uneven:
            options["null_padding"] = exp.true()
            options["parallel"] = exp.false()
        if self.longest:
            options["max_line_size"] = exp.Literal.number(self.longest)
        return nodes.table_function("read_csv", str(self.path), options)

    def numbered(self, columns: Sequence[int]) -> exp.Subquery:
        """Return some columns together with the record number."""
        number = exp.Window(this=nodes.call("row_number"), over="OVER")
        picked = [nodes.named(number, "r"), *(nodes.column(f"c{i}") for i in columns)]
        return exp.Select(expressions=picked).from_(self.source()).subquery("numbered")


def copy_to_parquet(
    connection: Connection,
    query: exp.Query,
    target: Path,
    progress: Callable[[float], None] | None = None,
) -> int:
    """Write a query's rows, in order, to a Parquet file; return how many they are. The query is used up."""
    settings = [
        exp.CopyParameter(this=exp.var("FORMAT"), expression=exp.var("parquet")),
        exp.CopyParameter(this=exp.var("COMPRESSION"), expression=exp.var("lz4")),
        # Its encodings take less time to write, and to read, than what they save in bytes takes to compress.
        exp.CopyParameter(this=exp.var("PARQUET_VERSION"), expression=exp.var("V2")),
    ]
    if length := group_rows(len(query.selects)):
        size = exp.Literal.number(length)
        settings.append(exp.CopyParameter(this=exp.var("ROW_GROUP_SIZE"), expression=size))
    statement = exp.Copy(
        this=query.subquery(copy=False), kind=False, files=[nodes.text(str(target))], params=settings
    )
    return connection.write(statement, progress)
