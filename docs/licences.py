"""The licences of what is installed with tabchat, from the metadata of each package."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

if TYPE_CHECKING:
    from collections.abc import Iterator

INTRO = (
    "tabchat itself is under the MIT licence; its lists of word stems are under the ODbL 1.0 "
    "(`tabchat/planner/lexicons/stems/SOURCES.md`), its vectors of words under CC BY-SA 4.0 "
    "(`tabchat/planner/lexicons/vectors/SOURCES.md`). It is installed with these packages, whose own metadata says "
    "under which licence each is. Versions and hashes are in `requirements.lock`."
)
EXTRAS = ("", "charts", "mcp", "stats")


def licences_page(before: str) -> str:
    """Return the page of licences; where the page `before` lists all packages, that page.

    So a newer version of one, or a platform that needs fewer, makes no difference that has to be committed.
    """
    found = {name: licence_of(name) for name in sorted(installed())}
    lines = ["# Licences", "", INTRO, "", "| package | licence |", "|---|---|"]
    lines += [f"| {name} | {licence} |" for name, licence in found.items()]
    listed = set(re.findall(r"^\| ([a-z0-9-]+) \|", before, re.MULTILINE)) - {"package"}
    return before if set(found) <= listed else "\n".join(lines) + "\n"


def installed() -> set[str]:
    """Return the names of what is installed for tabchat and its extras, directly or not."""
    found: set[str] = set()
    waiting = [("tabchat", extra) for extra in EXTRAS]
    seen = set(waiting)
    while waiting:
        name, extra = waiting.pop()
        for needed in needs(name, extra):
            found.add(needed[0])
            if needed not in seen:
                seen.add(needed)
                waiting.append(needed)
    return found


def needs(name: str, extra: str) -> Iterator[tuple[str, str]]:
    """Yield (package, extra) of what a package needs here; what is not installed is not needed."""
    try:
        required = distribution(name).requires or []
    except PackageNotFoundError:
        return
    for requirement in map(Requirement, required):
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        plain = re.sub(r"[-_.]+", "-", requirement.name).lower()
        try:
            distribution(plain)
        except PackageNotFoundError:
            continue
        yield plain, ""
        yield from ((plain, inner) for inner in requirement.extras)


def licence_of(name: str) -> str:
    """Return what a package says of its licence, in a few words."""
    metadata = distribution(name).metadata
    said = metadata.get("License-Expression") or ""
    if not said:
        classes = [
            line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or () if "License" in line
        ]
        said = " or ".join(kind for kind in classes if kind != "OSI Approved")
    if not said:
        said = (metadata.get("License") or "").strip().partition("\n")[0]
    return " ".join(said.replace("|", "or").split())[:80] or "not said in its metadata"
