"""A table whose cells have notes, units and scales behind them, as the planner reads it: numbers, and texts without marks.

What is read so is computed by the plan itself, so that an answer shows how: `map` makes the column anew under its
own name. Cells that are only shown stay as the file writes them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.figures import NOTE_MARKS
from tabchat.engine.types import ColumnKind
from tabchat.planner import expressions as write
from tabchat.planner.catalog import EngineTable, Spread
from tabchat.planner.figures import IN_BRACKETS, figures_of, is_figure
from tabchat.planner.plans import Unreadable
from tabchat.planner.tokens import header_words
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.types import Value
    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.figures import Figures
    from tabchat.planner.plans import Draft
    from tabchat.values import JsonValue

_SAMPLED: Final = 50
"""Rows that show whether a column may be one of these, where a table is too long to look at all of its texts."""
_FEW_CELLS: Final = 50_000
_LOOKED_AT: Final = 20
_MARKS: Final = re.compile(NOTE_MARKS)
_BEGINS: Final = re.compile(r"[^\w\s]*\s*(?:[^\W\d_]{1,6}[.$]?\s*)?\d")


@record
class Plain:
    """A column of texts, some with marks of footnotes, which are no part of what the cells say."""

    texts: tuple[str, ...]

    def formula(self, column: str) -> str:
        """Write the text in the plan's expression language."""
        return write.call("without_notes", write.name(column))


class NotedTable:
    """A table in which figures with notes are numbers and texts have no footnote marks; all else is as it was."""

    def __init__(
        self, table: PlannerTable, figures: Mapping[int, Figures], plain: Mapping[int, Plain]
    ) -> None:
        self._table = table
        self.figures = figures
        self.plain = plain
        self.name = table.name
        self.row_count = table.row_count
        self.columns: Sequence[ColumnFacts] = tuple(
            _as_numbers(column, figures[column.index]) if column.index in figures else _with_currency(column)
            for column in table.columns
        )

    def formula(self, column: ColumnFacts) -> str | None:
        """Return what makes the column of its cells; nothing for one that is read as it stands."""
        read = self.figures.get(column.index) or self.plain.get(column.index)
        return read.formula(column.name) if read is not None else None

    def spread(self, column: ColumnFacts) -> Spread:
        """Return how many cells are filled, and how many differ."""
        found = self._table.spread(self._table.columns[column.index])
        figures, plain = self.figures.get(column.index), self.plain.get(column.index)
        if figures is not None:
            return Spread(filled=found.filled, distinct=figures.distinct)
        return Spread(filled=found.filled, distinct=len(plain.texts)) if plain is not None else found

    def extremes(self, column: ColumnFacts) -> tuple[Value, Value]:
        """Return the smallest and the largest cell."""
        figures = self.figures.get(column.index)
        if figures is None:
            return self._table.extremes(column)
        return (int(figures.low), int(figures.high)) if figures.whole else (figures.low, figures.high)

    def settles(self, column: ColumnFacts, other: ColumnFacts) -> bool:
        """Tell whether every value of `column`, as the file writes it, has one cell of `other`."""
        stored = self._table.columns
        return self._table.settles(stored[column.index], stored[other.index])

    def values(self) -> Mapping[int, tuple[str, ...]]:
        """Return the texts of the columns that are none of figures, without marks."""
        return {
            index: self.plain[index].texts if index in self.plain else texts
            for index, texts in self._table.values().items()
            if index not in self.figures
        }

    def find_texts(self, texts: Sequence[str]) -> Sequence[tuple[int, str]]:
        """Return the cells of long columns that fold to one of `texts`."""
        read = {*self.figures, *self.plain}
        return [pair for pair in self._table.find_texts(texts) if pair[0] not in read]


def with_notes(table: PlannerTable) -> PlannerTable:
    """Return the table as its notes allow it to be read; the table itself when it has none."""
    if not isinstance(table, EngineTable):
        return table
    likely = _likely(table)
    values = table.values() if likely else {}
    figures: dict[int, Figures] = {}
    plain: dict[int, Plain] = {}
    for column in likely:
        texts = values.get(column.index, ())
        found = figures_of(texts, column.name)
        if found is not None:
            figures[column.index] = found
        elif any(_MARKS.search(text) for text in texts):
            plain[column.index] = Plain(texts=tuple(sorted({_MARKS.sub(r"\1", text) for text in texts})))
    amounts = any(_with_currency(column) is not column for column in table.columns)
    return NotedTable(table, figures, plain) if figures or plain or amounts else table


def _likely(table: EngineTable) -> list[ColumnFacts]:
    """Return the text columns that may have to be read: all of a small table, else those whose first cells show it."""
    texts = [column for column in table.columns if column.kind is ColumnKind.TEXT]
    if not texts or 0 <= table.row_count * len(texts) <= _FEW_CELLS:
        return texts
    selected = (exp.column(exp.to_identifier(column.name, quoted=True)) for column in texts)
    source = exp.Table(this=exp.to_identifier(table.name, quoted=True))
    rows = table.engine.rows(exp.select(*selected).from_(source).limit(_SAMPLED))
    found = []
    for place, column in enumerate(texts):
        cells = [str(row[place]) for row in rows if row[place] is not None]
        if cells and (_mostly_figures(cells) or any(_MARKS.search(cell) for cell in cells)):
            found.append(column)
    return found


def _mostly_figures(cells: Sequence[str]) -> bool:
    begun = [cell for cell in cells if _BEGINS.match(cell) is not None]
    # Names with numbers behind them (`town 12`) begin like figures; a few tell them apart.
    return 2 * len(begun) >= len(cells) and any(is_figure(cell) for cell in begun[:_LOOKED_AT])


_CODES: Final = {"$": "usd", "€": "eur", "£": "gbp", "₴": "uah", "₽": "rub"}


def _as_numbers(column: ColumnFacts, figures: Figures) -> ColumnFacts:
    """Return a column as one of numbers, with the unit of its cells as if its header said it."""
    header = IN_BRACKETS.sub(r"\1", column.name) if figures.doubled else column.name
    words = header_words(header) or column.words
    said = _CODES.get(figures.unit or "", figures.unit or "")
    unit = tuple(word for word in header_words(said) if word not in words)
    return replace(
        column,
        kind=ColumnKind.INTEGER if figures.whole else ColumnKind.NUMBER,
        unit=figures.unit,
        words=(*words, *unit),
        base=(*words, *unit),
    )


def _with_currency(column: ColumnFacts) -> ColumnFacts:
    """Return a column of amounts with the currency of its cells as if its header said it."""
    code = _CODES.get(column.unit or "")
    if code is None or not column.kind.is_numeric or len(column.words) != 1:
        return column
    return replace(column, words=(*column.words, code), base=(*column.base, code))


def plain_read(draft: Draft, table: PlannerTable) -> Draft:
    """Return a draft whose plan first reads the noted columns that it computes with, and says so.

    Raises `Unreadable` for a query that reads such a column past the plan language.
    """
    if not isinstance(table, NotedTable):
        return draft
    texts = [
        text
        for name, value in draft.arguments.items()
        if name not in {"table", "columns"}
        for text in _texts(value)
    ]
    formulas = {
        column: formula
        for column in table.columns
        if (formula := table.formula(column)) is not None and _is_used(column, texts)
    }
    if not formulas:
        return draft
    if draft.tool != "run_query":
        if "outliers" in draft.rule:
            name = next(iter(formulas)).name
            raise Unreadable(f"{name} is kept as text; convert it to numbers first")
        # Missing cells, repeated rows and the like are the same of texts and of numbers.
        return draft
    numbers = ", ".join(column.name for column in formulas if column.index in table.figures)
    cleaned = ", ".join(column.name for column in formulas if column.index in table.plain)
    said = (f"{numbers} as numbers" if numbers else "", f"{cleaned} without notes" if cleaned else "")
    made = {column.name: formula for column, formula in formulas.items()}
    names = [column.name for column in table.columns]
    return replace(
        draft,
        arguments=_mapped(draft.arguments, made, names),
        read_as=(*draft.read_as, *(part for part in said if part)),
    )


_SHAPING: Final = ("select", "group_by", "columns", "resample")


def _mapped(
    arguments: Mapping[str, JsonValue], formulas: Mapping[str, str], names: Sequence[str]
) -> Mapping[str, JsonValue]:
    """Put the formulas before all else; whole rows keep the order of their columns."""
    listed = arguments.get("steps")
    steps = [dict(step) for step in listed if isinstance(step, dict)] if isinstance(listed, list) else []
    first = steps[0] if steps else dict(arguments)
    given = first.get("map")
    maps: dict[str, JsonValue] = {**formulas, **(given if isinstance(given, dict) else {})}
    first["map"] = maps
    last = steps[-1] if steps else first
    if not any(name in step for step in (*steps, first) for name in _SHAPING):
        made = dict.fromkeys(name for step in (*steps, first) for name in _names_of(step.get("map")))
        last["columns"] = [*names, *(name for name in made if name not in names)]
    return {**arguments, "steps": list(steps)} if steps else first


def _names_of(maps: JsonValue) -> Sequence[str]:
    return list(maps) if isinstance(maps, dict) else []


def _texts(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for item in value:
                yield from _texts(item)
        case dict():
            for name, item in value.items():
                yield name
                if name != "columns":
                    yield from _texts(item)
        case _:
            return


def _is_used(column: ColumnFacts, texts: Sequence[str]) -> bool:
    pattern = re.compile(rf"(?<!\w){re.escape(write.name(column.name))}(?!\w)")
    return any(text == column.name or pattern.search(text) for text in texts)
