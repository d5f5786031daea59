"""Reading one expression of a plan: text → a sqlglot tree in which only the plan language's own nodes occur.

sqlglot does the parsing; this module decides what may reach its parser. Every token outside an allowlist
is refused, every bare word becomes a column name and every word before `(` becomes an anonymous call, so
no keyword, cast, subquery, lambda, comment or built-in of the SQL dialect can appear in the tree. What a
name or a call means is decided later, against a schema and the function registry.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Final

from sqlglot import exp, tokens
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from tabchat.engine.sql.nesting import is_too_deep
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_LENGTH: Final = 20_000
"""Characters of one expression."""
_LONGEST_NUMBER: Final = 400
_SHOWN: Final = 40
MAX_DEPTH: Final = 40
"""Levels of nesting; both the parser and the engine recurse."""

_BOUNDS: Final = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)

CALL: Final = "__call_"
"""Prefix that keeps a function's name from meaning anything to the parser."""

_WORDS: Final = (
    *("AND", "OR", "NOT", "IN", "IS", "NULL", "TRUE", "FALSE", "LIKE", "ILIKE"),
    *("BETWEEN", "CASE", "WHEN", "THEN", "ELSE", "END", "AS"),
)
_SIGNS: Final = ("==", "!=", "<>", "<=", ">=", "||", "&&", "::", "->", "=>", ":=")


class _PlanTokenizer(tokens.Tokenizer):
    """Words mean themselves unless they are an operator; both `"…"` and `` `…` `` quote a column."""

    IDENTIFIERS: ClassVar = ['"', "`"]
    KEYWORDS: ClassVar = {
        **{word: tokens.Tokenizer.KEYWORDS[word] for word in (*_WORDS, *_SIGNS)},
        "**": TokenType.DSTAR,
        "//": TokenType.DIV,
    }


_OPERANDS: Final = frozenset(
    {
        *(TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.STRING),
        *(TokenType.NULL, TokenType.TRUE, TokenType.FALSE),
    }
)
_ALLOWED: Final = _OPERANDS | {
    *(TokenType.L_PAREN, TokenType.R_PAREN, TokenType.L_BRACKET, TokenType.R_BRACKET, TokenType.COMMA),
    *(TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT, TokenType.GTE),
    *(TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH, TokenType.DIV, TokenType.MOD),
    *(TokenType.DSTAR, TokenType.DPIPE, TokenType.AND, TokenType.OR, TokenType.NOT, TokenType.IN),
    *(TokenType.IS, TokenType.LIKE, TokenType.ILIKE, TokenType.BETWEEN, TokenType.CASE, TokenType.WHEN),
    *(TokenType.THEN, TokenType.ELSE, TokenType.END, TokenType.ALIAS),
}
_SIDED: Final = {TokenType.LT, TokenType.GT}
_HINTS: Final = {
    "=": "Compare with `==`.",
    "&": "Join conditions with `and`.",
    "&&": "Join conditions with `and`.",
    "|": "Join conditions with `or`.",
    "!": "Negate with `not`.",
    "~": "Negate with `not`; match text with matches(x, 'pattern').",
    "^": "Raise to a power with `**`.",
    "::": "Casts are not needed: numbers, dates and texts keep their types.",
    ";": "Write one expression.",
    ".": "A column stands alone, without its table.",
    "->": "There are no lambdas in plans.",
    "=>": "Arguments are given by position.",
    ":=": "Arguments are given by position.",
}


_MISPLACED_WORDS: Final = {
    "select": "An expression holds no query; use `steps` to query a result.",
    "distinct": "Count different values with count_distinct(x).",
    "interval": "Add whole days to a date: date + 7.",
    "date": "Write a date as text: date >= '2024-01-31'.",
}


class ExpressionError(Exception):
    """Something is not an expression of the plan language, or has no meaning in its place."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@record
class Parsed:
    """One expression as written and as understood."""

    text: str
    tree: exp.Expr
    alias: str | None = None
    """Name given with `as`."""
    quoted: frozenset[str] = frozenset()
    """Names that stood in double quotes: columns, or text values quoted the wrong way."""


def parse_expression(text: str) -> Parsed:
    """Parse `text`; raises `ExpressionError` with what is wrong and what to write instead."""
    found = _tokenize(text)
    _check_tokens(found, text)
    readied = list(_readied(found))
    try:
        trees = Dialect.get_or_raise("duckdb").parser().parse(readied, text)
    except ParseError as error:
        raise _translated(error) from error
    except RecursionError as error:
        raise ExpressionError(
            "The expression is nested too deeply.", "Split it over several `map` columns."
        ) from error
    tree = trees[0] if trees else None
    if tree is None:
        raise ExpressionError(
            "The expression cannot be read.", "It begins with a word that joins two others."
        )
    _check_depth(tree)
    quoted = frozenset(token.text for token in found if text[token.start : token.start + 1] == '"')
    if isinstance(tree, exp.Alias):
        return Parsed(text=text, tree=tree.this, alias=tree.alias, quoted=quoted)
    return Parsed(text=text, tree=tree, quoted=quoted)


def doubled_equals(text: str) -> str:
    """Return `text` with every lone `=` written `==`, for places where it can only mean a comparison."""
    try:
        found = _PlanTokenizer().tokenize(text)
    except TokenError:
        return text
    for token in reversed(found):
        if token.token_type is TokenType.EQ and text[token.start : token.end + 1] == "=":
            text = f"{text[: token.start]}=={text[token.end + 1 :]}"
    return text


def has_top_level_comma(text: str) -> bool:
    """Tell whether `text` is a list written as one text: a comma outside brackets and quotes."""
    try:
        found = _PlanTokenizer().tokenize(text)
    except TokenError:
        return False
    depth = 0
    for token in found:
        depth += token.token_type in {TokenType.L_PAREN, TokenType.L_BRACKET}
        depth -= token.token_type in {TokenType.R_PAREN, TokenType.R_BRACKET}
        if token.token_type is TokenType.COMMA and depth == 0:
            return True
    return False


def call_name(node: exp.Expr) -> str | None:
    """Return the plan function's name when `node` is a call, else None."""
    if isinstance(node, exp.Anonymous) and str(node.this).startswith(CALL):
        return str(node.this).removeprefix(CALL)
    return None


def _tokenize(text: str) -> list[Token]:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"The expression is longer than {MAX_LENGTH:,} characters.")
    try:
        found = _PlanTokenizer().tokenize(text)
    except TokenError as error:
        raise ExpressionError(
            "A quotation mark is not closed.",
            "Text takes single quotes ('it''s'), column names double quotes.",
        ) from error
    if not found:
        raise ExpressionError("The expression is empty.")
    return found


def _check_tokens(found: Sequence[Token], text: str) -> None:
    for before, token in zip((None, *found), found, strict=False):
        _check_token(before, token, text)
    if is_too_deep(found, MAX_DEPTH):
        raise ExpressionError("The expression is nested too deeply.", "Split it over several `map` columns.")


def _check_token(before: Token | None, token: Token, text: str) -> None:
    if token.comments:
        raise ExpressionError("Comments are not part of an expression.", "Leave the comment out.")
    written = text[token.start : token.end + 1]
    if token.token_type is TokenType.EQ and written == "=":
        raise ExpressionError("A lone `=` compares nothing.", _HINTS["="])
    if token.token_type not in _ALLOWED or written == "!":
        raise ExpressionError(f"`{written}` is not part of the expression language.", _HINTS.get(written))
    if token.token_type is TokenType.NUMBER and not _is_number(token.text):
        raise ExpressionError(f"`{written[:_SHOWN]}` is not a number.", "Such as 1500, 1.5 or 2e3.")
    in_list = before is not None and before.token_type is TokenType.IN
    if token.token_type is TokenType.L_BRACKET and not in_list:
        raise ExpressionError(
            "`[` only opens the list of `in [...]`.", "Such as region in ['Asia', 'Europe']."
        )
    if before is not None and token.token_type in _SIDED and before.token_type in _SIDED:
        # Two of them would be read as one that shifts bits.
        raise ExpressionError(f"`{text[before.start : token.end + 1]}` compares nothing.", "Write one sign.")
    if before is not None and token.token_type in _OPERANDS and _ends_operand(before):
        written_before = text[before.start : before.end + 1]
        raise ExpressionError(
            f"Something is missing between `{written_before}` and `{written}`.",
            _missing_hint(before, token),
        )


def _is_number(text: str) -> bool:
    """Tell whether a token is a number as the engine has them; it may begin as one, such as `3e`."""
    try:
        return len(text) <= _LONGEST_NUMBER and text.isascii() and math.isfinite(float(text))
    except ValueError:
        return False


def _missing_hint(before: Token, token: Token) -> str:
    word = before.text.lower()
    if word in _MISPLACED_WORDS:
        return _MISPLACED_WORDS[word]
    if {before.token_type, token.token_type} <= {TokenType.VAR, TokenType.NUMBER}:
        return f'A column name with spaces takes double quotes: "{before.text} {token.text}".'
    return "Write an operator such as +, and, ==."


def _ends_operand(token: Token | None) -> bool:
    closing = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.END}
    return token is not None and (token.token_type in _OPERANDS or token.token_type in closing)


def _readied(found: Sequence[Token]) -> Iterator[Token]:
    for token, after in zip(found, (*found[1:], None), strict=True):
        if token.token_type is not TokenType.VAR:
            yield token
        elif after is not None and after.token_type is TokenType.L_PAREN:
            yield _retyped(token, TokenType.VAR, CALL + token.text)
        else:
            yield _retyped(token, TokenType.IDENTIFIER, token.text)


def _retyped(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, [])


def _check_depth(tree: exp.Expr) -> None:
    depths = {id(tree): 0}
    for node in tree.walk(bfs=True):
        depth = depths[id(node)]
        # A flat chain of `and` or `+` is a deep tree too, and some engines walk it recursively.
        if depth > 5 * MAX_DEPTH:
            raise ExpressionError(
                "The expression is too long to evaluate.", "Split it over several `map` columns."
            )
        for child in node.iter_expressions():
            depths[id(child)] = depth + 1


def _translated(error: ParseError) -> ExpressionError:
    detail = error.errors[0] if error.errors else {}
    place = str(detail.get("highlight") or "").strip()
    where = f" near `{place}`" if place else ""
    unclosed = "Expecting )" in str(detail.get("description"))
    hint = "A bracket is not closed." if unclosed else "Check brackets, commas and operators around it."
    if place.upper() in _WORDS:
        hint = f"A column that is called so stands in backticks: `{place}`."
    return ExpressionError(f"The expression cannot be read{where}.", hint)


def compared_columns(where: str) -> tuple[str, ...]:
    """Return the columns that stand in a comparison of `where`: what is equal to a cell is the same in every row.

    Raises `ExpressionError` when it is no expression of a plan.
    """
    tree = parse_expression(where).tree
    found = (column.name for bound in tree.find_all(*_BOUNDS) for column in bound.find_all(exp.Column))
    return tuple(dict.fromkeys(found))
