"""How a cell of a terminal is drawn: its colours and attributes, as escape sequences set them."""

from __future__ import annotations

from typing import Final, NamedTuple

NAMES: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_ATTRIBUTES: Final = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse"}
_ENDINGS: Final = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 27: ("reverse",)}
_PALETTE, _TRUE_COLOUR = 5, 2


class Ink(NamedTuple):
    """Colours are a name of `NAMES`, `bright-` before it, `#rrggbb`, or empty: that of the terminal itself."""

    foreground: str = ""
    background: str = ""
    attributes: frozenset[str] = frozenset()

    def __str__(self) -> str:
        background = f"on {self.background}" if self.background else ""
        return " ".join(part for part in (*sorted(self.attributes), self.foreground, background) if part)

    def of_blank(self) -> Ink:
        """Return what of it can be seen where there is no sign."""
        seen = self.attributes & {"reverse", "underline"}
        return Ink(self.foreground if "reverse" in seen else "", self.background, seen)

    @classmethod
    def read(cls, text: str) -> Ink:
        """Return the ink that `str` wrote."""
        words, _, background = f" {text}".partition(" on ")
        attributes = frozenset(word for word in words.split() if word in _ATTRIBUTES.values())
        colours = [word for word in words.split() if word not in attributes]
        return cls("".join(colours), background, attributes)


PLAIN: Final = Ink()


def changed(ink: Ink, arguments: str) -> Ink:
    """Return what `\\x1b[…m` with these arguments makes of `ink`."""
    numbers = [int(part or 0) for part in arguments.split(";")]
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            ink = PLAIN
        elif number in _ATTRIBUTES:
            ink = ink._replace(attributes=ink.attributes | {_ATTRIBUTES[number]})
        elif number in _ENDINGS:
            ink = ink._replace(attributes=ink.attributes.difference(_ENDINGS[number]))
        elif number in {38, 48}:
            colour = _of_palette(numbers) if numbers.pop(0) == _PALETTE else _true_colour(numbers)
            behind = number == 48
            ink = ink._replace(background=colour) if behind else ink._replace(foreground=colour)
        else:
            ink = _coloured(ink, number)
    return ink


def _coloured(ink: Ink, number: int) -> Ink:
    tens, place = divmod(number, 10)
    name = NAMES[place] if place < len(NAMES) else ""
    match tens:
        case 3:
            return ink._replace(foreground=name)
        case 4:
            return ink._replace(background=name)
        case 9:
            return ink._replace(foreground=f"bright-{name}")
        case 10:
            return ink._replace(background=f"bright-{name}")
        case _:
            return ink


def _of_palette(numbers: list[int]) -> str:
    number = numbers.pop(0)
    if number < len(NAMES):
        return NAMES[number]
    if number < 16:
        return f"bright-{NAMES[number - 8]}"
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    steps = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return f"#{steps[red]:02x}{steps[rest // 6]:02x}{steps[rest % 6]:02x}"


def _true_colour(numbers: list[int]) -> str:
    red, green, blue = (numbers.pop(0) for _ in range(3))
    return f"#{red:02x}{green:02x}{blue:02x}"
