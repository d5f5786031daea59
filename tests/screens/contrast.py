"""How well the signs of a screen stand out from their ground: the contrast ratio of WCAG 2.2, from 1 to 21."""

from collections.abc import Iterator

from tests.screens.palette import PALETTES, channels, painted
from tests.screens.screen import Run, Screen


def contrasts(screen: Screen) -> Iterator[tuple[str, Run, float]]:
    """Yield (theme, run, contrast) for every run of signs."""
    for theme, palette in PALETTES.items():
        for run in screen.runs:
            if run.text.strip():
                yield theme, run, contrast(*painted(run.ink, palette))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
