"""Functions of texts, whose letters, places and patterns DuckDB and Spark see otherwise at the edges."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.trees import (
    Kind,
    binary,
    by_name,
    call,
    cast,
    items_of,
    kind_of,
    refused_where_not,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.backends.spark.sql.trees import Translate

_TOKEN: Final = re.compile(
    r"(?P<class>\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\])"
    r"|(?P<property>\\[pP](?:\{[^}]*\}|.))|(?P<escape>\\.)|(?P<group>\(\?[^)]*?[:)=!<>P]|\()|(?P<other>.)",
    re.DOTALL,
)
_PLAIN_ESCAPES: Final = frozenset("dDsSwWtnrfv\\.[]{}()*+?^$|/-\"'#&,:;<=>@_`~!% ")
# Not `m`: ends of lines are not those that RE2 has.
_FLAGS: Final = re.compile(r"\(\?[is]+[:)]|\(\?:")
_ASSERTIONS: Final = frozenset({"^", "$", r"\b", r"\B", r"\A", r"\z"})
_BOUNDARY: Final = r"(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))"
# RE2 takes \s without the vertical tab, and Java with it.
_SPACE, _NO_SPACE = r"[\t\n\f\r ]", r"[^\t\n\f\r ]"


def java_pattern(pattern: str) -> str:
    """Return a pattern of RE2 as one of Java; raises `NotOnSparkError` for what has no counterpart."""
    # (?d): only \n ends a line; (?u): case is folded beyond ASCII, as RE2 does.
    return "(?du)" + "".join(_token(match) for match in _TOKEN.finditer(pattern))


def may_match_nothing(pattern: str) -> bool:
    """Return whether a pattern may match an empty text somewhere; true where that is not certain."""
    bare = "".join(
        "" if match.group() in _ASSERTIONS else "x" if match["property"] is not None else match.group()
        for match in _TOKEN.finditer(pattern)
    )
    try:
        return re.fullmatch(bare, "") is not None
    except re.error:
        return True


def ends_with_text(pattern: str) -> bool:
    """Return whether every match of a pattern ends where the text does; false where that is not certain."""
    tokens = [match.group() for match in _TOKEN.finditer(pattern)]
    depth = 0
    for part in tokens:
        # A group of flags alone, such as (?i), is closed at once.
        depth += (part.startswith("(") and not part.endswith(")")) - (part == ")")
        if part == "|" and depth == 0:
            return False
    # A quantifier or a bracket behind it would have it stand for less.
    return tokens[-1:] == ["$"] and depth == 0


def java_replacement(text: str) -> str:
    """Return a replacement of RE2 as one of Java, whose groups are called `$1`."""
    parts = re.split(r"(\\.)", text, flags=re.DOTALL)
    made = []
    for part in parts:
        if re.fullmatch(r"\\\d", part):
            made.append(f"${part[1]}")
        elif part.startswith("\\"):
            made.append("\\" + part[1:])
        else:
            made.append(part.replace("$", "\\$"))
    return "".join(made)


def _token(match: re.Match[str]) -> str:
    text = match.group()
    if match["escape"] is not None:
        return _escape(text[1], text)
    if match["class"] is not None:
        return _class(text)
    if match["property"] is not None:
        # The name of a script is one of several kinds of names in Java.
        return re.sub(r"\{(\^?)(\w{3,})\}", r"{\1Is\2}", text)
    if match["group"] is not None and text != "(" and not _FLAGS.fullmatch(text):
        raise not_on_spark(f"The pattern part {text!r}")
    return r"\z" if text == "$" else text


def _escape(letter: str, text: str) -> str:
    known = {"s": _SPACE, "S": _NO_SPACE, "b": _BOUNDARY, "z": r"\z", "A": r"\A"}
    if letter in known:
        return known[letter]
    if letter not in _PLAIN_ESCAPES:
        raise not_on_spark(f"The pattern part {text!r}")
    return text


def _class(text: str) -> str:
    inside = text[1:-1]
    if "[:" in inside or "&&" in inside:
        raise not_on_spark(f"The pattern part {text!r}")
    # In Java a bracket within brackets begins a class of its own.
    made = re.sub(r"(?<!\\)\[", r"\\[", inside).replace(r"\s", r"\t\n\f\r ")
    return f"[{made}]"


def _lower(made: exp.Expr) -> exp.Expr:
    # A sigma at the end of a word is another letter to Spark.
    return _in_other_letters(made, "LOWER", "İΣ")


def _upper(made: exp.Expr) -> exp.Expr:
    return _in_other_letters(made, "UPPER", _growing())


def _in_other_letters(made: exp.Expr, name: str, letters: str) -> exp.Expr:
    """Return a text in another case; one with letters that become several is an error, as DuckDB keeps them one."""
    plain = exp.Not(this=call("REGEXP_LIKE", made, f"[{letters}]"))
    told = f"the {name.lower()} case of a text with letters like 'ß'"
    return refused_where_not(plain, call(name, made.copy()), told)


@cache
def _growing() -> str:
    """Return the letters whose upper case is several letters where rules of languages are followed (Unicode, SpecialCasing)."""
    return "".join(letter for letter in map(chr, range(0x80, 0xD800)) if len(letter.upper()) > 1) + "".join(
        letter for letter in map(chr, range(0xE000, 0x10000)) if len(letter.upper()) > 1
    )


def _literal(node: exp.Expr | None, what: str) -> str:
    if not isinstance(node, exp.Literal) or not node.is_string:
        raise not_on_spark(f"{what} that is not a constant")
    return str(node.this)


def _matches(node: exp.Expr, go: Translate) -> exp.Expr:
    flag = node.args.get("flag")
    if flag is not None:
        raise not_on_spark("A regular expression with options", "Write them into the pattern: (?i).")
    pattern = java_pattern(_literal(node.args["expression"], "A regular expression"))
    return call("RLIKE", go(node.this), pattern)


def _extracted(node: exp.Expr, go: Translate) -> exp.Expr:
    given = node.args.get("group")
    group = (
        int(given.name)
        if isinstance(given, exp.Literal) and given.name.isdigit()
        else 0
        if given is None
        else None
    )
    others = [key for key in ("position", "occurrence", "parameters") if node.args.get(key)]
    if group is None or others:
        raise not_on_spark("regexp_extract() of this form")
    pattern = java_pattern(_literal(node.args["expression"], "A regular expression"))
    return call("REGEXP_EXTRACT", go(node.this), pattern, group)


def _replaced(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return a replacement of all matches, or of the only one that there can be."""
    pattern = _literal(node.args["expression"], "A regular expression")
    options = node.args.get("modifiers")
    everywhere = options is not None and options.name == "g"
    if options is not None and not everywhere:
        raise not_on_spark("regexp_replace() with such options")
    if not everywhere and not ends_with_text(pattern):
        raise not_on_spark(
            "regexp_replace() of the first match alone", "Replace all of them with the option 'g'."
        )
    if may_match_nothing(pattern):
        raise not_on_spark("regexp_replace() with a pattern that may match nothing", "Ask for one letter: +.")
    replacement = java_replacement(_literal(node.args.get("replacement"), "A replacement"))
    return call("REGEXP_REPLACE", go(node.this), java_pattern(pattern), replacement)


def _part_of_text(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        places = [item for key in ("expression", "start", "length") for item in items_of(node.args.get(key))]
        for item in places:
            if not isinstance(item, exp.Literal) or item.is_string or int(item.this) < 0:
                raise not_on_spark(f"{name.lower()}() with a place that is no positive constant")
        start = node.args.get("start")
        if start is not None and int(start.this) < 1:
            raise not_on_spark(f"{name.lower()}() from before the first character")
        return call(name, go(node.this), *(item.copy() for item in places))

    return build


def _like(node: exp.Expr, go: Translate) -> exp.Expr:
    text, pattern = go(node.this), go(node.args["expression"])
    if isinstance(node, exp.ILike):
        text, pattern = _lower(text), _lower(pattern)
    # Where none is named, Spark takes the backslash for an escape.
    found = exp.Like(this=text, expression=call("REPLACE", pattern, "\\", "\\\\"))
    return exp.Not(this=found) if node.args.get("negate") else found


def _trimmed(node: exp.Expr, go: Translate) -> exp.Expr:
    if any(node.args.get(key) for key in ("expression", "position", "collation")):
        raise not_on_spark("trim() of other characters than blanks")
    return call("TRIM", go(node.this))


def _concatenated(node: exp.Expr, go: Translate) -> exp.Expr:
    parts = [call("COALESCE", cast(go(item), "VARCHAR"), "") for item in node.expressions]
    if any(kind_of(item) is not Kind.TEXT for item in node.expressions):
        raise not_on_spark("concat() of other values than texts", "Cast them: CAST(x AS VARCHAR).")
    return call("CONCAT", *parts)


def _joined(node: exp.Expr, go: Translate) -> exp.Expr:
    if any(
        kind_of(item) not in {Kind.TEXT, Kind.NULL, Kind.UNKNOWN}
        for item in (node.this, node.args["expression"])
    ):
        raise not_on_spark("|| of other values than texts", "Cast them: CAST(x AS VARCHAR).")
    return binary(exp.DPipe, go(node.this), go(node.args["expression"]))


TEXTS: Final[Mapping[type[exp.Expr], Callable[[exp.Expr, Translate], exp.Expr]]] = {
    exp.Lower: lambda node, go: _lower(go(node.this)),
    exp.Upper: lambda node, go: _upper(go(node.this)),
    exp.Length: by_name("LENGTH"),
    exp.Contains: by_name("CONTAINS"),
    exp.StartsWith: by_name("STARTSWITH"),
    exp.EndsWith: by_name("ENDSWITH"),
    exp.Replace: by_name("REPLACE"),
    exp.Translate: by_name("TRANSLATE"),
    exp.Trim: _trimmed,
    exp.Left: _part_of_text("LEFT"),
    exp.Right: _part_of_text("RIGHT"),
    exp.Substring: _part_of_text("SUBSTRING"),
    exp.Concat: _concatenated,
    exp.ConcatWs: by_name("CONCAT_WS"),
    exp.DPipe: _joined,
    exp.Like: _like,
    exp.ILike: _like,
    exp.RegexpLike: _matches,
    exp.RegexpExtract: _extracted,
    exp.RegexpReplace: _replaced,
}
"""What is called of texts → how it is written."""
