"""Finding which values of the text columns a word stands for: the same letters inside, or nearly the same word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.config import PrivacyLevel
from tabchat.engine.cells import cell_text, inert, quoted
from tabchat.engine.types import ColumnKind
from tabchat.errors import PlanError
from tabchat.record import record
from tabchat.store import is_key
from tabchat.tools.arguments import TABLE, TEXT, column_argument, table_argument, text_argument
from tabchat.tools.counts import told_count_of_table
from tabchat.tools.describe import LOW_CARDINALITY
from tabchat.tools.registry import TextOutput, Tool
from tabchat.tools.schema import closed_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlglot import exp

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, JsonValue
    from tabchat.tools.registry import Workspace

LISTED: Final = 5
"""Values of a column that are listed."""

MOST_COLUMNS: Final = 30
"""Text columns that are searched when the call names none."""

_UNIQUE_LISTED: Final = 10
"""A column of a table whose values are all different shows them when it has no more than these."""

SIMILARITY: Final = 0.87
"""Least Jaro-Winkler similarity of a value, or of one of its words, that does not contain the text: typos and
other endings stay above, other words below."""

COMPARED: Final = 50_000
"""Different values, the most frequent ones, that are compared letter by letter; all are searched for the text."""

_COMPARED_LENGTH: Final = 200
"""Characters of a value, and of the text, that are compared letter by letter: the time is their product."""

_FUZZY_LENGTH: Final = 4
"""A shorter text is only searched for: too many words are one letter away from it."""

_FOLDED: Final = "REPLACE(TRANSLATE(STRIP_ACCENTS(LOWER(NFC_NORMALIZE(:x))), '’ʼ`ґ', '''''''г'), 'ß', 'ss')"
"""Text without what people leave out: case, accents, the dots of ї and ё, and the shapes of ß and the apostrophe."""

_GROUPED: Final = (
    "SELECT CAST(:column AS TEXT) AS value, COUNT(*) AS n FROM source WHERE NOT :column IS NULL GROUP BY 1"
)

_MATCHING: Final = f"""
WITH placed AS (SELECT value, n, ROW_NUMBER() OVER (ORDER BY n DESC, value) AS place FROM grouped),
folded AS (SELECT value, n, place, :plain AS plain, :wanted AS wanted FROM placed),
compared AS (
    SELECT value, n, plain, wanted, CONTAINS(plain, wanted) AS inside,
        CASE WHEN place <= {COMPARED} AND LENGTH(wanted) >= {_FUZZY_LENGTH} THEN GREATEST(
            JARO_WINKLER_SIMILARITY(LEFT(plain, {_COMPARED_LENGTH}), LEFT(wanted, {_COMPARED_LENGTH})),
            COALESCE(LIST_MAX(LIST_TRANSFORM(
                STRING_SPLIT_REGEX(LEFT(plain, {_COMPARED_LENGTH}), '[^\\pL\\pN'']+'),
                LAMBDA word : CASE WHEN LENGTH(word) >= {_FUZZY_LENGTH}
                    THEN JARO_WINKLER_SIMILARITY(word, LEFT(wanted, {_COMPARED_LENGTH})) ELSE 0 END
            )), 0)
        ) ELSE 0 END AS likeness
    FROM folded
)
SELECT value, n, COUNT(*) OVER () AS found,
    (SELECT COUNT(*) FROM grouped) AS total, (SELECT MAX(n) FROM grouped) AS most
FROM compared
WHERE inside OR likeness >= {SIMILARITY}
ORDER BY plain = wanted DESC, inside DESC, likeness DESC, LENGTH(plain), n DESC, value
"""  # noqa: S608 - only constants of this module are put in


@record
class Matches:
    """The values of one column that are like a text."""

    column: str
    values: tuple[tuple[str, int], ...]
    """The nearest ones with their rows, nearest first."""
    count: int
    """How many values are like it."""
    distinct: int
    repeats: bool
    """Whether any value of the column occurs twice."""


def find_values(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> TextOutput:
    """List the values that contain `text` or are spelled like it, with their counts."""
    table = table_argument(workspace, arguments)
    text = str(arguments["text"]).strip()
    if not text:
        raise PlanError("There is no text to look for.", hint="Give `text`: a word or a part of a value.")
    columns = _columns(table, text_argument(arguments, "column"))
    found = [
        matches
        for column in columns[:MOST_COLUMNS]
        if (matches := _matches(workspace.engine, table, column, text))
    ]
    left_out = len(columns) - MOST_COLUMNS
    more = [f"{left_out} more text columns were not searched; name one in `column`."] if left_out > 0 else []
    nothing = f"No value of table {quoted(table.name)} is like {inert(text)[:80]!r}."
    numbers = [told_count_of_table(workspace, table, matches.count) for matches in found]
    counted = [_counted(matches, number) for matches, number in zip(found, numbers, strict=True)]
    told = [
        _line(matches) if _may_show(workspace, table, matches) else line
        for matches, line in zip(found, counted, strict=True)
    ]
    return TextOutput(
        text="\n".join((*told, *more)) if found else "\n".join((nothing, *more)),
        shape="\n".join((*counted, *more)) if found else "\n".join((nothing, *more)),
        facts={
            "table": table.name,
            "columns": [_facts(matches, shown=_may_show(workspace, table, matches)) for matches in found],
        },
        metrics={
            "table": table.name,
            "matching_columns": {
                matches.column: number for matches, number in zip(found, numbers, strict=True)
            },
            "no_data": not found,
        },
    )


def _may_show(workspace: Workspace, table: Table, matches: Matches) -> bool:
    """Values are shown of columns with few of them; names and identifiers, each of its own, are not."""
    if workspace.privacy is PrivacyLevel.STRICT or matches.distinct > LOW_CARDINALITY:
        return False
    return matches.repeats or (matches.distinct <= _UNIQUE_LISTED and not is_key(table.version))


def _counted(matches: Matches, number: int | str) -> str:
    return f"{quoted(matches.column)}: {number} value{'s match' if number != 1 else ' matches'}"


def _line(matches: Matches) -> str:
    name = quoted(matches.column)
    listed = ", ".join(f"{_value(value)} ({rows} rows)" for value, rows in matches.values)
    more = matches.count - len(matches.values)
    return f"{name}: {listed}{f' and {more} more' if more else ''}"


def _value(value: str) -> str:
    text = cell_text(value)
    return text if text.startswith('"') else f'"{text}"'


def _facts(matches: Matches, *, shown: bool) -> dict[str, JsonValue]:
    values = matches.values if shown else ()
    return {
        "name": matches.column,
        "matches": matches.count,
        "top_values": [{"value": value, "count": rows} for value, rows in values],
    }


def _columns(table: Table, name: str | None) -> tuple[Column, ...]:
    if name is not None:
        return (column_argument(table, name),)
    return tuple(column for column in table.schema if column.kind is ColumnKind.TEXT)


def _matches(engine: Engine, table: Table, column: Column, text: str) -> Matches | None:
    rows = engine.rows(_values_like(table, column, text))
    if not rows:
        return None
    _, _, count, distinct, most = rows[0]
    return Matches(
        column=column.name,
        values=tuple((str(value), _whole(number)) for value, number, *_ in rows),
        count=_whole(count),
        distinct=_whole(distinct),
        repeats=_whole(most) > 1,
    )


def _values_like(table: Table, column: Column, text: str) -> exp.Query:
    """Build the query for the values of `column` that are like `text`, nearest first.

    Its columns: the value, its rows; and the same in each row: how many values match, how many different values
    the column has, and how many rows the most frequent one of them.
    """
    from sqlglot import exp

    from tabchat.engine.functions.templates import fill

    grouped = fill(_GROUPED, column=exp.column(column.name, quoted=True))
    for source in list(grouped.find_all(exp.Table)):
        source.replace(exp.Table(this=exp.to_identifier(table.name, quoted=True)))
    plain = fill(_FOLDED, x=exp.column("value"))
    wanted = fill(_FOLDED, x=exp.Literal.string(text))
    query = fill(_MATCHING, plain=plain, wanted=wanted)
    query.args["with_"].expressions.insert(
        0, exp.CTE(this=grouped, alias=exp.TableAlias(this=exp.to_identifier("grouped")))
    )
    return query.limit(LISTED)  # type: ignore[attr-defined, no-any-return] # the template is a SELECT


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


FIND_VALUES: Final = Tool(
    name="find_values",
    description="Find how a word is spelled in the text columns before filtering on it; typos and other endings are "
    "tolerated. Columns with many values, and at privacy level strict all of them, give only the number of matches.",
    parameters=closed_object({"text": TEXT, "column": TEXT, "table": TABLE}, required=("text",)),
    handler=find_values,
)
