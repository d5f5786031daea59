"""Every failure that a person can meet, with its exit code.

    TabchatError                     1  internal_error
    ├── UsageError                   2  usage
    │   └── OutputExistsError        2  output_exists
    ├── InputError                   3  input_unreadable
    │   └── CopyNeededError          3  input_unreadable
    ├── NotUnderstoodError           4  not_understood | ambiguous
    ├── ModelError                   5  model_failed
    ├── FiguresChangedError          6  figures_changed
    ├── DataKeyError                 7  key_unknown | key_expired | source_changed | session_unknown
    ├── RefusedError                 8  refused
    ├── PlanError                    9  plan_refused
    │   ├── PlanValidationError      9  plan_invalid
    │   ├── SqlRefusedError          9  sql_refused
    │   ├── QueryFailedError         9  query_failed
    │   │   ├── SumTooLargeError     9  query_failed
    │   │   └── NotOnSparkError      9  not_on_spark
    │   ├── CodeRefusedError         9  code_refused
    │   ├── CodeFailedError          9  code_failed
    │   ├── SandboxUnavailableError  9  sandbox_unavailable
    │   └── DeclinedError            9  declined
    ├── OutputError                  1  output_failed
    ├── SparkUnavailableError        1  spark_unavailable
    ├── QueryTimeoutError          124  timeout
    └── InterruptedByUserError     130  interrupted

A message names the object and the cause; `hint` says what to try next. Errors
never print: the command line owns stderr.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Self

from tabchat.record import record
from tabchat.values import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.values import JsonValue


class ExitCode(IntEnum):
    """Process exit codes of the command line."""

    ANSWERED = 0
    """It is answered, or done."""
    INTERNAL = 1
    """tabchat itself failed, what it stands on does not work, or a file could not be written."""
    USAGE = 2
    """The command line or a setting is wrong."""
    INPUT_UNREADABLE = 3
    """A file cannot be read as a table."""
    NOT_UNDERSTOOD = 4
    """It is not certain what is meant: readings are offered, or the words are named; nothing is guessed."""
    MODEL_FAILED = 5
    """A model or its provider failed."""
    UNVERIFIED = 6
    """It is answered, but a figure of the answer is unverified, and marked."""
    KEY_UNKNOWN = 7
    """A key is unknown, has expired, or its file has changed."""
    REFUSED = 8
    """A budget or a privacy rule forbids it; nothing was sent."""
    PLAN_REFUSED = 9
    """The plan, SQL, code or edit that was given is refused or failed, or the edit was not confirmed."""
    TIMEOUT = 124
    """The time was up."""
    INTERRUPTED = 130
    """Ctrl-C."""


class TabchatError(Exception):
    """tabchat itself failed; the root of all errors.

    `code` is stable for scripts, `exit_code` for shells.
    """

    code = "internal_error"
    exit_code = ExitCode.INTERNAL
    remark = ""
    """What else became of it, a sentence of the message; who says the rest in other words repeats it."""

    def __init__(self, message: str, *, hint: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code

    def remarked(self, remark: str) -> Self:
        """Return this error with one more sentence in its message."""
        self.remark, self.message = remark, f"{self.message} {remark}".rstrip()
        self.args = (self.message,)
        return self

    def to_json(self) -> dict[str, JsonValue]:
        """Return the `error` object of the JSON output: `{code, message, hint}`."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class UsageError(TabchatError):
    """The command line or a setting is wrong."""

    code = "usage"
    exit_code = ExitCode.USAGE


class OutputExistsError(UsageError):
    """A file to write already exists and `--force` was not given."""

    code = "output_exists"


class InputError(TabchatError):
    """A source file cannot be read as a table."""

    code = "input_unreadable"
    exit_code = ExitCode.INPUT_UNREADABLE


class CopyNeededError(InputError):
    """A file cannot be read where it lies; a copy of it can, for instance with another name for a column."""


@record
class OfferedReading(PlainRecord):
    """One reading of a question, offered for choosing."""

    n: int
    """Its number, from 1."""
    interpretation: str
    """What it would compute, in one line."""
    confidence: float
    """Probability that it is what was meant; 0 to 1."""
    plan: Mapping[str, JsonValue]


class NotUnderstoodError(TabchatError):
    """It is not certain what is meant; `words` were not accounted for.

    `readings` are what it may mean, the likeliest first (code `ambiguous` when there are any).
    """

    code = "not_understood"
    exit_code = ExitCode.NOT_UNDERSTOOD

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        words: Sequence[str] = (),
        readings: Sequence[OfferedReading] = (),
    ) -> None:
        super().__init__(message, hint=hint, code="ambiguous" if readings else None)
        self.words = tuple(words)
        self.readings = tuple(readings)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the error object, with the words; the readings stand beside it in the answer."""
        return super().to_json() | {"words": list(self.words)}


class ModelError(TabchatError):
    """A model or its provider failed."""

    code = "model_failed"
    exit_code = ExitCode.MODEL_FAILED


class FiguresChangedError(TabchatError):
    """A session that was repeated did not come to the figures that it holds."""

    code = "figures_changed"
    exit_code = ExitCode.UNVERIFIED


class DataKeyError(TabchatError):
    """A data key is unknown, expired, or its source changed."""

    code = "key_unknown"
    exit_code = ExitCode.KEY_UNKNOWN


class RefusedError(TabchatError):
    """A budget or a privacy rule forbids the request."""

    code = "refused"
    exit_code = ExitCode.REFUSED


class PlanError(TabchatError):
    """A plan, SQL text or edit that was given is refused or failed."""

    code = "plan_refused"
    exit_code = ExitCode.PLAN_REFUSED


@record
class PlanIssue(PlainRecord):
    """One thing wrong with a plan."""

    step: str
    """Field of the plan, such as `where`; `steps[1].where` inside a pipeline."""
    expression: str
    """The offending text as it was given."""
    message: str
    """What is wrong."""
    hint: str | None = None
    """What to write instead, when that is known."""


class PlanValidationError(PlanError):
    """A plan has errors; `issues` lists all of them, not only the first."""

    code = "plan_invalid"

    def __init__(self, issues: Sequence[PlanIssue]) -> None:
        self.issues = tuple(issues)
        lines = [f"{issue.step}: {issue.message}" for issue in self.issues]
        hints = [issue.hint for issue in self.issues if issue.hint]
        super().__init__("; ".join(lines), hint="; ".join(dict.fromkeys(hints)) or None)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the error object with every issue."""
        return super().to_json() | {"issues": [issue.to_json() for issue in self.issues]}


class SqlRefusedError(PlanError):
    """SQL that is not one read-only SELECT over the open tables."""

    code = "sql_refused"


class QueryFailedError(PlanError):
    """The engine refused or failed a query.

    `plain` says so without quoting any value of the data, for readers who may not see one.
    """

    code = "query_failed"

    def __init__(self, message: str, *, hint: str | None = None, plain: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.plain = plain


class SumTooLargeError(QueryFailedError):
    """A sum of whole numbers does not fit into the type that it was to have."""


class NotOnSparkError(QueryFailedError):
    """Something that Spark cannot do as DuckDB does; it was not run."""

    code = "not_on_spark"


class SparkUnavailableError(TabchatError):
    """Spark, its Java or its server is not there."""

    code = "spark_unavailable"


class CodeRefusedError(PlanError):
    """Code that the guard of the sandbox does not let through; nothing of it ran."""

    code = "code_refused"


class CodeFailedError(PlanError):
    """Code ran in the sandbox and gave no result.

    `plain` says so without quoting any value of the data, for readers who may not see one.
    """

    code = "code_failed"

    def __init__(self, message: str, *, hint: str | None = None, plain: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.plain = plain


class SandboxUnavailableError(PlanError):
    """The walls of the sandbox do not stand on this machine, so no code runs."""

    code = "sandbox_unavailable"


class DeclinedError(PlanError):
    """The person did not confirm an edit, or nobody was there to ask."""

    code = "declined"


class OutputError(TabchatError):
    """A result could not be written; whatever stood there before still does."""

    code = "output_failed"


class QueryTimeoutError(TabchatError):
    """A query ran past its time limit."""

    code = "timeout"
    exit_code = ExitCode.TIMEOUT


class InterruptedByUserError(TabchatError):
    """The person stopped the work."""

    code = "interrupted"
    exit_code = ExitCode.INTERRUPTED
