import errno
import stat
from pathlib import Path

import pytest

from tabchat.errors import (
    ExitCode,
    InputError,
    NotUnderstoodError,
    OfferedReading,
    PlanIssue,
    PlanValidationError,
    QueryTimeoutError,
)
from tabchat.render.diagnostics import report
from tests.render.screens import screen


def offered(*texts: str) -> list[OfferedReading]:
    return [
        OfferedReading(n=place, interpretation=text, confidence=0.5, plan={})
        for place, text in enumerate(texts, start=1)
    ]


def reported(error: BaseException) -> tuple[int, str]:
    shown = screen()
    code = report(error, shown.consoles)
    assert shown.out == ""
    return code, shown.err


@pytest.mark.parametrize(
    "error, code, lines",
    [
        (
            InputError("'a\x1b[31m.csv' is empty.", hint="Give a file with a header."),
            ExitCode.INPUT_UNREADABLE,
            ["tabchat: error: 'a\\x1b[31m.csv' is empty.", "  try: Give a file with a header."],
        ),
        (
            NotUnderstoodError("Some words are unknown.", words=("frob", "на\u202eж")),
            ExitCode.NOT_UNDERSTOOD,
            ["tabchat: error: Some words are unknown.", '  not understood: "frob", "на\\u202eж"'],
        ),
        (
            NotUnderstoodError(
                "There are two readings.", readings=offered("sum of a", "sum of b"), hint="Say which."
            ),
            ExitCode.NOT_UNDERSTOOD,
            [
                "tabchat: There are two readings.",
                "  1. sum of a",
                "  2. sum of b",
                "  try: Say which.",
            ],
        ),
        (
            PlanValidationError(
                [
                    PlanIssue(
                        step="where", expression="revenu > 1", message="no column 'revenu'", hint="revenue"
                    ),
                    PlanIssue(step="limit", expression="0", message="not a positive integer"),
                ]
            ),
            ExitCode.PLAN_REFUSED,
            [
                "tabchat: error: the plan has 2 errors",
                "  where 'revenu > 1': no column 'revenu'",
                "    try: revenue",
                "  limit '0': not a positive integer",
            ],
        ),
        (
            PlanValidationError(
                [PlanIssue(step="wher", expression="", message="unknown field", hint="where")]
            ),
            ExitCode.PLAN_REFUSED,
            ["tabchat: error: wher: unknown field", "  try: where"],
        ),
        (
            QueryTimeoutError("The query ran longer than 1 s."),
            ExitCode.TIMEOUT,
            ["tabchat: error: The query ran longer than 1 s."],
        ),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, ["tabchat: error: Interrupted."]),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            ExitCode.INTERNAL,
            [
                "tabchat: error: The output cannot be written: No space left on device.",
                "  try: Free some space.",
            ],
        ),
        (
            MemoryError(),
            ExitCode.INTERNAL,
            [
                "tabchat: error: There is not enough memory.",
                "  try: Set TABCHAT_MEMORY_LIMIT, or ask for less.",
            ],
        ),
        (SystemExit(9), ExitCode.PLAN_REFUSED, []),
        (SystemExit(), ExitCode.ANSWERED, []),
        (SystemExit("text"), ExitCode.INTERNAL, []),
    ],
)
def test_each_failure_has_its_lines_and_its_code(
    error: BaseException, code: ExitCode, lines: list[str]
) -> None:
    assert reported(error) == (code, "".join(f"{line}\n" for line in lines))


def test_an_unexpected_failure_keeps_its_traceback_out_of_sight(isolated_home: Path) -> None:
    try:
        _fail("secret \x1b[31m cause\nsecond line")
    except RuntimeError as error:
        code, err = reported(error)

    (log,) = (isolated_home / ".local" / "share" / "tabchat").glob("crash-*.log")
    assert code == ExitCode.INTERNAL
    assert err == (
        "tabchat: internal error: RuntimeError: secret \\x1b[31m cause\n"
        f"  try: report it with the details in {log}\n"
    )
    assert "_fail" in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def _fail(message: str) -> None:
    raise RuntimeError(message)


def test_an_unexpected_failure_is_told_even_when_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(blocked))

    assert reported(ValueError()) == (ExitCode.INTERNAL, "tabchat: internal error: ValueError: \n")
