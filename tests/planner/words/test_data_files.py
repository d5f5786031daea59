"""The data files of the languages are whole, and mean the same to any reader of TOML."""

import tomllib
from typing import Any

import pytest

from tabchat.planner.words import shipped_languages
from tabchat.planner.words.lexicon_file import read_sections

LANGUAGES = ("en", "uk", "ru")


def _files(language: str) -> list[str]:
    folder = shipped_languages().folder
    return [
        path.read_text(encoding="utf-8")
        for path in (folder / f"{language}.toml", folder / "time" / f"{language}.toml")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_small_reader_reads_what_toml_says(language: str) -> None:
    expected: dict[str, Any] = {}
    for text in _files(language):
        expected |= tomllib.loads(text)

    assert read_sections(*_files(language)) == expected


def test_the_small_reader_reads_the_other_files_alike() -> None:
    folder = shipped_languages().folder
    paths = [
        folder / "languages.toml",
        folder / "countries.toml",
        *folder.parent.glob("wording/phrases.*.toml"),
        *folder.parent.glob("edits/words/*.toml"),
    ]
    assert len(paths) == 8
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert read_sections(text) == tomllib.loads(text), path.name


@pytest.mark.parametrize("language", ["uk", "ru"])
@pytest.mark.parametrize(
    "section", ["concepts", "headers", "scales", "relative", "clock", "thirds", "months", "seasons"]
)
def test_every_language_says_what_english_says(language: str, section: str) -> None:
    english, other = (read_sections(*_files(name))[section] for name in ("en", language))
    only_english = {"article", "nth.1", "rel.past", "top.worst", "budget", "attendance", "density", "opened"}

    assert set(english) - set(other) <= only_english


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_of_stems_is_sorted_and_says_where_it_is_from(language: str) -> None:
    head, *stems = shipped_languages().stems_of(language).read_bytes().splitlines()

    assert b"benchmarks/list_stems.py" in head
    assert stems == sorted(set(stems))


@pytest.mark.parametrize(
    "word,language,real",
    [
        ("horses", "en", True),
        ("hrose", "en", False),
        ("кричали", "uk", True),
        ("скікьи", "uk", False),
        ("деревьями", "ru", True),
        ("internationalisation", "en", None),
    ],
)
def test_real_words_are_known(word: str, language: str, real: bool | None) -> None:
    assert shipped_languages().is_word(word, language) is real
