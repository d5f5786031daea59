"""A session as a Python program that finds the same figures.

It goes through `tabchat.open_table` rather than plain SQL: how a messy file is read (nulls, decimal marks, dates) is part
of every figure, and only tabchat reads it so. Of what a model did, the queries are in it, and no model is asked.
"""

from __future__ import annotations

import os
import pprint
from typing import TYPE_CHECKING, Any, Final

from tabchat.journal.document.document import text_of
from tabchat.journal.document.drafting import computed_by
from tabchat.journal.document.markdown import report_title
from tabchat.render.layout.text import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.engine.types import JsonValue
    from tabchat.journal.document.document import Step
    from tabchat.journal.document.drafting import Draft, Section
    from tabchat.journal.kept import KeptTable

_WIDTH: Final = 96
_HEAD: Final = '''"""{title}, written by tabchat session export. It prints what was found."""

import tabchat


def show(title, answer):
    """Print an answer's rows, and return it."""
    print(f"\\n{{title}}")
    print(" | ".join(answer.frame.columns))
    for row in answer.frame.rows():
        print(" | ".join("" if cell is None else str(cell) for cell in row))
    return answer


found = {{}}

'''


def write_script(draft: Draft) -> str:
    """Return the program; what comes from a table or a model stands in it as literals and comments alone."""
    title = _comment(report_title(draft.kept)).replace("\\", "").replace('"', "'")
    first, *more = draft.kept.workspace.tables
    lines = [f"with tabchat.open_table({_opening(first, draft.head.settings)}) as t:"]
    lines += [f"    t.session.add({_added(table)})" for table in more]
    count = 0
    for number, section in enumerate(draft.sections, start=1):
        lines += ["", f"    # {number}. {_comment(section.turn.asked or section.turn.entry)}"]
        for said in _said(section):
            lines.append(f"    # {_comment(said)}")
        for step in section.steps:
            count += 1
            lines += [
                f"    {line}"
                for statement in _statements(step, count, number, section, several=bool(more))
                for line in statement.split("\n")
            ]
    return _HEAD.format(title=title) + "\n".join(lines) + "\n"


def _opening(table: KeptTable, settings: Mapping[str, JsonValue]) -> str:
    given = [repr(os.fspath(table.source)), *_options(table)]
    given += [f"{name}={settings[name]!r}" for name in ("week_start", "sessions") if settings.get(name)]
    return ", ".join(given)


def _added(table: KeptTable) -> str:
    return ", ".join([repr(os.fspath(table.source)), *_options(table), f"name={table.reference.name!r}"])


def _options(table: KeptTable) -> list[str]:
    options = dict(table.reference.options)
    return [f"options=tabchat.ReadOptions.from_json({options!r})"] if options else []


def _said(section: Section) -> Iterator[str]:
    answer = section.turn.answer
    if answer is not None and answer.interpretation:
        yield f"read as: {answer.interpretation}"
    if answer is not None and answer.text:
        yield f"found: {answer.text}"
    if section.untold:
        yield section.untold


def _statements(step: Step, count: int, number: int, section: Section, *, several: bool) -> Iterator[str]:
    does: Mapping[str, Any] = step.does
    if "replies" in does:
        yield from _queries_of_a_model(section, count, number, several=several)
        return
    uses = {
        key: f"found[{', '.join(map(str, place)) if isinstance(place, list) else place}].key"
        for key, place in does.get("uses", {}).items()
    }
    if several and "table" in does and does["table"] not in uses:
        yield f"t.session.use({does['table']!r})"
    if "undo" in does or "redo" in does:
        yield f"t.session.{'undo' if 'undo' in does else 'redo'}()"
    elif "edit" in does:
        yield f"t.session.commit(t.session.preview_edit({_literal(does['edit'])}))"
    elif "edit_code" in does:
        yield f"t.session.commit(t.session.preview_code({_text(text_of(does['edit_code']))}))"
    else:
        yield f"found[{count}] = show({step.title!r}, {_computed(does, uses)})"


def _computed(does: Mapping[str, Any], uses: Mapping[str, str]) -> str:
    if "sql" in does:
        replaced = "".join(f".replace({key!r}, {name})" for key, name in uses.items())
        return f"t.sql({_text(text_of(does['sql']))}{replaced})"
    if "code" in does:
        return f"t.run({_text(text_of(does['code']))})"
    table = uses.get(str(does.get("table")))
    if "analysis" in does:
        arguments = dict(does["analysis"])
        recipe = arguments.pop("recipe")
        return f"t.analyze({recipe!r}, {_with_table(arguments, table)})"
    if "plan" in does:
        return f"t.query({_with_table(does['plan'], table)})"
    return f"t.ask({does['ask']!r})"


def _with_table(fields: Mapping[str, Any], table: str | None) -> str:
    literal = _literal(dict(fields))
    return literal if table is None else f"{{**{literal}, 'table': {table}}}"


def _queries_of_a_model(section: Section, count: int, number: int, *, several: bool) -> Iterator[str]:
    """Yield what its tools computed, in order; a result that reads another one does so by what that one has here."""
    keys: dict[str, str] = {}
    blocks = section.turn.answer.blocks if section.turn.answer is not None else ()
    for place, block in enumerate(blocks):
        recipe = block.recipe
        if recipe is None:
            continue
        table = recipe.tables[0]
        name = keys.get(table.version)
        if several and name is None and table.result_key is None:
            yield f"t.session.use({table.name!r})"
        does = computed_by(recipe)
        uses = {key: name for key, name in keys.items() if key in {item.version for item in recipe.tables}}
        shown = f"found[{count}, {place}]" if place < len(blocks) - 1 else f"found[{count}]"
        title = f"{number}. {block.title or block.tool}"
        yield f"{shown} = show({title!r}, {_computed({**does, 'table': table.version}, uses)})"
        if block.key is not None:
            keys[block.key] = f"{shown}.key"


def _literal(value: object) -> str:
    return pprint.pformat(value, width=_WIDTH, sort_dicts=False)


def _text(text: str) -> str:
    """Return SQL or code as a literal, a line each."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:  # noqa: PLR2004 - one line
        return repr(text)
    return "(\n" + "\n".join(f"    {line!r}" for line in lines) + "\n)"


def _comment(text: str) -> str:
    return sanitise(" ".join(text.split()))
