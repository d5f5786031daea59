"""Completion of what entries speak of: columns, tables and cells, also of several words, in any script and case.

What is offered is inserted exactly, and drawn so that no terminal acts on it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from prompt_toolkit.completion import Completion

from tabchat.render.layout.text import cut, sanitise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
_RESERVED: Final = frozenset(word for words in SQL_WORDS for word in words.casefold().split())
_WORD: Final = re.compile(r'("[^"]*|[^\s,()=<>"]*)$')
_PLAIN_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*")
_FEWEST_LETTERS: Final = 2
"""Letters from which cells are looked for."""

_SHOWN: Final = 40
"""Cells of a completion, and of what is said of it."""


def named(before: str, names: Sequence[tuple[str, str]], cells: Iterable[Cell]) -> Iterator[Completion]:
    """Yield the names, each with what it is, and the cells that the end of `before` may be the beginning of."""
    starts = _starts_of_phrases(before)
    word = _last_word(before)
    if word.removeprefix('"'):
        starts.append(len(before) - len(word))
    typed = [(start, before[start:].removeprefix('"').casefold()) for start in starts]
    for name, what in names:
        begun = _begun(name.casefold(), typed)
        if begun is not None:
            yield offered(name, begun - len(before), what)
    typed = [(start, text) for start, text in typed if len(text) >= _FEWEST_LETTERS]
    found = ((cell, _begun(cell.folded, typed)) for cell in (cells if typed else ()))
    for cell, begun in islice((item for item in found if item[1] is not None), MOST_CELLS):
        yield offered(cell.text, (begun or 0) - len(before), cell.column)


def _last_word(before: str) -> str:
    found = _WORD.search(before)
    return found.group() if found is not None else ""


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
        return _quoted_cells(quoted[-1], cells)
    end = _last_word(before)
    word = end.lstrip('"').casefold()
    known = [(name, identifier(name), what) for name, what in names]
    if not end.startswith('"'):
        known += [(keyword, keyword, "SQL") for keyword in SQL_WORDS]
    found = (item for item in known if word and item[0].casefold().startswith(word))
    return (offered(written, -len(end), what) for _, written, what in found)


def _quoted_cells(text: str, cells: Iterable[Cell]) -> Iterator[Completion]:
    typed = text.casefold()
    found = (cell for cell in cells if typed and cell.folded.startswith(typed))
    for cell in islice(found, MOST_CELLS):
        escaped = cell.text.replace("'", "''")
        yield offered(f"{escaped}'", -len(text), cell.column)


def identifier(name: str) -> str:
    """Return a column or table name as SQL takes it: quoted unless it is plain."""
    if _PLAIN_NAME.fullmatch(name) and name not in _RESERVED:
        return name
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def matching(word: str, choices: Iterable[tuple[str, str]]) -> Iterator[Completion]:
    """Yield the choices, each with what it is, that begin with `word` whatever its case."""
    folded = word.casefold()
    return (offered(text, -len(word), what) for text, what in choices if text.casefold().startswith(folded))


def offered(text: str, start: int, what: str, *, shown: str = "") -> Completion:
    """Return a completion in the place of the last `-start` characters; `shown` is drawn where it says enough."""
    display = cut(sanitise(shown or text), _SHOWN)
    return Completion(text, start, display=display, display_meta=cut(sanitise(what), _SHOWN))
