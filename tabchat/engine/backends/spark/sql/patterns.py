"""Regular expressions of RE2, which DuckDB has, as Java has them: the same texts match, or the pattern is refused."""

from __future__ import annotations

import re
from typing import Final

from tabchat.engine.backends.spark.errors import not_on_spark

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
