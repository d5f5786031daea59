"""Questions of many shapes, each behind and before many conditions, with the query that answers them.

A shape and a condition bring their words and their part of the query, so that what an answer leaves out, or takes for something else, shows.
Words stand in braces, and columns in the queries by what they hold; both are told of each table.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.planner.gold import GoldQuestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

Said = tuple[str, ...]
"""Words, a query, and others that answer as well."""


@dataclass(frozen=True, kw_only=True)
class Domain:
    """A table, and how it is spoken of."""

    name: str
    """Of the file."""
    columns: Mapping[str, str]
    """What a column holds → its header, in the order of the file."""
    words: Mapping[str, str]
    rows: Sequence[str]
    shapes: Mapping[str, Said]
    conditions: Mapping[str, str]
    """Words → what they ask of a row."""
    tried: int = 120
    """Questions that a run tries about a third of."""

    def file(self, folder: Path) -> Path:
        """Write the table."""
        file = folder / f"{self.name}.csv"
        file.write_text("\n".join([",".join(self.columns.values()), *self.rows]), encoding="utf-8")
        return file

    def view(self, file: Path) -> str:
        """Return a query over the file whose columns are named by what they hold."""
        columns = ", ".join(f'"{header}" AS {kind}' for kind, header in self.columns.items())
        return f"SELECT {columns} FROM read_csv_auto('{file}')"

    def questions(self, file: Path, count: int) -> list[GoldQuestion]:
        """Return some of the questions, the same ones each time."""
        found = [*self._questions(file)]
        return random.Random(self.name).sample(found, min(count, len(found)))  # noqa: S311 - any will do

    def _questions(self, file: Path) -> Iterator[GoldQuestion]:
        for shape, (text, *queries) in self.shapes.items():
            for said, kept in {"": "", **self.conditions}.items():
                restricted = "{where}" in queries[0] or "{more}" in queries[0]
                if kept and (not restricted or self._holds(kept) & self._holds(queries[0])):
                    continue
                words = text.format(**self.words)
                behind = said.format(**self.words)
                ahead = f"{behind}, {words}" if behind and behind.split()[0] in _OPENING else ""
                for question in filter(None, (f"{words} {behind}".strip(), ahead)):
                    yield self._question(file, shape, question, [self._query(one, kept) for one in queries])

    def _question(self, file: Path, shape: str, question: str, queries: Sequence[str]) -> GoldQuestion:
        return GoldQuestion(
            id=question,
            lang="en",
            file=str(file),
            question=question,
            shape="share" if shape.startswith("share") else "",
            answerable=True,
            sql=queries[0],
            ordered=False,
            notes="",
            also=tuple(queries[1:]),
        )

    def _holds(self, query: str) -> set[str]:
        return {kind for kind in self.columns if re.search(rf"\b{kind}\b", query)}

    def _query(self, query: str, kept: str) -> str:
        """Return a query of the rows that are kept."""
        kept = kept.format(**self.words)
        where = {"where": f"where {kept}" if kept else "", "more": f"where {kept} and" if kept else "where"}
        return query.format(**where, **self.words)


_OPENING: Final = ("in", "since", "where", "without", "with", "not", "at", "from")
"""What conditions begin with that may stand before what is asked."""
TOP: Final = "qualify rank() over (order by {by}) = 1"
"""What keeps the first of the groups or rows, and those that tie with it."""


def spoken(
    kinds: Sequence[str], header: str, names: Sequence[str], said: str
) -> tuple[dict[str, str], dict[str, str]]:
    """Return what columns hold → their headers, and → how they are said, with other words by their names."""
    columns = dict(zip(kinds, header.split(","), strict=True))
    words = dict(zip(names, said.split(","), strict=True))
    return columns, {**{kind: one.replace("_", " ") for kind, one in columns.items()}, **words}


def best(what: str, by: str) -> str:
    """Return the query for the group that comes first."""
    return f"select {what} from t {{where}} group by {what} {TOP.format(by=by)}"
