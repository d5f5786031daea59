"""What a person asks to be edited: the arguments of `edit_table` as JSON, or plain words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import InputError, NotUnderstoodError
from tabchat.private_files import read_text
from tabchat.record import record
from tabchat.session.json_argument import json_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue
    from tabchat.session.edits.versions import PendingEdit
    from tabchat.session.session import Session

COMMIT: Final = "COMMIT_DF"
"""What pandas code sets to change the table; nothing else that is asked for has such a word."""
_CODE: Final = re.compile(r"(?:^|;)[ \t]*df[ \t]*[.\[=]", re.MULTILINE)
"""How a statement about the table begins in pandas code, and in no words."""
_SUCH_AS: Final = (
    'Such as {"operation": "delete_rows", "where": "price > 100"}; several edits are several requests.'
)


def preview_request(session: Session, request: EditRequest) -> PendingEdit:
    """Make the version that `request` asks for, without making it the table."""
    code = request.arguments.get("code")
    return session.preview_edit(request.arguments) if code is None else session.preview_code(str(code))


@record
class EditRequest:
    """An edit that a person asked for."""

    arguments: Mapping[str, JsonValue]
    """Of `edit_table`; `{code}` for pandas code."""
    interpretation: str | None = None
    """How words were read, in their language."""


def read_request(session: Session, request: str) -> EditRequest:
    """Return the edit that `request` states: JSON, pandas code, a file of either, or words.

    Code that is given as an edit may leave `COMMIT_DF = True` out.
    Raises `InputError` for a file that cannot be read, `PlanValidationError` for text that is no JSON object, and
    `NotUnderstoodError` for words that are no edit.
    """
    text = _read(request) if request.startswith("@") else request
    if COMMIT in text:
        return EditRequest(arguments={"code": text})
    if not text.lstrip().startswith(("{", "[")) and _CODE.search(text):
        return EditRequest(arguments={"code": f"{text.rstrip()}\n{COMMIT} = True"})
    if text.lstrip().startswith(("{", "[")) or request.startswith("@"):
        return EditRequest(arguments=json_object(text, what="edit", hint=_SUCH_AS))
    reading = session.versions.read(text)
    if reading is None or reading.call.name != "edit_table":
        hint = 'Such as "delete rows where price > 100", or JSON: {"operation": "delete_rows", "where": "price > 100"}.'
        raise NotUnderstoodError(f"{text!r} is not understood as an edit.", hint=hint)
    return EditRequest(arguments=reading.call.arguments, interpretation=reading.interpretation)


def _read(request: str) -> str:
    try:
        return read_text(Path(request[1:]).expanduser())
    except (OSError, UnicodeDecodeError) as error:
        message = f"{request[1:]!r} cannot be read: {getattr(error, 'strerror', None) or error}."
        raise InputError(message, hint="Give the edit itself, or @FILE with its JSON.") from error
