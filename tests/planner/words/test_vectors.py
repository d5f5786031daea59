"""Words that are used alike have vectors that lie near each other, whatever language they are of."""

from itertools import product
from pathlib import Path
from zlib import crc32

import pytest

from tabchat.planner.words import shipped_languages
from tabchat.planner.words.vectors import HEAD, LENGTH, MARK, Vectors, likeness_of

_ALIKE = [("doctor", "лікар"), ("doctor", "врач"), ("кошка", "кіт"), ("house", "home"), ("вино", "wine")]
_UNLIKE = [("doctor", "wine"), ("врач", "вино"), ("house", "кошка")]


def _likeness(one: str, other: str) -> float:
    found = []
    for word in (one, other):
        vectors = (shipped_languages().load(language).vector(word) for language in ("en", "uk", "ru"))
        found.append(next(vector for vector in vectors if vector is not None))
    return likeness_of(*found)


def test_words_for_one_thing_are_more_alike_than_words_for_two() -> None:
    assert min(_likeness(*pair) for pair in _ALIKE) > max(_likeness(*pair) for pair in _UNLIKE)


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_every_vector_has_the_same_length(language: str) -> None:
    lexicon = shipped_languages().load(language)
    words = {"en": ("cat", "price", "river"), "uk": ("кіт", "ціна", "річка"), "ru": ("кот", "цена", "река")}

    vectors = [lexicon.vector(word) for word in words[language]]

    assert [vector is not None and round(likeness_of(vector, vector), 1) for vector in vectors] == [1.0] * 3


def test_a_form_has_the_vector_of_its_word_and_nonsense_has_none() -> None:
    russian = shipped_languages().load("ru")

    assert russian.vector("собаками") == russian.vector("собака") is not None
    assert russian.vector("бррхыть") is None


def test_likeness_is_the_same_both_ways() -> None:
    for one, other in product(("doctor", "wine"), ("лікар", "вино")):
        assert _likeness(one, other) == _likeness(other, one)


def test_a_file_that_is_not_there_holds_no_word(tmp_path: Path) -> None:
    assert Vectors(tmp_path / "xx.bin").find("word") is None


def test_a_word_is_found_among_those_of_a_file(tmp_path: Path) -> None:
    signs = sorted((crc32(word.encode()), row) for row, word in enumerate(("one", "two", "three")))
    file = tmp_path / "xx.bin"
    file.write_bytes(
        HEAD.pack(MARK, 3, 3, 2)
        + b"".join(sign.to_bytes(4, "little") for sign, _ in signs)
        + b"".join(row.to_bytes(2, "little") for _, row in signs)
        + bytes([127, 0, 0, 127, 90, 90])
    )
    vectors = Vectors(file)

    found = [vectors.find(word) for word in ("one", "two", "three", "four")]

    assert [None if row is None else list(row) for row in found] == [[127, 0], [0, 127], [90, 90], None]
    assert LENGTH == 254
