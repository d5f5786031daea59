"""Compiles the data files of the planner: `python -m tabchat.planner.compiling`, or `hatch_build.py` for a wheel.

It runs where nothing is installed yet, so what it imports needs no library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.choice.weights import WEIGHT_FILES
from tabchat.planner.edits.heads import word_files
from tabchat.planner.wording.terms import LANGUAGES, phrase_files
from tabchat.planner.words.languages import shipped_languages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.words.data_files import DataFiles


def shipped_files() -> Iterator[DataFiles]:
    """Yield all data files that are compiled."""
    languages = shipped_languages()
    yield from map(languages.files, languages.letters)
    yield from map(word_files, languages.letters)
    yield from map(phrase_files, LANGUAGES)
    yield WEIGHT_FILES


def compile_shipped() -> None:
    """Write the compiled files of the package beside their sources."""
    for files in shipped_files():
        files.compile()


if __name__ == "__main__":
    compile_shipped()
