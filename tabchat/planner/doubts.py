"""Small words that a plan over single rows would pass over: `only`, `all`, `never`, `both`.

`Products sold in Europe` asks for rows; `products sold only in Europe` asks about all rows of each product. Where a
value of the ranked or listed column has rows of both kinds, a filter on rows answers another question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import is_row_label
from tabchat.planner.plans import time_column

if TYPE_CHECKING:
    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.nodes import Condition
    from tabchat.planner.plans import Draft
    from tabchat.planner.shapes.base import Question

_GROUPED: Final = frozenset({"distinct", "distinct_count"})


def doubt_of(question: Question, draft: Draft) -> str | None:
    """Return why a draft may answer another question than the one that was asked."""
    whole = _asks_of_all(question)
    if whole is not None and question.clauses.whether and _filtered(question):
        return f"“{whole}” asks whether every row is so"
    if _is_listed(question):
        return "is the word behind “and” one of the values, or all rows?"
    subject = _subject(question, draft)
    if subject is None or not _filtered(question):
        return None
    return _dated(question, subject) or next(
        (
            reason
            for node in question.clauses.conditions
            if node.condition is not None
            and (reason := _of_condition(question, subject, node.condition)) is not None
        ),
        None,
    )


def _filtered(question: Question) -> bool:
    return bool(question.clauses.conditions or question.clauses.periods)


def _is_listed(question: Question) -> bool:
    """Tell whether a noun for rows is the last of a list of cells: `reserved dvds and books`."""
    conditions = [node.place for node in question.clauses.conditions]
    nouns = [node.place for node in question.nodes("E") if node.column is None]
    return any(
        place - 1 in question.clauses.joints and any(other < place for other in conditions) for place in nouns
    )


def _asks_of_all(question: Question) -> str | None:
    return next((node.text for node in question.clauses.quantifiers if node.has("all")), None)


def _subject(question: Question, draft: Draft) -> ColumnFacts | None:
    """Return the column whose values are listed or counted, when one value has several rows."""
    table = question.scene.table
    if draft.shape in _GROUPED:
        found = [node.column for node in question.nodes("DT") if node.column is not None]
    elif question.has("P") and draft.shape == "list":
        found = list(question.scene.evidence.people())
    else:
        return None
    named = any(is_row_label(table, column) for column in found)
    single = draft.shape not in _GROUPED or len(found) == 1
    return found[0] if found and single and not named else None


def _said_after(question: Question, concept: str) -> bool:
    """Tell whether a word stands behind the noun that it would be about: `countries where all orders …`."""
    nouns = [node.place for node in question.nodes("DTP")]
    return any(node.has(concept) and node.place > min(nouns) for node in question.clauses.quantifiers)


def _dated(question: Question, subject: ColumnFacts) -> str | None:
    """Refuse `customers who ordered only in 2023`."""
    periods = [node.period for node in question.clauses.periods if node.period is not None]
    column = time_column(question.scene, periods) if periods else None
    if column is None or _settled(question, subject, column):
        return None
    if _said_after(question, "only") or _said_after(question, "all"):
        return f"{subject.name} with rows in {periods[0].text}, or with no other rows?"
    return None


def _of_condition(question: Question, subject: ColumnFacts, condition: Condition) -> str | None:
    column = condition.column
    if column is None or column.index == subject.index or _settled(question, subject, column):
        return None
    if condition.negated or condition.refused:
        return f"{subject.name} with such rows, or with no other rows than such?"
    if _said_after(question, "only") or _said_after(question, "all"):
        return f"{subject.name} with rows where {condition.text}, or with no other rows?"
    if condition.link == "and" and condition.value is not None:
        return f"{subject.name} with rows of one of {condition.text}, or with rows of each?"
    numeric = column.kind.is_numeric and condition.value is None and not question.scene.is_identifier(column)
    if numeric and (_adds_up(question, column) or _judges(question, column)):
        return f"{column.name} in one row, or in all rows of a {subject.name} together?"
    return None


def _adds_up(question: Question, column: ColumnFacts) -> bool:
    flag = question.scene.table.extremes(column) == (0, 1)
    return question.additive(column) and not question.scene.is_year(column) and not flag


def _judges(question: Question, column: ColumnFacts) -> bool:
    """Tell whether a column rates: `drivers rated below 3` are those of a low mean, or of one bad ride."""
    rated = any(item.index == column.index for item in question.scene.meanings.get("rating", ()))
    return rated or bool(set(column.words) & question.scene.better)


def _settled(question: Question, subject: ColumnFacts, column: ColumnFacts) -> bool:
    """Tell whether all rows of one value have the same cell in another column, as a country has one region."""
    return question.scene.table.settles(subject, column)
