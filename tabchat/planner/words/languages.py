"""The languages that a question can be in, each with a data file of its words."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.data_files import DataFiles
from tabchat.planner.words.lexicon import Lexicon
from tabchat.planner.words.spelling import is_word
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.planner.words.data_files import Sections

_CODE: Final = ("prepared", "inflection", "lexicon_file", "phrases", "token")
CODE: Final = tuple(Path(__file__).with_name(f"{name}.py") for name in _CODE)
"""Modules of this package that what a lexicon is made of depends on."""

_KEYS: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_LAYOUTS: Final = ("йцукенгшщзхїфівапролджєячсмитьбю'", "йцукенгшщзхъфывапролджэячсмитьбюё")
"""What the same keys write on the keyboards of other languages."""


def retyped(text: str) -> tuple[str, ...]:
    """Return what a text would be on other keyboards: `ghjlf;b` is `продажи`."""
    folded = text.casefold()
    pairs = [(_KEYS, layout) if text.isascii() else (layout, _KEYS) for layout in _LAYOUTS]
    return tuple(folded.translate(str.maketrans(*pair)) for pair in pairs)


@record
class Languages:
    """A folder of data files, one for each language, with `languages.toml` that lists them."""

    folder: Path
    letters: Mapping[str, frozenset[str]]
    """Language → the letters of its script."""
    marks: Mapping[str, frozenset[str]]
    """Language → the letters that no other language of its script has."""
    _loaded: dict[str, Lexicon] = field(default_factory=dict)

    def of(self, text: str) -> tuple[str, ...]:
        """Return the languages that `text` can be in, the likeliest first; all that share its letters in doubt."""
        used = frozenset(text.casefold())
        able = [language for language, letters in self.letters.items() if used & letters]
        marked = [language for language in able if used & self.marks[language]]
        kept = [
            language
            for language in able
            if language in marked or not any(self.letters[language] & self.letters[other] for other in marked)
        ]
        return tuple(kept) or tuple(self.letters)[-1:]

    def stems_of(self, language: str) -> Path:
        """Return the file that lists the stems of a language's real words; it need not be there."""
        return self.folder / "stems" / f"{language}.txt"

    def vectors_of(self, language: str) -> Path:
        """Return the file of the vectors of a language's words; it need not be there."""
        return self.folder / "vectors" / f"{language}.bin"

    def is_word(self, word: str, language: str) -> bool | None:
        """Tell whether a folded word is a real one; None when the lists cannot tell."""
        return is_word(word, self.load(language).inflection, self.stems_of(language))

    def load(self, language: str) -> Lexicon:
        """Return one language's lexicon; its files are read once."""
        if language not in self._loaded:
            self._loaded[language] = Lexicon(self.files(language).sections(), self.vectors_of(language))
        return self._loaded[language]

    def files(self, language: str) -> DataFiles:
        """Return the data files of one language, which need not all be there."""
        foreign = frozenset().union(*self.letters.values()) - self.letters[language]

        def read(index: str, words: str, times: str, countries: str, things: str) -> Sections:
            from tabchat.planner.words.prepared import prepared

            del index  # the letters of the languages are known
            return prepared(words, times, countries=countries, things=things, foreign=foreign)

        return DataFiles(
            paths=(
                self.folder / "languages.toml",
                self.folder / f"{language}.toml",
                self.folder / "time" / f"{language}.toml",
                self.folder / "countries.toml",
                self.folder / "things" / f"{language}.txt",
            ),
            code=CODE,
            compiled=self.folder / f"{language}.compiled",
            read=read,
        )


def open_languages(folder: Path) -> Languages:
    """Open a folder of language data."""
    from tabchat.planner.words.lexicon_file import read_sections

    index = read_sections(folder.joinpath("languages.toml").read_text(encoding="utf-8"))
    return Languages(
        folder=folder,
        letters={name: frozenset(entry["letters"]) for name, entry in index.items()},
        marks={name: frozenset(entry["marks"]) for name, entry in index.items()},
    )


@lru_cache(maxsize=1)
def shipped_languages() -> Languages:
    """Return the languages that come with the package."""
    return open_languages(Path(__file__).parents[1] / "lexicons")
