"""Bad input gets an error that names the object, the cause and the next step, its own exit code, and no traceback."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.command import tabchat

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Example = Callable[[str], Path]


def refused(path: Path, *options: str, code: int = 3) -> str:
    """Ask about `path`; expect exit `code`, an error that names the file, a hint, and nothing on stdout."""
    finished = tabchat("ask", path, "how many rows?", *options)
    assert (finished.code, finished.out) == (code, "")
    assert path.name in finished.err
    assert "try" in finished.err.lower()
    return finished.err


def test_a_missing_file(tmp_path: Path) -> None:
    assert "There is no file" in refused(tmp_path / "absent.csv")


def test_a_directory(tmp_path: Path) -> None:
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    assert "director" in refused(folder) or "folder" in refused(folder)


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.touch()
    assert "empty" in refused(path)


def test_a_file_with_only_a_header_has_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "header.csv"
    path.write_text("a,b,c\n")
    finished = tabchat("ask", path, "how many rows?", "--json")
    assert (finished.code, finished.json["value"]) == (0, 0)


def test_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "noise.csv"
    path.write_bytes(bytes(range(256)) * 40)
    refused(path)


def test_a_truncated_gzip(tmp_path: Path, example: Example) -> None:
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(gzip.compress(example("sales.csv").read_bytes())[:5000])
    refused(path)


def test_a_corrupt_parquet(tmp_path: Path) -> None:
    path = tmp_path / "corrupt.parquet"
    path.write_bytes(b"PAR1" + b"\x00" * 500 + b"PAR1")
    refused(path)


def test_a_password_protected_workbook(tmp_path: Path) -> None:
    path = tmp_path / "locked.xlsx"
    # The signature of a compound file: Excel wraps encrypted workbooks in one.
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 4096)
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


def test_an_unknown_sheet_names_the_known_ones(tmp_path: Path) -> None:
    import xlsxwriter

    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name in ("First", "Second"):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, ["a", "b"])
            sheet.write_row(1, 0, [1, 2])
    error = refused(path, "--sheet", "Third")
    assert "First" in error
    assert "Second" in error
    finished = tabchat("ask", path, "how many rows?")
    assert finished.code == 0
    assert "Second" in finished.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    assert "permission" in refused(path).lower()


def test_cells_of_a_hundred_thousand_characters(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("id,text\n" + "".join(f"{n},{'ab' * 50_000}\n" for n in range(5)))
    finished = tabchat("ask", path, "show the first 3 rows")
    assert finished.code == 0
    assert max(map(len, finished.out.splitlines())) <= 100
    exported = tabchat("query", path, '{"columns": ["text"]}', "--format", "csv")
    assert len(exported.out) == 5 * 100_001 + len("text\n")


def test_five_thousand_columns(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{n}" for n in range(5000)) + "\n" + ",".join(map(str, range(5000))) + "\n")
    finished = tabchat("ask", path, "total c4999", "--json")
    assert (finished.code, finished.json["value"]) == (0, 4999)
    shown = tabchat("ask", path, "show the first row")
    assert shown.code == 0
    assert "more columns" in shown.out + shown.err


def test_an_unknown_column_is_named(example: Example) -> None:
    finished = tabchat("query", example("sales.csv"), '{"select": "sum(revenu)"}')
    assert finished.code == 9
    assert "revenu" in finished.err
    assert "revenue" in finished.err
    asked = tabchat("ask", example("sales.csv"), "total frobnication by region")
    assert asked.code == 4
    assert "frobnication" in asked.err


def test_errors_are_json_for_those_who_asked_for_json(tmp_path: Path) -> None:
    finished = tabchat("ask", tmp_path / "absent.csv", "how many rows?", "--json")
    assert finished.code == 3
    assert finished.json["ok"] is False
    assert finished.json["error"]["code"] == "input_unreadable"
    assert finished.json["error"]["hint"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask",),
        ("ask", "sales.csv", "how many rows?", "--format", "docx"),
        ("ask", "sales.csv", "how many rows?", "--type", "revenue"),
        ("ask", "--frobnicate"),
        ("frobnicate",),
        ("sql", "SELECT 1"),
        ("export", "--frobnicate"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(arguments: tuple[str, ...], example: Example) -> None:
    finished = tabchat(*(example(part) if part == "sales.csv" else part for part in arguments))
    assert (finished.code, finished.out) == (2, "")
    assert finished.err


@pytest.mark.parametrize("plan", ["{", "[]", '"count()"', '{"limit": 0}', '{"wher": "a > 1"}'])
def test_a_wrong_plan_is_refused(plan: str, example: Example) -> None:
    finished = tabchat("query", example("sales.csv"), plan)
    assert (finished.code, finished.out) == (9, "")
    assert finished.err


@pytest.mark.parametrize("key", ["ds_", "ds_" + "a" * 20, "../../etc/passwd", "ds_" + "A" * 20])
def test_an_unknown_key_is_refused(key: str) -> None:
    for command in ("show", "export"):
        finished = tabchat(command, key)
        assert (finished.code, finished.out) == (7, "")
        assert "tabchat results" in finished.err


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


def test_ctrl_c_while_loading_leaves_nothing_behind(tmp_path: Path, isolated_home: Path) -> None:
    path = tmp_path / "big.csv"
    with path.open("w") as file:
        file.write("id,name,amount\n")
        block = "".join(f"{n},name {n},{n / 7}\n" for n in range(20_000))
        for _ in range(100):
            file.write(block)
    process = subprocess.Popen(
        [sys.executable, "-m", "tabchat", "profile", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    tables = isolated_home / ".cache" / "tabchat" / "tables"
    until = time.monotonic() + 30
    while time.monotonic() < until and not (tables.exists() and any(tables.iterdir())):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b""), err
    assert b"Traceback" not in err
    assert not [item for item in tables.iterdir() if item.suffix == ".parquet"]
    shutil.rmtree(tables)


def test_a_question_whose_bytes_are_no_text_is_not_understood(example: Example) -> None:
    asked = tabchat("ask", example("sales.csv"), "frobnicate \udcff", "--json")
    assert (asked.code, asked.json["error"]["code"]) == (4, "not_understood"), asked.err
