"""A real session over an example table, and the shell that talks to it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tabchat.config import Settings
from tabchat.errors import ExitCode
from tabchat.repl.shell import Shell
from tabchat.session import Session
from tests.conftest import CACHE, DATA, EXAMPLES
from tests.render.screens import Screen, screen


@dataclass
class Talk:
    """A shell whose two streams are read after every entry."""

    shell: Shell
    screen: Screen

    def say(self, entry: str) -> tuple[ExitCode, str, str]:
        """Carry out an entry; return its code and what it put on stdout and stderr."""
        for stream in (self.screen.out_file, self.screen.err_file):
            stream.seek(0)
            stream.truncate()
        code = self.shell.run(entry)
        return code, self.screen.out, self.screen.err

    @property
    def key(self) -> str:
        """Key of the last result."""
        assert self.shell.last is not None
        assert self.shell.last.block is not None
        assert self.shell.last.block.data_key is not None
        return self.shell.last.block.data_key


@pytest.fixture
def talk(home_that_read: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Talk]:
    monkeypatch.setenv("COLUMNS", "80")
    with talk_in(tmp_path, home_that_read) as begun:
        yield begun


@contextmanager
def talk_in(folder: Path, home_that_read: Path) -> Iterator[Talk]:
    """Begin to talk about the sales, with all that is kept below `folder`."""
    # Both of them: what is kept is believed by the secret that lies with the data.
    shutil.copytree(home_that_read / CACHE, folder / "cache")
    shutil.copytree(home_that_read / DATA, folder / "data")
    settings = Settings(cache_dir=folder / "cache", data_dir=folder / "data")
    shown = screen(80)
    with Session.open([EXAMPLES / "sales.csv"], settings=settings) as session:
        yield Talk(Shell(session=session, consoles=shown.consoles), shown)
