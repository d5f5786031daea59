"""What a person sees: the real program in a pseudo-terminal, compared with kept screens.

`python -m tests.screens --write` keeps what is seen now.
"""

import time
from pathlib import Path

import pytest

from tests.repl.terminal import Terminal
from tests.screens.contrast import contrasts
from tests.screens.scenes import VARIANTS, Shot, Variant
from tests.screens.screen import Screen
from tests.screens.stage import PATIENCE_SECONDS, SNAPSHOTS, opened, path_of, perform


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_screens_are_those_that_were_kept(variant: Variant, tmp_path: Path) -> None:
    with opened(variant, tmp_path) as terminal:
        perform(variant, terminal, lambda shot: assert_shown(variant, shot, terminal))
        assert terminal.screen.unknown == []
        if not variant.moves_cursor:
            assert "\x1b" not in "".join(terminal.written)
        if "--ascii" in variant.arguments:
            assert terminal.screen.text.isascii()


def assert_shown(variant: Variant, shot: Shot, terminal: Terminal) -> None:
    """Wait until the screen is the one that was kept; a terminal shows it in parts."""
    kept = path_of(variant, shot).read_text(encoding="utf-8")
    until = time.monotonic() + PATIENCE_SECONDS
    while (seen := shown(variant, terminal, kept)) != kept and time.monotonic() < until:
        terminal.read_once(0.1)
    assert seen == kept, shot.name


def shown(variant: Variant, terminal: Terminal, kept: str) -> str:
    """Return the screen as snapshots have it; without colours, with the inks of the kept one where the text is its own."""
    screen = Screen.of(terminal.screen.window)
    if variant.has_colours:
        return screen.write()
    assert {run.ink.foreground + run.ink.background for run in screen.runs} <= {""}
    return kept if screen.lines == Screen.read(kept).lines else screen.write()


def snapshots() -> list[Path]:
    return sorted(SNAPSHOTS.rglob("*.txt"))


@pytest.mark.parametrize("path", snapshots(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_sign_can_be_read_on_a_light_ground_and_on_a_dark_one(path: Path) -> None:
    for theme, run, contrast in contrasts(Screen.read(path.read_text(encoding="utf-8"))):
        assert contrast >= 3, (theme, run)


def test_no_snapshot_is_left_over() -> None:
    wanted = {path_of(variant, shot) for variant in VARIANTS for shot in variant.shots}
    assert set(snapshots()) == wanted


@pytest.mark.parametrize("path", snapshots(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_snapshot_is_read_as_it_was_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert Screen.read(text).write() == text
