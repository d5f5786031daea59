"""Draw kept screens of the real program as pictures, for light and dark pages.

    python docs/picture.py SNAPSHOT OUT.png      # one, as PNG of both themes, to look at it

`docs/generate.py` draws those of the documentation. The screens themselves come from `python -m tests.screens`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.screens.palette import PALETTES, painted  # noqa: E402 - the checkout's top is not on the path of a script
from tests.screens.screen import Screen  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.repl.ink import Ink
    from tests.screens.screen import Run

CELL, LINE, EDGE = 8.4, 18, 12
BASELINE = 13.5
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
EIGHTHS = " ▏▎▍▌▋▊▉█"
"""Blocks of a bar by their width; drawn as rectangles, since fonts leave gaps between them."""
RULE, STEM = "─", "│"


def draw(screen: Screen, columns: int, theme: str | None = None) -> str:
    """Return the picture as SVG; it follows the reader's light or dark mode unless `theme` is given."""
    inks = list(dict.fromkeys(run.ink for run in screen.runs))
    names = {ink: f"i{number}" for number, ink in enumerate(inks)}
    width, height = columns * CELL + 2 * EDGE, len(screen.lines) * LINE + 2 * EDGE
    light = _style(names, theme or "light")
    dark = "" if theme else f"@media(prefers-color-scheme:dark){{{_style(names, 'dark')}}}"
    style = f"text{{font:14px {FONT};white-space:pre}}.bold{{font-weight:700}}.italic{{font-style:italic}}"
    style += f".underline{{text-decoration:underline}}{light}{dark}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height}" width="{width:.0f}">',
        f"<style>{style}</style>",
        f'<rect class="page" x=".5" y=".5" width="{width - 1:.1f}" height="{height - 1}" rx="8"/>',
    ]
    for run in screen.runs:
        parts += _drawn(run, names[run.ink])
    return "\n".join([*parts, "</svg>"]) + "\n"


def _style(names: dict[Ink, str], theme: str) -> str:
    palette = PALETTES[theme]
    rules = [f".page{{fill:{palette.ground};stroke:{palette.named['white']}}}"]
    for ink, name in names.items():
        sign, ground = painted(ink, palette)
        rules.append(f".{name}{{fill:{sign}}}.{name}g{{fill:{ground}}}")
    return "".join(rules)


def _drawn(run: Run, name: str) -> Iterator[str]:
    left, top = EDGE + run.column * CELL, EDGE + run.row * LINE
    if run.ink.background or "reverse" in run.ink.attributes:
        yield f'<rect class="{name}g" x="{left:.1f}" y="{top}" width="{run.cells * CELL:.1f}" height="{LINE}"/>'
    styles = " ".join([name, *sorted(run.ink.attributes & {"bold", "italic", "underline"})])
    place = 0
    for text in re.findall(rf"[{EIGHTHS[1:]}]+|{RULE}+|{STEM}|[^{EIGHTHS[1:]}{RULE}{STEM}]+", run.text):
        x, cells = left + place * CELL, Screen.width_of(text)
        place += cells
        if text[0] in EIGHTHS[1:]:
            eighths = sum(EIGHTHS.index(sign) for sign in text)
            yield f'<rect class="{name}" x="{x:.1f}" y="{top + 2}" width="{eighths * CELL / 8:.2f}" height="{LINE - 4}"/>'
        elif text[0] == RULE:
            yield f'<rect class="{name}" x="{x:.1f}" y="{top + 9}" width="{cells * CELL:.1f}" height="1"/>'
        elif text == STEM:
            yield f'<rect class="{name}" x="{x + CELL / 2:.1f}" y="{top}" width="1" height="{LINE}"/>'
        else:
            yield from _written(text, x, top + BASELINE, styles)


def _written(text: str, x: float, y: float, styles: str) -> Iterator[str]:
    """Yield the words of a text, each at its own column, whatever the font's widths are."""
    for word in re.finditer(r"\S+(?: \S+)*", text):
        before, cells = Screen.width_of(text[: word.start()]), Screen.width_of(word[0])
        yield (
            f'<text class="{styles}" x="{x + before * CELL:.1f}" y="{y}" textLength="{cells * CELL:.1f}">'
            f"{escape(word[0])}</text>"
        )


def pictures() -> dict[Path, str]:
    """Return the pictures of the documentation: files and what they hold."""
    return {
        ROOT / "docs" / "pictures" / f"{name}-{size}.svg": draw(
            _kept(f"{size}/{name}"), int(size.split("x")[0])
        )
        for name in ("answer", "readings", "viewer", "chart", "check", "completion", "model")
        for size in ("80x24", "200x50")
    }


def _kept(name: str) -> Screen:
    return Screen.read((ROOT / "tests" / "screens" / "snapshots" / f"{name}.txt").read_text(encoding="utf-8"))


def main(snapshot: str, target: str) -> None:
    """Draw one snapshot on both grounds."""
    import vl_convert

    path = Path(snapshot)
    columns = 200 if "200" in path.parent.name else 80
    for theme in PALETTES:
        out = Path(target).with_stem(f"{Path(target).stem}-{theme}")
        svg = draw(Screen.read(path.read_text(encoding="utf-8")), columns, theme)
        out.write_bytes(vl_convert.svg_to_png(svg, scale=1.0))


if __name__ == "__main__":
    main(*sys.argv[1:])
