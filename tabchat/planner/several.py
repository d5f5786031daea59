"""Several open tables: which of them a question calls by its name, and what is to be joined for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.engine.facts.nouns import row_nouns
from tabchat.planner.context import phrase_of
from tabchat.planner.wording.terms import phrases_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.draft import Draft
    from tabchat.planner.interpretation import Interpretation, Interpreter
    from tabchat.planner.links.lattice import Lattice


@record
class Readings:
    """What one table says of a question."""

    drafts: list[Draft]
    certain: bool
    found: Interpretation
    interpreter: Interpreter


def named(readings: Readings) -> Readings:
    """Return readings that say which table they are of."""
    drafts = [
        replace(draft, interpretation=f"{draft.facts.name}: {draft.interpretation}")
        for draft in readings.drafts
    ]
    return replace(readings, drafts=drafts)


def called(lattice: Lattice, tables: Iterable[str]) -> list[str]:
    """Return the tables, by their names, whose rows a question names: `customers` of `how many customers are there`.

    A word that stands in a header of the table at hand means that.
    """
    headed = {word for column in lattice.vocabulary.facts.columns for word in phrase_of(column.name)}
    words = [word.norm for word in lattice.sentence.words if word.norm not in headed]

    def is_said(noun: str) -> bool:
        return any(
            word == noun or any(lexicon.alike(word, noun) for lexicon in lattice.lexicons) for word in words
        )

    return [name for name in tables if any(map(is_said, row_nouns(name, ())))]


def join_hint(
    question: str,
    here: TableFacts,
    others: Iterable[TableFacts],
    joining: Callable[[str], str],
    language: str,
) -> str:
    """Return the line that says how a question is asked for which tables are to be joined; empty where none names another.

    `joining` makes the command of a SELECT.
    """
    there = _joined(question, here, others)
    if there is None:
        return ""
    column, table, sql = there
    told = phrases_of(language).refusals["joined"]
    return "\n" + told.format(column=column, table=table, command=joining(sql))


def _joined(question: str, here: TableFacts, others: Iterable[TableFacts]) -> tuple[str, str, str] | None:
    """Return a column of another table that a question names, that table, and a SELECT that joins it with `here`.

    The two are joined by the first column that both have; what is to be put in by hand is a `…`. Nothing where no
    other table has a column that is named so, or where `here` has it, too.
    """
    asked = phrase_of(question)
    own = {column.name.casefold(): column.name for column in here.columns}
    for other in others:
        for column in other.columns:
            name = phrase_of(column.name)
            starts = range(len(asked) - len(name) + 1)
            if (
                not name
                or column.name.casefold() in own
                or not any(asked[at : at + len(name)] == name for at in starts)
            ):
                continue
            shared = next((key.name for key in other.columns if key.name.casefold() in own), None)
            condition = "ON …" if shared is None else f"USING ({_spelled(shared)})"
            select = f"SELECT {_spelled(column.name)}, …"
            return column.name, other.name, f"{select} FROM {here.name} JOIN {other.name} {condition}"
    return None


def _spelled(name: str) -> str:
    """Write a column as SQL does."""
    plain = name.isidentifier() and name.isascii()
    return name if plain else '"' + name.replace('"', '""') + '"'
