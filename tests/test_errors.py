"""The error tree: exit codes, stable codes, and the drawing at the top of the module."""

import ast
from pathlib import Path

from tabchat import errors
from tabchat.errors import (
    ExitCode,
    NotUnderstoodError,
    OfferedReading,
    PlanIssue,
    PlanValidationError,
    TabchatError,
)


def descendants(kind: type[TabchatError]) -> list[type[TabchatError]]:
    return [kind, *(grandchild for child in kind.__subclasses__() for grandchild in descendants(child))]


def test_the_drawing_shows_every_error_with_its_exit_code_and_code() -> None:
    drawing = (errors.__doc__ or "").splitlines()
    for kind in descendants(TabchatError):
        line = next((line for line in drawing if kind.__name__ in line.split()), "")
        assert str(int(kind.exit_code)) in line.split(), kind
        assert kind.code in line, kind


def test_no_error_stands_elsewhere() -> None:
    known = {kind.__name__ for kind in descendants(TabchatError)}
    package = Path(errors.__file__).parent
    elsewhere = [
        f"{path.relative_to(package)}: {defined.name}"
        for path in package.rglob("*.py")
        if path != Path(errors.__file__)
        for defined in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(defined, ast.ClassDef)
        if any(isinstance(base, ast.Name) and base.id in known for base in defined.bases)
    ]
    assert elsewhere == []


def test_exit_codes_are_those_that_scripts_rely_on() -> None:
    assert [code.value for code in ExitCode] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 124, 130]


def test_a_plan_error_tells_every_issue_and_each_hint_once() -> None:
    issues = [
        PlanIssue(step="where", expression="a = 1", message="a lone =", hint="write =="),
        PlanIssue(step="sort", expression="b = 1", message="a lone =", hint="write =="),
    ]
    error = PlanValidationError(issues)
    assert error.message == "where: a lone =; sort: a lone ="
    assert error.hint == "write =="
    assert error.to_json()["issues"] == [issue.to_json() for issue in issues]


def test_several_readings_make_a_question_ambiguous() -> None:
    assert NotUnderstoodError("?", words=["foo"]).code == "not_understood"
    reading = OfferedReading(n=1, interpretation="rows", confidence=0.5, plan={"table": "t"})
    assert reading.to_json() == {"n": 1, "interpretation": "rows", "confidence": 0.5, "plan": {"table": "t"}}
    assert NotUnderstoodError("?", readings=[reading]).to_json() == {
        "code": "ambiguous",
        "message": "?",
        "hint": None,
        "words": [],
    }
