"""Names of groups that a result left out: Europe, where only rows of Asia were counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.chat.validator.mentions import Named
from tabchat.chat.validator.words import fold
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.views import View
    from tabchat.chat.validator.words import Word
    from tabchat.engine.types import Engine

_LONGEST: Final = 8
_MOST_LABELS: Final = 2_000
_PREFIX: Final = 3


def outside_labels(text: str, words: Sequence[Word], views: Sequence[View]) -> Iterator[tuple[str, Named]]:
    """Yield each value that a filter of a result leaves out, as far as `text` may name it.

    The values are those of the rows that the result was computed from, and of the other results.
    """
    for number, view in enumerate(views):
        for column, kept in view.query.held_to.items():
            values = _beside(number, views, column)
            source = _source(view, column)
            if source is not None:
                values |= asked_labels(view.block.result.frame.engine, source, column, text, words)
            for value in sorted(values):
                if value.casefold() not in kept:
                    yield value, Named(view=number, column=column, wanted=None, is_outside=True)


def _beside(number: int, views: Sequence[View], column: str) -> set[str]:
    """Return the values of a column that the other results name."""
    values: set[str] = set()
    for at, other in enumerate(views):
        if at == number:
            continue
        values |= other.query.held_to.get(column, frozenset())
        kinds = {item.name: item.kind for item in other.columns}
        if column in other.keys and kinds[column] is ColumnKind.TEXT and other.held is not None:
            values |= {str(value) for value in other.labels(column) if value is not None}
    return values


def _source(view: View, column: str) -> exp.Expr | None:
    """Return the table that a result was computed from, without its conditions, if it has such a text column."""
    source = view.block.result.source
    if source is None or not any(
        item.name == column and item.kind is ColumnKind.TEXT for item in source.schema
    ):
        return None
    for select in source.query.find_all(exp.Select):
        where, base = select.args.get("where"), select.args.get("from_")
        if where is not None and base is not None and _reads(where, column):
            found: exp.Expr = base.this
            return found
    return None


def _reads(where: exp.Expr, column: str) -> bool:
    return any(item.name == column for item in where.find_all(exp.Column))


def asked_labels(engine: Engine, source: exp.Expr, column: str, text: str, words: Sequence[Word]) -> set[str]:
    """Ask for the values of a text column that are phrases of `text`, or begin as one of its words."""
    phrases = {
        fold(text[words[at].start : words[at + more].end])
        for at in range(len(words))
        for more in range(min(_LONGEST, len(words) - at))
    }
    phrases |= {fold(text[word.start : word.end].removesuffix("'s")) for word in words}
    phrases |= {word.text.removesuffix(ending) for word in words for ending in ("s", "es")}
    heads = {
        fold(text[word.start : word.end])[:_PREFIX]
        for word in words
        if not word.text.isascii() and len(word.text) > _PREFIX
    }
    lowered = exp.Lower(this=exp.column(column, quoted=True))
    conditions: list[exp.Expr] = [exp.In(this=lowered, expressions=list(map(exp.Literal.string, phrases)))]
    if heads:
        head = exp.Left(this=lowered.copy(), expression=exp.Literal.number(_PREFIX))
        conditions.append(exp.In(this=head, expressions=list(map(exp.Literal.string, heads))))
    found: set[str] = set()
    for condition in conditions:
        query = (
            exp.select(exp.column(column, quoted=True))
            .distinct()
            .from_(source.copy())
            .where(condition)
            .limit(_MOST_LABELS)
        )
        found.update(str(row[0]) for row in engine.rows(query) if row[0] is not None)
    return found
