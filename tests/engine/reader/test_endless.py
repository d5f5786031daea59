"""What is no file and may never end is refused at once; pipes and terminals are read as they come."""

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tabchat.errors import InputError
from tests.command import tabchat
from tests.engine.reader.conftest import Reader

DEVICES = [name for name in ("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom") if Path(name).exists()]


@pytest.mark.parametrize("name", DEVICES)
def test_a_device_is_refused(reader: Reader, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=f"'{name}' is a device, not a file") as caught:
        reader.open(Path(name))
    assert caught.value.hint
    link = reader.folder / "table.csv"
    link.symlink_to(name)
    with pytest.raises(InputError, match="is a device"):
        reader.open(link)
    with open(name) as device:  # noqa: PTH123 - a device
        monkeypatch.setattr(sys, "stdin", device)
        with pytest.raises(InputError, match="Standard input is a device"):
            reader.open(Path("-"))


def test_nothing_is_empty(reader: Reader) -> None:
    with pytest.raises(InputError, match="'/dev/null' is empty"):
        reader.open(Path("/dev/null"))


def test_a_socket_is_refused(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(reader.folder)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("table.csv")
        with pytest.raises(InputError, match=r"'table\.csv' is a socket, not a file"):
            reader.open(Path("table.csv"))


@pytest.mark.skipif(sys.platform != "linux", reason="has no /proc")
@pytest.mark.parametrize("name", ["/proc/self/status", "/proc/kmsg"])
def test_a_file_that_the_system_makes_while_it_is_read_is_refused(reader: Reader, name: str) -> None:
    with pytest.raises(InputError, match=r"has no size|permission denied|cannot be read"):
        reader.open(Path(name))


def test_a_named_pipe_is_read(reader: Reader) -> None:
    pipe = reader.folder / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("a,b\n1,2\n",))
    writer.start()
    assert reader.open(pipe).rows == [(1, 2)]
    writer.join()


def test_the_output_of_a_command_is_read(tmp_path: Path) -> None:
    source, sink = os.pipe()
    os.write(sink, b"a,b\n1,2\n")
    os.close(sink)
    done = subprocess.run(
        [sys.executable, "-m", "tabchat", "ask", f"/dev/fd/{source}", "how many rows?"],
        pass_fds=[source],
        capture_output=True,
        check=False,
        timeout=120,
    )
    os.close(source)
    assert (done.returncode, done.stdout) == (0, b"The table has 1 row.\n"), done.stderr


@pytest.mark.parametrize("command", [("ask", "-f"), ("query",), ("sql",), ("edit",)])
def test_a_text_that_never_ends_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a,b\n1,2\n")
    name = "/dev/zero" if "-f" in command else "@/dev/zero"
    done = tabchat(command[0], table, *command[1:], name)
    assert (done.code, done.out) == (3, "")
    assert "/dev/zero" in done.err
