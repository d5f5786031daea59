"""What an export writes: the columns under unique names, and the rows in a form that suits the format."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.engine.projection import base_type, cast_to, replace_columns
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlglot import exp

    from tabchat.engine.projection import Replacement
    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Row
    from tabchat.export.formulas import FormulaCells

_AS_TEXT: Final = cast_to("TEXT")


def _shortest(column: exp.Expr) -> exp.Expr:
    # A 32-bit 0.1 is 0.10000000149… as a Python float; its own shortest text is 0.1.
    return cast_to("DOUBLE")(_AS_TEXT(column))


CALENDAR: Final[Mapping[str, Replacement]] = dict.fromkeys(
    ("DATE", "TIME", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"), _AS_TEXT
)
"""Dates and times as ISO text: exact beyond the years that Python knows."""

PLAIN: Final[Mapping[str, Replacement]] = {
    "FLOAT": _shortest,
    "TIMESTAMP_NS": _AS_TEXT,
    "INTERVAL": _AS_TEXT,
    "BIT": _AS_TEXT,
    "BIGNUM": _AS_TEXT,
    "VARIANT": _AS_TEXT,
}
"""Types whose Python values would lose something."""

COLUMNAR: Final[Mapping[str, Replacement]] = dict.fromkeys(
    ("UNION", "ENUM", "INTERVAL", "BIT", "BIGNUM", "VARIANT", "TIME WITH TIME ZONE"), _AS_TEXT
)
"""Types that Arrow and Parquet readers do not share."""

_ALIKE: Final = frozenset(
    {"BOOLEAN", "DOUBLE", "DECIMAL", "VARCHAR"}
    | {
        f"{sign}{size}"
        for sign in ("", "U")
        for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
    }
)
"""Types whose cells Python writes as the engine does."""


@record
class ExportJob:
    """One export."""

    frame: Frame
    title: str | None
    formulas: FormulaCells

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Column names, made unique."""
        return unique_names(self.frame.columns)

    @cached_property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold numbers."""
        return tuple(column.kind.is_numeric for column in self.frame.schema)

    @cached_property
    def textual(self) -> tuple[bool, ...]:
        """Which columns hold text that came from the data."""
        return tuple(column.kind in {ColumnKind.TEXT, ColumnKind.OTHER} for column in self.frame.schema)

    @cached_property
    def is_at_hand(self) -> bool:
        """Whether the rows are written without the engine, and come out as it would write them."""
        types = {base_type(column.sql_type) for column in self.frame.schema}
        return self.frame.held is not None and types <= _ALIKE

    def chunks(self, casts: Mapping[str, Replacement]) -> Iterator[list[Row]]:
        """Yield the rows with the types in `casts` replaced; zoned times become text."""
        return self._cast(casts, zones=True).chunks()

    def arrow(self) -> Frame:
        """Return the frame in types that every reader of Arrow and Parquet knows."""
        return self._cast(COLUMNAR, zones=False)

    def _cast(self, casts: Mapping[str, Replacement], *, zones: bool) -> Frame:
        replacements = {}
        for index, column in enumerate(self.frame.schema):
            base = base_type(column.sql_type)
            if base in casts:
                replacements[index] = casts[base]
            elif zones and "WITH TIME ZONE" in column.sql_type:
                replacements[index] = _AS_TEXT
        if not replacements:
            return self.frame
        query = replace_columns(self.frame.query, self.frame.schema, replacements)
        return replace(self.frame, query=query)


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return `names` with `_2`, `_3` … after those that came before."""
    taken = set(names)
    seen: set[str] = set()
    unique = []
    for name in names:
        chosen, number = name, 2
        while chosen in seen or (chosen != name and chosen in taken):
            chosen, number = f"{name}_{number}", number + 1
        seen.add(chosen)
        unique.append(chosen)
    return tuple(unique)
