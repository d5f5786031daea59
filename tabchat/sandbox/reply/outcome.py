"""How an execution ended, and what it left behind once every byte of it was checked."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tabchat.errors import (
    CodeFailedError,
    CodeRefusedError,
    InterruptedByUserError,
    QueryTimeoutError,
    SandboxUnavailableError,
    TabchatError,
)
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from tabchat.engine.types import Value
    from tabchat.sandbox.guarding.problems import CodeProblem


_LONGEST_KIND: Final = 40


class Ending(StrEnum):
    """The ways in which an execution ends."""

    ANSWERED = "answered"
    REFUSED = "refused"
    """The guard did not let the code through; nothing of it ran."""
    NO_RESULT = "no_result"
    """The code ran to its end and left nothing in `result` (or, to edit, no `COMMIT_DF`)."""
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUT_OF_CPU = "out_of_cpu"
    EXITED = "exited"
    """The process ended itself without an answer."""
    CRASHED = "crashed"
    """A signal that nobody here sent ended the process."""
    CANCELLED = "cancelled"
    """`Sandbox.cancel` stopped it."""
    NOT_LOCKED = "not_locked"
    """A wall could not be built; the code did not run."""
    BROKE_PROTOCOL = "broke_protocol"
    """The reply is not one that the worker writes: it was forged or damaged, and nothing of it is used."""


class ResultForm(StrEnum):
    """The shape of what the code left in `result`."""

    FRAME = "frame"
    """A table: also a series, a list, a set, an array, an index."""
    SCALAR = "scalar"
    DICT = "dict"
    """Named values: a dict, or the fields of a statistical result."""
    TEXT = "text"
    """Anything else, as `str` writes it."""


@record
class CodeFailure:
    """Why there is no answer, or what is to be said of one. `message` may quote cells of the table; `kind` and `line` do not."""

    kind: str
    """Name of the class of the exception or warning, such as `KeyError`."""
    message: str
    line: int | None = None
    """Line of the code, counted from 1."""

    @property
    def place(self) -> str:
        """The class and the line, as may be told at every privacy level: `KeyError in line 2`."""
        # A forged reply could write cells in place of a name.
        named = self.kind.isascii() and self.kind.isidentifier() and len(self.kind) <= _LONGEST_KIND
        kind = self.kind if named else "an error"
        return f"{kind} in line {self.line}" if self.line else kind


@record
class Walls:
    """What stood around the code."""

    names: tuple[str, ...] = ()
    landlock_abi: int = 0
    degraded: bool = False


@record
class SandboxOutcome:
    """One execution: its ending, and for an answer the result."""

    ending: Ending
    form: ResultForm | None = None
    table: pa.Table | None = None
    """Rows of a `FRAME`, validated; plain types only. For an edit, the new table, with `placing.PLACE` last."""
    text_columns: tuple[str, ...] = ()
    """Columns of the table whose values have no plain type and are shown as text."""
    value: Value = None
    values: Mapping[str, Value] = field(default_factory=dict)
    text: str | None = None
    row_count: int = 0
    """Rows that the result had before it was cut to `max_rows`."""
    stdout: str = ""
    notes: tuple[str, ...] = ()
    """What was cut, one sentence each."""
    remarks: tuple[str, ...] = ()
    """What the worker says of the form of the result; a forged reply may put cells here."""
    warned: tuple[CodeFailure, ...] = ()
    """Warnings of the libraries that the code called."""
    problems: tuple[CodeProblem, ...] = ()
    repairs: tuple[str, ...] = ()
    """What the guard changed in the code before it ran."""
    failure: CodeFailure | None = None
    walls: Walls = field(default_factory=Walls)
    lacked: bool = False
    """Whether something was asked for that the process had not loaded, so that a warmer one is to run the code."""
    seconds: float = 0.0
    """Wall time of the execution, without waiting for libraries to load."""

    def raise_for_ending(self) -> None:
        """Raise the error that the ending stands for; an answer raises none."""
        if (error := self.error()) is not None:
            raise error

    def error(self) -> TabchatError | None:
        """Return the ending as an error, None for an answer."""
        match self.ending:
            case Ending.ANSWERED:
                return None
            case Ending.REFUSED:
                return _refused(self.problems)
            case Ending.TIMED_OUT:
                return QueryTimeoutError(self._message(), hint=_HINTS[self.ending])
            case Ending.CANCELLED:
                return InterruptedByUserError("The code was stopped.")
            case Ending.NOT_LOCKED:
                return SandboxUnavailableError(self._message(), hint=_HINTS[self.ending])
            case _:
                return self._failed()

    def _failed(self) -> CodeFailedError:
        hint, failure = _HINTS[self.ending], self.failure
        if self.ending is not Ending.RAISED or failure is None:
            # Code can forge a message of the worker's, and put cells into it.
            plain = f"The code gave no result: {self.ending.value.replace('_', ' ')}."
            return CodeFailedError(self._message(), hint=hint, plain=plain)
        plain = f"The code failed with {failure.place}."
        return CodeFailedError(f"{plain[:-1]}: {failure.message}", hint=hint, plain=plain)

    def _message(self) -> str:
        return self.failure.message if self.failure else self.ending.value


def _refused(problems: tuple[CodeProblem, ...]) -> CodeRefusedError:
    lines = [f"line {problem.line}: {problem.what.removesuffix('.')}" for problem in problems]
    hints = dict.fromkeys(problem.hint for problem in problems if problem.hint)
    return CodeRefusedError(
        f"{'; '.join(lines) or 'The code is refused'}.",
        hint=" ".join(hints) or "Correct the code and run it again.",
    )


_HINTS: Mapping[Ending, str] = {
    Ending.NO_RESULT: "Put the final value in `result`; to edit, change `df` and set `COMMIT_DF = True`.",
    Ending.RAISED: "Correct the code and run it again.",
    Ending.TIMED_OUT: "Work on fewer rows, use vectorised operations, or raise --timeout.",
    Ending.OUT_OF_MEMORY: "Select the columns and rows that are needed before computing.",
    Ending.OUT_OF_CPU: "Work on fewer rows, or use vectorised operations.",
    Ending.EXITED: "Let the code run to its end with the final value in `result`.",
    Ending.CRASHED: "Try the computation in smaller steps.",
    Ending.NOT_LOCKED: "Run `tabchat doctor` to see which walls this machine offers.",
    Ending.BROKE_PROTOCOL: "Leave the answer in `result` and do nothing else with it.",
}
