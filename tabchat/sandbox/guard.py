"""Refuses code that is not plain work on a table, before it runs.

An allowlist over the syntax tree: kinds of syntax, names, attributes, and the
arguments of the calls that could do more than compute. It gives early, clear
messages and is a second layer; the wall is the kernel lock.

`read` leaves its answer in `result`; a last line that is an expression becomes
`result = …`. `edit` leaves the new table in `df` and sets `COMMIT_DF = True`. Imports
of what is listed are allowed. Loops are, too: the time limits end them.

Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

import ast
import textwrap
import warnings
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding.endings import finish
from tabchat.sandbox.guarding.imports import Expansion, Imports
from tabchat.sandbox.guarding.inspector import Inspector
from tabchat.sandbox.guarding.problems import CodeProblem, GuardedCode, GuardRefusal, Operation
from tabchat.sandbox.guarding.rewriting import Change, rewritten
from tabchat.sandbox.guarding.stats_paths import listed_paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["CodeProblem", "GuardRefusal", "GuardedCode", "Operation", "check_code"]

_MOST_CHARACTERS: Final = 20_000
_DEEPEST: Final = 120


def check_code(code: str, *, op: Operation, columns: Sequence[str], with_stats: bool = False) -> GuardedCode:
    """Return the code as it may run; GuardRefusal with every problem that was found.

    `columns` are the table's column names: they may be used as attributes.
    `with_stats` makes SciPy, statsmodels and scikit-learn available.
    """
    plain = textwrap.dedent(code.replace("\r\n", "\n").replace("\r", "\n"))
    tree = _parsed(plain)
    threads = list(_threads(tree))
    if threads:
        plain = rewritten(plain, threads)
        tree = _parsed(plain)
    inspected = _inspected(_parsed(plain), columns=columns, with_stats=with_stats)
    ending = finish(plain, tree, op)
    problems = tuple(
        sorted((*inspected, *ending.problems), key=lambda problem: (problem.line, problem.column))
    )
    if problems:
        raise GuardRefusal(problems)
    repairs = (*(["wrote `n_jobs=1`: there is one thread"] if threads else ()), *ending.repairs)
    return GuardedCode(code=ending.code, repairs=repairs)


def _inspected(tree: ast.AST, *, columns: Sequence[str], with_stats: bool) -> Sequence[CodeProblem]:
    """Return what is wrong with `tree`, in which imported names are written out first."""
    imports = Imports(tree, listed_paths(with_stats=with_stats), with_stats=with_stats)
    tree = Expansion(imports.names).visit(tree)
    inspector = Inspector(tree, imports, columns=columns, with_stats=with_stats)
    inspector.visit(tree)
    return inspector.problems


def _threads(tree: ast.Module) -> Iterator[Change]:
    """Yield the changes that ask for one thread where the code asks for more."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.keyword)
            and node.arg == "n_jobs"
            and ast.unparse(node.value) not in {"1", "None"}
        ):
            yield Change(node.value, "1")


def _parsed(code: str) -> ast.Module:
    if len(code) > _MOST_CHARACTERS:
        raise _refusal(
            f"The code has {len(code):,} characters, more than {_MOST_CHARACTERS:,}.", "Do it in steps."
        )
    if not code.strip():
        raise _refusal("There is no code.", "Write pandas code that leaves its answer in `result`.")
    try:
        with warnings.catch_warnings():
            # An escape such as "\d" in a plain text is common, and harmless.
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except SyntaxError as error:
        place = (error.lineno or 1, error.offset or 1)
        raise _refusal(f"The code is not Python: {error.msg}.", None, *place) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise _refusal("The code is not Python: it cannot be parsed.", "Write it more simply.") from error
    if _too_deep(tree):
        raise _refusal(f"The code nests more than {_DEEPEST} levels.", "Use variables for the steps.")
    return tree


def _refusal(what: str, hint: str | None, line: int = 1, column: int = 1) -> GuardRefusal:
    return GuardRefusal((CodeProblem(line=line, column=column, what=what, hint=hint),))


def _too_deep(tree: ast.AST) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True
