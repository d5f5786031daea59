"""Checks the arguments of calls that could do more than compute."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding import judging, queries, texts, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.sandbox.guarding.inspector import Inspector

    Rule = Callable[[Inspector, ast.Call], None]

_DEFAULT_ONLY: Final = "Leave the argument out."
_LITERAL_ZONE: Final = 'Write its name as a text, such as tz="Europe/Kyiv".'
_LITERAL_AGGREGATION: Final = 'Write it in the call, such as "sum", ["mean", "max"] or a lambda.'
_FORMATS: Final = "Use an f-string, or `.format` on a text that stands in the code."


def check(inspector: Inspector, node: ast.Call) -> None:
    """Check the arguments of a call; its parts are visited elsewhere."""
    attribute = node.func.attr if isinstance(node.func, ast.Attribute) else None
    named = attribute in words.NAMING or (isinstance(node.func, ast.Name) and node.func.id == "dict")
    if not named:
        for name, value in keywords(node):
            _check_keyword(inspector, name, value)
    rule = _rule(inspector, node)
    if rule is not None:
        rule(inspector, node)
    elif attribute is None and _spreads_unknown(node):
        inspector.object_to(
            node, "`**` needs a dict that stands in the call here.", "Write the arguments out."
        )


def uncalled(inspector: Inspector, node: ast.Attribute) -> None:
    """Object to a checked method that is used as a value: whoever calls it would not be checked."""
    path = inspector.path(node)
    if path == "np.ndarray" and inspector.bindings.is_type_test(node):
        return
    if node.attr == "format" and isinstance(node.value, ast.Constant):
        _check_format(inspector, node, node.value)
        return
    inspector.object_to(
        node,
        f"`{path or node.attr}` must be called where it is named.",
        f'Use `lambda x: x.{node.attr}(…)`, or `df["{node.attr}"]` for a column.',
    )


def keywords(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield the keyword arguments, also those of a dict that is spread in the call."""
    for keyword in node.keywords:
        if keyword.arg is not None:
            yield keyword.arg, keyword.value
        elif isinstance(keyword.value, ast.Dict):
            for key, value in zip(keyword.value.keys, keyword.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value


def _rule(inspector: Inspector, node: ast.Call) -> Rule | None:
    if not isinstance(node.func, ast.Attribute):
        return None
    path = inspector.path(node.func)
    if path is not None and path.startswith("smf."):
        return _formula
    return RULES.get(path or "") or RULES.get(node.func.attr)


def _spreads_unknown(node: ast.Call) -> bool:
    """Tell whether `**` spreads a dict whose keys do not all stand in the call."""
    for keyword in node.keywords:
        if keyword.arg is None:
            keys = keyword.value.keys if isinstance(keyword.value, ast.Dict) else [None]
            if not all(isinstance(key, ast.Constant) for key in keys):
                return True
    return False


def _plain(inspector: Inspector, node: ast.Call) -> bool:
    """Tell whether every argument stands in the call; object if not."""
    if any(isinstance(argument, ast.Starred) for argument in node.args) or _spreads_unknown(node):
        inspector.object_to(node, f"`{_called(node)}` takes no `*` or `**` here.", "Write the arguments out.")
        return False
    return True


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else "this call"


def _check_keyword(inspector: Inspector, name: str, value: ast.expr) -> None:
    constant = value.value if isinstance(value, ast.Constant) else ...
    if name in words.FORBIDDEN_KEYWORDS and constant is not None:
        inspector.object_to(value, f"The argument `{name}` is not available here.", _DEFAULT_ONLY)
    elif name in {"tz", "tzinfo"} and not judging.is_time_zone(inspector, value):
        inspector.object_to(value, "The time zone must be known before the code runs.", _LITERAL_ZONE)
    elif name == "dtype" and not judging.is_type(inspector, value):
        inspector.object_to(value, "The type must be known before the code runs.", 'Write it as "float64".')
    elif name == "engine" and constant is not None and constant not in words.ENGINES:
        inspector.object_to(value, "This engine is not available here.", _DEFAULT_ONLY)
    elif name == "aggfunc" and not judging.is_aggregation(inspector, value):
        _unknown_aggregation(inspector, value)


def _unknown_aggregation(inspector: Inspector, node: ast.expr) -> None:
    if isinstance(node, ast.Constant):
        inspector.object_to(
            node, f"{node.value!r} is no aggregation that is available here.", _LITERAL_AGGREGATION
        )
        return
    inspector.object_to(node, "The aggregation must be known before the code runs.", _LITERAL_AGGREGATION)


def _dispatch(inspector: Inspector, node: ast.Call) -> None:
    """Judge what `agg` and its like are given: a text is the name of any method of the object."""
    first = node.args[0] if node.args else None
    given = [value for name, value in keywords(node) if name in {"func", "arg"}]
    # Behind a function come its own arguments, which name nothing of the object.
    known = isinstance(first, (ast.Lambda, ast.Name, ast.Attribute, ast.Constant))
    given += node.args[:1] if known else node.args
    if _called(node) in {"agg", "aggregate"}:
        given += _named_aggregations(node, alone=first is None)
    for value in given:
        if not judging.is_aggregation(inspector, value):
            _unknown_aggregation(inspector, value)


def _named_aggregations(node: ast.Call, *, alone: bool) -> list[ast.expr]:
    found: list[ast.expr] = []
    for name, value in keywords(node):
        if isinstance(value, ast.Tuple) or (alone and name != "axis"):
            found.append(value)
    found += [keyword.value for keyword in node.keywords if keyword.arg is None]
    return found


def _map(inspector: Inspector, node: ast.Call) -> None:
    if node.args and isinstance(node.args[0], ast.Constant):
        inspector.object_to(node, "`map` takes a function, a dict or a series.", "Use a lambda.")


def _pivot_table(inspector: Inspector, node: ast.Call) -> None:
    place = 4 if inspector.path(node.func) else 3
    _plain(inspector, node)
    for argument in node.args[place:]:
        if not judging.is_aggregation(inspector, argument):
            _unknown_aggregation(inspector, argument)


def _crosstab(inspector: Inspector, node: ast.Call) -> None:
    _plain(inspector, node)
    for argument in node.args[5:]:
        _unknown_aggregation(inspector, argument)


def _named_aggregation(inspector: Inspector, node: ast.Call) -> None:
    _plain(inspector, node)
    given = node.args[1:] + [value for name, value in keywords(node) if name == "aggfunc"]
    for value in given:
        if not judging.is_aggregation(inspector, value):
            _unknown_aggregation(inspector, value)


def _writer(inspector: Inspector, node: ast.Call) -> None:
    if not _plain(inspector, node):
        return
    if any(not isinstance(argument, ast.Constant) or argument.value is not None for argument in node.args):
        inspector.object_to(
            node,
            f"`{_called(node)}` writes no file here.",
            "Call it without a path, or leave the table in `result`: `tabchat export` writes files.",
        )


def _query(inspector: Inspector, node: ast.Call) -> None:
    if not _plain(inspector, node):
        return
    given = [*node.args, *(value for name, value in keywords(node) if name == "expr")]
    for name, _value in keywords(node):
        if name not in {"expr", "inplace", "engine"}:
            inspector.object_to(node, f"`{_called(node)}` takes no `{name}` here.", _DEFAULT_ONLY)
    if len(given) != 1:
        inspector.object_to(node, f"`{_called(node)}` takes one text here.", _DEFAULT_ONLY)
        return
    found = inspector.bindings.strings(given[0])
    if found is None:
        inspector.object_to(
            given[0],
            f"The text of `{_called(node)}` must be known before the code runs.",
            'Use a mask such as `df[df["price"] > limit]`.',
        )
        return
    for text in sorted(found):
        queries.check(inspector, given[0], text)


def _time_zone(place: int) -> Rule:
    def rule(inspector: Inspector, node: ast.Call) -> None:
        if not _plain(inspector, node):
            return
        for argument in node.args[place:]:
            if isinstance(argument, ast.Constant) and not isinstance(argument.value, str):
                continue
            if not judging.is_time_zone(inspector, argument):
                inspector.object_to(
                    argument, "The time zone must be known before the code runs.", _LITERAL_ZONE
                )

    return rule


def _at_most(count: int) -> Rule:
    def rule(inspector: Inspector, node: ast.Call) -> None:
        if _plain(inspector, node) and len(node.args) > count:
            inspector.object_to(
                node.args[count],
                f"`{_called(node)}` takes {count} arguments without a name here.",
                "Name the others.",
            )

    return rule


def _as_type(inspector: Inspector, node: ast.Call) -> None:
    if not _plain(inspector, node):
        return
    for argument in node.args:
        if not judging.is_type(inspector, argument):
            inspector.object_to(
                argument, "The type must be known before the code runs.", 'Write it as "float64".'
            )


def _encoding(inspector: Inspector, node: ast.Call) -> None:
    if not _plain(inspector, node):
        return
    given = [*node.args[:1], *(value for name, value in keywords(node) if name == "encoding")]
    for value in given:
        if not isinstance(value, ast.Constant) or str(value.value).lower() not in words.ENCODINGS:
            inspector.object_to(value, "This encoding is not available here.", 'Write "utf-8" or "ascii".')


def _format(inspector: Inspector, node: ast.Call) -> None:
    if isinstance(node.func, ast.Attribute):
        _check_format(inspector, node, node.func.value)


def _check_format(inspector: Inspector, node: ast.expr, text: ast.expr) -> None:
    found = inspector.bindings.strings(text)
    if found is None:
        inspector.object_to(node, "The text of `format` must be known before the code runs.", _FORMATS)
    elif not all(texts.format_is_safe(each) for each in found):
        inspector.object_to(node, "The fields of `format` may not reach attributes.", _FORMATS)


def _no_arguments(inspector: Inspector, node: ast.Call) -> None:
    if node.args or node.keywords:
        inspector.object_to(
            node, f"`{_called(node)}` takes no locale here.", "Names are in English; use `map`."
        )


def _refused(hint: str) -> Rule:
    def rule(inspector: Inspector, node: ast.Call) -> None:
        name = inspector.path(node.func) or _called(node)
        inspector.object_to(node, f"`{name}` is not available here.", hint)

    return rule


def _set_option(inspector: Inspector, node: ast.Call) -> None:
    texts_ = [argument.value for argument in node.args[::2] if isinstance(argument, ast.Constant)]
    shown = all(isinstance(text, str) and text.startswith("display.") for text in texts_)
    if node.keywords or not node.args or len(texts_) != len(node.args[::2]) or not shown:
        inspector.object_to(node, "Only options of `display` can be set.", "Leave it out.")


def _formula(inspector: Inspector, node: ast.Call) -> None:
    if not _plain(inspector, node):
        return
    given = [*node.args[:1], *(value for name, value in keywords(node) if name in {"formula", "re_formula"})]
    for name, value in keywords(node):
        if name in {"eval_env", "vc_formula", "subset"}:
            inspector.object_to(value, f"The argument `{name}` is not available here.", _DEFAULT_ONLY)
    for value in given:
        found = inspector.bindings.strings(value)
        if found is None or not all(texts.formula_is_safe(text) for text in found):
            inspector.object_to(
                value,
                "A formula is a text of names, numbers, + - * : ~ and C(name) that stands in the code.",
                "Write it out, or use `sm.OLS(y, sm.add_constant(X))`.",
            )


RULES: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(words.DISPATCHERS, _dispatch),
    **dict.fromkeys(words.WRITERS, _writer),
    **dict.fromkeys(words.QUERIES, _query),
    **dict.fromkeys(("tz_localize", "tz_convert", "astimezone", "now", "today"), _time_zone(0)),
    "fromtimestamp": _time_zone(1),
    **dict.fromkeys(("encode", "decode"), _encoding),
    **dict.fromkeys(("format", "format_map"), _format),
    **dict.fromkeys(("day_name", "month_name"), _no_arguments),
    "astype": _as_type,
    "map": _map,
    "pivot_table": _pivot_table,
    "crosstab": _crosstab,
    "pd.NamedAgg": _named_aggregation,
    "pd.date_range": _at_most(4),
    "pd.bdate_range": _at_most(4),
    "pd.DatetimeIndex": _at_most(2),
    "pd.DatetimeTZDtype": _time_zone(1),
    "pd.set_option": _set_option,
    "pd.reset_option": _set_option,
    "np.ndarray": _refused("Use `np.zeros` or `np.array`."),
    "np.dtype": _as_type,
}
"""Check of a call by the method's name, or by its path for a module's function."""
