"""Commands that are killed at random moments, and what is lost then."""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from tests.faults.person import QUESTION, Person, hash_of

Command: TypeAlias = "tuple[str | Path, ...]"

_EDIT: Final = '{"operation": "delete_rows", "where": "amount > 900"}'
_BEYOND: Final = 1.1
"""Moments lie between the start of a command and a little behind its end."""


@dataclass
class Report:
    """What was done, and what came of it."""

    kind: str
    moments: int = 0
    killed: int = 0
    """Commands that were still at work."""
    lost: list[str] = field(default_factory=list)


class Kind:
    """A kind of command: how the n-th is put, and what must hold after it was killed."""

    def __init__(self, person: Person) -> None:
        self.person = person

    def command(self, number: int) -> Command:
        """Return a command that was not run before."""
        raise NotImplementedError

    def losses(self, number: int) -> list[str]:
        """Return a sentence for all that is wrong with the work of the n-th command."""
        raise NotImplementedError


class Ingest(Kind):
    """Reading a file for the first time."""

    def command(self, number: int) -> Command:
        path = self._path(number)
        self.person.write(path, 20_000, first=number)
        return ("profile", path)

    def losses(self, number: int) -> list[str]:
        path = self._path(number)
        expected = sum(n % 997 + 0.5 for n in range(number, number + 20_000))
        (total,) = self.person.ask("total amount", path)["table"]["rows"][0]
        path.unlink()
        return [] if total == expected else [f"{path.name} was read wrongly: {total} instead of {expected}"]

    def _path(self, number: int) -> Path:
        return self.person.folder / f"new_{number}.csv"


class Store(Kind):
    """Keeping a result."""

    def command(self, number: int) -> Command:
        return ("sql", self.person.source, self._query(number))

    def losses(self, number: int) -> list[str]:
        again = self.person.run("sql", self.person.source, self._query(number), "--json")
        key = again.json["data_key"]
        rows = self.person.run("export", key, "--format", "csv").out.splitlines()
        return [] if len(rows) == number + 2 else [f"{key} has {len(rows) - 1} rows instead of {number + 1}"]

    def _query(self, number: int) -> str:
        return f"SELECT * FROM orders WHERE order_no <= {number + 1}"


class Export(Kind):
    """Writing a result to a file."""

    def __init__(self, person: Person) -> None:
        super().__init__(person)
        self._key = person.ask("show all rows")["data_key"]
        whole = person.folder / "whole.csv"
        assert person.run("export", self._key, "-o", whole).code == 0
        self._hash = hash_of(whole)

    def command(self, number: int) -> Command:
        return ("export", self._key, "-o", self._path(number))

    def losses(self, number: int) -> list[str]:
        path = self._path(number)
        is_whole = not path.exists() or hash_of(path) == self._hash
        return [] if is_whole else [f"{path.name} is a part of what was to be written"]

    def _path(self, number: int) -> Path:
        return self.person.folder / f"export_{number}.csv"


class EditSave(Export):
    """Saving an edited table to another file."""

    def __init__(self, person: Person) -> None:
        super().__init__(person)
        whole = person.folder / "edited.csv"
        assert person.run("edit", person.source, _EDIT, "-o", whole, "--yes").code == 0
        self._hash = hash_of(whole)

    def command(self, number: int) -> Command:
        return ("edit", self.person.source, _EDIT, "-o", self._path(number), "--yes")


KINDS: Final[tuple[type[Kind], ...]] = (Ingest, Store, Export, EditSave)


def kill_at_random(kind: type[Kind], folder: Path, moments: int, seed: int) -> Report:
    """Kill so many commands of a kind, each at a moment of its own, and look at everything after each."""
    person = Person(folder)
    work = kind(person)
    random_moment = random.Random(seed)  # noqa: S311 - moments are no secret
    longest = person.seconds(*work.command(0)) * _BEYOND
    report = Report(kind=kind.__name__)
    for number in range(1, moments + 1):
        moment = random_moment.uniform(0, longest)
        report.moments += 1
        report.killed += person.killed(moment, *work.command(number))
        lost = [*work.losses(number), *person.losses()]
        report.lost += [f"after {moment:.3f} s of {longest:.3f}: {sentence}" for sentence in lost]
    # What was cut off is cleared away by the work that comes after it.
    person.write(person.folder / "last.csv", 10)
    person.ask(QUESTION, person.folder / "last.csv")
    report.lost += [f"left behind: {name}" for name in person.left_behind()]
    return report
