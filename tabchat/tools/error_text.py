"""What a model is told of a failure: enough to mend the call, and no cell that it did not write itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from tabchat.engine.cells import inert
from tabchat.errors import (
    CodeFailedError,
    DataKeyError,
    InterruptedByUserError,
    NotUnderstoodError,
    OutputError,
    PlanError,
    PlanValidationError,
    QueryFailedError,
    QueryTimeoutError,
    TabchatError,
    UsageError,
)
from tabchat.values import fields_once

if TYPE_CHECKING:
    from tabchat.errors import PlanIssue

_NEAR: Final = 24
"""Characters of malformed text that are quoted back on each side of its break."""


def error_text(error: TabchatError) -> str:  # noqa: PLR0911 - one return for each kind of failure
    """Return the message of `error` for a model.

    Errors of plans and of the tools' own checks hold only what the caller wrote
    and names of columns. The engine quotes cells as it likes, so its message is
    told in its plain form. Files and folders are not told.
    """
    match error:
        case PlanValidationError():
            return "; ".join(map(_issue_text, error.issues))
        case QueryFailedError():
            return _with_hint(error.plain or "The query failed.", error.hint)
        case CodeFailedError():
            return _with_hint(error.plain or "The code gave no result.", error.hint)
        case DataKeyError():
            return _KEY_TEXTS.get(error.code, error.message)
        case OutputError():
            return "The result could not be kept."
        case (
            QueryTimeoutError() | InterruptedByUserError() | PlanError() | UsageError() | NotUnderstoodError()
        ):
            return _with_hint(error.message, error.hint)
        case _:
            return "The tool failed."


_KEY_TEXTS: Final = {
    "key_expired": "The rows of that result are not kept any more. Compute it again from its table.",
    "source_changed": "The file behind that result has changed. Compute it again from its table.",
}


def malformed_text(name: str, raw: str) -> str:
    """Say where arguments stop being one JSON object."""
    head = f"The arguments of '{inert(name)[:80]}' are not one JSON object"
    try:
        value = json.loads(raw, object_pairs_hook=fields_once)
    except json.JSONDecodeError as error:
        before, after = raw[max(error.pos - _NEAR, 0) : error.pos], raw[error.pos : error.pos + _NEAR]
        place = f"character {error.pos + 1} of {len(raw)}"
        if not raw.strip():
            return f"{head}: they are empty. Send {{}} for a call without arguments."
        what = "the text ends" if error.pos >= len(raw.rstrip()) else error.msg.removesuffix(" at").lower()
        return f"{head}: {what} at {place}, here: {inert(before)}⟨here⟩{inert(after)}. Send the call again."
    except RecursionError:
        return f"{head}: they are nested too deeply. Send the call again."
    except ValueError as error:  # a field twice, a number of thousands of digits
        return f"{head}: {inert(str(error))}. Send the call again."
    return f"{head}: they are {_kind_of(value)}. Send the call again, with names and values in braces."


def _issue_text(issue: PlanIssue) -> str:
    return _with_hint(f"{issue.step}: {issue.message}", issue.hint)


def _with_hint(message: str, hint: str | None) -> str:
    return f"{message} {hint}" if hint else message


def _kind_of(value: object) -> str:
    match value:
        case list():
            return "a list"
        case str():
            return "a text"
        case None:
            return "null"
        case bool():
            return "a truth value"
        case _:
            return "a number"
