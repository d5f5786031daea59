"""Which values of a column are like a text: the same letters inside, or nearly the same word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill

if TYPE_CHECKING:
    from tabchat.engine.table import Table
    from tabchat.engine.types import Column

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


def matching_values(table: Table, column: Column, text: str, limit: int) -> exp.Query:
    """Build the query for the values of `column` that are like `text`, nearest first.

    Its columns: the value, its rows; and the same in each row: how many values match, how many different values
    the column has, and how many rows the most frequent one of them.
    """
    grouped = fill(_GROUPED, column=exp.column(column.name, quoted=True))
    for source in list(grouped.find_all(exp.Table)):
        source.replace(exp.Table(this=exp.to_identifier(table.name, quoted=True)))
    plain = fill(_FOLDED, x=exp.column("value"))
    wanted = fill(_FOLDED, x=exp.Literal.string(text))
    query = fill(_MATCHING, plain=plain, wanted=wanted)
    query.args["with_"].expressions.insert(
        0, exp.CTE(this=grouped, alias=exp.TableAlias(this=exp.to_identifier("grouped")))
    )
    return query.limit(limit)  # type: ignore[attr-defined, no-any-return] # the template is a SELECT
