"""A result as evidence: its summary, what its columns are, and exact figures over the rows that a text names."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.chat.validator.compare import Actual, decimal_of
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.natures import Quality, describe, names_rows
from tabchat.chat.validator.origins import read_query
from tabchat.chat.validator.selection import Selection
from tabchat.chat.validator.turned import turned
from tabchat.chat.validator.words import alike
from tabchat.engine.result import ResultKind
from tabchat.engine.summary import summarise
from tabchat.engine.types import HELPER_PREFIX, ColumnKind

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.answer import DataBlock
    from tabchat.chat.validator.origins import Query
    from tabchat.chat.validator.words import Word
    from tabchat.engine.summary import Summary
    from tabchat.engine.types import Column, Row, Value

Wanted: TypeAlias = "frozenset[Value] | tuple[dt.date, dt.date]"
"""Values of a column, or a span of days."""
Filters: TypeAlias = "tuple[tuple[str, Wanted], ...]"
"""(column, wanted values), sorted by column."""

HELD_CELLS: Final = 10_000
"""Cells of a frame that are held in memory; larger frames are asked by name."""


@dataclass
class View:
    """One result; everything is computed at most once, and only when it is asked for."""

    block: DataBlock
    query: Query
    columns: tuple[Column, ...]
    keys: tuple[str, ...]
    """Columns whose values name rows."""
    numeric: tuple[str, ...]
    """Columns whose values are figures."""
    held: list[Row] | None
    """Every row of a small frame."""
    is_turned: bool = False
    """Its rows are the cells of a wide frame, whose column the last key names."""
    _selections: dict[Filters, Selection] = field(default_factory=dict)
    _read: tuple[Sequence[Word], Mapping[int, str]] | None = None
    """The words that were read last, and which of them name a key column."""

    @cached_property
    def summary(self) -> Summary:
        """What the model was shown; computed when it is first asked for."""
        return summarise(self.block.result)

    @cached_property
    def qualities(self) -> Mapping[str, Quality]:
        """What is known of each column that holds numbers or dates, or names rows."""
        return {
            column.name: describe(column, self.query.origins.get(column.name), *self._range(column))
            for column in self.columns
            if column.kind.is_numeric or column.kind.is_temporal or column.name in self.keys
        }

    def key_words(self, words: Sequence[Word]) -> Mapping[int, str]:
        """Return index of a word → key column that it names; many figures of one text ask for it."""
        if self._read is None or self._read[0] is not words:
            self._read = (words, self._find_key_words(words))
        return self._read[1]

    def _find_key_words(self, words: Sequence[Word]) -> Mapping[int, str]:
        nouns = shipped_lexicon().nouns
        named: dict[int, str] = {}
        for at, word in enumerate(words):
            concepts = {item.name for item in nouns.find(words, at)}
            for key in self.keys:
                quality = self.qualities.get(key)
                tokens = quality.tokens if quality else ()
                said = any(alike(word.text, token) for token in tokens)
                if said or (quality and quality.concepts & concepts):
                    named.setdefault(at, key)
        return named

    def _range(self, column: Column) -> tuple[float | None, float | None]:
        """Return the least and the largest number of `column`, as far as that costs nothing."""
        if self.held is None:
            stats = self.summary.stats.get(column.name)
            ends = (None, None) if stats is None else (stats.min, stats.max)
        else:
            known = self.whole().stats(column.name)
            ends = (known.min, known.max)
        low, high = ends
        return (None, None) if low is None or high is None else (float(low), float(high))

    @property
    def key(self) -> str:
        """What evidence calls the result."""
        return self.block.data_key or "result"

    @property
    def is_single(self) -> bool:
        """True when the result is one value, or a few by name."""
        return self.block.result.kind in {ResultKind.SCALAR, ResultKind.DICT}

    @property
    def row_count(self) -> int:
        """Rows of the frame."""
        return self.block.result.frame.row_count

    def values(self) -> Mapping[str, Value]:
        """Return column → value of a single result."""
        result = self.block.result
        if result.kind is ResultKind.SCALAR:
            return {result.frame.columns[0]: result.value} if result.frame.columns else {}
        return result.values

    def labels(self, column: str) -> frozenset[Value]:
        """Return the different values of a column of a small frame."""
        at = [item.name for item in self.columns].index(column)
        return frozenset(row[at] for row in self.held or () if not isinstance(row[at], list | dict))

    def whole(self) -> Selection:
        """Return every row."""
        return self.select({})

    def select(self, wanted: Mapping[str, Wanted]) -> Selection:
        """Return the rows that `wanted` names."""
        filters = tuple(sorted(wanted.items(), key=lambda item: item[0]))
        if filters not in self._selections:
            self._selections[filters] = Selection(
                frame=self.block.result.frame,
                names=tuple(column.name for column in self.columns),
                filters=filters,
                held=self.held,
            )
        return self._selections[filters]

    def named_only(self) -> Iterator[Selection]:
        """Yield the rows of a small frame that have a name, where some have none."""
        for key in self.keys if self.held is not None else ():
            labels = self.labels(key)
            if None in labels and len(labels) > 1:
                yield self.select({key: labels - {None}})

    def actual(self, column: str, value: Value) -> Actual | None:
        """Return a cell as something that a figure may stand for."""
        number = decimal_of(value)
        if number is None:
            return None
        quality = self.qualities.get(column)
        if quality is None:
            return Actual(value=number)
        return Actual(
            value=number,
            nature=quality.nature,
            is_change=quality.is_change,
            measure=quality.measure,
            scale=quality.scale,
        )


def open_views(blocks: Sequence[DataBlock]) -> list[View]:
    """Return a view of each result, and one more of each that has a column for each period."""
    views = []
    for block in blocks:
        views.append(open_view(block))
        long = turned(block, HELD_CELLS)
        if long is not None:
            views.append(open_view(long, is_turned=True))
    return views


def open_view(block: DataBlock, *, is_turned: bool = False) -> View:
    """Read `block` once: its summary, its query, and all rows when they are few."""
    result = block.result
    query = read_query(result)
    columns = tuple(column for column in result.frame.schema if not column.name.startswith(HELPER_PREFIX))
    keys = _keys(block, columns)
    small = result.frame.row_count * max(1, len(columns)) <= HELD_CELLS
    held = _held(block, columns) if small else None
    numeric = tuple(
        column.name
        for column in columns
        if column.kind.is_numeric and column.name not in result.group_by and column.name not in keys
    )
    return View(
        block=block,
        query=query,
        columns=columns,
        keys=keys,
        numeric=numeric,
        held=held,
        is_turned=is_turned,
    )


def _keys(block: DataBlock, columns: tuple[Column, ...]) -> tuple[str, ...]:
    result = block.result
    if result.kind in {ResultKind.SCALAR, ResultKind.DICT}:
        return ()
    named = {ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.DATETIME, ColumnKind.BOOLEAN}
    return tuple(
        column.name
        for column in columns
        if column.name in result.group_by
        or (not result.group_by and (column.kind in named or names_rows(column)))
    )


def _held(block: DataBlock, columns: tuple[Column, ...]) -> list[Row]:
    frame = block.result.frame
    if not columns or frame.row_count == 0:
        return []
    names = [exp.column(column.name, quoted=True) for column in columns]
    return frame.engine.rows(exp.select(*names).from_(frame.query.subquery("frame")))


__all__ = ["Filters", "View", "Wanted", "open_view", "open_views"]
