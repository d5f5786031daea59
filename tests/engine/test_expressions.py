"""Reading expressions: what is allowed in, what is refused, and what a person is told."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from tabchat.engine.plan.expressions import (
    MAX_DEPTH,
    MAX_LENGTH,
    ExpressionError,
    call_name,
    has_top_level_comma,
    parse_expression,
)
from tests.effort import examples


def _refusal(text: str) -> tuple[str, str | None]:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    return caught.value.message, caught.value.hint


@pytest.mark.parametrize(
    "name", ["close", "from", "select", "order", "date", "Сума", "価格", "$price", "straße", "_x1", "range"]
)
def test_any_bare_word_is_a_column(name: str) -> None:
    tree = parse_expression(name).tree
    assert isinstance(tree, exp.Column)
    assert tree.name == name


@pytest.mark.parametrize(
    "text, name",
    [('"Unit Price"', "Unit Price"), ("`Unit Price`", "Unit Price"), ('"a""b"', 'a"b'), ("`a``b`", "a`b")],
)
def test_double_quotes_and_backticks_both_quote_a_column(text: str, name: str) -> None:
    tree = parse_expression(text).tree
    assert isinstance(tree, exp.Column)
    assert tree.name == name


@pytest.mark.parametrize(
    "name", ["count", "LEFT", "if", "date", "replace", "cast", "exists", "unnest", "values"]
)
def test_any_word_before_a_bracket_is_a_call_of_the_plan_language(name: str) -> None:
    tree = parse_expression(f"{name}(a, 1)").tree
    assert call_name(tree) == name
    assert isinstance(tree, exp.Anonymous)


def test_an_alias_is_told_apart_from_its_expression() -> None:
    parsed = parse_expression('sum(a) as "total sum"')
    assert (call_name(parsed.tree), parsed.alias) == ("sum", "total sum")


def test_names_in_double_quotes_are_remembered() -> None:
    assert parse_expression("region == \"Asia\" or `x` == 'y'").quoted == frozenset({"Asia"})


@pytest.mark.parametrize(
    "text, message, hint",
    [
        ("a = 1", "A lone `=` compares nothing.", "Compare with `==`."),
        ("a & b", "`&` is not part of the expression language.", "Join conditions with `and`."),
        ("a && b", "`&&` is not part of the expression language.", "Join conditions with `and`."),
        ("a | b", "`|` is not part of the expression language.", "Join conditions with `or`."),
        ("!a", "`!` is not part of the expression language.", "Negate with `not`."),
        ("a ^ 2", "`^` is not part of the expression language.", "Raise to a power with `**`."),
        ("a; b", "`;` is not part of the expression language.", "Write one expression."),
        ("t.a", "`.` is not part of the expression language.", "A column stands alone, without its table."),
        ("x -> x", "`->` is not part of the expression language.", "There are no lambdas in plans."),
        ("f(a := 1)", "`:=` is not part of the expression language.", "Arguments are given by position."),
        ("f(a => 1)", "`=>` is not part of the expression language.", "Arguments are given by position."),
        ("{'a': 1}", "`{` is not part of the expression language.", None),
        ("a > ?", "`?` is not part of the expression language.", None),
        ("@a", "`@` is not part of the expression language.", None),
        ("a[1]", "`[` only opens the list of `in [...]`.", "Such as region in ['Asia', 'Europe']."),
        ("a -- b", "Comments are not part of an expression.", "Leave the comment out."),
        ("/* b */ a", "Comments are not part of an expression.", "Leave the comment out."),
        ("", "The expression is empty.", None),
        ("  ", "The expression is empty.", None),
        ("a > (1", "The expression cannot be read near `1`.", "A bracket is not closed."),
        ("a >", "The expression cannot be read near `>`.", "Check brackets, commas and operators around it."),
        ("max(when)", "The expression cannot be read near `when`.", "A column that is called so stands in backticks: `when`."),
        ("a) + 1", "The expression cannot be read near `)`.", "Check brackets, commas and operators around it."),
        ("1 < 'a", "A quotation mark is not closed.", "Text takes single quotes ('it''s'), column names double quotes."),
        ("Unit Price > 5", "Something is missing between `Unit` and `Price`.", 'A column name with spaces takes double quotes: "Unit Price".'),
        ("'a' 'b'", "Something is missing between `'a'` and `'b'`.", "Write an operator such as +, and, ==."),
        ("(a) b", "Something is missing between `)` and `b`.", "Write an operator such as +, and, ==."),
        ("1_000", "Something is missing between `1` and `_000`.", 'A column name with spaces takes double quotes: "1 _000".'),
        ("(select 1)", "Something is missing between `select` and `1`.", "An expression holds no query; use `steps` to query a result."),
        ("count(distinct a)", "Something is missing between `distinct` and `a`.", "Count different values with count_distinct(x)."),
        ("a" * (MAX_LENGTH + 1), "The expression is longer than 20,000 characters.", None),
    ],
)  # fmt: skip
def test_what_is_no_expression_is_refused_with_what_to_write(
    text: str, message: str, hint: str | None
) -> None:
    assert _refusal(text) == (message, hint)


@pytest.mark.parametrize(
    "text",
    [
        "(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1),
        "not " * 3000 + "a",
        "- " * 3000 + "a",
        "f(" * 3000 + "a" + ")" * 3000,
        "case when a then " * 500 + "b" + " end" * 500,
    ],
)
def test_deep_nesting_is_refused_before_it_can_hurt(text: str) -> None:
    assert _refusal(text)[0] == "The expression is nested too deeply."


def test_a_very_long_chain_is_refused() -> None:
    assert _refusal("+".join(["a"] * 1000))[0] == "The expression is too long to evaluate."


def test_a_long_list_of_values_is_not_deep() -> None:
    tree = parse_expression(f"a in [{', '.join(str(number) for number in range(2000))}]").tree
    assert len(tree.expressions) == 2000


def test_an_equals_sign_inside_text_compares_nothing_and_is_fine() -> None:
    assert isinstance(parse_expression("a == 'x = y' and \"b = c\" >= 1").tree, exp.And)


@pytest.mark.parametrize(
    "text, found",
    [
        ("a, b", True),
        ("count(), mean(x)", True),
        ("percentile(x, 0.9)", False),
        ("x in ['a', 'b']", False),
        ("'a, b'", False),
        ('"a, b"', False),
        ("'unclosed, text", False),
    ],
)
def test_a_list_in_one_text_is_told_from_commas_inside_brackets_and_quotes(text: str, found: bool) -> None:
    assert has_top_level_comma(text) is found


ALLOWED = (
    *(exp.Column, exp.Identifier, exp.Literal, exp.Null, exp.Boolean, exp.Anonymous, exp.Paren, exp.Star),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Pow, exp.Neg, exp.DPipe),
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.And, exp.Or, exp.Not, exp.In, exp.Between),
    *(exp.Is, exp.Like, exp.ILike, exp.Case, exp.If, exp.Tuple, exp.Alias),
)
pieces = st.sampled_from(
    [
        *("a", "b1", '"x y"', "`z`", "1", "2.5", "'t'", "null", "true", "select", "from", "interval", "date"),
        *(
            "+",
            "-",
            "*",
            "/",
            "//",
            "%",
            "**",
            "||",
            "==",
            "!=",
            "<>",
            "<",
            "<=",
            ">",
            ">=",
            "(",
            ")",
            ",",
            "[",
            "]",
        ),
        *(
            "and",
            "or",
            "not",
            "in",
            "is",
            "like",
            "ilike",
            "between",
            "case",
            "when",
            "then",
            "else",
            "end",
            "as",
        ),
        *(
            "f(",
            "cast(",
            "exists(",
            "over (",
            "filter (",
            ".",
            ":",
            "::",
            ";",
            "{",
            "@",
            "$1",
            "?",
            "--",
            "#",
            "~",
        ),
    ]
)


@settings(deadline=None, max_examples=examples(500))
@given(st.lists(pieces, max_size=12).map(" ".join) | st.text(max_size=40))
@example("a < < b")
@example("a > > 1")
def test_only_the_plan_language_comes_through(text: str) -> None:
    try:
        parsed = parse_expression(text)
    except ExpressionError:
        return
    for node in parsed.tree.walk():
        assert isinstance(node, ALLOWED), (text, type(node))
        assert not isinstance(node, exp.Anonymous) or call_name(node)
        assert not isinstance(node, exp.Column) or not node.table


@pytest.mark.parametrize("number", ["3e", "1e+", "1e999", "9" * 5000, "0." + "1" * 5000])
def test_what_only_begins_as_a_number_is_told(number: str) -> None:
    with pytest.raises(ExpressionError, match="is not a number"):
        parse_expression(f"{number} > 1")
