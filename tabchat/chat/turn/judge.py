"""The verdict on a reply: its figures filled in and checked, and what to tell a model whose figures did not check."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from tabchat.answers.receipts import Receipt, Verification
from tabchat.chat.turn.messages import ToolMessage, UserMessage
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.answers.check import AnswerContext
    from tabchat.answers.fill import FigureStream
    from tabchat.answers.results import NumberedResult
    from tabchat.chat.turn.answer import DataBlock
    from tabchat.chat.turn.model import Reply
    from tabchat.chat.turn.turn import Turn
    from tabchat.engine.types import JsonValue

_FIGURE: Final = r"(?<![\w.])[-+−]?\d[\d.,\u00a0\u202f]*%?"
_NOT_SAID: Final = frozenset({"title", "table", "data_key"})
"""Arguments whose digits are no condition of a plan."""


@record
class Judgement:
    """A text as the person will read it, with the verdict on its figures."""

    text: str
    verification: Verification
    issues: tuple[str, ...] = ()
    feedback: str | None = None
    """What to tell the model, when it should write the text again."""


@record
class Judge:
    """Checks replies against the results of the conversation."""

    earlier: Sequence[DataBlock] = ()
    """Results of earlier turns, over the same table versions."""
    reveal: bool = True
    """Whether the model may be told values of the results."""

    def judge(self, turn: Turn, reply: Reply) -> Judgement:
        """Return the verdict on `reply`, which ends `turn`."""
        if turn.speaker.model.planner == "rules":
            return Judgement(text=reply.text, verification=_verdict_of_rules(reply, turn.blocks))
        from tabchat.answers.check import check_answer

        checked = check_answer(reply.text, self._context(turn))
        feedback = checked.feedback
        if feedback is not None and not (self.reveal and turn.speaker.executor.may_tell(len(feedback))):
            # Labels in feedback are values like any other, and there is a limit to those in one question.
            feedback = checked.discreet_feedback
        return Judgement(
            text=checked.text,
            verification=checked.verification,
            issues=checked.issues,
            feedback=feedback,
        )

    def stream(self, turn: Turn) -> FigureStream:
        """Return what fills figures in while a reply of `turn` is being written."""
        from tabchat.answers.fill import FigureStream

        return FigureStream(results=self._results(turn), question=turn.question, by_label=self.reveal)

    def _context(self, turn: Turn) -> AnswerContext:
        from tabchat.answers.check import AnswerContext

        tables = turn.speaker.executor.workspace.tables
        columns = [column.name for table in tables.values() for column in table.schema]
        return AnswerContext(
            results=self._results(turn),
            question=turn.question,
            arguments=tuple(_arguments(turn)),
            texts=(turn.rules, *_texts(turn)),
            told=dict(_told(turn)),
            names=(*tables, *columns),
            shows_values=self.reveal,
        )

    def _results(self, turn: Turn) -> tuple[NumberedResult, ...]:
        from tabchat.answers.results import NumberedResult

        blocks = (*self.earlier, *turn.blocks)
        numbered = {block.number: block for block in blocks if block.number is not None}
        return tuple(
            NumberedResult(
                result=block.result,
                number=number,
                data_key=block.data_key,
                title=block.title,
                shown_rows=block.shown_rows if turn.speaker.executor.may_list(block.data_key) else 0,
                unnamed=() if self.reveal else block.result.metadata.cell_names,
            )
            for number, block in sorted(numbered.items())
        )


def _arguments(turn: Turn) -> Iterator[str]:
    """Yield what the model's calls in this conversation say, apart from titles."""
    for message in turn.messages:
        if isinstance(message, ToolMessage):
            said = {name: value for name, value in message.call.arguments.items() if name not in _NOT_SAID}
            yield json.dumps(said, ensure_ascii=False, default=str)


def _texts(turn: Turn) -> Iterator[str]:
    """Yield what the person asked, and what tools told the model of their results, apart from titles, which it wrote."""
    for message in turn.messages:
        if isinstance(message, UserMessage):
            yield message.text
        elif isinstance(message, ToolMessage) and message.envelope.ok:
            yield "\n".join((message.envelope.summary, *message.envelope.warnings))
            yield json.dumps(message.envelope.preview, ensure_ascii=False, default=str)


def _told(turn: Turn) -> Iterator[tuple[str, JsonValue]]:
    """Yield the figures that a model is told beside results: rows of the tables, and what describing tools say."""
    for table in turn.speaker.executor.workspace.tables.values():
        yield f"{table.name}.rows", table.row_count
    for facts in turn.facts:
        yield from _figures_of(facts)
        columns = facts.get("columns")
        for column in columns if isinstance(columns, list) else ():
            if isinstance(column, dict):
                yield from _figures_of(column)


def _figures_of(facts: Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    for name, value in facts.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield f"{facts.get('name') or facts.get('table') or facts.get('tool')}.{name}", value


def _verdict_of_rules(reply: Reply, blocks: Sequence[DataBlock]) -> Verification:
    """Return the verdict on phrasing by rules, which names the evidence of each figure as it writes it.

    Labels and dates that it copied from cells are not figures of its own; figures
    in a text that names no evidence at all are not vouched for by anybody.
    """
    if reply.receipts:
        doubtful = any(receipt.status == "unverified" for receipt in reply.receipts)
        return Verification(status="unverified" if doubtful else "verified", receipts=reply.receipts)
    if not blocks:
        # Rules that looked at no data, such as those that list what can be asked, state no figure of it.
        return Verification(status="not_applicable")
    figures = tuple(
        Receipt(text=match.group(), value=match.group(), status="unverified", start=match.start())
        for match in re.finditer(_FIGURE, reply.text)
    )
    if figures:
        return Verification(status="unverified", receipts=figures)
    return Verification(status="verified")
