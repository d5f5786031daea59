"""Words in Latin letters, however they are romanised: a file `zamky.csv` holds `замки`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_LETTERS: Final = str.maketrans(
    dict(
        zip(
            "абвгґдеєёжзиіїйклмнопрстуфхцчшщыэюя",
            "abvhhdeeezziiiiklmnoprstufhccssieua",
            strict=True,
        )
    )
    | {"ь": "", "ъ": "", "'": ""}
)
_SPELLINGS: Final = (
    ("shch", "s"), ("sch", "s"), ("sh", "s"), ("ch", "c"), ("zh", "z"), ("kh", "h"), ("ts", "c"), ("yi", "i"),
    ("yu", "u"), ("iu", "u"), ("ju", "u"), ("ya", "a"), ("ia", "a"), ("ja", "a"), ("ye", "e"), ("ie", "e"), ("yo", "e"),
    ("io", "e"), ("y", "i"), ("j", "i"), ("g", "h"), ("x", "h"), ("w", "v"),
)  # fmt: skip
"""How romanisations differ, brought to one letter each."""
_SHORT: Final = 4
"""Letters from which a stem may lack two letters of the name, else one."""


def names_in_latin(stems: Iterable[str], names: Iterable[str]) -> bool:
    """Tell whether a stem of a Cyrillic word begins one of `names` in Latin letters, but for its ending."""
    reduced = [_reduced(name) for name in names if name.isascii() and name.isalpha()]
    for stem in stems:
        latin = _reduced(stem.translate(_LETTERS))
        missing = 2 if len(latin) >= _SHORT else 1
        if (
            not stem.isascii()
            and len(latin) > 2  # noqa: PLR2004 - a stem has three letters
            and any(name.startswith(latin) and len(name) - len(latin) <= missing for name in reduced)
        ):
            return True
    return False


def _reduced(word: str) -> str:
    for spelling, letter in _SPELLINGS:
        word = word.replace(spelling, letter)
    return word
