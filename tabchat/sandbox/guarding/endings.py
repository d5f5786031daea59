"""Whether the code leaves what its operation asks for, and the few repairs that are certain."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from tabchat.sandbox.guarding.problems import CodeProblem, Operation
from tabchat.sandbox.guarding.rewriting import Change, rewritten
from tabchat.sandbox.guarding.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMIT: Final = "COMMIT_DF"
_TABLE: Final = "df"
_NEW_TABLE: Final = listed("""
    assign astype bfill clip convert_dtypes drop drop_duplicates dropna explode ffill fillna infer_objects
    interpolate mask query rename replace reset_index round sort_index sort_values where
    """)
"""Methods that return the table changed and leave the old one as it was."""
_CHANGING: Final = frozenset(("insert", "isetitem", "pop", "update"))


class Ending(NamedTuple):
    """The code, its repairs, and what is still wrong."""

    code: str
    repairs: tuple[str, ...] = ()
    problems: tuple[CodeProblem, ...] = ()


def finish(code: str, tree: ast.Module, op: Operation) -> Ending:
    """Return the code as it is to run for `op`."""
    if lost := tuple(_changes_to_copies(tree)):
        return Ending(code, problems=lost)
    return _finish_read(code, tree) if op is Operation.READ else _finish_edit(code, tree)


def _changes_to_copies(tree: ast.Module) -> Iterator[CodeProblem]:
    """Object to changes of a part of `df`: since pandas 3 each part is a copy, and `df` stays as it is."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(
                value=ast.Subscript(value=ast.Name(id="df") | ast.Attribute(value=ast.Name(id="df"))),
                ctx=ast.Store(),
            ):
                yield _problem(node, "This changes a copy, not `df`.", 'Write `df.loc[rows, "column"] = …`.')
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Subscript(value=ast.Name(id="df"))), keywords=keywords
                )
            ) if any(keyword.arg == "inplace" for keyword in keywords):
                yield _problem(
                    node, "This changes a copy, not `df`.", 'Write `df["column"] = df["column"]. …`.'
                )
            case _:
                pass


def _finish_read(code: str, tree: ast.Module) -> Ending:
    problems = tuple(
        _problem(
            node,
            f"`{_COMMIT}` is set, but `op` is `read`.",
            "Leave it out; to change the table, say `op: edit`, or use `tabchat edit`.",
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == _COMMIT
    )
    if problems or any(name.id == "result" for name in _stored(tree)):
        return Ending(code, problems=problems)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr) and not _only_acts(last.value):
        return Ending(
            rewritten(code, [Change(last, "result = ", before=True)]),
            (f"wrote `result = ` before line {last.lineno}",),
        )
    hint = "End with `result = …`, the value that is asked for."
    match last:
        case ast.Assign(targets=[ast.Name(id=name)]):
            hint = f"End with `result = {name}`."
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            hint = "Write `result = …` instead of `print(…)`."
        case _ if _changes_table(tree):
            hint += " To change the table, say `op: edit`, or use `tabchat edit`."
        case _:
            pass
    return Ending(code, problems=(_problem(last, "The code leaves nothing in `result`.", hint),))


def _finish_edit(code: str, tree: ast.Module) -> Ending:
    problems: list[CodeProblem] = []
    repairs: tuple[str, ...] = ()
    last = tree.body[-1] if tree.body else None
    commits = list(_commits(tree))
    if not commits:
        problems.append(
            _problem(last, f"`op` is `edit`, but `{_COMMIT}` is not set.", f"End with `{_COMMIT} = True`.")
        )
    problems += [
        _problem(node, f"`{_COMMIT}` is not set to True.", f"Write `{_COMMIT} = True`.")
        for node in commits
        if not isinstance(node, ast.Constant) or node.value is not True
    ]
    if not _changes_table(tree):
        lost = [
            statement
            for statement in tree.body
            if isinstance(statement, ast.Expr) and _is_new_table(statement.value)
        ]
        if len(lost) == 1:
            code = rewritten(code, [Change(lost[0], f"{_TABLE} = ", before=True)])
            repairs = (f"wrote `{_TABLE} = ` before line {lost[0].lineno}",)
        else:
            problems.append(
                _problem(last, "The code does not change `df`.", 'Write `df = …` or `df["column"] = …`.')
            )
    return Ending(code, repairs, tuple(problems))


def _problem(node: ast.AST | None, what: str, hint: str) -> CodeProblem:
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    return CodeProblem(line=line, column=column, what=what, hint=hint)


def _stored(tree: ast.Module) -> Iterator[ast.Name]:
    """Yield the names that are bound outside of functions, lambdas and comprehensions."""
    inside = {
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.comprehension)
        for part in ast.walk(node if isinstance(node, ast.FunctionDef) else node.target)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del) and node not in inside:
            yield node


def _commits(tree: ast.Module) -> Iterator[ast.expr | None]:
    """Yield what `COMMIT_DF` is set to, None for what is no plain assignment."""
    plain: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value) if name == _COMMIT:
                plain.add(target)
                yield value
            case ast.Name(id=name, ctx=ast.Store()) if name == _COMMIT and node not in plain:
                yield None
            case _:
                pass


def _only_acts(node: ast.expr) -> bool:
    """Tell whether the expression is evaluated for what it does, not for its value."""
    match node:
        case ast.Call(func=ast.Name(id="print")) | ast.Constant():
            return True
        case ast.Call(func=ast.Attribute(attr=attr), keywords=keywords):
            return attr in _CHANGING | {"append", "extend", "sort", "info"} or any(
                keyword.arg == "inplace" for keyword in keywords
            )
        case _:
            return False


def _is_new_table(node: ast.expr) -> bool:
    """Tell whether the expression is `df` changed by methods that return a new table."""
    if not isinstance(node, ast.Call) or any(keyword.arg == "inplace" for keyword in node.keywords):
        return False
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in _NEW_TABLE:
            return False
        node = node.func.value
    return isinstance(node, ast.Name) and node.id == _TABLE


def _changes_table(tree: ast.Module) -> bool:
    """Tell whether `df` is bound anew, or changed where it is, also by a function."""
    return any(name.id == _TABLE for name in _stored(tree)) or any(map(_changes, ast.walk(tree)))


def _changes(node: ast.AST) -> bool:
    match node:
        case (
            ast.Attribute(value=value, ctx=ast.Store())
            | ast.Subscript(value=value, ctx=ast.Store() | ast.Del())
        ):
            return _root(value) == _TABLE
        case ast.Call(func=ast.Attribute(value=value, attr=attr), keywords=keywords):
            inplace = any(
                keyword.arg == "inplace" and getattr(keyword.value, "value", True) is True
                for keyword in keywords
            )
            return isinstance(value, ast.Name) and value.id == _TABLE and (attr in _CHANGING or inplace)
        case _:
            return False


def _root(node: ast.expr) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
