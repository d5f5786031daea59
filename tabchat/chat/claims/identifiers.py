"""Digits that are no figures: names, versions, labels, citations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.vocabulary import vocabulary

if TYPE_CHECKING:
    from tabchat.chat.claims.tokens import Tokens

_NAME_SIGNS: Final = frozenset("#№@^")
_JOINTS: Final = frozenset("._-‑/'’")
_IDIOMS: Final = frozenset({("24", "7"), ("7", "24")})
_HYPHENS: Final = frozenset("-‑")
_CITATION_DIGITS: Final = 3
_LONGEST_SHORT_LABEL: Final = 4
_KEYCAP: Final = frozenset("\ufe0f\u20e3")


def identifier_end(tokens: Tokens, at: int) -> int | None:
    """Return the last token of the name that the digits `at` begin; None when they are a figure."""
    if _is_version(tokens, at) or tokens.text(at + 1) in _KEYCAP:
        return name_end(tokens, at)
    if _is_idiom(tokens, at):
        return at + 2
    if _is_citation(tokens, at):
        return at
    return name_end(tokens, at) if _is_labelled(tokens, at) else None


def ends_name(tokens: Tokens, at: int) -> bool:
    """Tell whether the digits are glued to letters before them: `Q1`, `COVID-19`, `ds_5`, `#5`."""
    before = tokens.text(at - 1)
    if tokens.kind(at - 1) in {"word", "hole"}:
        known = vocabulary()
        return not (known["currencies"].holds(before) or known["years.fiscal"].holds(before))
    if before in _NAME_SIGNS:
        return True
    if tokens.kind(at - 1) == "gap":
        return tokens.text(at - 2) in {"#", "№"}
    if before in _HYPHENS or before == "/":
        return tokens.kind(at - 2) == "word" and not vocabulary()["labels.top"].holds(tokens.text(at - 2))
    return before.startswith("_") and tokens.glued(at - 2)


def _is_version(tokens: Tokens, at: int) -> bool:
    """Tell whether `1.2.3` begins here, or a file name such as `2024.csv`."""
    if tokens.text(at + 1).startswith("_") and tokens.glued(at + 2) and tokens.kind(at + 2) != "digits":
        return True
    if tokens.text(at + 1) != ".":
        return False
    if tokens.kind(at + 2) == "word":
        return tokens.written(at + 2).islower() and tokens.written(at + 2).isascii()
    if tokens.kind(at + 2) != "digits" or tokens.text(at + 3) != "." or tokens.kind(at + 4) != "digits":
        return False
    return not (len(tokens.text(at + 2)) == len(tokens.text(at + 4)) == _CITATION_DIGITS)


def name_end(tokens: Tokens, at: int) -> int:
    """Return the last token of the name that the token belongs to."""
    last = at
    while True:
        if tokens.glued(last + 1) or tokens.text(last + 1) in _KEYCAP:
            last += 1
        elif _is_joint(tokens, last + 1, inside=last > at):
            last += 2
        else:
            return last


def _is_joint(tokens: Tokens, at: int, *, inside: bool) -> bool:
    """Tell whether the mark joins two parts of a name; a colon only leads to a port."""
    if tokens.text(at) == ":":
        return inside and tokens.kind(at + 1) == "digits"
    return tokens.text(at)[:1] in _JOINTS and tokens.glued(at + 1)


def _is_idiom(tokens: Tokens, at: int) -> bool:
    return tokens.text(at + 1) == "/" and (tokens.text(at), tokens.text(at + 2)) in _IDIOMS


def _is_citation(tokens: Tokens, at: int) -> bool:
    """Tell whether the digits stand alone in square brackets: `[1]`."""
    return (
        tokens.text(at - 1) == "[" and tokens.text(at + 1) == "]" and len(tokens.text(at)) <= _CITATION_DIGITS
    )


def _is_labelled(tokens: Tokens, at: int) -> bool:
    """Tell whether the digits number a table, a step, a figure: `Table 3`, `рис. 2`."""
    label = tokens.before(at, over=".")
    word = tokens.text(label)
    if tokens.kind(label) != "word" or (tokens.text(label + 1) == "." and len(word) > _LONGEST_SHORT_LABEL):
        return False
    # `Table 3` is a label; `Table 3 000 rows` has lost a preposition, but not its figure.
    words, after = vocabulary(), tokens.after(at)
    counted = tokens.kind(after) == "word" and any(
        words[name].starting(tokens, after) for name in ("counts", "units", "scales")
    )
    return words["labels.labels"].holds(word) and not counted and tokens.kind(after) != "digits"
