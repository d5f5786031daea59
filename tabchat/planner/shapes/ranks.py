"""Rankings: `top 5 products by revenue`, `which station has the most failures`, `when was the highest close`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.catalog import holds_written_numbers
from tabchat.planner.grouping import unit_of_name
from tabchat.planner.nodes import Key, Measure
from tabchat.planner.plans import Draft, Unreadable, grouping_of, query, scope_of, selected, time_column
from tabchat.planner.shapes.aggregates import grouped_fields, measured
from tabchat.planner.shapes.base import no_extras

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.nodes import Node
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue

_PLACE: Final = "place"


def _descending(question: Question, column: ColumnFacts | None) -> bool:
    """Return the direction of a ranking; the best of what is better low (`defects`) is the lowest."""
    nodes = question.nodes("SO")
    if any(node.has("super.min", "top.min") for node in nodes):
        return False
    judged = [node for node in nodes if node.has("top.best", "top.worst")]
    if not judged:
        return True
    return judged[0].has("top.best") == _better_high(question, column)


def _better_high(question: Question, column: ColumnFacts | None) -> bool:
    """Tell whether more of a column, or of the rows where there is none, is better."""
    if column is None:
        kept = (node.condition for node in question.clauses.conditions)
        if any(item is not None and (item.noun or _is_flag(item.column)) for item in kept):
            raise Unreadable("are many such rows good or bad?")
        return True
    good, bad = (bool(set(column.words) & words) for words in (question.scene.better, question.scene.worse))
    if good == bad:
        raise Unreadable(f"is a high or a low {column.name} the best?")
    return good


def _is_flag(column: ColumnFacts | None) -> bool:
    return column is not None and column.kind.value == "boolean"


def _measure(question: Question) -> Measure | None:
    """Return the one measure that is ranked by."""
    found = [*question.ranked_measures(), *question.clauses.by]
    if (
        not found
        and question.clauses.conditions
        and any(node.condition is not None and node.condition.noun for node in question.clauses.conditions)
    ):
        if question.clauses.sold and not question.has("E") and question.scene.meanings.get("quantity"):
            raise Unreadable("the most rows, or the largest quantity?")
        return Measure(function="count")
    if not found and question.has("E"):
        return Measure(function="count")
    return found[0] if len(found) == 1 else None


def _checked(question: Question, measure: Measure) -> Measure:
    if measure.bare and measure.column is not None:
        return question.summed(measure.column)
    return measure


def _ranked_groups(question: Question, key: Key, limit: int, *, ties: bool) -> Draft | None:
    """Answer with the first groups in the order of a measure."""
    if not no_extras(question, "by", "conditions", "periods"):
        return None
    measure = _measure(question)
    if measure is None:
        return None
    column = measure.column
    if question.has("C") and question.is_scaled(question.node("C")):
        named = question.has("E") or _names_rows(question, key)
        if not ties or key.column is None or column is None or not named:
            raise Unreadable("the most of which value: the highest, or the average?")
        return ranked_rows(question, column, 1, first=key.column)
    if measure.bare and column is not None and not question.additive(column):
        # Where all rows of a group have the same cell, the row with the extreme names the group with it.
        if not ties or key.column is None:
            raise Unreadable(f"sum, mean or another function of {column.name}?")
        if not question.scene.table.settles(key.column, column):
            raise Unreadable(f"the {column.name} of one row, or the average of a {key.column.name}?")
        return ranked_rows(question, column, 1, first=key.column)
    chosen, chosen_column = selected(_checked(question, measure)), measure.column
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((key,), question.clauses, question.scene)
    direction = "desc" if _descending(question, chosen_column) else "asc"
    fields = grouped_fields(scope, groups, (chosen,))
    present = [write.name(name) + " is not null" for name in groups.names if name not in groups.maps]
    if present:
        fields["having"] = " and ".join(present)
    fields["sort"] = f"{write.name(chosen.name)} {direction}"
    fields["limit"] = limit
    best = "highest" if direction == "desc" else "lowest"
    read_as = (
        f"{groups.names[0]} with the {best} {chosen.read_as}" if ties else f"{best} {limit} {groups.read_as}"
    )
    return Draft(
        tool="run_query",
        arguments=query(question.table, _with_ties(fields, chosen.name, direction) if ties else fields),
        scope=scope.read_as,
        shape="argmax" if ties else "top",
        read_as=(read_as, "" if ties else chosen.read_as, *scope.read_as),
        details={"measure": chosen.name, "key": groups.names[0], "best": best},
    )


def _names_rows(question: Question, key: Key) -> bool:
    """Tell whether the noun that is ranked is one that rows are called by, such as `product`."""
    return any(node.column == key.column and node.names("entity.") for node in question.clauses.core)


def _with_ties(fields: dict[str, JsonValue], name: str, direction: str) -> dict[str, JsonValue]:
    """Keep every group that shares the first place."""
    grouped = {key: value for key, value in fields.items() if key not in {"sort", "limit"}}
    first = f"{write.name(name)} is not null and rank({write.name(name)}, '{direction}') == 1"
    having = grouped.get("having")
    grouped.pop("having", None)
    step: dict[str, JsonValue] = {"where": f"{having} and {first}" if having else first}
    return {"steps": [{key: value for key, value in grouped.items() if value not in ([], {})}, step]}


def ranked_rows(
    question: Question,
    column: ColumnFacts,
    limit: int,
    *,
    first: ColumnFacts | None = None,
    descending: bool | None = None,
) -> Draft | None:
    """Answer with the first rows in the order of a column; ties of a single first place are kept."""
    if not no_extras(question, "by", "conditions", "periods"):
        return None
    scope = scope_of(question.clauses, question.scene)
    down = _descending(question, column) if descending is None else descending
    direction = "desc" if down else "asc"
    fields: dict[str, JsonValue] = dict(scope.fields)
    present = f"{write.name(column.name)} is not null"
    fields["where"] = f"({fields['where']}) and {present}" if "where" in fields else present
    fields["sort"] = f"{write.name(column.name)} {direction}"
    fields["limit"] = limit
    best = "highest" if direction == "desc" else "lowest"
    if limit == 1:
        fields = _rows_with_ties(question, fields, column, direction, first)
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="argmax_row" if limit == 1 else "top_rows",
        read_as=(
            f"{limit} rows with the {best} {column.name}"
            if limit > 1
            else f"rows with the {best} {column.name}",
            *scope.read_as,
        ),
        details={"measure": column.name, "best": best, "key": first.name if first else ""},
    )


def _rows_with_ties(
    question: Question,
    fields: dict[str, JsonValue],
    column: ColumnFacts,
    direction: str,
    first: ColumnFacts | None,
) -> dict[str, JsonValue]:
    kept = {name: value for name, value in fields.items() if name not in {"sort", "limit"}}
    names = [item.name for item in question.scene.table.columns]
    if first is not None:
        names = [first.name, column.name, *(name for name in names if name not in {first.name, column.name})]
    step: dict[str, JsonValue] = {
        "where": f"rank({write.name(column.name)}, '{direction}') == 1",
        "columns": names,
    }
    return {"steps": [kept, step]}


def _head(question: Question) -> tuple[str, Node]:
    """Return what is ranked: rows (E), a column (D, T, B) or a calendar unit (U)."""
    for code in "DTBUE":
        if question.has(code):
            return code, question.node(code)
    raise Unreadable("what is to be ranked?")


def _top(question: Question) -> Draft | None:
    number = question.number()
    code, node = _head(question)
    if (
        question.has("O")
        and question.node("O").has("top.best", "top.worst")
        and not question.clauses.by
        and not question.has("S")
    ):
        raise Unreadable("best by what?")
    if number is None:
        if question.plural(node) or code == "E":
            raise Unreadable("how many are wanted?")
        number = 1
    if code == "U":
        return _ranked_groups(question, _unit_key(node), number, ties=number == 1)
    if code == "T" and node.column is not None and unit_of_name(node.column) is not None:
        return _ranked_groups(question, _column_key(node.column), number, ties=number == 1)
    if code in "DTB" and node.column is not None:
        if (code == "T" and not question.scene.is_year(node.column)) or (
            code == "D" and question.is_label(node.column)
        ):
            return _rows(question, number)
        return _ranked_groups(question, Key(column=node.column), number, ties=number == 1)
    return _rows(question, number)


def _rows(question: Question, number: int, first: ColumnFacts | None = None) -> Draft | None:
    """Rank the rows themselves, by a plain column."""
    measure = _measure(question)
    if measure is None or measure.column is None or measure.function != "sum":
        return None
    return ranked_rows(question, measure.column, number, first=first)


def _unit_key(node: Node) -> Key:
    unit = node.sense.family("unit.") if node.sense is not None else None
    return Key(unit=unit)


def _top_values(question: Question) -> Draft | None:
    """Read `five lowest closes`: rows by a column, when no other noun is there."""
    number = question.number()
    if number is None:
        return None
    return _rows(question, number)


def _arg_group(question: Question) -> Draft | None:
    """Read `which region has the highest average revenue`."""
    code, node = _head(question)
    if question.plural(node):
        raise Unreadable("how many are wanted?")
    if code == "U":
        return _ranked_groups(question, _unit_key(node), 1, ties=True)
    if code == "E":
        return _rows(question, 1)
    if node.column is None:
        return None
    if code == "D" and question.is_label(node.column):
        return _rows(question, 1, node.column)
    return _ranked_groups(question, _column_key(node.column), 1, ties=True)


def _of_row(question: Question) -> Draft | None:
    """Read `director with the highest grossing film`: the row noun behind says that one row has it."""
    node, column = question.node("D"), question.node("C").column
    if column is None or question.plural(node):
        raise Unreadable("how many are wanted?")
    return ranked_rows(question, column, 1, first=node.column)


def _column_key(column: ColumnFacts) -> Key:
    return Key(column=column, unit=unit_of_name(column))


def _when(question: Question) -> Draft | None:
    """Read `when was the highest close`, when each row has its own date."""
    column = time_column(question.scene)
    if column is None:
        raise Unreadable("the table has no date column")
    if not question.is_label(column):
        raise Unreadable(f"{column.name} repeats: the row or the day with the extreme?")
    return _rows(question, 1, column)


def _who(question: Question) -> Draft | None:
    """Read `who has the highest salary`: a row when a column names its person, else the person with most in all."""
    people = question.scene.evidence.people()
    labels = [
        column
        for column in question.scene.table.columns
        if column.kind.value == "text" and question.is_label(column)
    ]
    named = [column for column in labels if column in people] or ([] if people else labels)
    if len(named) == 1 or (named and not people):
        return _rows(question, 1, named[0])
    if len(people) != 1:
        raise Unreadable("no column names the person of each row")
    return _ranked_groups(question, Key(column=people[0]), 1, ties=True)


def _busiest(question: Question) -> Draft | None:
    """Read `who closed the most tickets`: the person with most rows."""
    people = question.scene.evidence.people()
    if len(people) != 1 or question.is_label(people[0]):
        raise Unreadable("no column names the person of each row")
    return _ranked_groups(question, Key(column=people[0]), 1, ties=True)


def _best_value(question: Question) -> Draft | None:
    """Read `best interview score`: an extreme of a column of which it is known whether more is better."""
    column, judged = question.node("C").column, question.node("O")
    if column is None or not judged.has("top.best", "top.worst") or question.clauses.by:
        return None
    function = "max" if judged.has("top.best") == _better_high(question, column) else "min"
    return measured(question, (Measure(function=function, column=column),))


def _most_values(question: Question) -> Draft | None:
    """Read `which region has the most countries`: groups by how many different values they hold."""
    first, second = question.node("D"), question.node("D", 1)
    if first.column is None or second.column is None or question.is_label(second.column):
        return None
    number = question.number()
    if number is None and question.plural(first):
        raise Unreadable("how many are wanted?")
    if holds_written_numbers(question.scene.table, second.column):
        raise Unreadable(f"{second.column.name} holds numbers as text: no order and no sum of them")
    measure = Measure(function="count_distinct", column=second.column)
    ranked = replace(question, clauses=replace(question.clauses, by=(measure,)))
    return _ranked_groups(ranked, Key(column=first.column), number or 1, ties=number is None)


def _scaled_row(question: Question) -> Draft | None:
    """Read `the cheapest notebook`, where a filter is the noun."""
    if not question.is_scaled(question.node("C")) or not question.clauses.conditions:
        return None
    return _rows(question, 1)


def _last(question: Question) -> Draft | None:
    """Read `the last 5 orders` by date, where there is one; the first ones may be those of the file."""
    if question.node("E").has("rows") or not question.node("F").has("rel.last"):
        return None
    column, number = time_column(question.scene), question.number()
    if column is None:
        return None
    if number is None and question.plural_rows():
        raise Unreadable("how many are wanted?")
    return ranked_rows(question, column, number or 1, descending=True)


def _latest(question: Question) -> Draft | None:
    """Read `5 most recent orders`: rows by date."""
    column, number = time_column(question.scene), question.number()
    if column is None or number is None:
        return None
    late = question.node("A").has("super.late")
    return ranked_rows(question, column, number, descending=late)


def _with_extreme(question: Question) -> Draft | None:
    """Read `airport with maximum latitude`: the row of the extreme, when a word ties it to a noun for the rows."""
    code, node = _head(question)
    measures = question.node("M").measures
    column = measures[0].column if len(measures) == 1 else None
    named = code == "E" or (node.column is not None and question.is_label(node.column))
    tied = question.node("M").place - node.place > 1
    if (
        column is None
        or measures[0].function not in {"max", "min"}
        or not named
        or not tied
        or question.plural(node)
    ):
        return None
    return ranked_rows(question, column, 1, first=node.column, descending=measures[0].function == "max")


def _oldest(question: Question) -> Draft | None:
    """Read `oldest film`: the rows of the first year or date, where the table has one column of them."""
    column = time_column(question.scene)
    node = question.node("E") if question.has("E") else question.node("D")
    person = node.names("entity.person") or any(
        item == node.column for item in question.scene.evidence.people()
    )
    named = node.column is not None and question.is_label(node.column)
    if column is None or person or question.clauses.keys or not (named or question.has("E")):
        return None
    return ranked_rows(
        question,
        column,
        1,
        first=node.column if named else None,
        descending=question.node("A").has("super.late"),
    )


def _most_common(question: Question) -> Draft | None:
    """Read `most common weather`: the group with most rows."""
    node = question.node("D")
    if node.column is None or not no_extras(question, "conditions", "periods"):
        return None
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((Key(column=node.column),), question.clauses, question.scene)
    chosen = selected(Measure(function="count"))
    fields = grouped_fields(scope, groups, (chosen,))
    fields["having"] = f"{write.name(node.column.name)} is not null"
    return Draft(
        tool="run_query",
        arguments=query(question.table, _with_ties(fields, chosen.name, "desc")),
        scope=scope.read_as,
        shape="argmax",
        read_as=(f"{node.column.name} with the highest number of rows", *scope.read_as),
        details={"measure": chosen.name, "key": node.column.name, "best": "highest"},
    )


def _counted_or_single(question: Question) -> Draft | None:
    """Read `5 days with the highest volume` and `the day with the highest volume`."""
    return _top(question) if question.number() is not None else _arg_group(question)


_M: Final = "(?:[CM]|KE?)"
"""A measure."""


def _largest_by(question: Question) -> Draft | None:
    """Read `largest stadium by capacity`: what is large is said behind."""
    return _counted_or_single(question) if question.clauses.by else None


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (rf"[WL]*(ON?|NO)[DTUBE]{_M}?", _top),
    (rf"[WL]*O?N?[DTUBE]S({_M}|E)?", _counted_or_single),
    (r"[WL]*DSCE", _of_row),
    (rf"[WL]*O?N?S{_M}[DE]|[WL]*S?NS?{_M}[DE]", _counted_or_single),
    (r"[WL]*S[DE]", _largest_by),
    (r"[WL]*SN[DEU]|[WL]*NS[DEU]", _top),
    (r"[WL]*O?NSC|[WL]*SNC", _top_values),
    (r"[WL]*OC", _best_value),
    (r"[WL]*SC", _scaled_row),
    (rf"[WL]*[DTUBE]{_M}S|[WL]*[DTUB]ES", _arg_group),
    (r"[WL]*O?N?DSD", _most_values),
    (r"[WL]*SCN[DE]", _counted_or_single),
    (r"[WL]*[DE]M", _with_extreme),
    (r"[WL]*(NA|AN)E", _latest),
    (r"[WL]*(FN|F)E", _last),
    (r"[WL]*A[ED]|[WL]*[ED]A", _oldest),
    (rf"PS{_M}E?|P{_M}S", _who),
    (r"PSE", _busiest),
    (rf"Q{_M}S|QS{_M}", _when),
    (r"[WL]*oDE?|[WL]*DE?o", _most_common),
)
