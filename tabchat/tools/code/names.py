"""The names of columns that failed code should have written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.engine.nearest import nearest
from tabchat.errors import CodeFailedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.errors import TabchatError
    from tabchat.sandbox.reply.outcome import SandboxOutcome

_OF_NAMES: Final = frozenset(("KeyError", "UndefinedVariableError"))
"""Exceptions of pandas for a column that is not there."""
_QUOTED: Final = re.compile(r"""'([^']+)'|"([^"']+)\"""")
_LISTED: Final = 20


def with_names(error: TabchatError, outcome: SandboxOutcome, columns: Sequence[str]) -> TabchatError:
    """Return `error` with the nearest of `columns` as its hint where the code named one that is not there."""
    failure = outcome.failure
    if failure is None or failure.kind not in _OF_NAMES or not isinstance(error, CodeFailedError):
        return error
    quoted = [single or double for single, double in _QUOTED.findall(failure.message)]
    missing = [name for name in quoted if name not in columns]
    if not missing:
        return error
    near = nearest(missing[0], columns, count=1)
    hint = f"Did you mean the column {near[0]!r}?" if near else f"Columns: {_listed(columns)}."
    return CodeFailedError(error.message, hint=hint, plain=error.plain)


def _listed(columns: Sequence[str]) -> str:
    more = len(columns) - _LISTED
    return ", ".join(columns[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")
