"""Completion of what entries speak of: columns, tables and cells, also of several words, in any script and case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.repl.line.menu import offered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from prompt_toolkit.completion import Completion

    from tabchat.repl.line.hints import Cell

MOST_CELLS: Final = 50
"""Cells that are offered at a time, the most frequent of each column."""
WORDS_OF_A_NAME: Final = 5
"""Words before the cursor in which the beginning of a name is looked for."""
SQL_WORDS: Final = (
    *(
        "SELECT",
        "DISTINCT",
        "FROM",
        "JOIN",
        "LEFT JOIN",
        "USING",
        "WHERE",
        "AND",
        "OR",
        "NOT",
        "IN",
        "BETWEEN",
    ),
    *("LIKE", "ILIKE", "IS NULL", "IS NOT NULL", "GROUP BY", "HAVING", "ORDER BY", "ASC", "DESC", "LIMIT"),
    *(
        "OFFSET",
        "UNION ALL",
        "WITH",
        "AS",
        "CASE",
        "WHEN",
        "THEN",
        "ELSE",
        "END",
        "CAST",
        "OVER",
        "PARTITION BY",
    ),
)
_WORD: Final = re.compile(r'("[^"]*|[^\s,()=<>"]*)$')
_PLAIN_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*")
_FEWEST_LETTERS: Final = 2
"""Letters from which cells are looked for."""


def named(before: str, names: Sequence[tuple[str, str]], cells: Iterable[Cell]) -> Iterator[Completion]:
    """Yield the names, each with what it is, and the cells that the end of `before` may be the beginning of."""
    found = _WORD.search(before)
    word = (found.group() if found else "").removeprefix('"')
    starts = _starts_of_phrases(before)
    if word:
        starts.append(len(before) - len(found.group() if found else ""))
    typed = [(start, before[start:].removeprefix('"').casefold()) for start in starts]
    for name, what in names:
        begun = _begun(name.casefold(), typed)
        if begun is not None:
            yield offered(name, begun - len(before), what)
    count = 0
    typed = [(start, text) for start, text in typed if len(text) >= _FEWEST_LETTERS]
    for cell in cells if typed else ():
        begun = _begun(cell.folded, typed)
        if begun is not None:
            yield offered(cell.text, begun - len(before), cell.column)
            count += 1
            if count == MOST_CELLS:
                return


def _starts_of_phrases(before: str) -> list[int]:
    """Return where names of several words may begin of which more than the first has been typed."""
    starts = [found.start() for found in re.finditer(r"\S+", before)][-WORDS_OF_A_NAME:]
    # The word that is being typed is looked for by itself.
    return starts if before[-1:].isspace() else starts[:-1]


def _begun(folded: str, typed: Sequence[tuple[int, str]]) -> int | None:
    """Return where a name was begun."""
    return next((start for start, text in typed if folded.startswith(text)), None)


def in_sql(before: str, names: Sequence[tuple[str, str]], cells: Iterable[Cell]) -> Iterator[Completion]:
    """Yield names as SQL takes them and words of SQL; inside quotation marks for texts, cells."""
    _, *quoted = before.split("'")
    if len(quoted) % 2:
        text = quoted[-1]
        typed = [(0, text.casefold())]
        found = (cell for cell in cells if len(text) >= 1 and _begun(cell.folded, typed) is not None)
        for _, cell in zip(range(MOST_CELLS), found, strict=False):
            escaped = cell.text.replace("'", "''")
            yield offered(f"{escaped}'", -len(text), cell.column)
        return
    match = _WORD.search(before)
    end = match.group() if match else ""
    word = end.lstrip('"').casefold()
    for name, what in names if word else ():
        if name.casefold().startswith(word):
            yield offered(identifier(name), -len(end), what)
    for keyword in SQL_WORDS if word and not end.startswith('"') else ():
        if keyword.casefold().startswith(word):
            yield offered(keyword, -len(end), "SQL")


def identifier(name: str) -> str:
    """Return a column or table name as SQL takes it: quoted unless it is plain."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
