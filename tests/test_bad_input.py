"""Bad input gets an error that names the object, the cause and the next step, its own exit code, and no traceback."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import tabchat
from tests.conftest import Example


def refused(path: Path, *options: str, code: int = 3) -> str:
    """Ask about `path`; expect exit `code`, an error that names the file, a hint, and nothing on stdout."""
    finished = tabchat("ask", path, "how many rows?", *options)
    assert (finished.code, finished.out) == (code, "")
    assert path.name in finished.err
    assert "try" in finished.err.lower()
    return finished.err


def test_a_missing_file(tmp_path: Path) -> None:
    assert "There is no file" in refused(tmp_path / "absent.csv")


def test_a_truncated_gzip(tmp_path: Path, example: Example) -> None:
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(gzip.compress(example("sales.csv").read_bytes())[:5000])
    refused(path)


def test_a_sheet_of_a_file_without_sheets(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    error = refused(path, "--sheet", "Third", code=2)
    assert "--sheet 'Third' names a sheet of a workbook, and 't.csv' has none." in error


def test_rows_as_objects_without_json(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    finished = tabchat("ask", tmp_path / "t.csv", "how many rows?", "--rows-as", "objects")
    assert (finished.code, finished.out) == (2, "")
    assert "--rows-as objects is a form of JSON, and no JSON is asked for." in finished.err
    assert "Add --json" in finished.err


def test_a_thousand_columns(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{n}" for n in range(1000)) + "\n" + ",".join(map(str, range(1000))) + "\n")
    finished = tabchat("ask", path, "total c999", "--json")
    assert (finished.code, finished.json["value"]) == (0, 999)
    shown = tabchat("ask", path, "show the first row")
    assert shown.code == 0
    assert "more columns" in shown.out + shown.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask",),
        ("ask", "sales.csv", "how many rows?", "--type", "revenue"),
        ("sql", "SELECT 1"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(arguments: tuple[str, ...], example: Example) -> None:
    finished = tabchat(*(example(part) if part == "sales.csv" else part for part in arguments))
    assert (finished.code, finished.out) == (2, "")
    assert finished.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110 - a device
def test_a_full_disk_on_export_is_told(example: Example) -> None:
    key = tabchat("ask", example("sales.csv"), "how many rows?", "--json").json["data_key"]
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-m", "tabchat", "export", key],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert done.returncode == 1
    assert b"space" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_question_whose_bytes_are_no_text_is_not_understood(example: Example) -> None:
    asked = tabchat("ask", example("sales.csv"), "frobnicate \udcff", "--json")
    assert (asked.code, asked.json["error"]["code"]) == (4, "not_understood"), asked.err
