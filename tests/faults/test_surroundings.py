"""Disks that are full, homes that cannot be written to or are not there, clocks that jump, plain locales."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.person import QUESTION, WITNESS, Person

NOBODY = 65_534
IS_ROOT = os.geteuid() == 0


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path, rows=500)


# Disks


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    """Return a folder on a disk of three megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    if not (IS_ROOT and shutil.which("unshare") and shutil.which("mount")):
        pytest.skip("only root can mount a small disk")
    return folder


def on_small_disk(person: Person, folder: Path, *commands: tuple[str | Path, ...]) -> list[tuple[int, str]]:
    """Run commands one after the other where `folder` is a small disk, and return their codes and messages."""
    script = 'set -e; mount -t tmpfs -o size=3m tmpfs "$1"; shift; exec "$@"'
    runs = (
        "import subprocess, sys, json\n"
        "print(json.dumps([(done.returncode, done.stderr) for arguments in json.loads(sys.argv[1]) for done in"
        " [subprocess.run([sys.executable, '-m', 'tabchat', *arguments], capture_output=True, text=True)]]))"
    )
    import json

    wanted = json.dumps([[*map(str, command)] for command in commands])
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", str(folder), sys.executable, "-c", runs, wanted],
        env={**os.environ, **person.env, "XDG_CACHE_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    if "mount" in done.stderr and done.returncode:
        pytest.skip(f"a small disk cannot be mounted: {done.stderr}")
    assert done.returncode == 0, done.stderr
    return [(code, err) for code, err in json.loads(done.stdout)]


def test_a_full_disk_is_said_and_loses_nothing(person: Person, small_disk: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    # Names that no encoding shortens: half of their table is more than the disk holds.
    lines = (f"{n},North,{n % 997}.5,{n * n * 2654435761 % 2**64:016x}" for n in range(1, 400_001))
    large.write_text("order_no,region,amount,name\n" + "\n".join(lines) + "\n")
    found = on_small_disk(
        person,
        small_disk,
        ("ask", person.source, QUESTION),
        ("profile", large),
        ("export", "_", "-o", small_disk / "out.csv"),
        ("ask", large, QUESTION, "--no-cache"),
        ("ask", person.source, QUESTION),
    )
    (first, _), (full, told), (exported, _), (without, _), (again, _) = found
    assert (first, exported, without, again) == (0, 0, 0, 0)
    assert full
    assert "Traceback" not in told
    assert "space" in told
    assert "try:" in told


# Homes


@pytest.mark.parametrize("home", ["read-only", "absent"])
def test_without_a_home_to_write_to_questions_are_answered(home: str, person: Person, tmp_path: Path) -> None:
    if not (IS_ROOT and shutil.which("unshare") and shutil.which("mount")):
        pytest.skip("only root can make a folder that root cannot write to")
    folder = tmp_path / "home"
    folder.mkdir()
    if home == "read-only":
        script = 'mount -t tmpfs -o ro tmpfs "$1" && shift && exec "$@"'
    else:
        script = 'mount -t tmpfs -o ro tmpfs "$1" && export HOME="$1/nobody" && shift && exec "$@"'
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    command = [sys.executable, "-m", "tabchat", "ask", str(person.source), WITNESS]
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", str(folder), *command],
        env={**kept, "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode != 1, done.stderr
    if done.returncode:
        assert "try:" in done.stderr
        assert str(folder) in done.stderr
    without = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", str(folder), *command, "--no-cache"],
        env={**kept, "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (without.returncode, without.stdout) == (0, done.stdout or without.stdout), without.stderr


# Clocks

SHIFTED = (
    "import sys, time\n"
    "now, shift = time.time, float(sys.argv.pop(1))\n"
    "time.time = lambda: now() + shift\n"
    "from tabchat.__main__ import main\n"
    "sys.exit(main())\n"
)
DAY = 86_400.0


@pytest.mark.parametrize("shift", [-400 * DAY, 400 * DAY])
def test_a_clock_that_jumps_changes_no_answer(person: Person, shift: float) -> None:
    kept = person.ask(QUESTION)
    # Results that nobody used for a month are gone after a year.
    commands = [("ask", str(person.source), question, "--json") for question in (WITNESS, QUESTION)]
    for arguments in (*commands, ("show", kept["data_key"], "--json")):
        done = subprocess.run(
            [sys.executable, "-c", SHIFTED, str(shift), *arguments],
            env={**os.environ, **person.env},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert person.losses() == []


@pytest.mark.parametrize("seconds", [0, -DAY, 4_102_444_800])
def test_files_of_any_date_are_read(person: Person, seconds: float) -> None:
    before = person.ask(WITNESS)
    os.utime(person.source, (seconds, seconds))
    assert person.ask(WITNESS)["table"] == before["table"]


# Locales, names, ends of lines


def test_the_locale_c_and_names_that_are_no_text(person: Person, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode("замовлення-\udcff.csv".encode("utf-8", "surrogateescape"))
    path.write_text("місто,сума\nЛьвів,10\nКиїв,20\n", encoding="utf-8")
    plain = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    asked = person.run("ask", path, "total сума by місто", "--json", env=plain)
    assert (asked.code, asked.json["table"]["rows"]) == (0, [["Київ", 20], ["Львів", 10]]), asked.err
    shown = person.run("ask", path, "total сума by місто", env=plain)
    assert shown.code == 0


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_ends_of_lines_are_read(person: Person, tmp_path: Path, end: str) -> None:
    path = tmp_path / "windows.csv"
    path.write_bytes(person.source.read_text().replace("\n", end).encode())
    assert person.ask(WITNESS, path)["table"] == person.ask(WITNESS)["table"]
    assert person.ask(QUESTION, path)["table"] == person.ask(QUESTION)["table"]
