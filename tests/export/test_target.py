import errno
import io
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import BinaryIO

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.errors import OutputError, OutputExistsError, UsageError
from tabchat.export import ExportFormat, export_frame
from tabchat.export.target import open_output
from tests.export.frames import frame_of

CSV = b"a\n1\n"


def files(folder: Path) -> dict[str, bytes]:
    """Return every file in `folder` with its content."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "out"
    made.mkdir()
    return made


def test_a_new_file_has_the_rights_that_the_person_wants(engine: DuckDBEngine, folder: Path) -> None:
    previous = os.umask(0o027)
    try:
        export_frame(frame_of(engine, "SELECT 1 AS a"), folder / "x.csv")
    finally:
        os.umask(previous)
    assert files(folder) == {"x.csv": CSV}
    assert stat.S_IMODE((folder / "x.csv").stat().st_mode) == 0o640


def test_an_existing_file_is_replaced_only_with_force(engine: DuckDBEngine, folder: Path) -> None:
    path = folder / "x.csv"
    path.write_text("old")
    path.chmod(0o604)
    with pytest.raises(OutputExistsError) as caught:
        export_frame(frame_of(engine, "SELECT 1 AS a"), path)
    assert caught.value.message == f"{path} exists already."
    assert "--force" in str(caught.value.hint)
    assert files(folder) == {"x.csv": b"old"}
    export_frame(frame_of(engine, "SELECT 1 AS a"), path, force=True)
    assert files(folder) == {"x.csv": CSV}
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def write_while_another_does(path: Path) -> None:
    with open_output(path) as output:
        output.write(b"mine")
        path.write_text("theirs")


def test_a_file_that_appears_meanwhile_is_not_overwritten(folder: Path) -> None:
    with pytest.raises(OutputExistsError):
        write_while_another_does(folder / "x.csv")
    assert files(folder) == {"x.csv": b"theirs"}


def test_without_hard_links_a_file_is_written_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: object, target: object, **how: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with open_output(folder / "x.csv") as output:
        output.write(b"mine")
    with pytest.raises(OutputExistsError):
        write_while_another_does(folder / "y.csv")
    assert files(folder) == {"x.csv": b"mine", "y.csv": b"theirs"}


@pytest.mark.parametrize("spelling", ["same", "link", "hard link", "relative"])
def test_the_source_is_never_touched_not_even_with_force(
    engine: DuckDBEngine, folder: Path, monkeypatch: pytest.MonkeyPatch, spelling: str
) -> None:
    source = folder / "sales.csv"
    source.write_bytes(b"the only copy")
    target = source
    if spelling == "link":
        target = folder / "link.csv"
        target.symlink_to(source)
    elif spelling == "hard link":
        target = folder / "hard.csv"
        target.hardlink_to(source)
    elif spelling == "relative":
        monkeypatch.chdir(folder)
        target = Path("../out/sales.csv")
    with pytest.raises(UsageError, match="a source file is never touched"):
        export_frame(
            frame_of(engine, "SELECT 1 AS a"),
            target,
            force=True,
            protected=[folder / "gone.csv", source],
        )
    assert source.read_bytes() == b"the only copy"


def test_a_link_stays_a_link(engine: DuckDBEngine, folder: Path) -> None:
    real, link = folder / "real.csv", folder / "link.csv"
    real.write_text("old")
    link.symlink_to(real)
    export_frame(frame_of(engine, "SELECT 1 AS a"), link, force=True)
    assert link.is_symlink()
    assert real.read_bytes() == CSV


@pytest.mark.parametrize(
    "name, message, hint",
    [
        ("", "is a folder", "Give a file name"),
        ("missing/x.csv", "does not exist", "mkdir -p"),
        ("file/x.csv", "does not exist", "mkdir -p"),
    ],
)
def test_a_place_that_cannot_be_is_a_usage_error(folder: Path, name: str, message: str, hint: str) -> None:
    (folder / "file").write_text("")
    with pytest.raises(UsageError, match=message) as caught, open_output(folder / name):
        pass
    assert hint in str(caught.value.hint)


def test_a_name_that_is_too_long_is_told(engine: DuckDBEngine, folder: Path) -> None:
    with pytest.raises(OutputError, match="File name too long"):
        export_frame(frame_of(engine, "SELECT 1 AS a"), folder / ("x" * 300 + ".csv"))
    longest = folder / ("x" * 251 + ".csv")
    export_frame(frame_of(engine, "SELECT 1 AS a"), longest)
    assert files(folder) == {longest.name: CSV}


def test_a_write_protected_file_stays(
    engine: DuckDBEngine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "x.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # rights do not bind the superuser
    with pytest.raises(OutputError, match="is write-protected"):
        export_frame(frame_of(engine, "SELECT 1 AS a"), path, force=True)
    assert files(folder) == {"x.csv": b"old"}


# Interrupted and refused writes

FILL = """
import resource, signal, sys
from pathlib import Path
from sqlglot import parse_one
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.result.result import Frame
from tabchat.errors import OutputError
from tabchat.export import export_frame

spill, *targets = map(Path, sys.argv[1:])
engine = DuckDBEngine(spill=spill, limits=Limits(threads=1))
query = parse_one("SELECT i, hash(i) AS h, 'text ' || hash(i) AS t FROM range(300000) AS t(i)", dialect="duckdb")
frame = Frame(engine=engine, query=query, schema=engine.schema(query), row_count=300000)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
for target in targets:
    try:
        export_frame(frame, target, force=True)
    except OutputError as error:
        print(error.message)
"""


def test_a_full_disk_leaves_what_was_there(folder: Path, tmp_path: Path) -> None:
    paths = [folder / f"x.{fmt}" for fmt in ExportFormat]
    for path in paths:
        path.write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(tmp_path / "spill"), *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        timeout=120,
    )
    assert done.stdout.splitlines() == [f"{path} cannot be written: File too large." for path in paths]
    assert done.stderr == ""
    assert files(folder) == {path.name: b"old" for path in paths}
    assert sorted(item.name for item in tmp_path.iterdir()) in (["out"], ["out", "spill"])


@pytest.mark.parametrize("fmt", list(ExportFormat))
def test_ctrl_c_leaves_what_was_there(engine: DuckDBEngine, folder: Path, fmt: ExportFormat) -> None:
    path = folder / f"x.{fmt}"
    path.write_text("old")
    frame = frame_of(engine, "SELECT i AS a FROM range(10) AS t(i)")

    class Interrupting:
        """Stands for the engine of a frame at the moment of Ctrl-C."""

        def stream(self, *_: object) -> object:
            raise KeyboardInterrupt

        def execute(self, *_: object) -> object:
            raise KeyboardInterrupt

    stopped = type(frame)(engine=Interrupting(), query=frame.query, schema=frame.schema, row_count=10)  # type: ignore[arg-type]  # a stand-in
    with pytest.raises(KeyboardInterrupt):
        export_frame(stopped, path, force=True)
    assert files(folder) == {path.name: b"old"}


# Streams


class Pipe(io.RawIOBase):
    """A stream that can only be written to."""

    def __init__(self, *, terminal: bool = False, failure: OSError | None = None) -> None:
        self.content = b""
        self._terminal = terminal
        self._failure = failure

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._terminal

    def write(self, data: object) -> int:
        if self._failure is not None:
            raise self._failure
        chunk = bytes(data)  # type: ignore[call-overload]  # any buffer
        self.content += chunk
        return len(chunk)


def stream(pipe: Pipe) -> BinaryIO:
    return pipe  # type: ignore[return-value]  # what the exporter needs of a binary stream


@pytest.mark.parametrize("fmt", list(ExportFormat))
def test_a_stream_gets_the_bytes_of_the_file(engine: DuckDBEngine, folder: Path, fmt: ExportFormat) -> None:
    frame = frame_of(engine, "SELECT i AS a, 'x' || i AS b FROM range(3) AS t(i)")
    pipe, path = Pipe(), folder / f"x.{fmt}"
    piped = export_frame(frame, stream(pipe), fmt)
    written = export_frame(frame, path)
    assert piped == written
    assert len(pipe.content) == piped.bytes
    if fmt is not ExportFormat.ARROW:  # its padding is whatever the memory held
        assert pipe.content == path.read_bytes()
    assert not pipe.closed


def test_a_closed_pipe_is_not_an_error_of_the_output(engine: DuckDBEngine) -> None:
    with pytest.raises(BrokenPipeError):
        export_frame(frame_of(engine, "SELECT 1 AS a"), stream(Pipe(failure=BrokenPipeError())))


def test_a_stream_that_fails_is_told(engine: DuckDBEngine) -> None:
    failure = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OutputError) as caught:
        export_frame(frame_of(engine, "SELECT 1 AS a"), stream(Pipe(failure=failure)))
    assert caught.value.message == "The output cannot be written: No space left on device."


@pytest.mark.parametrize("fmt", [ExportFormat.CSV, ExportFormat.TSV, ExportFormat.JSON, ExportFormat.HTML])
def test_a_terminal_never_gets_a_command_from_the_data(engine: DuckDBEngine, fmt: ExportFormat) -> None:
    frame = frame_of(
        engine, "SELECT chr(27) || ']0;own' || chr(7) || chr(155) || '2J' || chr(127) AS a, 1 AS b"
    )
    screen, pipe = Pipe(terminal=True), Pipe()
    shown = export_frame(frame, stream(screen), fmt)
    export_frame(frame, stream(pipe), fmt)
    text = screen.content.decode()
    assert not [
        character for character in text if character not in {"\n", "\t"} and not character.isprintable()
    ]
    if fmt.runs_formulas:
        assert "␛]0;own␇�2J�" in text
        assert shown.warnings == (
            "Control and invisible characters are shown as symbols on a terminal; a file or a pipe gets them as they are.",
        )
        assert "\x1b]0;own\x07\x9b2J\x7f" in pipe.content.decode()
    else:
        assert text == pipe.content.decode()
        assert shown.warnings == ()


@pytest.mark.parametrize("fmt", [ExportFormat.CSV, ExportFormat.JSONL, ExportFormat.MD, ExportFormat.HTML])
def test_nothing_turns_or_hides_text_on_a_terminal(engine: DuckDBEngine, fmt: ExportFormat) -> None:
    hidden = "\u202e\u2066\u200b\u200d\u061c\u00ad\u2060\ufeff\U000e0041"
    frame = frame_of(engine, f"SELECT '{hidden}a\u0645\u200c\u0646' AS a, 1 AS \"b{hidden}\"")
    screen, pipe = Pipe(terminal=True), Pipe()
    shown = export_frame(frame, stream(screen), fmt)
    export_frame(frame, stream(pipe), fmt)
    text = screen.content.decode()
    assert not set(hidden).intersection(text)
    # A joiner between two letters that it shapes is part of how a word is written.
    assert "\u0645\u200c\u0646" in text
    assert any("shown as symbols on a terminal" in warning for warning in shown.warnings)
    assert hidden in pipe.content.decode() or fmt is ExportFormat.JSONL


def test_a_named_pipe_is_written_to_not_replaced(engine: DuckDBEngine, folder: Path) -> None:
    path = folder / "x.csv"
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    report = export_frame(frame_of(engine, "SELECT 1 AS a"), path)
    reader.join()
    assert received == [CSV]
    assert report.bytes == len(CSV)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_the_null_device_takes_everything(engine: DuckDBEngine) -> None:
    assert export_frame(frame_of(engine, "SELECT 1 AS a"), Path(os.devnull), ExportFormat.XLSX).rows == 1


# What an export loads

HYGIENE = """
import io, sys
from tests.export.frames import frame_of
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.export import ExportFormat, export_frame
from pathlib import Path
engine = DuckDBEngine(spill=Path(sys.argv[1]), limits=Limits(threads=1))
for fmt in sys.argv[2:]:
    export_frame(frame_of(engine, "SELECT 1 AS a, 'x' AS b, DATE '2024-01-01' AS c"), io.BytesIO(), ExportFormat(fmt))
    print(fmt, *sorted({"pandas", "pyarrow", "numpy", "xlsxwriter", "litellm", "rich"} & set(sys.modules)))
"""


def test_only_what_a_format_needs_is_loaded(tmp_path: Path) -> None:
    plain = ["csv", "tsv", "json", "jsonl", "md", "html"]
    done = subprocess.run(
        [sys.executable, "-c", HYGIENE, str(tmp_path), *plain, "xlsx"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        timeout=120,
    )
    assert done.stdout.splitlines() == [*plain, "xlsx xlsxwriter"]


MEMORY = """
import resource, sys
from pathlib import Path
from sqlglot import parse_one
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.result.result import Frame
from tabchat.export import ExportFormat, export_frame

engine = DuckDBEngine(spill=Path(sys.argv[2]), limits=Limits(threads=1))
text = "SELECT i, 'some text to fill the line with, number ' || i AS t FROM range({}) AS t(i)"
peaks = []
for rows in (50_000, 600_000):
    query = parse_one(text.format(rows), dialect="duckdb")
    frame = Frame(engine=engine, query=query, schema=engine.schema(query), row_count=rows)
    report = export_frame(frame, Path("/dev/null"), ExportFormat(sys.argv[1]))
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
print(report.bytes, peaks[1] - peaks[0])
"""


@pytest.mark.parametrize("fmt", ["csv", "jsonl"])
def test_a_long_result_is_never_whole_in_memory(tmp_path: Path, fmt: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, fmt, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    size, growth = map(int, done.stdout.split())
    assert size > 33_000_000
    assert growth < size / 3


def test_a_killed_export_leaves_nothing(folder: Path) -> None:
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
    except (OSError, AttributeError):
        pytest.skip("this file system has no files without a name")
    code = (
        "import os, signal, sys; from pathlib import Path; from tabchat.export.target import open_output\n"
        "with open_output(Path(sys.argv[1])) as output:\n"
        "    output.write(b'half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder / "out.csv")], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    assert list(folder.iterdir()) == []
