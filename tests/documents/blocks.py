"""The examples of a page: its fenced blocks, each with what is to be done with it."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
OUTSIDE = frozenset({"CHANGELOG.md"})
"""Pages at the top that hold no examples for a reader to try."""

_FENCE = re.compile(
    r"(?m)^(?:<!-- model: (?P<model>.*?) -->\n\n?)?```(?P<info>[^\n]*)\n(?P<body>(?s:.*?))^```$", re.DOTALL
)
_TITLE = re.compile(r'title="([^"]+)"')
_EXITS = re.compile(r"exits=(\d+)")


@dataclass(frozen=True)
class Block:
    """One fenced block.

    `console` holds commands behind `$ ` with what they print, `sh` commands alone, `python` statements with the
    `repr` of some in a comment, `text` nothing that runs. Any kind with a title is a file of that name.
    """

    kind: str
    body: str
    title: str | None
    exits: int
    """The exit code that an `sh` block ends with."""
    model: str | None
    """What the provider says during this block, as the JSON of `tests.fake_provider.read_script`."""
    start: int
    """Where the body begins in the page."""


def pages() -> list[Path]:
    """Return every page with examples: those at the top, and all of docs."""
    top = [path for path in ROOT.glob("*.md") if path.name not in OUTSIDE]
    return sorted([*top, *(ROOT / "docs").rglob("*.md")])


def name_of(page: Path) -> str:
    """Return what a page is called: its path in the checkout."""
    return str(page.relative_to(ROOT))


def blocks_of(text: str) -> list[Block]:
    """Return the fenced blocks of a page in their order."""
    found = []
    for match in _FENCE.finditer(text):
        kind, _, options = match["info"].partition(" ")
        title, exits = _TITLE.search(options), _EXITS.search(options)
        found.append(
            Block(
                kind=kind,
                body=match["body"],
                title=title[1] if title else None,
                exits=int(exits[1]) if exits else 0,
                model=match["model"],
                start=match.start("body"),
            )
        )
    return found


@dataclass(frozen=True)
class Command:
    """One command of a `console` block."""

    line: str
    """What is typed at the shell; its further lines begin with `> `."""
    entries: tuple[str, ...]
    """What is typed at the prompt of a conversation that it begins."""
    printed: str


def commands_of(body: str) -> list[Command]:
    """Return the commands of a `console` block."""
    found = []
    for part in re.split(r"(?m)^\$ ", body)[1:]:
        first, *lines = part.split("\n")
        while lines and lines[0].startswith("> "):
            first += "\n" + lines.pop(0)[2:]
        entries = tuple(line.partition("> ")[2] for line in lines if PROMPT.match(line))
        found.append(Command(line=first, entries=entries, printed="\n".join(lines).strip("\n")))
    return found


PROMPT = re.compile(r"^\w+> ")
"""The prompt of a conversation, as a transcript shows it."""
