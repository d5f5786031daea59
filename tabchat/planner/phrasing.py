"""One deterministic sentence about a result, in the language of the question, with the evidence of each figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.result import ResultKind
from tabchat.planner.naming import SPECIAL, aside, capital, groups, rows, whole
from tabchat.planner.writing import Phrasing, plural
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.answers.receipts import Receipt
    from tabchat.engine.result import Result
    from tabchat.planner.catalog import PlannerTable
    from tabchat.planner.plans import Draft
    from tabchat.planner.removal import Removal

_STATED: Final = ("sum", "mean", "median", "min", "max", "std", "var", "percentile")
"""Functions whose measure can be said as `the … is …`."""
_SCALED: Final = frozenset({"sum", "mean", "median", "min", "max", "std"})
"""Functions whose result has the unit of their column."""


@record
class Sentence:
    """Text and the figures in it."""

    text: str
    receipts: tuple[Receipt, ...]


def phrase(
    draft: Draft, result: Result, words: Mapping[str, str], key: str, table: PlannerTable | None = None
) -> Sentence:
    """Write the sentence that answers the question behind `draft`; `table` tells units, and why nothing is left."""
    writer = Phrasing(words=words, key=key, units=_units(draft, result, table))
    text = _text(draft, result, writer, table)
    return Sentence(text=text, receipts=tuple(writer.receipts))


def _units(draft: Draft, result: Result, table: PlannerTable | None) -> dict[str, str]:
    """Return the unit of each result column that has one."""
    units = {"growth_pct": "%"} if draft.details.get("measure") == "growth_pct" else {}
    for column in table.columns if table is not None else ():
        if column.unit:
            units |= {f"{function}_{column.name}": column.unit for function in _SCALED}
            units[column.name] = column.unit
    units |= {column.name: column.unit for column in result.frame.schema if column.unit}
    return {name: unit for name, unit in units.items() if name in result.frame.columns}


def _text(draft: Draft, result: Result, writer: Phrasing, table: PlannerTable | None) -> str:
    if result.kind is ResultKind.SCALAR:
        return _scalar(draft, result, writer, table)
    if not result.frame.row_count:
        return _empty(draft, writer, table)
    if result.kind is ResultKind.DICT:
        return _several(draft, result, writer)
    special = SPECIAL.get(draft.shape)
    if special is not None:
        return special(draft, result, writer)
    grouped = result.kind is ResultKind.GROUPED or draft.shape == "growth"
    if grouped and draft.details.get("measure") in result.frame.columns:
        return groups(draft, result, writer)
    return rows(draft, result, writer)


def _empty(draft: Draft, writer: Phrasing, table: PlannerTable | None) -> str:
    writer.counted(0, "row")
    said = writer.words["empty"].format(scope=" · ".join(draft.scope) or "—")
    return " ".join((said, *_why(draft, writer, table)))


def _why(draft: Draft, writer: Phrasing, table: PlannerTable | None) -> list[str]:
    """Say which filter leaves no row, when there are several of them."""
    # Most answers have rows.
    from tabchat.planner.removal import removed_by

    removal = removed_by(draft, table) if table is not None else None
    if removal is None:
        return []
    said = [_removing(item, writer) for item in removal.never]
    if not said:
        alone = ", ".join(
            f"{text}: {writer.counted(count, 'row', f'rows where {text}')}" for text, count in removal.alone
        )
        said = [writer.words["together"].format(alone=alone)]
    return said


def _removing(item: Removal, writer: Phrasing) -> str:
    if not item.others:
        return writer.words["never"].format(condition=item.text)
    left = writer.counted(item.others, "row", f"rows without {item.text}")
    return writer.words["never_without"].format(condition=item.text, rows=left)


def _scalar(draft: Draft, result: Result, writer: Phrasing, table: PlannerTable | None) -> str:
    name = result.frame.columns[0]
    if result.value is None:
        return _undefined(draft, result, writer, table)
    if draft.shape == "percent":
        writer.units = {**writer.units, name: "%"}
    if name == "count" and "steps" not in draft.arguments and isinstance(result.value, int):
        return _count(draft, result.value, writer, table)
    return _value(draft, result, writer)


def _undefined(draft: Draft, result: Result, writer: Phrasing, table: PlannerTable | None) -> str:
    said = capital(writer.words["undefined"].format(measure=draft.read_as[0], scope=aside(draft)))
    if result.source_row_count != 0:
        return said
    writer.counted(0, "row")
    return " ".join((said, *_why(draft, writer, table)))


def _value(draft: Draft, result: Result, writer: Phrasing) -> str:
    name, words = result.frame.columns[0], writer.words
    subject, scope = draft.read_as[0], aside(draft)
    value = writer.figure(result.value, name, ".value")
    if draft.shape == "percent" and "pct(" in str(draft.arguments.get("select", "")):
        condition = subject.split(words["where"], 1)[-1]
        return words["percent"].format(value=value, condition=condition, scope=scope)
    if name.startswith("count_distinct_"):
        noun = plural(whole(result.value), words["different"], words["plural"])
        column = name.removeprefix("count_distinct_")
        return words["distinct_count"].format(value=value, different=noun, column=column, scope=scope)
    if ": " in subject:
        return capital(f"{subject}{scope} = {value}.")
    stated = name.startswith(tuple(f"{function}_" for function in _STATED)) and draft.shape == "measure"
    template = words["stated" if stated and "steps" not in draft.arguments else "scalar"]
    return capital(template.format(measure=subject, value=value, scope=scope))


def _count(draft: Draft, count: int, writer: Phrasing, table: PlannerTable | None) -> str:
    if not draft.scope:
        counted = writer.counted(count, "row", f"{writer.key}.value")
        return writer.words["count"].format(rows=counted)
    counted = writer.counted(count, "matching", f"{writer.key}.value")
    said = writer.words["count_where"].format(rows=counted, scope=" · ".join(draft.scope))
    return said if count else " ".join((said, *_why(draft, writer, table)))


def _several(draft: Draft, result: Result, writer: Phrasing) -> str:
    said = draft.read_as[0].split(", ")
    names = list(result.values)
    labels = said if len(said) == len(names) and draft.shape == "measure" else names
    parts = [
        f"{label}: {writer.figure(result.values[name], name, f'.values.{name}')}"
        for label, name in zip(labels, names, strict=True)
    ]
    return capital(f"{', '.join(parts)}{aside(draft)}.")
