"""What the types of DuckDB mean to a person."""

from __future__ import annotations

from typing import Final

from tabchat.engine.types import ColumnKind

_KINDS: Final = {
    "BOOLEAN": ColumnKind.BOOLEAN,
    "TINYINT": ColumnKind.INTEGER,
    "SMALLINT": ColumnKind.INTEGER,
    "INTEGER": ColumnKind.INTEGER,
    "BIGINT": ColumnKind.INTEGER,
    "HUGEINT": ColumnKind.INTEGER,
    "UTINYINT": ColumnKind.INTEGER,
    "USMALLINT": ColumnKind.INTEGER,
    "UINTEGER": ColumnKind.INTEGER,
    "UBIGINT": ColumnKind.INTEGER,
    "UHUGEINT": ColumnKind.INTEGER,
    "FLOAT": ColumnKind.NUMBER,
    "DOUBLE": ColumnKind.NUMBER,
    "DECIMAL": ColumnKind.NUMBER,
    "VARCHAR": ColumnKind.TEXT,
    "ENUM": ColumnKind.TEXT,
    "UUID": ColumnKind.TEXT,
    "DATE": ColumnKind.DATE,
    "TIMESTAMP": ColumnKind.DATETIME,
    "TIMESTAMP WITH TIME ZONE": ColumnKind.DATETIME,
    "TIMESTAMP_S": ColumnKind.DATETIME,
    "TIMESTAMP_MS": ColumnKind.DATETIME,
    "TIMESTAMP_NS": ColumnKind.DATETIME,
    "TIME": ColumnKind.TIME,
    "TIME WITH TIME ZONE": ColumnKind.TIME,
    "TIME_NS": ColumnKind.TIME,
}


def column_kind(sql_type: str) -> ColumnKind:
    """Map a DuckDB type name to what it means to a person."""
    if sql_type.endswith("]"):
        return ColumnKind.OTHER
    return _KINDS.get(sql_type.partition("(")[0].strip(), ColumnKind.OTHER)
