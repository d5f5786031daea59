"""What Spark says when a query fails, in words for a person."""

from __future__ import annotations

import re
from typing import Final

from tabchat.errors import InterruptedByUserError, NotOnSparkError, QueryFailedError, TabchatError

_CLASS: Final = re.compile(r"\[(?P<name>[A-Z_]{4,})(?:\.[A-Z_0-9]+)*\] ")
_STATE: Final = re.compile(r"\s*SQLSTATE: \w+.*", re.DOTALL)
_ADVICE: Final = re.compile(r"\s*(?:If necessary|Use [`']try_|To return NULL|You may be able).*", re.DOTALL)
_CANCELLED: Final = ("cancelled", "canceled", "OPERATION_CANCELED", "interrupted")
_FAILED_ON_A_VALUE: Final = "The query failed on a value of the data."
_HINTS: Final = {
    "ARITHMETIC_OVERFLOW": "Compute with DOUBLE, for example x::DOUBLE.",
    "DIVIDE_BY_ZERO": "Divide by NULLIF(x, 0).",
    "CAST_INVALID_INPUT": "Use try_cast(x AS type): it gives null where a value cannot be converted.",
    "NUMERIC_VALUE_OUT_OF_RANGE": "Compute with DOUBLE, for example x::DOUBLE.",
    "PATH_NOT_FOUND": "Spark has to see the file where you do: a server on another machine needs a path of its own.",
    "TABLE_OR_VIEW_NOT_FOUND": "A table of the catalogue is named spark:database.table.",
}


def query_error(error: Exception, *, stopped: bool) -> TabchatError:
    """Return what to tell of a query that failed on Spark; `stopped` says that the person had asked it to stop."""
    text = str(error).strip()
    if stopped or any(word in text for word in _CANCELLED[:3]):
        return InterruptedByUserError("The query was stopped.")
    found = _CLASS.search(text)
    name = found["name"] if found else ""
    # What went wrong may stand within what the JVM tells of it.
    said = text[found.end() :] if found else text
    told = _ADVICE.sub("", _STATE.sub("", said)).partition("\n")[0].strip()
    message = f"Spark: {told or type(error).__name__}"
    return QueryFailedError(message, hint=_HINTS.get(name), plain=_FAILED_ON_A_VALUE)


def not_on_spark(
    what: str, hint: str = "Ask without --engine spark, or write it in another way."
) -> NotOnSparkError:
    """Return the refusal of `what`, which Spark would compute otherwise or not at all."""
    message = f"{what} does not give the same on Spark, so it was not run there."
    return NotOnSparkError(message, hint=hint, plain=message)
