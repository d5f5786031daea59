"""Reads what a worker wrote as if an attacker had written it: every field has a type, a size and a place.

Whatever the worker does not write itself is a `BrokenReplyError`, and nothing
of such a reply is used.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.cells import inert
from tabchat.record import record
from tabchat.sandbox.guarding.problems import CodeProblem
from tabchat.sandbox.reply.exchange import BrokenReplyError, Reply
from tabchat.sandbox.reply.outcome import CodeFailure, Ending, ResultForm, SandboxOutcome, Walls
from tabchat.sandbox.reply.reply_table import NAME_LIMIT, read_table
from tabchat.sandbox.reply.wire import ENTRY_LIMIT, TEXT_LIMIT, untagged
from tabchat.sandbox.worker.warned import MESSAGE_LIMIT, WARNED_LIMIT

if TYPE_CHECKING:
    from tabchat.engine.types import Value

_LIST_LIMIT: Final = 6_000


class Fields:
    """The fields of a JSON object; asking for one of the wrong type is a `BrokenReplyError`."""

    def __init__(self, stated: object) -> None:
        if not isinstance(stated, dict):
            raise BrokenReplyError("its header is no object")
        self._stated = stated

    def get(self, name: str) -> object:
        """Return the field, None when it is absent."""
        return self._stated.get(name)

    def text(self, name: str, limit: int) -> str:
        """Return a text of at most `limit` characters."""
        value = self._stated.get(name)
        if not isinstance(value, str) or len(value) > limit:
            raise _wrong(name)
        return value

    def number(self, name: str, most: int) -> int:
        """Return a whole number from 0 to `most`."""
        value = self._stated.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise _wrong(name)
        return value

    def items(self, name: str) -> list[Any]:
        """Return a list, empty when it is absent."""
        value = self._stated.get(name, [])
        if not isinstance(value, list) or len(value) > _LIST_LIMIT:
            raise _wrong(name)
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        items = self.items(name)
        if not all(isinstance(item, str) for item in items):
            raise _wrong(name)
        return items

    def member(self, name: str, kind: Any) -> Any:
        """Return the member of an enumeration that the field names."""
        try:
            return kind(self._stated.get(name))
        except ValueError as error:
            raise _wrong(name) from error


def _wrong(name: str) -> BrokenReplyError:
    return BrokenReplyError(f"its field `{name}` is not what it must be")


def parsed(header: memoryview) -> object:
    """Return the JSON of a header, in which no field is named twice and every number is finite."""
    try:
        return json.loads(str(header, "utf-8"), object_pairs_hook=_unrepeated, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BrokenReplyError("its header is not JSON") from error


def _unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise BrokenReplyError("its header repeats a field")
    return made


def _no_constant(name: str) -> object:
    raise BrokenReplyError(f"its header holds {name}")


_SAID: Final = frozenset(
    {
        Ending.ANSWERED,
        Ending.REFUSED,
        Ending.NO_RESULT,
        Ending.RAISED,
        Ending.OUT_OF_MEMORY,
        Ending.EXITED,
        Ending.NOT_LOCKED,
    }
)
"""Endings that a worker reports; the others are seen from outside."""
_EXACT: Final = 2**53


@record
class Expected:
    """What a reply may hold."""

    max_rows: int | None
    """Rows of a table; None for an edit, whose size alone is bounded."""
    max_stdout: int
    names: frozenset[str]
    """Names of columns that stay as they are; any other is made inert."""


def read_outcome(reply: Reply, expected: Expected) -> SandboxOutcome:
    """Return the outcome that a reply states; raises `BrokenReplyError`."""
    header = Fields(parsed(reply.header))
    ending = header.member("ending", Ending)
    if ending not in _SAID:
        raise BrokenReplyError("it states an ending that only its parent can see")
    stdout, cut = _stdout(header, expected.max_stdout)
    common: dict[str, Any] = {
        "ending": ending,
        "stdout": stdout,
        "walls": _walls(header),
        "warned": _warned(header),
        "lacked": header.get("lacked") is True,
    }
    if ending is Ending.ANSWERED:
        return _answer(header, reply.body, common, cut, expected)
    if len(reply.body):
        raise BrokenReplyError("it carries a table without an answer")
    return SandboxOutcome(**common, notes=cut, failure=_failure(header), problems=_problems(header))


def _answer(
    header: Fields, body: memoryview, common: dict[str, Any], cut: tuple[str, ...], expected: Expected
) -> SandboxOutcome:
    form = header.member("form", ResultForm)
    common["remarks"] = tuple(inert(note) for note in header.texts("notes"))
    notes = cut
    if form is ResultForm.FRAME:
        table = read_table(body, expected.max_rows, expected.names)
        rows = header.number("rows", _EXACT)
        if rows < table.num_rows or (rows > table.num_rows and table.num_rows != expected.max_rows):
            raise BrokenReplyError("it miscounts its rows")
        if rows > table.num_rows:
            notes = (f"The result has {rows:,} rows; the first {table.num_rows:,} are kept.", *notes)
        as_text = tuple(name for name in header.texts("as_text") if name in table.column_names)
        return SandboxOutcome(
            **common, form=form, table=table, row_count=rows, notes=notes, text_columns=as_text
        )
    if len(body):
        raise BrokenReplyError("it carries a table that it does not announce")
    return SandboxOutcome(
        **common,
        form=form,
        notes=notes,
        value=_value(header.get("value")) if form is ResultForm.SCALAR else None,
        values=_values(header.items("values")) if form is ResultForm.DICT else {},
        text=header.text("text", TEXT_LIMIT) if form is ResultForm.TEXT else None,
    )


def _stdout(header: Fields, limit: int) -> tuple[str, tuple[str, ...]]:
    text, printed = header.text("stdout", limit), header.number("printed", _EXACT)
    note = f"The output was cut from {printed:,} to {limit:,} characters."
    return _shown(text), (note,) if printed > limit else ()


def _shown(text: str) -> str:
    """Return what was printed line by line, without characters that a terminal would obey."""
    return "".join(char if char.isprintable() or char in "\n\t" else _instead(char) for char in text)


def _instead(char: str) -> str:
    return " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"


def _walls(header: Fields) -> Walls:
    stated = header.get("walls")
    if stated is None:
        return Walls()
    fields = Fields(stated)
    return Walls(
        names=tuple(inert(name) for name in fields.texts("names")),
        landlock_abi=fields.number("landlock_abi", 1_000),
        degraded=fields.get("degraded") is True,
    )


def _failure(header: Fields) -> CodeFailure | None:
    stated = header.get("error")
    if stated is None:
        return None
    fields = Fields(stated)
    line = None if fields.get("line") is None else fields.number("line", _EXACT)
    kind, message = fields.text("kind", 100), fields.text("message", TEXT_LIMIT)
    return CodeFailure(kind=inert(kind), message=_shown(message), line=line)


def _warned(header: Fields) -> tuple[CodeFailure, ...]:
    warned: list[CodeFailure] = []
    for item in header.items("warned"):
        match item:
            case [str(kind), str(message), int() | None as line] if len(warned) < WARNED_LIMIT:
                told = inert(message)[:MESSAGE_LIMIT]
                warned.append(CodeFailure(kind=inert(kind)[:100], message=told, line=line))
            case _:
                raise BrokenReplyError("its header has a field of the wrong type")
    return tuple(warned)


def _problems(header: Fields) -> tuple[CodeProblem, ...]:
    problems = []
    for item in header.items("problems"):
        match item:
            case [int(line), int(column), str(what), str() | None as hint]:
                problems.append(CodeProblem(line=line, column=column, what=_shown(what), hint=hint))
            case _:
                raise BrokenReplyError("its header has a field of the wrong type")
    return tuple(problems)


def _value(pair: object) -> Value:
    try:
        value: Value = untagged(pair)
    except (ValueError, OverflowError) as error:
        raise BrokenReplyError("it holds a value that cannot be read") from error
    return value


def _values(items: list[Any]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for item in items:
        match item:
            case [str(key), pair] if len(values) < ENTRY_LIMIT and key not in values:
                values[key] = _value(pair)
            case _:
                raise BrokenReplyError("its header has a field of the wrong type")
    return {inert(key)[:NAME_LIMIT]: value for key, value in values.items()}
