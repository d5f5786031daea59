"""Every test runs with a home of its own, no settings from outside, and no network but loopback."""

import gc
import itertools
import os
import shutil
import signal
import socket
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tabchat.__main__ import GC_THRESHOLD
from tests.effort import examples
from tests.forkserver.children import forked_children
from tests.forkserver.client import server_of_child

# A runner that was started in the background ignores Ctrl-C, and so would every process of the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)

forked_children(server_of_child)

# How long an example takes says how busy the machine is.
settings.register_profile("suite", settings(), deadline=None, max_examples=examples(100))
settings.load_profile("suite")

Example = Callable[[str], Path]
"""What gives the path of an example table by its file name."""
EXAMPLES = Path(__file__).parent.parent / "examples" / "data"
CACHE, DATA = Path(".cache", "tabchat"), Path(".local", "share", "tabchat")
"""Where a home holds what tabchat keeps."""


# Garbage is looked for as seldom as the program looks for it.
gc.set_threshold(GC_THRESHOLD, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Spare the search for garbage what was collected and imported: ten thousand tests stay until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_unconfigure() -> None:
    """Let go of it, or libraries tell at the end of the process that it was never taken apart."""
    gc.unfreeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a failure be told that quotes bytes which are no text: else it would end the whole run, untold."""
    report = yield
    if report.longrepr is not None and not report.skipped:
        text = report.longreprtext
        told = text.encode(errors="backslashreplace").decode()
        if told != text:
            report.longrepr = told
    return report


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return where the next home lies: pytest looks through all its folders for the number of the next one."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(scope="session")
def home_that_read(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which every example was read, with the secret that marks what is kept."""
    from tabchat.config import Settings
    from tabchat.session import Session

    home = tmp_path_factory.mktemp("read")
    settings = Settings(cache_dir=home / CACHE, data_dir=home / DATA)
    for table in EXAMPLES.glob("*.csv"):
        Session.open([table], settings=settings).close()
    return home


@pytest.fixture(autouse=True)
def isolated_home(
    request: pytest.FixtureRequest, homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Give the test an empty home, and take away every setting of the machine.

    With the mark `examples_read` the examples were read in that home before: reading one takes longer than to answer most
    questions about it, and is what other tests are about.
    """
    home = next(homes)
    home.mkdir(mode=0o700)
    mark = request.node.get_closest_marker("examples_read")
    if mark is not None and mark.args != (False,):
        shutil.copytree(request.getfixturevalue("home_that_read"), home, dirs_exist_ok=True)
    for name in list(os.environ):
        if name.startswith("TABCHAT_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    for name, folder in (
        ("HOME", home),
        ("XDG_CACHE_HOME", home / ".cache"),
        ("XDG_DATA_HOME", home / ".local" / "share"),
        ("XDG_CONFIG_HOME", home / ".config"),
    ):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TZ", "UTC")
    return home


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that would leave the machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family != socket.AF_UNIX and host not in {"127.0.0.1", "::1", "localhost"}:
            message = f"a test tried to reach {address!r}"
            raise AssertionError(message)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def takes_ctrl_c() -> Iterator[None]:
    """Let a test send Ctrl-C to its own process: it arrives, and what the test sets for it ends with it.

    A test library hooks the garbage collector, and an interrupt that falls into the hook is
    swallowed there, so the collector rests meanwhile.
    """
    gc.disable()
    yield
    gc.enable()
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def example() -> Example:
    """Return the path of an example table by its file name."""

    def path_of(name: str) -> Path:
        return EXAMPLES / name

    return path_of
