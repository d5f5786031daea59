"""Repeating the steps of a document over the files as they are now; nothing is sent, and no file is written."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import sqlglot
from sqlglot import exp

from tabchat.chat.turn.messages import ToolCall
from tabchat.chat.turn.model import Reply, ScriptedModel
from tabchat.engine.types import json_value
from tabchat.errors import TabchatError, UsageError
from tabchat.journal.document.document import text_of
from tabchat.journal.replay.figures import MOST_ROWS, Difference, differences, figures_of, same
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.types import JsonValue
    from tabchat.journal.document.document import Step
    from tabchat.session import Session
    from tabchat.session.edits.versions import PendingEdit


@record
class Outcome:
    """What a step came to this time."""

    step: Step
    answer: Answer | None = None
    differences: tuple[Difference, ...] = ()
    error: TabchatError | None = None
    now: Step | None = None
    """The step with the figures as they are now; nothing where it failed."""
    is_checked: bool = True
    """Whether there was anything to compare."""

    @property
    def ok(self) -> bool:
        """Whether all is as it was."""
        return self.error is None and not self.differences


@dataclass
class Replay:
    """One session that goes through the steps of a document, in order."""

    session: Session
    most_rows: int = MOST_ROWS
    """Rows up to which results are compared row by row."""
    _keys: list[tuple[str | None, ...]] = field(default_factory=list)
    """Keys of each step's results."""

    def run(self, steps: Sequence[Step]) -> Iterator[Outcome]:
        """Yield the outcome of each step; one that fails does not stop the others."""
        for step in steps:
            try:
                answer = self._do(step)
            except TabchatError as error:
                self._keys.append(())
                yield Outcome(step=step, error=error)
                continue
            self._keys.append(tuple(block.data_key for block in answer.blocks) if answer is not None else ())
            yield _outcome(step, answer, self.most_rows)

    def _do(self, step: Step) -> Answer | None:
        does: Mapping[str, Any] = step.does
        table = does.get("table")
        uses = self._used(does.get("uses", {}))
        if isinstance(table, str) and table not in uses:
            self.session.use(table)
        if any(name in does for name in ("edit", "edit_code", "undo", "redo")):
            self._edit(does)
            return None
        if numbers := self._numbers(does):
            self._pad(min(numbers) - 1)
        answer = self._answer(does, uses)
        for number, block in zip(self._numbers(does), answer.blocks, strict=False):
            if block.data_key is not None:
                self._place(number, block.data_key)
        return answer

    def _answer(self, does: Mapping[str, Any], uses: Mapping[str, str]) -> Answer:
        session, asked = self.session, str(does.get("ask", ""))
        table = str(does.get("table", session.current.name))
        table = uses.get(table, table)
        if "plan" in does:
            return session.query({**does["plan"], "table": table}, asked=asked)
        if "sql" in does:
            return session.sql(_with_keys(text_of(does["sql"]), uses))
        if "code" in does:
            return session.run(text_of(does["code"]))
        if "analysis" in does:
            arguments = dict(does["analysis"])
            return session.analyze(str(arguments.pop("recipe", "")), {**arguments, "table": table})
        if "replies" in does:
            with self._scripted(_replies(does["replies"], uses), agrees=bool(does.get("agrees"))):
                return _ended(session.answer(asked))
        return _ended(session.answer(asked))

    def _edit(self, does: Mapping[str, Any]) -> None:
        session = self.session
        if "undo" in does:
            session.undo()
        elif "redo" in does:
            session.redo()
        elif "edit" in does:
            session.commit(session.preview_edit(does["edit"]))
        else:
            session.commit(session.preview_code(text_of(does["edit_code"])))

    @contextmanager
    def _scripted(self, replies: Sequence[Reply], *, agrees: bool) -> Iterator[None]:
        """Let the recorded replies answer instead of a model, and the person say what was said then."""
        session, panel, confirm = self.session, self.session.panel, self.session.versions.confirm

        def say(_pending: PendingEdit) -> bool:
            return agrees

        session.panel = replace(panel, models=[ScriptedModel(replies)])
        session.versions.confirm = say
        try:
            yield
        finally:
            session.panel, session.versions.confirm = panel, confirm

    def _used(self, uses: Mapping[str, Any]) -> Mapping[str, str]:
        """Return old key → the key that the same step's result has now; raises `UsageError`."""
        found = {}
        for key, place in uses.items():
            # A step's number, or that and the place of the result among those of the step.
            number, which = place if isinstance(place, list) and len(place) == _PAIR else (place, -1)
            now = self._key(number, which)
            if now is None:
                message = f"Step {number}, whose result it uses, gave none."
                raise UsageError(message, hint="Mend that step first.")
            found[str(key)] = now
        return found

    def _key(self, number: object, which: object) -> str | None:
        if not (isinstance(number, int) and isinstance(which, int) and 0 < number <= len(self._keys)):
            return None
        keys = self._keys[number - 1]
        return keys[which] if -len(keys) <= which < len(keys) else None

    @staticmethod
    def _numbers(does: Mapping[str, Any]) -> Sequence[int]:
        found = does.get("numbers", [does["number"]] if "number" in does else [])
        return [number for number in found if isinstance(number, int) and 0 < number < _MOST_NUMBER]

    def _place(self, number: int, key: str) -> None:
        """Let `r1`, `r2` … stand for what they stood for, whatever steps are not here any more."""
        self._pad(number)
        self.session.conversation.numbers.keys[number - 1] = key

    def _pad(self, count: int) -> None:
        keys = self.session.conversation.numbers.keys
        keys += [""] * (count - len(keys))


_MOST_NUMBER: Final = 100_000
_PAIR: Final = 2


def _ended(answer: Answer) -> Answer:
    if answer.error is not None:
        raise answer.error
    return answer


def _outcome(step: Step, answer: Answer | None, most_rows: int) -> Outcome:
    if answer is None:
        return Outcome(step=step, now=step, is_checked=False)
    found: list[Difference] = []
    now = figures_of(answer.block.result, most=most_rows) if answer.block is not None else None
    if step.expect is not None:
        if now is None:
            found.append(Difference(column="table", was="there", now=None))
        else:
            found += differences(step.expect, now)
    receipts = [(receipt.text, json_value(receipt.value)) for receipt in answer.verification.receipts]
    if step.figures is not None:
        found += _figure_differences(step.figures, receipts)
    return Outcome(
        step=step,
        answer=answer,
        differences=tuple(found),
        now=replace(step, expect=now, figures=None if "replies" not in step.does else tuple(receipts)),
        is_checked=step.expect is not None or bool(step.figures),
    )


def _figure_differences(
    was: Sequence[tuple[str, JsonValue]], now: Sequence[tuple[str, JsonValue]]
) -> Iterator[Difference]:
    """Yield the figures of a text that are others now, by their place in it."""
    if len(was) != len(now):
        yield Difference(column="figures in the text", was=len(was), now=len(now))
        return
    for number, ((text, value), (other, found)) in enumerate(zip(was, now, strict=True), start=1):
        if not same(value, found):
            yield Difference(column=f"figure {number} of the text", was=value, now=found)
        elif text != other:
            yield Difference(column=f"figure {number} as written", was=text, now=other)


def _replies(recorded: object, uses: Mapping[str, str]) -> tuple[Reply, ...]:
    if not isinstance(recorded, list) or not recorded:
        raise UsageError("The recorded replies are no list.", hint='Such as "replies": [{"text": "…"}].')
    return tuple(_reply(reply, uses, number) for number, reply in enumerate(recorded))


def _reply(recorded: Any, uses: Mapping[str, str], number: int) -> Reply:
    try:
        calls = tuple(
            ToolCall(
                id=f"call-{number}-{place}",
                name=str(call["name"]),
                arguments=_renamed(call["arguments"], uses),
            )
            for place, call in enumerate(recorded.get("calls", ()))
        )
        return Reply(
            text=text_of(recorded.get("text", "")),
            tool_calls=calls,
            finish="tool_calls" if calls else "stop",
        )
    except (KeyError, TypeError, AttributeError) as error:
        hint = 'Such as {"text": "…", "calls": [{"name": …, "arguments": {…}}]}.'
        raise UsageError(f"Reply {number + 1} is no recorded reply.", hint=hint) from error


def _renamed(value: Any, uses: Mapping[str, str]) -> Any:
    """Return arguments of a call in which results are called by their keys of now."""
    if isinstance(value, dict):
        return {name: _renamed(item, uses) for name, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, uses) for item in value]
    if isinstance(value, str):
        for old, now in uses.items():
            value = value.replace(old, now)
    return value


def _with_keys(sql: str, uses: Mapping[str, str]) -> str:
    """Return SQL in which earlier results are called by their keys of now."""
    if not uses:
        return sql
    tree = sqlglot.parse_one(sql, dialect="duckdb")
    for table in tree.find_all(exp.Table, exp.Column):
        part = table.this if isinstance(table, exp.Table) else table.args.get("table")
        if isinstance(part, exp.Identifier) and part.name in uses:
            part.set("this", uses[part.name])
    return tree.sql(dialect="duckdb")
