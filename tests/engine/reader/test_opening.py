"""Opening: direct scans, progress, interruption, full disks, odd file names, standard input."""

import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.reader import loading, open_table
from tabchat.engine.reader.text import delimited
from tabchat.engine.table import ReadOptions
from tabchat.errors import InputError, InterruptedByUserError, QueryFailedError
from tests.engine.reader.conftest import Reader

MANY = "".join(f"{i},2024-01-{i % 28 + 1:02}, word{i % 7}\n" for i in range(40_000))


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "DIRECT_BYTES", 100_000)
    monkeypatch.setattr(loading, "PROGRESS_BYTES", 100_000)


@pytest.mark.usefixtures("small_limit")
def test_a_direct_scan_has_the_rows_of_the_stored_table(reader: Reader) -> None:
    path = reader.write(f"n,day,w\n{MANY}")
    direct = open_table(path, options=ReadOptions(), cache=reader.cache, direct=True)
    assert (direct.stored, direct.row_count) == (False, -1)
    stored = open_table(path, options=ReadOptions(), cache=reader.cache)
    assert (stored.stored, stored.row_count, stored.version) == (True, 40_000, direct.version)
    assert direct.schema == stored.schema
    seen, kept = reader.look(direct), reader.look(stored)
    assert (seen.rows, seen.numbers) == (kept.rows, kept.numbers)
    assert open_table(path, options=ReadOptions(), cache=reader.cache, direct=True).stored


@pytest.mark.usefixtures("small_limit")
def test_a_direct_scan_tells_what_is_unsure(reader: Reader) -> None:
    path = reader.write("n,day\n" + "".join(f"{i},1/{i % 12 + 1}/2024\n" for i in range(40_000)))
    direct = open_table(path, options=ReadOptions(), cache=reader.cache, direct=True)
    assert not direct.stored
    assert ["could be read either way" in note.message for note in direct.report.notes] == [True]


@pytest.mark.usefixtures("small_limit")
def test_a_direct_scan_fails_on_a_cell_that_does_not_fit(reader: Reader) -> None:
    path = reader.write(f"n,day,w\n{MANY}oops,2024-01-01,x\n{MANY}")
    direct = open_table(path, options=ReadOptions(), cache=reader.cache, direct=True)
    with pytest.raises(QueryFailedError, match="A cell of column 'n' does not fit its type, integer"):
        reader.look(direct)
    stored = open_table(path, options=ReadOptions(), cache=reader.cache)
    assert reader.look(stored).column("n")[40_000] == "oops"


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize(
    "name, content, options",
    [
        ("a*.csv", f"n,day,w\n{MANY}".encode(), {}),
        ("t.csv", f"n,day,ж\n{MANY}".encode("cp1251"), {}),
        ("t.csv", f"n,day,w\n1,2\n{MANY}".encode(), {}),
        ("t.jsonl", b'{"a": 1}\n' * 20_000, {}),
        ("t.csv", b"n,day,w\n", {}),
        ("t.csv", f"n,day,w\n{MANY}".encode(), {"types": (("w", "number"),)}),
        # What would go unsaid until all records are read: totals at the ends, years of two digits.
        ("t.csv", f"n,day,w\n{MANY}799980000,,Total".encode(), {}),
        ("t.csv", f"n,day,w\n{MANY}799980000,,Total\n1,,x\n2,,y\n".encode(), {}),
        ("t.csv", f"n,day,w\n{MANY}799980000,-,\n".encode(), {}),
        ("t.csv", f"n,day,w\n799980000,,Total\n{MANY}".encode(), {}),
        ("t.csv", b"n,day\n" + b"1,31.12.68\n" * 20_000, {}),
    ],
)
def test_what_cannot_be_scanned_directly_is_stored(
    reader: Reader, name: str, content: bytes, options: dict[str, Any]
) -> None:
    path = reader.write(content, name)
    assert open_table(path, options=ReadOptions(**options), cache=reader.cache, direct=True).stored


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize(
    "name, content",
    [
        ("t.csv", f"n,day,w\n{MANY}".encode() * 8),
        ("t.csv", f"n,day,w\n1,2\n{MANY}".encode()),
        ("t.csv", f"n,day,ж\n{MANY}".encode("cp1251")),
        ("t.jsonl", b'{"a": 1}\n' * 20_000),
    ],
)
def test_progress_of_large_files(
    reader: Reader, name: str, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabchat.engine.reader.connection._TICK", 0.001)
    seen: list[tuple[float, str]] = []
    path = reader.write(content, name)
    open_table(
        path,
        options=ReadOptions(),
        cache=reader.cache,
        progress=lambda share, label: seen.append((share, label)),
    )
    assert seen
    assert {label for _, label in seen} == {f"Reading {name}"}
    assert all(0 <= share <= 1 for share, _ in seen)


def test_small_files_report_no_progress(reader: Reader) -> None:
    def refuse(share: float, label: str) -> None:
        raise AssertionError((share, label))

    open_table(reader.write("a,b\n1,2\n"), options=ReadOptions(), cache=reader.cache, progress=refuse)


@pytest.mark.usefixtures("takes_ctrl_c")
def test_an_interrupt_while_converting_leaves_nothing(reader: Reader) -> None:
    path = reader.write("n,day,w\n" + MANY * 30)
    threading.Timer(0.25, os.kill, (os.getpid(), signal.SIGINT)).start()

    def open_again_and_again() -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            open_table(path, options=ReadOptions(), cache=reader.cache)
            reader.cache.clear()

    with pytest.raises(InterruptedByUserError):
        open_again_and_again()
    assert [p.name for p in reader.cache.directory.iterdir() if p.suffix == ".json"] == []
    assert [p.name for p in reader.cache.directory.iterdir() if p.name.startswith(".work")] == []


def test_an_interrupt_in_our_own_code_is_translated(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(delimited, "judge", interrupt)
    with pytest.raises(InterruptedByUserError, match="nothing was kept"):
        reader.text("a,b\n1,2\n")


@pytest.mark.parametrize("content", ["n,w\n", "n,w\n1,2,3\n", "ж,w\n"])
def test_a_full_disk_is_said_and_leaves_nothing(reader: Reader, content: str) -> None:
    """A limit on the size of files stands for the end of the disk."""
    filler = "".join(f"{i},{i * i * 7919 % 99991}\n" for i in range(60_000))
    path = reader.write(content + filler, encoding="cp1251")
    script = textwrap.dedent(
        """
        import resource, signal, sys
        from pathlib import Path
        from tabchat.engine.reader import TableCache, open_table
        from tabchat.engine.table import ReadOptions
        from tabchat.errors import OutputError
        from tabchat.sealed import Seal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        try:
            cache = TableCache(Path(sys.argv[2]), 1 << 30, seal=Seal(secret=bytes(32)))
            open_table(sys.argv[1], options=ReadOptions(), cache=cache)
        except OutputError as error:
            print(error.message, "|", error.hint)
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), str(reader.cache.directory)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "disk is full" in done.stdout
    assert "tabchat cache clear" in done.stdout
    assert [p.name for p in reader.cache.directory.iterdir() if p.suffix in {".json", ".parquet"}] == []


@pytest.mark.parametrize(
    "name",
    [
        "a*.csv",
        "[x].csv",
        "what?.csv",
        'it\'s "quoted".csv',
        "дані продажу.csv",
        "表.csv",
        "sp ace\n.csv",
        "~.csv",
        "-x.csv",
    ],
)
def test_file_names_are_taken_literally(reader: Reader, name: str) -> None:
    reader.write("a,b\n9,9\n", "ab.csv")
    reader.write("a,b\n8,8\n", "x.csv")
    assert reader.text("a,b\n1,2\n", name).rows == [(1, 2)]


def test_a_name_that_is_not_utf8(reader: Reader) -> None:
    path = os.fsencode(reader.folder) + b"/\xff\xfe.csv"
    with open(path, "wb") as file:  # noqa: PTH123 - the name is bytes
        file.write(b"a,b\n1,2\n")
    from pathlib import Path

    assert reader.open(Path(os.fsdecode(path))).rows == [(1, 2)]


def test_relative_names_and_links(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    reader.write("a,b\n1,2\n", "t.csv")
    (reader.folder / "link.csv").symlink_to(reader.folder / "t.csv")
    monkeypatch.chdir(reader.folder)
    assert reader.open(Path("t.csv")).table.source == reader.folder / "t.csv"
    assert reader.open(Path("link.csv")).table.name == "link"


@pytest.mark.parametrize(
    "content, options",
    [
        (b"a,b\n1,2\n", {}),
        (b"a;b\n1;2\n", {"input_format": "csv"}),
        (b'{"a":1,"b":2}\n', {}),
    ],
)
def test_standard_input(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, content: bytes, options: dict[str, Any]
) -> None:
    from pathlib import Path

    versions = set()
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        table = open_table("-", options=ReadOptions(**options), cache=reader.cache)
        versions.add(table.version)
        assert (table.name, table.source) == ("stdin", Path("-"))
        assert reader.look(table).rows == [(1, 2)]
    assert len(versions) == 1


def test_a_pipe_is_read_once(reader: Reader) -> None:
    pipe = reader.folder / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=(b"a,b\n1,2\n",)).start()
    table = open_table(pipe, options=ReadOptions(), cache=reader.cache)
    assert (table.name, table.source) == ("pipe", pipe)
    assert reader.look(table).rows == [(1, 2)]
    with pytest.raises(InputError, match="'/dev/null' is empty"):
        open_table("/dev/null", options=ReadOptions(), cache=reader.cache)


def test_empty_standard_input(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO()))
    with pytest.raises(InputError, match="Standard input is empty"):
        open_table("-", options=ReadOptions(), cache=reader.cache)


def test_a_stored_table_needs_only_the_cache_folder(reader: Reader) -> None:
    table = reader.text("a,b\n1,2\n").table
    engine = DuckDBEngine(spill=reader.folder / "s", folders=[reader.cache.directory])
    engine.attach(table.name, table.scan)
    table.source.unlink()
    assert engine.rows(table.scan) == [(1, 1, 2)]
    engine.close()


def test_reading_csv_imports_neither_pandas_nor_pyarrow(example: object, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from tabchat.engine.reader import TableCache, open_table\n"
        "from tabchat.engine.table import ReadOptions\n"
        "from tabchat.sealed import Seal\n"
        "cache = TableCache(Path(sys.argv[2]), 1 << 30, seal=Seal(secret=bytes(32)))\n"
        "open_table(sys.argv[1], options=ReadOptions(), cache=cache)\n"
        "heavy = {'pandas', 'pyarrow', 'numpy', 'charset_normalizer', 'python_calamine', 'zstandard'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    path = example("tovary_ua.csv")  # type: ignore[operator]
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), str(tmp_path / "c")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("what", ["appended", "replaced", "removed", "left"])
def test_a_file_that_is_written_to_while_it_is_read_is_told(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    path = reader.write("n\n1\n2\n")
    load = loading._load

    def meanwhile(*arguments: Any) -> Any:
        loaded = load(*arguments)
        if what == "appended":
            path.write_text("n\n1\n2\n3\n")
        elif what == "replaced":
            reader.write("n\n1\n2\n", "other.csv").replace(path)
        elif what == "removed":
            path.unlink()
        return loaded

    monkeypatch.setattr(loading, "_load", meanwhile)
    found = reader.open(path)
    assert found.column("n") == [1, 2]
    told = "The file was changed while it was read: records may be missing, or be of two states of it."
    assert [(note.message, note.skews) for note in found.notes("warning")] == [(told, True)] * (
        what != "left"
    )
    monkeypatch.undo()
    if what == "appended":
        assert (reader.open(path).column("n"), reader.open(path).notes("warning")) == ([1, 2, 3], [])
