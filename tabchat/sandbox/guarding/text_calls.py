"""Calls that take a text which is read as more than data, or that could write a file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding import queries, texts
from tabchat.sandbox.guarding.arguments import all_written_out, called, keywords

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.sandbox.guarding.inspector import Inspector

    Rule = Callable[[Inspector, ast.Call], None]

DEFAULT_ONLY: Final = "Leave the argument out."
_FORMATS: Final = "Use an f-string, or `.format` on a text that stands in the code."


def writer(inspector: Inspector, node: ast.Call) -> None:
    """Object to a writer that is given a path."""
    if not all_written_out(inspector, node):
        return
    if any(not isinstance(argument, ast.Constant) or argument.value is not None for argument in node.args):
        inspector.object_to(
            node,
            f"`{called(node)}` writes no file here.",
            "Call it without a path, or leave the table in `result`: `tabchat export` writes files.",
        )


def query(inspector: Inspector, node: ast.Call) -> None:
    """Check the text of `query` or `eval`, which must stand in the code."""
    if not all_written_out(inspector, node):
        return
    given = [*node.args, *(value for name, value in keywords(node) if name == "expr")]
    for name, _value in keywords(node):
        if name not in {"expr", "inplace", "engine"}:
            inspector.object_to(node, f"`{called(node)}` takes no `{name}` here.", DEFAULT_ONLY)
    if len(given) != 1:
        inspector.object_to(node, f"`{called(node)}` takes one text here.", DEFAULT_ONLY)
        return
    found = inspector.bindings.strings(given[0])
    if found is None:
        inspector.object_to(
            given[0],
            f"The text of `{called(node)}` must be known before the code runs.",
            'Use a mask such as `df[df["price"] > limit]`.',
        )
        return
    for text in sorted(found):
        queries.check(inspector, given[0], text)


def formatting(inspector: Inspector, node: ast.Call) -> None:
    """Check the text that `.format` is called on."""
    if isinstance(node.func, ast.Attribute):
        check_format(inspector, node, node.func.value)


def check_format(inspector: Inspector, node: ast.expr, text: ast.expr) -> None:
    """Object to a format text that is unknown or reaches attributes."""
    found = inspector.bindings.strings(text)
    if found is None:
        inspector.object_to(node, "The text of `format` must be known before the code runs.", _FORMATS)
    elif not all(texts.format_is_safe(each) for each in found):
        inspector.object_to(node, "The fields of `format` may not reach attributes.", _FORMATS)


def refused(hint: str) -> Rule:
    """Return a rule that objects to every call."""

    def rule(inspector: Inspector, node: ast.Call) -> None:
        name = inspector.path(node.func) or called(node)
        inspector.object_to(node, f"`{name}` is not available here.", hint)

    return rule


def set_option(inspector: Inspector, node: ast.Call) -> None:
    """Object to options that are not about display."""
    texts_ = [argument.value for argument in node.args[::2] if isinstance(argument, ast.Constant)]
    shown = all(isinstance(text, str) and text.startswith("display.") for text in texts_)
    if node.keywords or not node.args or len(texts_) != len(node.args[::2]) or not shown:
        inspector.object_to(node, "Only options of `display` can be set.", "Leave it out.")


def formula(inspector: Inspector, node: ast.Call) -> None:
    """Check the formula of a statistical model, which is evaluated as code."""
    if not all_written_out(inspector, node):
        return
    given = [*node.args[:1], *(value for name, value in keywords(node) if name in {"formula", "re_formula"})]
    for name, value in keywords(node):
        if name in {"eval_env", "vc_formula", "subset"}:
            inspector.object_to(value, f"The argument `{name}` is not available here.", DEFAULT_ONLY)
    for value in given:
        found = inspector.bindings.strings(value)
        if found is None or not all(texts.formula_is_safe(text) for text in found):
            inspector.object_to(
                value,
                "A formula is a text of names, numbers, + - * : ~ and C(name) that stands in the code.",
                "Write it out, or use `sm.OLS(y, sm.add_constant(X))`.",
            )
