"""Files of ours that a fault overwrote, one after the other, and what is answered then."""

import random
from pathlib import Path
from typing import Final

from tests.faults.person import QUESTION, WITNESS, Person

DAMAGES: Final = ("cut", "zeros", "noise")
"""The second half is gone; the middle is zeros; single bytes are others."""


def damage(path: Path, how: str) -> None:
    """Overwrite a file with what a fault may leave of it."""
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    match how:
        case "cut":
            del content[middle:]
        case "zeros":
            content[middle // 2 : middle + middle // 2] = bytes(middle)
        case _:
            places = random.Random(1)  # noqa: S311 - places of damage are no secret
            for _ in range(max(1, len(content) // 100)):
                content[places.randrange(len(content))] ^= 0x55
    path.write_bytes(content)


def wrong_answers(folder: Path, first: int) -> tuple[int, list[str]]:
    """Damage every file of a person, each in another way beginning with the `first`; return how many, and what was wrong."""
    person = Person(folder, rows=500)
    grouped, total = person.ask(QUESTION), person.ask(WITNESS)
    wrong: list[str] = []
    damaged = 0
    for number, path in enumerate(_files(folder)):
        # Mending an earlier one may have replaced it.
        if not path.is_file() or not path.stat().st_size:
            continue
        damaged += 1
        how = DAMAGES[(number + first) % len(DAMAGES)]
        damage(path, how)
        asked = person.run("ask", person.source, QUESTION, "--json")
        if asked.code == 0 and asked.json["table"] != grouped["table"]:
            wrong.append(f"{how} in {path}: {asked.out}")
        elif asked.code and not asked.json["error"]["hint"]:
            wrong.append(f"{how} in {path}: no next command in {asked.out}")
        shown = person.run("export", total["data_key"])
        if shown.code == 0 and shown.out.splitlines()[-1] != str(total["table"]["rows"][0][0]):
            wrong.append(f"{how} in {path}: {shown.out}")
        if asked.code:
            person.run("cache", "check")
            again = person.run("ask", person.source, QUESTION, "--json")
            if again.code or again.json["table"] != grouped["table"]:
                wrong.append(f"{how} in {path} was not mended: {again.out}")
    return damaged, wrong


def _files(folder: Path) -> list[Path]:
    return sorted(
        path
        for name in ("cache", "data", "config")
        for path in (folder / name).rglob("*")
        if path.is_file() and path.stat().st_size
    )
