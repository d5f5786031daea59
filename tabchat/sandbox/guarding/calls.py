"""Checks the arguments of calls that could do more than compute."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding import judging, words
from tabchat.sandbox.guarding.aggregating import (
    crosstab,
    dispatch,
    mapping,
    named_aggregation,
    pivot_table,
    unknown_aggregation,
)
from tabchat.sandbox.guarding.arguments import keywords, spreads_unknown
from tabchat.sandbox.guarding.text_calls import (
    DEFAULT_ONLY,
    check_format,
    formatting,
    formula,
    query,
    refused,
    set_option,
    writer,
)
from tabchat.sandbox.guarding.typed_calls import (
    LITERAL_ZONE,
    as_type,
    at_most,
    encoding,
    from_codes,
    no_arguments,
    time_zone,
    written_out,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.sandbox.guarding.inspector import Inspector

    Rule = Callable[[Inspector, ast.Call], None]


def check(inspector: Inspector, node: ast.Call) -> None:
    """Check the arguments of a call; its parts are visited elsewhere."""
    attribute = node.func.attr if isinstance(node.func, ast.Attribute) else None
    named = attribute in words.NAMING or (isinstance(node.func, ast.Name) and node.func.id == "dict")
    if not named:
        for name, value in keywords(node):
            _check_keyword(inspector, name, value)
    if (
        isinstance(node.func, ast.Call)
        and isinstance(node.func.func, ast.Name)
        and node.func.func.id == "type"
    ):
        inspector.object_to(
            node, "The type of a value may not be called.", "Name the type, such as `int(x)`."
        )
    rule = _rule(inspector, node)
    if rule is not None:
        rule(inspector, node)
    elif not named and spreads_unknown(node) and _is_function(inspector, node):
        inspector.object_to(
            node, "`**` needs a dict that stands in the call here.", "Write the arguments out."
        )


def is_checked(path: str | None, attribute: str) -> bool:
    """Tell whether a call of this function or method is checked by a rule of its own."""
    if path in CLASSES:
        return False
    return path in RULES or attribute in RULES or (path or "").startswith("smf.")


def uncalled(inspector: Inspector, node: ast.Attribute) -> None:
    """Object to a checked method that is used as a value: whoever calls it would not be checked."""
    path = inspector.path(node)
    if path in {"np.ndarray", "pd.MultiIndex"} and inspector.bindings.is_type_test(node):
        return
    if node.attr == "format" and inspector.bindings.strings(node.value) is not None:
        check_format(inspector, node, node.value)
        return
    inspector.object_to(
        node,
        f"`{path or node.attr}` must be called where it is named.",
        f'Use `lambda x: x.{node.attr}(…)`, or `df["{node.attr}"]` for a column.',
    )


def _rule(inspector: Inspector, node: ast.Call) -> Rule | None:
    if not isinstance(node.func, ast.Attribute):
        return None
    path = inspector.path(node.func)
    if path is not None and path.startswith("smf."):
        return formula
    return CLASSES.get(path or "") or RULES.get(path or "") or RULES.get(node.func.attr)


def _is_function(inspector: Inspector, node: ast.Call) -> bool:
    """Tell whether no method of an object is called, but a function or a class."""
    return not isinstance(node.func, ast.Attribute) or inspector.path(node.func) is not None


def _check_keyword(inspector: Inspector, name: str, value: ast.expr) -> None:
    constant = value.value if isinstance(value, ast.Constant) else ...
    if name in words.FORBIDDEN_KEYWORDS and constant is not None:
        inspector.object_to(value, f"The argument `{name}` is not available here.", DEFAULT_ONLY)
    elif name in {"tz", "tzinfo"} and not judging.is_time_zone(inspector, value):
        inspector.object_to(value, "The time zone must be known before the code runs.", LITERAL_ZONE)
    elif name == "dtype" and not judging.is_type(inspector, value):
        inspector.object_to(value, "The type must be known before the code runs.", 'Write it as "float64".')
    elif name == "engine" and constant is not None and constant not in words.ENGINES:
        inspector.object_to(value, "This engine is not available here.", DEFAULT_ONLY)
    elif name == "verify_integrity" and constant is not True:
        inspector.object_to(value, "Codes and levels are always checked here.", DEFAULT_ONLY)
    elif name in words.CHECKS and (constant is False or constant is ...):
        inspector.object_to(value, f"The check `{name}` may not be left out.", DEFAULT_ONLY)
    elif name == "aggfunc" and not judging.is_aggregation(inspector, value):
        unknown_aggregation(inspector, value)


RULES: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(words.DISPATCHERS, dispatch),
    **dict.fromkeys(words.WRITERS, writer),
    **dict.fromkeys(words.QUERIES, query),
    **dict.fromkeys(("tz_localize", "tz_convert", "astimezone", "now", "today"), time_zone(0)),
    **dict.fromkeys(("fromordinal", "fromtimestamp"), time_zone(1)),
    **dict.fromkeys(("encode", "decode"), encoding),
    **dict.fromkeys(("format", "format_map"), formatting),
    **dict.fromkeys(("day_name", "month_name"), no_arguments),
    "astype": as_type,
    "map": mapping,
    "pivot_table": pivot_table,
    "crosstab": crosstab,
    "from_codes": from_codes,
    "pd.NamedAgg": named_aggregation,
    "pd.date_range": at_most(4),
    "pd.bdate_range": at_most(4),
    "pd.DatetimeIndex": at_most(2),
    "pd.DatetimeTZDtype": time_zone(1),
    "pd.set_option": set_option,
    "pd.reset_option": set_option,
    "np.ndarray": refused("Use `np.zeros` or `np.array`."),
    "np.dtype": as_type,
    **dict.fromkeys(("set_codes", "set_levels", "set_params"), written_out),
    "pd.MultiIndex": at_most(2),
}
"""Check of a call by the method's name, or by its path for a module's function."""

CLASSES: Final[Mapping[str, Rule]] = {
    "pd.DataFrame": at_most(3),
    "pd.Index": at_most(1),
    "pd.Series": at_most(2),
    "pd.array": at_most(1),
}
"""Check of calls of what may be a value, too, as in `apply(pd.Series)`; the next argument is a type."""
