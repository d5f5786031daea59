"""What of a conversation a model is told again: tool results as lean text, old ones in short, old turns left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.messages import AssistantMessage, ToolMessage, UserMessage
from tabchat.engine.cells import joined, quoted
from tabchat.engine.types import HELPER_PREFIX
from tabchat.errors import RefusedError
from tabchat.tools.envelope import OUT_OF_BAND
from tabchat.tools.preview import rows_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.chat.turn.messages import Message
    from tabchat.chat.turn.model import ModelRequest
    from tabchat.tools.envelope import ToolResultEnvelope

REMEMBERED: Final = 500
"""Characters up to which the result of an earlier turn is told again word for word."""

_COLUMNS_LIMIT: Final = 300
_ERROR_KEPT: Final = 200
_BULK: Final = "table"
"""The kind of result whose columns the summary does not name."""


def tool_text(message: ToolMessage) -> str:
    """Return what a model is told of a tool's result.

    A result begins with its number and title, `r1 · Average by region`; its summary, and rows that may be told,
    follow. A failed call begins with `Error:`.
    """
    envelope = message.envelope
    if not envelope.ok:
        prefix = f"Error executing '{message.call.name}': "
        known = envelope.metrics.get("enabled")
        enabled = f". Enabled: {', '.join(map(str, known))}." if isinstance(known, list) else ""
        return _printable(f"Error: {envelope.summary.removeprefix(prefix)}{enabled}")
    lines = [*_title_line(envelope), envelope.summary, *_row_lines(envelope)]
    if envelope.metrics.get("summary_truncated") is True:
        lines.append("[this text is cut: ask for less at once]")
    lines += [f"Warning: {warning}" for warning in envelope.warnings if warning != OUT_OF_BAND]
    return _printable("\n".join(lines))


def compact(messages: Sequence[Message], *, keep_from: int) -> tuple[Message, ...]:
    """Return `messages` with the long tool results before `keep_from` told in one line each."""
    return tuple(
        _shortened(message) if index < keep_from and isinstance(message, ToolMessage) else message
        for index, message in enumerate(messages)
    )


def fit(request: ModelRequest, count: Callable[[ModelRequest], int], limit: int) -> ModelRequest:
    """Return `request` in at most `limit` tokens by `count`.

    The oldest turns are left out first, each as a whole; then the earlier results
    of this turn are told in short, and preview rows are dropped. Raises
    `RefusedError` (code `budget`) when even that is too long.
    """
    if count(request) <= limit:
        return request
    turns = _turns(request.messages)
    newest = replace(request, messages=_without(turns, len(turns) - 1))
    if count(newest) <= limit:
        return _with_most_turns(request, turns, count, limit)
    shorter = replace(newest, messages=_this_turn_in_short(newest.messages))
    needed = count(shorter)
    if needed > limit:
        message = f"The question and its data take {needed:,} tokens; only {limit:,} fit."
        hint = "Nothing was sent. Take a model that reads more, raise context_window, or start a new conversation."
        raise RefusedError(message, hint=hint, code="budget")
    return shorter


def _title_line(envelope: ToolResultEnvelope) -> Iterator[str]:
    number, title = envelope.metrics.get("number"), envelope.metrics.get("title")
    if isinstance(number, int):
        yield f"r{number} · {title}" if title else f"r{number}"


def _row_lines(envelope: ToolResultEnvelope) -> Iterator[str]:
    """Yield the block of rows; else the columns of a table, which no summary names all of."""
    count, columns = envelope.metrics.get("row_count"), envelope.metrics.get("columns")
    block = rows_text(envelope.preview, count) if isinstance(count, int) else ""
    if block:
        yield block
    elif envelope.metrics.get("kind") == _BULK and count != 1 and isinstance(columns, (list, tuple)):
        names = [quoted(str(name)) for name in columns if not str(name).startswith(HELPER_PREFIX)]
        yield f"columns: {joined(names or ['none'], _COLUMNS_LIMIT, 'columns')}{'; rows not shown' if count else ''}"


def _printable(text: str) -> str:
    return "\n".join(
        "".join(char if char.isprintable() else " " for char in line) for line in text.split("\n")
    )


def _shortened(message: ToolMessage) -> ToolMessage:
    text = tool_text(message)
    if len(text) <= REMEMBERED:
        return message
    envelope = message.envelope
    if not envelope.ok:
        cut = f"{envelope.summary[:_ERROR_KEPT]}… – truncated for memory"
        return replace(message, envelope=replace(envelope, summary=cut))
    columns = envelope.metrics.get("columns")
    width = len(columns) if isinstance(columns, (list, tuple)) else 0
    what = (
        f"{envelope.data_key}: {envelope.metrics.get('row_count')} rows × {width} columns"
        if envelope.data_key is not None
        else f"of {message.call.name}"
    )
    summary = f"[Result {what} – truncated for memory]"
    kept = {name: value for name, value in envelope.metrics.items() if name in {"number", "title"}}
    short = replace(envelope, summary=summary, preview=None, data_key=None, metrics=kept, warnings=())
    return replace(message, envelope=short)


def _turns(messages: Sequence[Message]) -> list[list[Message]]:
    """Split a conversation before each question; what comes before the first one belongs to it."""
    turns: list[list[Message]] = [[]]
    for message in messages:
        if isinstance(message, UserMessage) and any(isinstance(past, UserMessage) for past in turns[-1]):
            turns.append([])
        turns[-1].append(message)
    return turns


def _without(turns: Sequence[Sequence[Message]], left_out: int) -> tuple[Message, ...]:
    kept = [message for turn in turns[left_out:] for message in turn]
    if not left_out:
        return tuple(kept)
    note = f"[{left_out} earlier turn{'s' if left_out > 1 else ''} of this conversation left out]"
    first = next(index for index, message in enumerate(kept) if isinstance(message, UserMessage))
    question = kept[first]
    if isinstance(question, UserMessage):
        kept[first] = replace(question, text=f"{note}\n{question.text}")
    return tuple(kept)


def _with_most_turns(
    request: ModelRequest,
    turns: Sequence[Sequence[Message]],
    count: Callable[[ModelRequest], int],
    limit: int,
) -> ModelRequest:
    fewest, most = 0, len(turns) - 1
    while most - fewest > 1:
        middle = (fewest + most) // 2
        fits = count(replace(request, messages=_without(turns, middle))) <= limit
        fewest, most = (fewest, middle) if fits else (middle, most)
    return replace(request, messages=_without(turns, most))


def _this_turn_in_short(messages: Sequence[Message]) -> tuple[Message, ...]:
    calls = [index for index, message in enumerate(messages) if isinstance(message, AssistantMessage)]
    last_round = calls[-1] if calls else 0
    return tuple(
        replace(message, envelope=replace(message.envelope, preview=None))
        if isinstance(message, ToolMessage)
        else message
        for message in compact(messages, keep_from=last_round)
    )
