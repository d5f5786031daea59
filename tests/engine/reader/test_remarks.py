"""Remarks under a table are pointed out, and kept as the records that they are."""

import pytest

from tests.engine.reader.conftest import Reader


@pytest.mark.parametrize(
    "remarks, rows",
    [
        ("Source: the ministry\n", (4,)),
        ("\nSource: the ministry\n* provisional,\n", (4, 5)),
        (",,\nSource: the ministry,,\n", (5,)),
    ],
)
def test_remarks_at_the_end_are_pointed_out(reader: Reader, remarks: str, rows: tuple[int, ...]) -> None:
    found = reader.text("id,k,v\n1,a,10\n2,b,20\n3,c,30\n" + remarks)
    (note,) = (note for note in found.notes("warning", "id") if "remark" in note.message)
    assert (note.rows, note.count, note.skews) == (rows, len(rows), True)
    assert found.table.row_count == rows[-1]


@pytest.mark.parametrize(
    "text",
    [
        "name,v,w\na,1,2\nb,,\nc,3,4\nd,,\n",
        "name,v,w\na,1,2\nb,3,4\nc,,5\n",
        "name,v,w\na,1,2\nb,,\n",
        "name\na\nb\nc\nd\n",
        "id,v\n1,1\n2,2\n3,3\n4,\n",
    ],
)
def test_other_records_are_no_remarks(reader: Reader, text: str) -> None:
    assert not any("remark" in note.message for note in reader.text(text).table.report.notes)


def test_a_missing_second_cell_is_no_remark_and_a_sentence_is_one(reader: Reader) -> None:
    rows = "k,rate\na,1\nb,2\nc,3\n"
    assert not reader.text(f"{rows}d,\n").notes("warning", "k")
    assert reader.text(f"{rows}Source: the ministry,\n").notes("warning", "k")


@pytest.mark.parametrize("word", ["Iнтернет", "Интepнет", "Mосква", "Gооgle", "ТOВ"])
def test_a_word_of_two_alphabets_is_told(reader: Reader, word: str) -> None:
    (note,) = reader.text(f"word;v\nІнтернет;1\nx;2\nу {word};3\n").notes("warning")
    assert (note.column, note.rows, note.count, note.skews) == ("word", (3,), 1, True)
    assert repr(f"у {word}") in note.message


@pytest.mark.parametrize(
    "word", ["USB-кабель", "SMSка", "3D принтер", "iPhone для дому", "ВЛК №5", "vitamin C и D"]
)
def test_words_of_one_alphabet_beside_others_are_not(reader: Reader, word: str) -> None:
    assert reader.text(f"word;v\nІнтернет;1\nx;2\n{word};3\n").notes("warning") == []
