"""What may be wrong with a table: each suspicion with its rule, and the plan of the rows that it is about.

Every rule is simple enough to be stated beside its finding: nothing here is a judgement of the data.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.reader.text.vocabulary import LOOK_ALIKES
from tabchat.engine.table import some
from tabchat.engine.types import ColumnKind
from tabchat.inert import UNSAFE
from tabchat.record import record
from tabchat.values import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.engine.profile.profile import ColumnProfile, TableProfile
    from tabchat.engine.table import LoadNote, Table
    from tabchat.engine.types import Engine, JsonValue, Value

NEARLY_UNIQUE: Final = 0.98
"""Share of different values from which a column is taken for a key."""
FEWEST_KEYS: Final = 20
MOSTLY: Final = 0.8
"""Share of numbers from which a text column is taken for one of numbers."""
FEWEST_MEASURED: Final = 10
"""Different numbers that a column needs for outliers to mean anything."""
WIDE_GAP: Final = 3
"""Times the usual distance of two dates that a gap is longer than."""
SELDOM: Final = 0.05
"""Share of rows up to which those out of order are exceptions, and not the order of the file."""

_NUMBER: Final = r"^\s*[-+]?[0-9][0-9 .,]*\s*$"
_BROKEN: Final = "\ufffd|Ã[\u0080-¿]|â€|Ð[\u0080-¿]Ð|Ñ[\u0080-¿]Ð"
"""The replacement character, and UTF-8 that was read as Windows-1252 or Latin-1."""


@record
class Finding(PlainRecord):
    """One thing that may be wrong."""

    kind: str
    """`totals`, `missing`, `duplicates`, `constant`, `mixed`, `outliers`, `gaps`, `disorder`, `keys`, `encoding` or `letters`."""
    column: str | None
    """The column that it is about, none for whole rows."""
    count: int
    """Rows that it is about."""
    text: str
    """The rule, in words that follow the count of rows."""
    data_key: str | None = None
    """Key of its rows, where they are kept."""
    plan: Mapping[str, JsonValue] | None
    """The plan that gives its rows; none where every row is alike."""
    mend: str | None = None
    """The edit, in words, that would mend it; none where words cannot name its column."""


def find_flaws(engine: Engine, table: Table, profile: TableProfile) -> Iterator[Finding]:
    """Yield what may be wrong with `table`, of which `profile` tells, worst for the whole table first."""
    for suspicion in _suspicions(engine, table, profile):
        if suspicion.plan is None or suspicion.count:
            yield suspicion
            continue
        count = _rows_of(engine, table, suspicion)
        limit = profile.rows * SELDOM if suspicion.kind == "disorder" else profile.rows
        if 0 < count <= limit:
            yield replace(suspicion, count=count)


def _suspicions(engine: Engine, table: Table, profile: TableProfile) -> Iterator[Finding]:
    columns = profile.columns
    if not profile.rows:
        return
    for note in table.report.notes:
        if note.totals:
            yield _of_totals(note)
    if columns:
        plan: dict[str, JsonValue] = {
            "within": [column.name for column in columns],
            "where": "row_number() > 1",
        }
        yield _suspect(
            "duplicates", None, "equal to an earlier row, cell for cell", plan, "remove duplicates"
        )
    for column in columns:
        yield from _of_column(engine, table, column, profile.rows)
    time = next((column for column in columns if column.kind.is_temporal and column.min is not None), None)
    if time is not None and time.kind is not ColumnKind.TIME:
        yield from _of_time(engine, table, time)


def _of_totals(note: LoadNote) -> Finding:
    known = note.count == len(note.rows)
    return Finding(
        kind="totals",
        column=note.column,
        count=note.count,
        text=f"with figures that seem to sum up others, and count like them: {some(note.totals)}",
        plan={"where": f"file_row() in {list(note.rows)}"} if known else None,
    )


def _of_column(engine: Engine, table: Table, column: ColumnProfile, rows: int) -> Iterator[Finding]:
    name, filled = _quoted(column.name), rows - column.nulls
    if not filled:
        yield _constant(column.name, rows, "without a value: the column is empty")
        return
    if column.nulls:
        missing = _suspect("missing", column, "without a value", {"where": f"is_null({name})"})
        yield replace(missing, count=column.nulls)
    if column.distinct_is_exact and column.distinct == 1 and rows > 1 and not column.nulls:
        yield _constant(column.name, rows, "with the same value")
        return
    if _is_key(column, filled):
        said = "with an earlier value again, where nearly every value is different"
        plan: dict[str, JsonValue] = {
            "within": [column.name],
            "where": f"row_number() > 1 and not is_null({name})",
        }
        yield _suspect("keys", column, said, plan)
    if column.kind is ColumnKind.TEXT:
        broken = {"where": f"matches({name}, '{_BROKEN}')"}
        yield _suspect("encoding", column, "with signs of text that was read in a wrong encoding", broken)
        alike = {"where": f"matches({name}, '{LOOK_ALIKES}')"}
        said = "with a word of Latin and Cyrillic letters that look alike: it equals none of either alphabet"
        yield _suspect("letters", column, said, alike)
        if _share_of_numbers(engine, _alone(table, column.name), name) >= MOSTLY:
            other = {"where": f"not is_null({name}) and not matches({name}, '{_NUMBER}')"}
            yield _suspect("mixed", column, "without a number, where most values are one", other)
    elif column.kind.is_numeric and column.distinct >= FEWEST_MEASURED:
        said = "more than 1.5 interquartile ranges outside the quartiles"
        yield _suspect("outliers", column, said, {"where": f"outlier({name})"})


def _is_key(column: ColumnProfile, filled: int) -> bool:
    """Return whether nearly every value of a column is different."""
    countable = column.kind in {ColumnKind.INTEGER, ColumnKind.TEXT} and filled >= FEWEST_KEYS
    return countable and column.distinct >= NEARLY_UNIQUE * filled


def _share_of_numbers(engine: Engine, table: Table, name: str) -> float:
    plan = {"select": f"pct(matches({name}, '{_NUMBER}'))", "where": f"not is_null({name})"}
    return _number(run_plan(engine, table, parse_plan(plan)).value) / 100


def _of_time(engine: Engine, table: Table, time: ColumnProfile) -> Iterator[Finding]:
    name = _quoted(time.name)
    since = {"days_since_row_before": f"days_between(prev({name}), {name})"}
    steps: dict[str, JsonValue] = {
        "time_column": time.name,
        "map": dict(since),
        "where": "days_since_row_before > 0",
    }
    usual = _number(
        run_plan(engine, table, parse_plan(steps | {"select": "median(days_since_row_before)"})).value
    )
    if usual:
        most = WIDE_GAP * usual
        said = f"more than {_days(most)} days after the row before, where {_days(usual)} is usual"
        yield _suspect("gaps", time, said, steps | {"where": f"days_since_row_before > {most}"})
    behind: dict[str, JsonValue] = {"time_column": time.name, "where": "file_row() > next(file_row())"}
    yield _suspect("disorder", time, "behind rows of a later time in the file", behind)


def _days(count: float) -> str:
    return f"{count:,.0f}" if count >= 1000 else f"{count:g}"  # noqa: PLR2004 - from where commas help


def _suspect(
    kind: str,
    column: ColumnProfile | None,
    text: str,
    plan: Mapping[str, JsonValue],
    mend: str | None = None,
) -> Finding:
    return Finding(
        kind=kind, column=column.name if column else None, count=0, text=text, plan=plan, mend=mend
    )


def _constant(name: str, rows: int, text: str) -> Finding:
    return Finding(kind="constant", column=name, count=rows, text=text, plan=None, mend=_dropping(name))


def _rows_of(engine: Engine, table: Table, suspicion: Finding) -> int:
    counted = {"steps": [suspicion.plan, {"select": "count()"}]}
    if suspicion.column is not None:
        table = _alone(table, suspicion.column)
    return int(_number(run_plan(engine, table, parse_plan(counted)).value))


def _alone(table: Table, column: str) -> Table:
    """Return a table as if it had one column: else each would cost time for each of the others."""
    return replace(table, schema=tuple(item for item in table.schema if item.name == column))


def _number(value: Value) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _quoted(name: str) -> str:
    """Return a column's name as an expression takes any, words of the language among them."""
    return '"' + name.replace('"', '""') + '"'


def _dropping(name: str) -> str | None:
    """Return the edit that drops a column; none where a command cannot write its name, lest it drops another."""
    if '"' in name or UNSAFE.search(name) is not None:
        return None
    return f"drop column {name}" if name.isidentifier() else f'drop column "{name}"'
