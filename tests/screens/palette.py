"""The colours that a terminal gives to the names of a screen: on a light ground and on a dark one."""

from typing import Final, NamedTuple

from tests.repl.ink import NAMES, Ink


class Palette(NamedTuple):
    """Colours as `#rrggbb`."""

    ground: str
    text: str
    named: dict[str, str]


def _named(plain: str, bright: str) -> dict[str, str]:
    names = [*NAMES, *(f"bright-{name}" for name in NAMES)]
    return dict(zip(names, [f"#{colour}" for colour in f"{plain} {bright}".split()], strict=True))


PALETTES: Final = {
    # Those of GitHub's themes, on whose pages the pictures stand.
    "light": Palette(
        "#ffffff",
        "#1f2328",
        _named(
            "24292f cf222e 116329 7d4e00 0969da 8250df 1b7c83 6e7781",
            "57606a a40e26 1a7f37 633c01 218bff a475f9 3192aa 8c959f",
        ),
    ),
    "dark": Palette(
        "#0d1117",
        "#e6edf3",
        _named(
            "484f58 ff7b72 3fb950 d29922 58a6ff bc8cff 39c5cf b1bac4",
            "6e7681 ffa198 56d364 e3b341 79c0ff d2a8ff 56d4dd ffffff",
        ),
    ),
}
DIM: Final = 0.62
"""How much of a dim sign is its own colour; the rest is the ground's."""


def painted(ink: Ink, palette: Palette) -> tuple[str, str]:
    """Return the colours of a sign and of its ground."""
    sign = palette.named.get(ink.foreground, ink.foreground or palette.text)
    ground = palette.named.get(ink.background, ink.background or palette.ground)
    if "reverse" in ink.attributes:
        sign, ground = ground, sign
    if "dim" in ink.attributes:
        sign = mixed(sign, ground)
    return sign, ground


def mixed(sign: str, ground: str) -> str:
    """Return the colour of a dim sign."""
    parts = (
        round(DIM * one + (1 - DIM) * other)
        for one, other in zip(channels(sign), channels(ground), strict=True)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of `#rrggbb`, each 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
