"""Years of two digits are of 1969 to 2068: where that puts dates far ahead, it is told with every answer."""

import pytest

from tabchat.engine.table import LoadNote
from tests.engine.reader.conftest import Reader


def centuries(notes: list[LoadNote]) -> list[LoadNote]:
    return [note for note in notes if "two digits" in note.message]


@pytest.mark.parametrize("name", ["table.csv", "table.json"])
def test_dates_far_ahead_are_told(reader: Reader, name: str) -> None:
    born = ["01.02.69", "31.12.68", "15.06.24", "19.07.55"]
    csv = "born;n\n" + "".join(f"{cell};1\n" for cell in born)
    json = "[" + ",".join(f'{{"born": "{cell}"}}' for cell in born) + "]"
    found = reader.text(csv if name.endswith("csv") else json, name)
    assert [day.year for day in found.column("born")] == [1969, 2068, 2024, 2055]
    (note,) = centuries(found.notes("warning", "born"))
    assert (note.count, note.rows, note.skews) == (2, (2, 4), True)
    assert note.message.startswith(
        "Years of two digits of 'born' were taken for 1969 to 2068, so that 2 dates "
    )
    assert note.message.endswith(", up to 2068.")
    assert note.hint == "If they belong to the century before, keep them as written: --type 'born=text'."


@pytest.mark.parametrize(
    "cells", ["01.02.69\n31.12.24\n", "01.02.2069\n31.12.2068\n", "12-Mar-24\n13-Mar-99\n"]
)
def test_dates_of_now_and_years_of_four_digits_are_not(reader: Reader, cells: str) -> None:
    assert centuries(list(reader.text(f"born\n{cells}").table.report.notes)) == []
