"""The rows at the bottom of a query, as Spark reads them: Parquet files where they lie, with the numbers of their rows.

Each is a view of Spark whose columns have plain names, so that no name of a column means anything to Spark.
"""

from __future__ import annotations

import itertools
import re
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from sqlglot import exp

from tabchat.engine.backends.spark.sql.types import spark_type
from tabchat.engine.types import FILE_ROW, ROW
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.engine.types import Schema

VIEW_PREFIX: Final = "tabchat_rows_"
_FILE_NUMBER: Final = "file_index"
_PARTITIONED: Final = "hive_partitioning"


@record
class View:
    """Rows that Spark knows by a plain name."""

    name: str
    columns: Mapping[str, str]
    """Name of a column, as queries have it → its plain name in the view."""
    types: Mapping[str, str]
    """Plain name → its type, as DuckDB calls it."""
    order: tuple[str, ...] | None = None
    """Plain names of the columns that order its rows, where no number of them does; nothing where one does."""
    lacking: Mapping[str, str]
    """Columns that are not there, as Spark has no such type → the type."""

    def select(self) -> exp.Select:
        """Return the query of its rows under the names that queries use."""
        cells = [
            exp.alias_(exp.column(plain, quoted=True), name, quoted=True)
            for name, plain in self.columns.items()
        ]
        if self.order is not None:
            keys = [exp.column(plain, quoted=True) for plain in self.order]
            # A struct is compared key by key.
            number = exp.Struct(expressions=keys) if keys else exp.Null()
            cells.append(exp.alias_(number, ROW, quoted=True))
        return exp.select(*cells).from_(exp.to_table(self.name))


@dataclass
class Views:
    """The views of one Spark session, each made when a query first reads it."""

    session: Any
    describe: Callable[[exp.Query], Schema]
    """Tells the columns of a query in DuckDB's types."""
    made: dict[str, View] = field(default_factory=dict)
    """What is read, as SQL → its view."""
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _making: threading.Lock = field(default_factory=threading.Lock)

    def of_parquet(self, call: exp.Expr) -> View:
        """Return the view of a call of `read_parquet`."""
        key = call.sql("duckdb")
        with self._making:
            if key not in self.made:
                read = self.describe(exp.select("*").from_(exp.Table(this=call.copy())))
                columns = {column.name: column.sql_type for column in read}
                paths = _paths(call)
                columns |= {FILE_ROW: "BIGINT"}
                if len(paths) > 1:
                    columns |= {_FILE_NUMBER: "INTEGER"}
                frame = self._parquet(paths, split=_is_set(call, _PARTITIONED))
                self.made[key] = self._view(frame, tuple(columns.items()))
            return self.made[key]

    def of_frame(
        self, key: str, frame: Any, columns: Sequence[tuple[str, str]], order: Sequence[str] | None = None
    ) -> View:
        """Return the view of a DataFrame with these columns and types of DuckDB, made anew.

        `order` names the columns that order its rows, which have no numbers.
        """
        with self._making:
            view = self._view(frame, columns)
            plain = tuple(view.columns[name] for name in order) if order is not None else None
            self.made[key] = replace(view, order=plain)
            return self.made[key]

    def _view(self, frame: Any, columns: Sequence[tuple[str, str]]) -> View:
        known = {name.casefold(): name for name in frame.columns}
        plain: dict[str, str] = {}
        types: dict[str, str] = {}
        cells: list[Any] = []
        lacking: dict[str, str] = {}
        for place, (name, sql_type) in enumerate(columns):
            wanted, found = spark_type(sql_type), known.get(name.casefold())
            if wanted is None or found is None:
                lacking[name] = sql_type
                continue
            column = f"c{place}"
            cells.append(frame[_quoted(found)].cast(wanted).alias(column))
            plain[name], types[column] = column, sql_type
        view = f"{VIEW_PREFIX}{next(self._numbers)}"
        frame.select(*cells).createOrReplaceTempView(view)
        return View(name=view, columns=plain, types=types, lacking=lacking)

    def _parquet(self, paths: Sequence[str], *, split: bool) -> Any:
        """Return the rows of some files with their numbers in their file and, of several, the places of their files in the list."""
        reader = self.session.read.option("mergeSchema", "true" if len(paths) > 1 else "false")
        if split:
            reader = reader.option("basePath", _common_folder(paths))
        frame = reader.parquet(*map(path_for_spark, paths))
        # A column of the file may be called as what Spark knows of its rows.
        known = frame.metadataColumn("_metadata")
        row = known["row_index"].alias(FILE_ROW)
        if len(paths) == 1:
            return frame.select("*", row)
        places = {path: place for place, path in enumerate(paths)}
        file = next(name for name in _file_names() if name not in map(str.casefold, frame.columns))
        read = frame.select("*", row, known["file_path"].alias(file))
        # Spark writes the address of a file in a way of its own, so it is asked for those that its rows will bear.
        addresses = [address for (address,) in read.select(file).distinct().collect()]
        named = [(address, places[unquote(urlsplit(address).path)]) for address in addresses]
        numbers = self.session.createDataFrame(named, f"{file} string, {_FILE_NUMBER} int")
        return read.join(numbers.hint("broadcast"), file).drop(file)


def _paths(call: exp.Expr) -> list[str]:
    given = call.expressions[0]
    items = given.expressions if isinstance(given, exp.Array) else [given]
    return [item.this for item in items]


def _is_set(call: exp.Expr, option: str) -> bool:
    named = (node for node in call.expressions[1:] if isinstance(node, (exp.EQ, exp.PropertyEQ)))
    return any(node.this.name.casefold() == option and node.expression == exp.true() for node in named)


def path_for_spark(path: str | Path) -> str:
    """Return an absolute path as Spark reads it: no sign in it is an escape of another, and none a pattern."""
    return "file://" + re.sub(r"([][{}*?\\])", r"\\\1", str(path))


def _file_names() -> Iterator[str]:
    return (f"file_{number}" for number in itertools.count())


def _common_folder(paths: Sequence[str]) -> str:
    """Return the folder that the folders of partitions lie in."""
    folders = [Path(path).parent.parts for path in paths]
    shared = [
        parts[0] for parts in zip(*folders, strict=False) if len(set(parts)) == 1 and "=" not in parts[0]
    ]
    return path_for_spark(Path(*shared))


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
