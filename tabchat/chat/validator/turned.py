"""A small frame with a column for each period, read as one with a row for each: `region, 2023, 2024`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.result import Frame, ResultKind
from tabchat.engine.types import HELPER_PREFIX, Column, ColumnKind

if TYPE_CHECKING:
    from tabchat.chat.answer import DataBlock

VALUE: Final = "value"
_PERIODS: Final = {
    "year": re.compile(r"(?:19|20)\d\d"),
    "quarter": re.compile(r"(?:19|20)\d\d-Q[1-4]"),
    "month": re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])"),
}
_FEWEST: Final = 2


def turned(block: DataBlock, most: int) -> DataBlock | None:
    """Return `block` with a row for each period; none where no columns are periods, or for over `most` cells."""
    result, frame = block.result, block.result.frame
    if result.kind in {ResultKind.SCALAR, ResultKind.DICT} or not frame.row_count:
        return None
    columns = [column for column in frame.schema if not column.name.startswith(HELPER_PREFIX)]
    for name, pattern in _PERIODS.items():
        wide = [item.name for item in columns if item.kind.is_numeric and pattern.fullmatch(item.name)]
        keys = [item for item in columns if not item.kind.is_numeric]
        taken = name in {item.name for item in keys} or VALUE in {item.name for item in keys}
        if len(wide) < _FEWEST or taken or frame.row_count * len(wide) * (len(keys) + 2) > most:
            continue
        kind, stored = (ColumnKind.INTEGER, "INTEGER") if name == "year" else (ColumnKind.TEXT, "VARCHAR")
        period = Column(name=name, kind=kind, sql_type=stored)
        schema = (*keys, period, Column(name=VALUE, kind=ColumnKind.NUMBER, sql_type="DOUBLE"))
        long = Frame(
            engine=frame.engine,
            query=_union(frame, [item.name for item in keys], period, wide),
            schema=schema,
            row_count=frame.row_count * len(wide),
        )
        group_by = tuple(item.name for item in (*keys, period))
        return replace(
            block,
            result=replace(result, kind=ResultKind.GROUPED, frame=long, group_by=group_by, focus=(VALUE,)),
        )
    return None


def _union(frame: Frame, keys: list[str], period: Column, wide: list[str]) -> exp.Query:
    """Return the rows of each period, one period after the other."""
    whole: exp.Query | None = None
    for name in wide:
        literal = exp.Literal.number(name) if period.kind is ColumnKind.INTEGER else exp.Literal.string(name)
        one = exp.select(
            *(exp.column(key, quoted=True) for key in keys),
            exp.alias_(literal, period.name, quoted=True),
            exp.alias_(exp.column(name, quoted=True), VALUE, quoted=True),
        ).from_(frame.query.subquery("frame"))
        whole = one if whole is None else exp.union(whole, one, distinct=False)
    assert whole is not None  # noqa: S101 - there are at least two periods
    return whole
