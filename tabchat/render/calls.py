"""A tool call in a few words: what was asked of which tool, for the line that says how long it took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.render.layout.text import cut, pack, sanitise, width_of
from tabchat.render.layout.wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.chat.turn.events import ToolEnd
    from tabchat.engine.types import JsonValue
    from tabchat.render.terminal.console import Consoles

LONGEST: Final = 2_000
"""Characters of a call's arguments that are looked at."""
REASON_LINES: Final = 3
"""Lines that the reason of a failure may take."""
_UNSAID: Final = frozenset({"table", "title"})
_MS_PER_S: Final = 1_000


def describe_call(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """Return `run_query mean(revenue) by region`: not yet inert, as long as the arguments make it."""
    match tool:
        case "run_query":
            said = _plan(arguments)
        case "run_sql":
            said = " ".join(str(arguments.get("sql", ""))[:LONGEST].split())
        case "run_python":
            said = " ".join(str(arguments.get("code", ""))[:LONGEST].split())
        case _:
            said = _named(arguments)
    return f"{tool[:LONGEST]} {said}".rstrip()


def _plan(plan: Mapping[str, JsonValue]) -> str:
    steps = plan.get("steps")
    if isinstance(steps, list):
        return ", then ".join(_plan(step) for step in steps[:LONGEST] if isinstance(step, dict))
    return " ".join(_clauses(plan))


def _clauses(plan: Mapping[str, JsonValue]) -> Iterator[str]:
    yield _text(plan.get("select") or plan.get("columns") or ("count()" if plan.get("group_by") else "rows"))
    for name, word in (
        ("group_by", "by"),
        ("resample", "per"),
        ("from", "per"),
        ("within", "within"),
        ("where", "where"),
        ("having", "having"),
        ("period", "in"),
        ("session", "during"),
        ("map", "with"),
        ("sort", "sorted by"),
        ("limit", "limit"),
    ):
        if plan.get(name):
            yield f"{word} {_text(plan[name])}"


def _named(arguments: Mapping[str, JsonValue]) -> str:
    said = {name: value for name, value in arguments.items() if name not in _UNSAID and value is not None}
    if len(said) == 1:
        return _text(next(iter(said.values())))
    return ", ".join(f"{name[:LONGEST]}={_text(value)}" for name, value in said.items())


def _text(value: JsonValue) -> str:
    match value:
        case list():
            return ", ".join(_text(item) for item in value[:LONGEST])
        case dict():
            return ", ".join(f"{name[:LONGEST]} = {_text(item)}" for name, item in value.items())
        case _:
            return str(value)[:LONGEST]


def describe_end(consoles: Consoles, call: str, event: ToolEnd) -> list[str]:
    """Return the lines that say how a call went: `run_query mean(revenue) by region · 12 ms`."""
    width, glyphs = consoles.width, consoles.glyphs
    said = sanitise(call[:LONGEST], glyphs)
    if event.error is None:
        took = f"{glyphs.separator}{duration(event.duration_ms)}"
        return [cut(said, max(width - width_of(took), 1), glyphs) + took]
    reason = sanitise((event.reason or event.error)[:LONGEST], glyphs)
    failed = cut(f"failed: {reason}", width * REASON_LINES, glyphs)
    first, *rest = pack([cut(said, width, glyphs), failed], width, glyphs)
    return [first, *(row for line in rest for row in wrap_text(line, width, hang=2))]


def duration(milliseconds: float) -> str:
    """Return a duration as it is read: `12 ms`, `1.2 s`, `75 s`."""
    if milliseconds < _MS_PER_S:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / _MS_PER_S
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"  # noqa: PLR2004 - below ten a tenth tells
