"""What a model may be told of a result or of an error at each privacy level."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, assert_never

from tabchat.config import PrivacyLevel
from tabchat.engine.result import ResultKind
from tabchat.errors import PlanValidationError, SqlRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.result import Result
    from tabchat.engine.summary import Summary
    from tabchat.engine.types import JsonValue
    from tabchat.errors import TabchatError
    from tabchat.tools.registry import Workspace

_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_NUMBER: Final = re.compile(r"\d[\d.,:-]*")
_HIDDEN: Final = "‹hidden›"


def summary_text(level: PrivacyLevel, result: Result, summary: Summary) -> str:
    """Return the text of a result that a model may read; at `strict` only its shape."""
    match level:
        case PrivacyLevel.STRICT:
            return _shape(result)
        case PrivacyLevel.SUMMARY | PrivacyLevel.PREVIEW:
            return summary.to_text()
        case _:
            assert_never(level)


def _shape(result: Result) -> str:
    scanned = f" (from {result.source_row_count} rows)" if result.source_row_count is not None else ""
    match result.kind:
        case ResultKind.SCALAR:
            return f"Result: 1 value{scanned}"
        case ResultKind.DICT:
            return f"Result: {len(result.values)} values: {', '.join(result.values)}{scanned}"[:900]
        case ResultKind.GROUPED:
            keys = ", ".join(result.group_by)
            return f"Result: {result.frame.row_count} groups by {keys}{scanned}"[:900]
        case ResultKind.TABLE:
            columns = ", ".join(result.frame.columns)
            return f"Result: {result.frame.row_count} rows with columns {columns}"[:900]
        case _:
            assert_never(result.kind)


def error_text(workspace: Workspace, arguments: Mapping[str, JsonValue], error: TabchatError) -> str:
    """Return the message of `error` for a model.

    Messages about the caller's own plan or SQL hold only what the caller wrote
    and the names of columns. An engine's message may quote a cell, so below
    `preview` every quoted text and number that is neither a name nor in
    `arguments` is hidden.
    """
    text = f"{error.message} {error.hint}" if error.hint else error.message
    if workspace.privacy is PrivacyLevel.PREVIEW or isinstance(error, (PlanValidationError, SqlRefusedError)):
        return text
    written = json.dumps(arguments, ensure_ascii=False, default=str)
    names = {column.name for table in workspace.tables.values() for column in table.schema}
    known = {name.casefold() for name in names | set(workspace.tables)}

    def hide(match: re.Match[str]) -> str:
        part = match.group()
        bare = part.strip("'\"")
        return part if bare.casefold() in known or bare in written else _HIDDEN

    return _NUMBER.sub(hide, _QUOTED.sub(hide, text))
