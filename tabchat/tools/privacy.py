"""What a model may be told of a result or of an error at each privacy level.

| level     | of a result                                                                                    |
|-----------|------------------------------------------------------------------------------------------------|
| `strict`  | its shape: kind, names of columns, number of rows                                              |
| `summary` | also the summary: values of a scalar or dict, statistics, first and last row, extreme groups,  |
|           | the only row; of aggregates up to 30 rows, of more than fit the first 10, and in a question 10 |
|           | that stand for one row of the source each                                                      |
| `preview` | also preview rows of what is no aggregate                                                      |

A model writes its own queries, so it can put any cell into a summary: a row at a time by `LIMIT 1 OFFSET n`,
or many in one text by `string_agg` or `||`. What it can carry off is therefore bounded by size, not by form:

- A cell of a summary is a number, a date, a truth value, or a text of at most 80 characters. Lists,
  structs, maps and binary cells, longer texts, and every text of a query that collects many cells into one
  (`string_agg`, `list`, `histogram` …, also in a result that it was computed from) are described instead, such as
  `text of 5,312 characters`. Preview rows hold texts of up to 240 characters, and none that were collected.
- Error messages quote no cell at any level.
- A name that code gave a column or a key, and that neither the table nor the code spells out, counts as a cell. Where
  it may not be told, the number of such names is. At `strict` 12 names that code spells out are told in a question, and
  40 headers of its table where it leaves some out: which of them code takes tells of what it read. Later calls find
  the result without the columns that were not named.
- All texts that tools give during one question hold together at most `ALLOWANCE` characters of values: 6,000 at
  `summary`, which is three of the longest blocks of aggregates, and 24,000 at `preview`; rows are counted as they are
  written, whatever the number of calls. What does not fit is left out, the rows first; after that, shapes are told.
  Another assistant (`tabchat mcp`) asks no questions that could be told apart, so it has the characters of so many
  questions (20 unless the person says otherwise) for the whole run of the server.

What remains is inherent: a count of rows that meet a condition of the model's own making tells a little of the
cells, also at `strict`, where each call tells two counts. A question has `MOST_CALLS` calls, and counts that could be
made of a cell are told as classes (`counts.py`). The egress ledger shows what was asked and told.
"""

from __future__ import annotations

from dataclasses import field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, assert_never

from tabchat.config import PrivacyLevel
from tabchat.engine.cells import CELL_LIMIT, Verbatim, joined, quoted
from tabchat.engine.result.result import ResultKind
from tabchat.record import later, mutable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tabchat.engine.result.result import Result
    from tabchat.engine.result.summary import Summary
    from tabchat.engine.types import Value
    from tabchat.tools.counts import ToldCounts

ALLOWANCE: Final = {PrivacyLevel.STRICT: 0, PrivacyLevel.SUMMARY: 6_000, PrivacyLevel.PREVIEW: 24_000}
"""Characters of values that may be told in one question."""

SPENT: Final = "Its values are not told: {} has been told as many values as it may. The person sees them all."

MOST_CALLS: Final = 40
"""Calls of tools in one question, whatever the number of them in a reply: each tells a number of rows at least."""

CALLS_SPENT: Final = (
    "No more calls: {} had its {} calls of tools. Answer from the results there are, and say what is missing."
)

NO_NUMBERS: Final[Mapping[str, Mapping[int, str]]] = MappingProxyType({})

TITLE_LIMIT: Final = 80
"""Characters of a title."""

_TITLE_NAMES: Final = 4
_SHAPE_LIMIT: Final = 700


@mutable
class Allowance:
    """How much of the data was told in one question, or in so many of them together."""

    questions: int = 1
    told_to: str = "this question"
    """What the allowance is for, in words."""
    told: int = 0
    """Characters of text with values in it."""
    calls: int = 0
    """Calls of tools that were made."""
    counted: dict[str, int] = field(default_factory=dict)
    """Kind of what is told one by one → how many were told."""

    def admits(self, level: PrivacyLevel, characters: int) -> bool:
        """Count `characters` and return true, unless that would pass what `level` allows."""
        if self.told + characters > ALLOWANCE[level] * self.questions:
            return False
        self.told += characters
        return True

    def admitted(self, kind: str, wanted: int, most: int) -> int:
        """Count as many of `wanted` things of a kind as may be told, `most` in a question, and return how many."""
        told = self.counted.get(kind, 0)
        admitted = min(wanted, max(0, most * self.questions - told))
        self.counted[kind] = told + admitted
        return admitted

    def admits_all(self, kind: str, wanted: int, most: int) -> bool:
        """Count `wanted` things of a kind as told and return true, unless that would pass `most` in a question."""
        told = self.counted.get(kind, 0) + wanted
        if wanted and told > most * self.questions:
            return False
        self.counted[kind] = told
        return True

    def admits_call(self) -> bool:
        """Count a call of a tool and return true, unless there were as many as there may be."""
        self.calls += 1
        return self.calls <= MOST_CALLS * self.questions

    @property
    def calls_spent(self) -> str:
        """What is said of a call that is one too many."""
        return CALLS_SPENT.format(self.told_to, MOST_CALLS * self.questions)

    @property
    def spent(self) -> str:
        """What is said instead of values that are one too many."""
        return SPENT.format(self.told_to)


def told_summary(
    summary: Summary, *, collects: bool, numbers: Mapping[str, Mapping[int, str]] = NO_NUMBERS
) -> Summary:
    """Return `summary` with the cells that may not be shown described; for `summary` and `preview`.

    `collects` says that a text in it may hold many cells, `numbers` which columns hold months and weekdays.
    """

    def row(cells: Mapping[str, Value]) -> dict[str, Value]:
        return {
            name: told_cell(value, collects=collects, names=numbers.get(name))
            for name, value in cells.items()
        }

    return replace(
        summary,
        first=row(summary.first),
        last=row(summary.last),
        min_row=row(summary.min_row) if summary.min_row is not None else None,
        max_row=row(summary.max_row) if summary.max_row is not None else None,
        value=told_cell(summary.value, collects=collects),
        values=row(summary.values),
        stats=later(lambda: summary.stats),
    )


def shape_text(result: Result, counts: ToldCounts, untold: Collection[str] | None = None) -> str:
    """Return the text of a result that holds no value: its kind, its names, and its `counts`.

    Of the names in `untold`, by default all that may be cells, only the number is told.
    """
    untold = result.metadata.cell_names if untold is None else untold
    scanned = f" (from {counts.scanned} rows)" if counts.scanned is not None else ""
    match result.kind:
        case ResultKind.SCALAR:
            return f"Result: 1 value: {names_text(result.frame.columns)}{scanned}"
        case ResultKind.DICT:
            return f"Result: {len(result.values)} values: {_names(result.values, untold)}{scanned}"
        case ResultKind.GROUPED:
            groups = f"Result: {counts.rows} groups by {names_text(result.group_by)}"
            others = [name for name in result.frame.columns if name not in result.group_by]
            return f"{groups}{f' with {names_text(others)}' if others else ''}{scanned}"
        case ResultKind.TABLE:
            return f"Result: {counts.rows} rows with columns {_names(result.frame.columns, untold)}"
        case _:
            assert_never(result.kind)


def _names(names: Iterable[str], untold: Collection[str]) -> str:
    known = [name for name in names if name not in untold]
    if not untold:
        return names_text(known)
    more = f"{len(untold)} that are not named"
    return f"{names_text(known)} and {more}" if known else more


def title_of(result: Result, tables: Sequence[str]) -> str:
    """Return a title for a result that was given none: what was computed, or whose rows it holds."""
    unsaid = (*result.group_by, *result.metadata.cell_names)
    names = [name for name in result.frame.columns if name not in unsaid]
    values = joined(map(quoted, names), TITLE_LIMIT // 2, "columns") if names else "groups"
    match result.kind:
        case ResultKind.TABLE if len(names) > _TITLE_NAMES and tables:
            return f"rows of {joined(map(quoted, tables), TITLE_LIMIT - 8, 'tables')}"
        case ResultKind.TABLE:
            return values
        case ResultKind.GROUPED:
            return f"{values} by {joined(map(quoted, result.group_by), TITLE_LIMIT // 2, 'columns')}"
        case ResultKind.SCALAR | ResultKind.DICT:
            return values
        case _:
            assert_never(result.kind)


def names_text(names: Mapping[str, object] | list[str] | tuple[str, ...]) -> str:
    """Write names of columns, inert and bounded."""
    return joined(map(quoted, names), _SHAPE_LIMIT // 2, "columns") if names else "no columns"


def told_cell(value: Value, *, collects: bool, names: Mapping[int, str] | None = None) -> Value:
    """Return what is told of a cell; `names` are those of the months or weekdays that its column counts."""
    match value:
        case int() if names is not None and value in names:
            return Verbatim(f"{value} ({names[value]})")
        case str() if not isinstance(value, Verbatim) and (collects or len(value) > CELL_LIMIT):
            return Verbatim(f"text of {len(value):,} characters")
        case bytes():
            return Verbatim(f"{len(value):,} bytes")
        case list():
            return Verbatim(f"list of {len(value):,} values")
        case dict():
            return Verbatim(f"struct of {len(value):,} fields")
        case _:
            return value
