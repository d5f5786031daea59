"""DuckDB's types as Spark has them. What Spark has no form for is named and refused, not approximated."""

from __future__ import annotations

import re
from typing import Final

_PLAIN: Final = {
    "BOOLEAN": "BOOLEAN",
    "TINYINT": "TINYINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INT",
    "BIGINT": "BIGINT",
    "HUGEINT": "DECIMAL(38, 0)",
    "UTINYINT": "SMALLINT",
    "USMALLINT": "INT",
    "UINTEGER": "BIGINT",
    "UBIGINT": "DECIMAL(20, 0)",
    "FLOAT": "FLOAT",
    "DOUBLE": "DOUBLE",
    "VARCHAR": "STRING",
    "DATE": "DATE",
    "TIME": "TIME(6)",
    "TIMESTAMP": "TIMESTAMP_NTZ",
    "TIMESTAMP_S": "TIMESTAMP_NTZ",
    "TIMESTAMP_MS": "TIMESTAMP_NTZ",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP_LTZ",
    "BLOB": "BINARY",
    # The same, as sqlglot writes them.
    "INT": "INT",
    "INT128": "DECIMAL(38, 0)",
    "REAL": "FLOAT",
    "TEXT": "STRING",
    "TIMESTAMPTZ": "TIMESTAMP_LTZ",
}
_DECIMAL: Final = re.compile(r"DECIMAL\(\d+,\s?\d+\)")
_BACK: Final = {
    "boolean": "BOOLEAN",
    "tinyint": "TINYINT",
    "smallint": "SMALLINT",
    "int": "INTEGER",
    "bigint": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "string": "VARCHAR",
    "date": "DATE",
    "timestamp_ntz": "TIMESTAMP",
    "timestamp": "TIMESTAMP WITH TIME ZONE",
    "binary": "BLOB",
}


def spark_type(sql_type: str) -> str | None:
    """Return Spark's name for a type of DuckDB, nothing where it has none."""
    return sql_type if _DECIMAL.fullmatch(sql_type) else _PLAIN.get(sql_type)


def duckdb_type(name: str) -> str | None:
    """Return DuckDB's name for a simple type of Spark (`bigint`, `decimal(10,2)`), nothing where it has none."""
    if name.startswith("decimal("):
        return name.upper()
    return "TIME" if name.startswith("time(") else _BACK.get(name)
