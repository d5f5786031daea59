"""A last record that sums up the others is pointed out, and kept."""

import json

import pytest

from tests.engine.reader.conftest import Reader


@pytest.mark.parametrize(
    "content, column, label, row, condition",
    [
        ("region,v\na,1\nb,2\nTotal,3\n", "region", "Total", 3, "region != 'Total'"),
        ("id,v\n1,1\n2,2\nGRAND TOTAL:,3\n", "id", "GRAND TOTAL:", 3, "id != 'GRAND TOTAL:'"),
        ("код;відділ;v\n;a;1\n;b;2\n;Разом;3\n;;\n", "відділ", "Разом", 3, "відділ != 'Разом'"),
        ("my name,v\na,1\nb,2\nИтого,3\n", "my name", "Итого", 3, "\\\"my name\\\" != 'Итого'"),
    ],
)
def test_a_total_is_pointed_out(
    reader: Reader, content: str, column: str, label: str, row: int, condition: str
) -> None:
    found = reader.text(content)
    assert label in found.column(column)
    note = found.notes("warning", column)[-1]
    assert f"{label!r} looks like a total of the others" in note.message
    assert (note.rows, note.count) == ((row,), 1)
    assert note.hint == f'To leave it out: "where": "{condition}" in a plan.'


@pytest.mark.parametrize(
    "content, row, what",
    [
        ("k,n,v\nTotal,9,6\na,2,1\nb,3,2\nc,4,3\n", 1, "a total"),
        ("k,v\nУсього,6.3\na,1.1\nb,2.1\nc,3.1\n", 1, "a total"),
        ("k,v\na,1\nb,3\nAverage,2\n", 3, "an average"),
        ("k,v\na,1\nb,3\nСреднее:,2\n", 3, "an average"),
    ],
)
def test_sums_at_the_head_and_averages_are_pointed_out(
    reader: Reader, content: str, row: int, what: str
) -> None:
    (note,) = reader.text(content).notes("warning", "k")
    assert note.message.endswith(f" looks like {what} of the others, and counts as one of them.")
    assert note.rows == (row,)


def test_a_total_among_records_of_a_json_file(reader: Reader) -> None:
    records = [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "Total", "v": 3}]
    found = reader.text(json.dumps(records), "table.json")
    assert [note.rows for note in found.notes("warning", "k")] == [(3,)]


@pytest.mark.parametrize(
    "content",
    [
        "region,v\nTotal,3\na,1\nb,2\nc,2\n",
        "region,v\na,1\nTotal\n",
        "region,n,v\nTotal,5,3\na,1,1\nb,2,2\nc,1,0\n",
        "region,v\na,1\nb,2\nTotal Wine,3\n",
        "region,note\na,x\nb,y\nTotal,z\n",
        "region,kind,v\na,x,1\nb,y,2\nc,total,3\n",
        "a,b\n1,2\n3,4\n4,6\n",
    ],
)
def test_other_records_are_no_totals(reader: Reader, content: str) -> None:
    notes = reader.text(content).table.report.notes
    assert not any("looks like a total" in note.message for note in notes)


@pytest.mark.parametrize(
    "content, column, rows, condition",
    [
        (
            "region,v\nNorth,1\nNorth,2\nNorth Total,3\nSouth,5\nSouth Total,5\nEast,1\n",
            "region",
            (3, 5),
            "region not in ('North Total', 'South Total')",
        ),
        ("Konto;v\nA;1\nB;2\nZwischensumme;3\nC;4\n", "Konto", (3,), "Konto not in ('Zwischensumme')"),
        ("a b,v\nx,1\nSub-total:,1\ny,2\nz,2\n", "a b", (2,), "\\\"a b\\\" not in ('Sub-total:')"),
        ("відділ,v\nО'Ніл,1\nО'Ніл Разом,1\nb,2\nc,1\n", "відділ", (2,), "відділ not in ('О''Ніл Разом')"),
    ],
)
def test_subtotals_are_pointed_out_wherever_they_are(
    reader: Reader, content: str, column: str, rows: tuple[int, ...], condition: str
) -> None:
    (note,) = reader.text(content).notes("warning", column)
    assert (note.rows, note.count, note.skews) == (rows, len(rows), True)
    assert note.hint == f'To leave them out: "where": "{condition}" in a plan.'


@pytest.mark.parametrize(
    "content", ["shop,v\nTotal Wine,1\nWine Total,2\nc,1\n", "kind,note\nsubtotal,x\nb,y\nc,z\n"]
)
def test_names_that_only_sound_so_are_no_subtotals(reader: Reader, content: str) -> None:
    assert reader.text(content).notes("warning") == []
