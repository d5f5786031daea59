"""What is typed without a slash and is no question: commands in plain words, SQL, a list of questions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_WORDS: Final = {
    **dict.fromkeys(("help", ":help", "?"), "/help"),
    **dict.fromkeys(("quit", "exit", "q", ":q", ":quit"), "/quit"),
}
_LOOKS: Final = {"describe": "/schema", "summarize": "/profile"}
"""Statements of DuckDB that look at a table, and the commands that do."""
_STATEMENTS: Final = frozenset({"select", "with", "from", *_LOOKS})
_DRAWING: Final = re.compile(
    r"(?:plot|chart|draw|graph|show a chart of) (?:it|this|that)(?: as (?:a |an )?(?P<kind>line|bar|box|scatter)s?(?: chart)?)?"
    r"|(?:намалюй|зобрази|побудуй) (?:це|його|її)|(?:нарисуй|изобрази|построй) (?:это|его|её)"
)
"""The last result is to be drawn."""
_BULLET: Final = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,3}[.)])\s+")


def as_command(entry: str, tables: Collection[str], columns: Iterable[str] = ()) -> str | None:
    """Return the command that an entry without a slash stands for; nothing for a question.

    A word that leaves or helps is a question all the same where one of `columns` is called so.

    SQL is known by its first word in capitals. In small letters the words may be a question's as well, so they
    must be SQL from end to end, over one of `tables` or over what the words themselves name.
    """
    if (word := entry.casefold()) in _WORDS:
        return None if word in map(str.casefold, columns) else _WORDS[word]
    if (drawing := _DRAWING.fullmatch(entry.casefold().rstrip(".!"))) is not None:
        return f"/chart {drawing['kind'] or ''}".rstrip()
    first, _, rest = entry.partition(" ") if " " in entry else entry.partition("\n")
    word = first.rstrip(";").casefold()
    if word not in _STATEMENTS:
        return None
    if word in _LOOKS:
        return _look(word, rest, tables, in_capitals=first.isupper())
    if first.isupper() or _selects_from(entry, tables):
        return f"/sql {entry}"
    return None


def is_sql(entry: str) -> bool:
    """Tell whether an entry that is still being typed begins as SQL does, in capitals."""
    first = entry.split(maxsplit=1)[:1]
    return bool(first) and first[0].isupper() and first[0].casefold() in _STATEMENTS


def _look(word: str, rest: str, tables: Collection[str], *, in_capitals: bool) -> str | None:
    named = rest.strip().rstrip(";").strip().strip("\"'")
    known = named.casefold() in {name.casefold() for name in tables}
    if known or (in_capitals and not named):
        return f"{_LOOKS[word]} {named}".rstrip()
    return f"/sql {word.upper()} {rest}" if in_capitals else None


def _selects_from(text: str, tables: Collection[str]) -> bool:
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(text, dialect="duckdb")
    except (SqlglotError, RecursionError):
        return False
    if not isinstance(tree, exp.Query):
        return False
    if tree.find(exp.CTE) is not None:
        return True
    known = {name.casefold() for name in tables}
    return any(table.name.casefold() in known for table in tree.find_all(exp.Table))


def questions_in(entry: str) -> tuple[str, ...]:
    """Return the lines of a list of questions, without their bullets and numbers; of any other entry nothing."""
    lines = [_BULLET.sub("", line).strip() for line in entry.splitlines()]
    questions = tuple(line for line in lines if line)
    return questions if len(questions) > 1 else ()
