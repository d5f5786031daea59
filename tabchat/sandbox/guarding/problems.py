"""What the guard objects to, and the exception that carries all of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Operation(StrEnum):
    """What code is for: an answer in `result`, or a new version of the table in `df`."""

    READ = "read"
    EDIT = "edit"


@dataclass(frozen=True, kw_only=True, slots=True)
class CodeProblem:
    """One thing that the guard objects to."""

    line: int
    """Line of the code after `textwrap.dedent`, counted from 1."""
    column: int
    """Place in the line, counted from 1, in characters."""
    what: str
    hint: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GuardedCode:
    """Code that may run, and what was changed to make it so."""

    code: str
    """Has as many lines as what was given, so that a traceback's lines still fit."""
    repairs: tuple[str, ...] = ()


class GuardRefusal(Exception):  # noqa: N818 - a refusal is what it is; the caller makes the error of it
    """The code is not run; `problems` holds all that is wrong with it, in the order of its lines."""

    def __init__(self, problems: tuple[CodeProblem, ...]) -> None:
        super().__init__("; ".join(f"line {problem.line}: {problem.what}" for problem in problems))
        self.problems = problems
