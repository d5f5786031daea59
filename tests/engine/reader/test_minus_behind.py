"""A minus behind a number, as SAP writes it, is told; where it may be a mark of a school, the cell stays text."""

import pytest

from tests.engine.reader.conftest import Reader


def test_a_minus_behind_is_told(reader: Reader) -> None:
    found = reader.text("k;v\na;5,50-\nb;7,00\nc;-1,25\n")
    assert found.column("v") == [-5.5, 7, -1.25]
    (note,) = found.notes("inferred", "v")
    assert note.message == "Numbers of 'v' with a minus behind them, such as '5.00-', were read as negative."


def test_a_minus_behind_is_told_where_no_sample_looks(reader: Reader) -> None:
    lines = [f"{n},{n}.5\n" for n in range(60_000)]
    lines[41_000] = "41000,41000.5-\n"
    found = reader.text("k,v\n" + "".join(lines))
    assert found.column("v")[40_999:41_002] == [40_999.5, -41_000.5, 41_001.5]
    assert any("a minus behind" in note.message for note in found.notes("inferred", "v"))


@pytest.mark.parametrize("cells", [["2-", "3", "1-"], ["5.0-7.0", "1.0"], ["-5.0-", "1.0"], ["5.0--", "1.5"]])
def test_other_cells_with_a_minus_at_the_end_stay_text(reader: Reader, cells: list[str]) -> None:
    found = reader.text("k;v\n" + "".join(f"x;{cell}\n" for cell in cells))
    assert found.column("v") == cells
