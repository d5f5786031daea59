"""Rows against the row before, by date: `daily change of close`, `how many days did close fall`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.plans import Draft, Unreadable, query, scope_of, time_column
from tabchat.planner.shapes.base import no_extras
from tabchat.planner.shapes.changes import change_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue


def _listed(question: Question) -> Draft | None:
    """Answer with the change of each row against the row before."""
    column = question.node("C").column
    if column is None or not no_extras(question, "periods"):
        return None
    said = any(node.has("growth", "pctword", "share") for node in question.clauses.core)
    name, formula = change_of(question, column, percent=said)
    dated = time_column(question.scene)
    assert dated is not None  # noqa: S101 - `change_of` has looked
    scope = scope_of(question.clauses, question.scene, whole_rows=True)
    fields: dict[str, JsonValue] = dict(scope.fields)
    fields["map"] = {name: formula}
    fields["columns"] = [dated.name, column.name, name]
    fields["sort"] = f"{write.name(dated.name)} asc"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="list",
        read_as=(
            f"change of {column.name} against the row before{' in percent' if said else ''}",
            *scope.read_as,
        ),
        details={"measure": name, "key": dated.name},
    )


def _counted(question: Question) -> Draft | None:
    """Answer with how many rows rose or fell against the row before."""
    return _moved(question, counted=True)


def _rows(question: Question) -> Draft | None:
    """Answer with the rows that rose or fell against the row before."""
    return _moved(question, counted=False)


def _moved(question: Question, *, counted: bool) -> Draft | None:
    column = question.node("C").column
    if column is None or not no_extras(question, "periods", "conditions"):
        return None
    moves = [node.has("change.down", "shrink") for node in question.nodes("mG") if not node.has("change.any")]
    if len(moves) != 1:
        raise Unreadable("did it rise, or did it fall?")
    name, formula = change_of(question, column, percent=False)
    scope = scope_of(question.clauses, question.scene, whole_rows=True)
    if "map" in scope.fields:
        return None
    moved = f"{write.name(name)} {'<' if moves[0] else '>'} 0"
    fields: dict[str, JsonValue] = {"map": {name: formula}}
    fields["where"] = f"({scope.condition}) and {moved}" if scope.condition else moved
    if counted:
        fields["select"] = "count() as count"
    verb = "fell" if moves[0] else "rose"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="count" if counted else "list",
        read_as=(
            f"{'number of rows' if counted else 'rows'} in which {column.name} {verb} against the row before",
            *scope.read_as,
        ),
    )


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*(y|p|H)+(m|G)C|[WL]*yGC|[WL]*yC(m|G)", _listed),
    (r"[WL]*(M|K[UE])C(m|G)|[WL]*(M|K[UE])(m|G)C", _counted),
    (r"[WL]*[EU]C(m|G)", _rows),
)
"""Patterns over the whole core, and what answers them."""
