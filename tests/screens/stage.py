"""The real program in a pseudo-terminal, driven through the shots of a variant."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tests.fake_provider import FakeProvider, read_script
from tests.repl.terminal import Terminal
from tests.screens.scenes import MODEL, SCRIPT, Shot, Variant

ROOT: Final = Path(__file__).parent.parent.parent
SNAPSHOTS: Final = Path(__file__).parent / "snapshots"
PROMPT: Final = "sales>"
CLEAR: Final = "\x0c"
PATIENCE_SECONDS: Final = 30.0


def path_of(variant: Variant, shot: Shot) -> Path:
    """Return the file of a snapshot."""
    return SNAPSHOTS / variant.snapshots / f"{shot.name}.txt"


@contextmanager
def opened(variant: Variant, home: Path) -> Iterator[Terminal]:
    """Open a conversation about a copy of sales.csv, in a home of its own and a terminal of the variant's kind."""
    shutil.copy(ROOT / "examples" / "data" / "sales.csv", home)
    environment = {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "PYTHONPATH": str(ROOT),
        "TABCHAT_PAGER": "false",
        # The emulator answers where its cursor is, as a terminal does.
        "PROMPT_TOOLKIT_NO_CPR": "0",
        **variant.environment,
    }
    arguments = ["tabchat", "repl", "sales.csv", *variant.arguments]
    with ExitStack() as stack:
        if variant.shots is MODEL:
            provider = stack.enter_context(FakeProvider(read_script([json.loads(step) for step in SCRIPT])))
            arguments += ["-m", "openai/gpt-5-mini", "--api-base", provider.base_url, "--planner", "llm"]
            environment["OPENAI_API_KEY"] = "sk-example"
        size = {"columns": variant.columns, "rows": variant.rows}
        yield stack.enter_context(Terminal(*arguments, **size, environment=environment, folder=home))


def perform(variant: Variant, terminal: Terminal, look: Callable[[Shot], None]) -> None:
    """Type the keys of every shot, and look when it stands on the screen."""
    for shot in variant.shots:
        if not shot.goes_on:
            wait_until(terminal, at_prompt)
            if variant.moves_cursor:
                terminal.type(CLEAR)
                wait_until(terminal, lambda lines: at_prompt(lines) and lines[0] == PROMPT)
        terminal.type(shot.keys)
        terminal.see(shot.sees)
        look(shot)
        terminal.type(shot.leave)


def at_prompt(lines: list[str]) -> bool:
    """Return whether a prompt without an entry is the last on the screen, but for the toolbar."""
    told = [line for line in lines if line and not line.startswith(" ")]
    return told[-1:] == [PROMPT]


def wait_until(terminal: Terminal, holds: Callable[[list[str]], bool]) -> bool:
    """Read what is drawn until `holds` of the lines on the screen; returns whether it did in good time."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not holds(terminal.screen.lines[-terminal.screen.height :]):
        if time.monotonic() > until:
            return False
        terminal.read_once(0.1)
    return True
