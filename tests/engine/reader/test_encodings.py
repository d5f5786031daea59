"""An encoding is told by few letters, and by signs alone: what is common wins where nothing speaks against it."""

import pytest

from tabchat.engine.reader.text.encoding import detect
from tests.engine.reader.conftest import Reader


@pytest.mark.parametrize(
    "encoding, words",
    [
        ("cp1252", "Muñoz;Málaga;España;Peña;Niño"),
        ("cp1252", "ESPAÑA;AÑO"),
        ("cp1252", "Peña"),
        ("cp1252", "João;São Paulo;Conceição"),
        ("cp1252", "Søren"),
        ("cp1252", "Müller;Hélène;Åsa;Muñoz"),
        ("cp1252", "O’Brien “x”;it’s"),
        ("cp1252", "5 €;6 €"),
        ("cp1252", "£5;£6"),
        ("cp1252", "5°C;½"),
        ("cp1252", "1\u00a0234;5\u00a0678"),
        ("cp1250", "Łódź;łódzkie;Gdańsk"),
        ("cp1250", "město;Plzeň;Jihočeský;Příbram"),
        ("cp1250", "Győr;Érd;Tűz"),
        ("cp1250", "Čakovec;Šibenik"),
        ("cp1254", "şehir;İstanbul;Muğla;Iğdır"),
        ("cp1251", "банка;завод"),
        ("cp1251", "на;да"),
        ("cp1251", "ООО «Ромашка»;ЗАО – филиал"),
        ("cp1251", "Иванов А. Б.;Лада XRAY"),
        ("koi8-u", "Місто;Їжак;Київ"),
        ("cp866", "Город;Сумма;МОСКВА"),
    ],
)
def test_the_words_come_out_as_they_were(encoding: str, words: str) -> None:
    content = f"a;b;c\n{words}\n".encode(encoding)
    found = detect(content, complete=True)
    assert found.guessed
    assert content.decode(found.codec) == f"a;b;c\n{words}\n"


def test_amounts_in_euros_are_numbers(reader: Reader) -> None:
    found = reader.text("item;price\nx;5,50 €\ny;6,00 €\n".encode("cp1252"))
    assert found.column("price") == [5.5, 6]
    assert found.table.report.encoding == "cp1252"


@pytest.mark.parametrize(
    "encoding, other", [("cp1252", "cp1250"), ("cp1251", "koi8-u"), ("cp1250", "cp1252")]
)
def test_the_hint_names_another_encoding(reader: Reader, encoding: str, other: str) -> None:
    words = {"cp1252": "Málaga;Muñoz", "cp1251": "Город;Москва", "cp1250": "Łódź;łódzkie"}[encoding]
    (note,) = (
        n
        for n in reader.text(f"{words}\n1;2\n".encode(encoding)).notes("inferred")
        if "encoding" in n.message
    )
    assert note.hint == f"If letters look wrong, say which it is, such as --encoding {other}."


def test_a_foreign_byte_far_behind_in_one_long_word_is_still_read() -> None:
    assert detect(b"a" * 999_999 + b"\xe9", complete=True).codec == "cp1252"


@pytest.mark.parametrize("words", ["José;Łódź", "Київ", "5 €", "Peña;¿y?"])
def test_one_foreign_byte_makes_no_text_of_few_letters_an_eight_bit_one(reader: Reader, words: str) -> None:
    found = reader.text(f"a;b\n{words};1\n".encode() + b"Jos\xe9;2\n")
    assert found.table.report.encoding == "utf-8"
    assert [note.message for note in found.notes("warning")][:1] == [
        "1 byte is not valid utf-8 and became a replacement character."
    ]
