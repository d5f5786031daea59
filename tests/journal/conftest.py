"""Conversations as the REPL has them, each in what stands for a process of its own, over the same kept files."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tabchat.chat.turn.model import Model
from tabchat.config import Settings
from tabchat.errors import ExitCode
from tabchat.journal.choice import choose
from tabchat.journal.folder import SessionFolder
from tabchat.journal.journal import Journal
from tabchat.journal.kept import KeptSession
from tabchat.journal.resuming import resume
from tabchat.repl.shell import Shell
from tabchat.session import Session
from tests.render.screens import screen

TABLE = (
    "region,channel,day,amount,note\n"
    "north,online,2024-01-01,10.5,a\n"
    "north,store,2024-01-02,20.25,b\n"
    "south,online,2024-01-03,30,c\n"
    "south,store,2024-02-01,41.5,d\n"
    "west,online,2024-02-02,5,e\n"
    "west,store,2024-03-01,7.75,f\n"
)


@dataclass
class Talking:
    """A conversation that is written down."""

    shell: Shell
    told: Sequence[str] = ()

    def say(self, entry: str) -> ExitCode:
        """Carry out an entry."""
        return self.shell.run(entry)

    def says(self, *entries: str) -> None:
        """Carry out entries, each of which must succeed."""
        for entry in entries:
            assert self.say(entry) == 0, entry

    @property
    def session(self) -> Session:
        return self.shell.session


@dataclass
class Home:
    """Where one person's tables and kept things are."""

    path: Path
    settings: Settings

    @property
    def table(self) -> Path:
        return self.path / "shop.csv"

    @contextmanager
    def talk(
        self, *files: Path, models: Sequence[Model] | None = None, settings: Settings | None = None
    ) -> Iterator[Talking]:
        """Begin a conversation."""
        with Session.open(
            files or [self.table], settings=settings or self.settings, models=models
        ) as session:
            journal = Journal(self.folder(session), session)
            yield self._talking(session, journal)
            journal.close()

    @contextmanager
    def goes_on(
        self, *files: Path, settings: Settings | None = None, hide: Sequence[str] = ()
    ) -> Iterator[Talking]:
        """Go on with the newest conversation, as `repl --continue` does."""
        chosen_settings = settings or self.settings
        with ExitStack() as stack:
            session = stack.enter_context(Session.open([], settings=chosen_settings))
            folder = self.folder(session)
            chosen = choose(folder, files, None)
            told = resume(session, chosen.kept, hide=hide)
            journal = Journal(folder, session, chosen.kept, chosen.release)
            yield self._talking(session, journal, (*chosen.told, *told))
            journal.close()

    def kept(self) -> KeptSession:
        """Return the newest session as it is kept."""
        with Session.open([], settings=self.settings) as session:
            return self.folder(session).get()

    @contextmanager
    def opened(self) -> Iterator[Session]:
        """Open what is kept, without a table."""
        with Session.open([], settings=self.settings) as session:
            yield session

    @staticmethod
    def folder(session: Session) -> SessionFolder:
        return SessionFolder(session)

    @staticmethod
    def _talking(session: Session, journal: Journal, told: Sequence[str] = ()) -> Talking:
        shell = Shell(session=session, consoles=screen(80).consoles, journal=journal)
        shell.asked, shell.last = list(journal.asked), session.last
        return Talking(shell, told)

    def with_settings(self, **changes: object) -> Settings:
        return replace(self.settings, **changes)  # type: ignore[arg-type]


def home_in(folder: Path) -> Home:
    """Return the home of a person with one table."""
    (folder / "shop.csv").write_text(TABLE)
    return Home(folder, Settings(cache_dir=folder / "cache", data_dir=folder / "data"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_in(tmp_path)
