"""Whatever it is given, the guard answers or refuses, and never fails otherwise."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.sandbox.guard import GuardedCode, GuardRefusal, Operation, check_code
from tests.effort import examples
from tests.sandbox.benign.snippets import SNIPPETS
from tests.sandbox.guard.verdicts import problems

WORDS = [
    *["df", "pd", "np", "x", "result", "COMMIT_DF", "agg", "apply", "query", "format", "astype", "tz_localize"],
    *[".", "(", ")", "[", "]", "{", "}", ":", ",", "=", "==", "+", "*", "**", "@", "`", "'", '"', "\\", "\n", " "],
    *["lambda", "for", "in", "if", "else", "not", "import", "del", "'sum'", "'to_csv'", "f'{x}'", "1", "é", "\x00"],
]  # fmt: skip


def check(code: str, op: Operation, *, with_stats: bool) -> GuardedCode | GuardRefusal:
    try:
        return check_code(code, op=op, columns=["a", "b"], with_stats=with_stats)
    except GuardRefusal as refusal:
        return refusal


def answers(code: str, op: Operation, *, with_stats: bool = True) -> None:
    verdict = check(code, op, with_stats=with_stats)
    if isinstance(verdict, GuardRefusal):
        assert verdict.problems
        assert all(problem.line >= 1 and problem.column >= 0 for problem in verdict.problems)
    else:
        again = check(verdict.code, op, with_stats=with_stats)
        assert isinstance(again, GuardedCode)
        assert (again.code, again.repairs) == (verdict.code, ())


@settings(deadline=None, max_examples=examples(300))
@given(
    st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=25).map("".join)),
    st.sampled_from(Operation),
)
def test_any_text_is_answered(code: str, op: Operation) -> None:
    answers(code, op)


@st.composite
def mixed(draw: st.DrawFn) -> str:
    """Draw one snippet with expressions of another put in the place of its own."""
    trees = [ast.parse(draw(st.sampled_from(SNIPPETS)).code) for _ in range(2)]
    donors = [node for node in ast.walk(trees[1]) if isinstance(node, ast.expr)]
    targets = [node for node in ast.walk(trees[0]) if isinstance(node, (ast.Call, ast.Assign, ast.Attribute))]
    for node in draw(st.lists(st.sampled_from(targets), max_size=3)) if targets else []:
        donor = draw(st.sampled_from(donors))
        if isinstance(node, ast.Call) and node.args:
            node.args[0] = donor
        elif isinstance(node, ast.Attribute):
            node.attr = draw(st.sampled_from(["agg", "format", "query", "to_csv", "data", "__class__"]))
        elif isinstance(node, ast.Assign):
            node.value = donor
    try:
        return ast.unparse(ast.fix_missing_locations(trees[0]))
    except (ValueError, RecursionError):  # an expression within itself
        return "result = 1"


@settings(deadline=None, max_examples=examples(150))
@given(mixed(), st.sampled_from(Operation))
def test_any_mixture_of_code_is_answered(code: str, op: Operation) -> None:
    answers(code, op)


@pytest.mark.parametrize(
    "code, what",
    [
        ("", "There is no code."),
        ("\n  \n", "There is no code."),
        ("result = (", "The code is not Python"),
        ("result = 1\x00", "The code is not Python"),
        ("result = '\ud800'", "The code is not Python"),
        ("x = 1\n" * 5000, "The code has"),
        ("result = " + "-" * 9000 + "1", "The code"),
        ("result = " + "(" * 90 + "1" + ")" * 90, None),
        ("result = " + "[" * 150 + "1" + "]" * 150, "The code nests more than"),
        ("result = df" + ".T" * 500, "The code nests more than"),
        ("result = " + "1 + " * 3000 + "1", "The code"),
        ("result = " + "9" * 5000, "The code is not Python"),
    ],
)
def test_code_that_is_none_or_too_much_is_refused(code: str, what: str | None) -> None:
    found = problems(code)
    assert [problem.what[: len(what)] for problem in found] == [what] if what else not found


@pytest.mark.parametrize(
    "code",
    [
        "a = 1\n" + "a = a\n" * 2500 + "result = df.agg(a)",
        "d = {}\n" + "d[1] = d[2]\n" * 1500 + "result = df.agg(d)",
        "".join(f"x{i} = x{i + 1}\n" * 60 for i in range(7)) + "x7 = 'sum'\nresult = df.agg(x0)",
        "".join(f"x{i} = x{i + 1}\n" * 60 for i in range(7)) + "x7 = 'UTC'\nresult = df.tz_convert(x0)",
    ],
)
def test_names_that_stand_for_names_many_times_over_are_followed_once(code: str) -> None:
    answers(code, Operation.READ)


def test_very_many_problems_are_cut() -> None:
    assert len(problems("open(1)\n" * 500)) <= 25


def test_the_line_of_a_syntax_error_is_told() -> None:
    (problem,) = problems("x = 1\ny = = 2\n")
    assert (problem.line, problem.what) == (2, "The code is not Python: invalid syntax.")


def test_a_warning_of_the_parser_is_none_of_the_guards() -> None:
    assert not problems("result = df.region.str.contains('\\d')")
