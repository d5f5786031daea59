"""A table of one column loses no record: what is quoted is a cell, and blank lines that are left out are told."""

from pathlib import Path

import pytest

from tests.command import tabchat
from tests.engine.reader.conftest import Reader


def test_a_quoted_blank_cell_is_a_record(reader: Reader) -> None:
    found = reader.text('v\n1\n""\n3\n""\n')
    assert (found.column("v"), found.notes("warning")) == ([1, None, 3, None], [])


@pytest.mark.parametrize(
    "text, count", [("v\n1\n\n2\n\n\n3\n\n\n", 3), ("v\n\n1\n2\n", 1), ("v\n1\n2\n\n", 0)]
)
def test_blank_lines_between_records_are_told(reader: Reader, text: str, count: int) -> None:
    found = reader.text(text)
    assert found.column("v") == [1, 2, 3][: len(found.rows)]
    assert [note.count for note in found.notes("warning")] == [count] * bool(count)


def test_a_column_with_missing_cells_comes_back_from_csv(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"v":1}\n{"v":null}\n{"v":3}\n{"v":null}\n')
    assert tabchat("query", "t.jsonl", "{}", "-o", "out.csv", cwd=tmp_path).code == 0
    rows = tabchat("query", "out.csv", "{}", "--json", cwd=tmp_path).json["table"]["rows"]
    assert rows == [[1], [None], [3], [None]]
