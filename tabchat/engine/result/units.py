"""Units of figures: cells hold the bare numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tabchat.engine.types import Schema

SIGNS: Final = frozenset("$€£₴₽¥")
"""Signs of currencies, which English writes before an amount."""


def units_told(schema: Schema) -> tuple[str, ...]:
    """Return `price in $` of every column with a unit that its name does not say."""
    return tuple(
        f"{column.name} in {column.unit}"
        for column in schema
        if column.unit is not None and column.unit.casefold() not in column.name.casefold()
    )


def with_unit(text: str, unit: str | None) -> str:
    """Return a number that is written already with its unit: `$20`, `$20m`, `7%`, `3 kg`."""
    if not unit:
        return text
    if unit[0] in SIGNS:
        sign, scale = unit[0], unit[1:]
        return f"-{sign}{text[1:]}{scale}" if text.startswith("-") else f"{sign}{text}{scale}"
    return f"{text}%" if unit == "%" else f"{text} {unit}"
