"""What other systems lack is not needed at the start: macOS has no /proc, no prctl, no Landlock and no O_TMPFILE.

The modules and the names that only Linux has are taken away from a real process, and its `sys.platform` says `darwin`. What
macOS does otherwise, such as its file systems and its limits, cannot be tried here.
"""

import subprocess
import sys
from pathlib import Path

from tests.command import Finished
from tests.conftest import Example

ELSEWHERE = """
import ctypes, ctypes.util, os, platform, resource, select, socket, sys

# Libraries look at the system as they load, and these are built for this one.
import duckdb, pandas, pyarrow, sqlite3, python_calamine, rich.console, typer

sys.platform = "darwin"
platform.system = lambda: "Darwin"
for module, names in {
    os: "O_TMPFILE memfd_create pidfd_open sched_getaffinity sched_setaffinity eventfd unshare setns copy_file_range splice",
    select: "epoll", resource: "prlimit RLIMIT_NPROC", socket: "AF_NETLINK SO_PEERCRED",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for function in (os.open, os.stat, os.listdir, os.readlink, os.scandir):
    def absent(path, *rest, _function=function, **named):
        if isinstance(path, (str, bytes, os.PathLike)) and os.fspath(path).startswith(("/proc", "/sys")):
            raise FileNotFoundError(2, "No such file or directory", path)
        return _function(path, *rest, **named)
    setattr(os, function.__name__, absent)

from tabchat.__main__ import main
sys.exit(main())
"""


def elsewhere(*arguments: str | Path) -> Finished:
    """Run `tabchat` as if the system were macOS, as far as that can be done."""
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    assert "internal error" not in done.stderr, done.stderr
    return Finished(done.returncode, done.stdout, done.stderr)


def test_a_question_is_answered_and_written(example: Example, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    asked = elsewhere("ask", example("sales.csv"), "total revenue by region", "-o", target)
    assert asked.code == 0, asked.err
    assert target.read_text().startswith("region,")


def test_sql_and_workbooks_run_in_processes_of_their_own(tmp_path: Path) -> None:
    import xlsxwriter

    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet().write_column(0, 0, ["a", 1, 2])
    asked = elsewhere("sql", path, "SELECT sum(a) AS total FROM book", "--format", "csv")
    assert (asked.code, asked.out) == (0, "total\n3\n"), asked.err


def test_the_sandbox_refuses_and_says_what_is_lacking(example: Example) -> None:
    told = elsewhere("run", example("sales.csv"), "result = len(df)")
    assert (told.code, told.out) == (9, "")
    assert "code does not run here" in told.err
    assert "try:" in told.err
