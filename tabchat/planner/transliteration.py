"""Cyrillic words in Latin letters, as names of places are written: `Казань` and `Kazan`."""

from __future__ import annotations

from typing import Final

_PLAIN: Final = "abvggdeziiyklmnoprstufyee"
_LETTERS: Final = dict(zip("абвгґдезиійклмнопрстуфыэє", _PLAIN, strict=True)) | {
    "ї": "i",
    "ж": "zh",
    "х": "kh",
    "ц": "ts",
    "ч": "ch",
    "ш": "sh",
    "щ": "shch",
    "ь": "",
    "ъ": "",
    "ю": "yu",
    "я": "ya",
}
"""The letters of passports (ICAO Doc 9303), without signs for ь and ъ."""


def written(word: str) -> str:
    """Return a folded Cyrillic word in Latin letters."""
    return "".join(_LETTERS.get(letter, letter) for letter in word)
