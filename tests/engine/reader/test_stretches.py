"""Irregular text taken apart into regular stretches and single records."""

import csv
import io

import pytest

from tabchat.engine.reader.text import stretches as module
from tabchat.engine.reader.text.dialect import Dialect, Layout, UnclosedQuoteError
from tabchat.engine.reader.text.stretches import Stretch, stretches
from tests.engine.reader.conftest import Reader

LAYOUT = Layout(titles=0, header=["a", "b", "c"], width=3)
REGULAR = ["1,2,3", " x ,,y", "it's,é,5"]
ODD = ["4,5", "6,7,8,9", "", '"p, q",r,s', '"line\nbreak, ""x""",t,u', "n\0l,v,w", '5",6,7']


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 9, 40, 1 << 17])
def test_stretches_and_records_together_are_the_records_of_the_text(
    monkeypatch: pytest.MonkeyPatch, size: int, end: str
) -> None:
    monkeypatch.setattr(module, "_BLOCK", size)
    lines = ["a,b,c", *(line for odd in ODD for line in (*REGULAR, odd, *REGULAR, *REGULAR))]
    for text in (end.join(lines), end.join(lines) + end):
        found: list[list[str]] = []
        for part in stretches(io.StringIO(text, newline=""), Dialect(delimiter=","), LAYOUT):
            if isinstance(part, Stretch):
                cells = [line.split(",") for line in part.text.removesuffix("\n").split("\n")]
                assert len(cells) == part.rows
                found += cells
            else:
                found.append(part)
        assert found == [record for record in csv.reader(io.StringIO(text, newline="")) if record][1:]


def test_regular_lines_are_taken_as_they_stand() -> None:
    body = "".join(f"{line}\n" for line in REGULAR)
    (stretch,) = stretches(io.StringIO(body), Dialect(delimiter=","), Layout(titles=0, header=None, width=3))
    assert isinstance(stretch, Stretch)
    assert (stretch.text, stretch.rows) == (body, 3)
    assert stretch.widened(2, ",").splitlines()[0] == "1,2,3,,"


def test_a_quote_that_is_never_closed_is_told() -> None:
    text = io.StringIO('a,b,c\n1,2,3\n1,"2,3\n' + "1,2,3\n" * 5)
    with pytest.raises(UnclosedQuoteError):
        list(stretches(text, Dialect(delimiter=","), LAYOUT))


@pytest.mark.parametrize("rows", [3, 40])
def test_each_note_names_its_own_column_and_records_in_a_wide_table(reader: Reader, rows: int) -> None:
    width = 130
    cells = [[str(row * column) for column in range(width)] for row in range(1, rows + 1)]
    cells[1][5], cells[1][65], cells[2][125] = "n/a", " 7 ", "-"
    header = ",".join(f"c{i}" for i in range(width))
    found = reader.text(f"{header}\n" + "".join(",".join(row) + "\n" for row in cells))
    notes = {note.column: (note.rows, note.count) for note in found.notes("repaired")}
    assert notes == {"c5": ((2,), 1), "c65": ((2,), 1), "c125": ((3,), 1)}
    assert [found.column(name)[1] for name in ("c5", "c65", "c66")] == [None, 7, 132]
