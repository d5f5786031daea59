"""Asks the guard in one line."""

from tabchat.sandbox.guard import CodeProblem, GuardedCode, GuardRefusal, Operation, check_code

COLUMNS = ("price", "qty", "region", "date", "unit price", "виручка", "eval", "plot", "_mgr")


def allowed(code: str, *, op: str = "read", with_stats: bool = False) -> GuardedCode:
    """Return what the guard lets through."""
    return check_code(code, op=Operation(op), columns=COLUMNS, with_stats=with_stats)


def problems(code: str, *, op: str = "read", with_stats: bool = False) -> tuple[CodeProblem, ...]:
    """Return what the guard objects to, nothing when it lets the code through."""
    try:
        allowed(code, op=op, with_stats=with_stats)
    except GuardRefusal as refusal:
        return refusal.problems
    return ()
