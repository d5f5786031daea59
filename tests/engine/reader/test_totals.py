"""A last record that sums up the others is pointed out, and kept."""

import datetime as dt
import io
import json
from typing import Any

import pytest
import xlsxwriter

from tests.engine.reader.conftest import Reader


@pytest.mark.parametrize(
    "content, column, label, row",
    [
        ("region,v\na,1\nb,2\nTotal,3\n", "region", "Total", 3),
        ("id,v\n1,1\n2,2\nGRAND TOTAL:,3\n", "id", "GRAND TOTAL:", 3),
        ("код;відділ;v\n;a;1\n;b;2\n;Разом;3\n;;\n", "відділ", "Разом", 3),
        ("my name,v\na,1\nb,2\nИтого,3\n", "my name", "Итого", 3),
    ],
)
def test_a_total_is_pointed_out(reader: Reader, content: str, column: str, label: str, row: int) -> None:
    found = reader.text(content)
    assert label in found.column(column)
    note = found.notes("warning", column)[-1]
    assert f"{label!r} looks like a total of the others" in note.message
    assert (note.rows, note.count, note.totals) == ((row,), 1, (label,))
    edit = f"""'delete rows where "{column}" is "{label}"'"""
    assert note.hint == f"To leave it out: tabchat edit FILE {edit} -o NEW_FILE."


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
        "id,x,y\n1,,\n2,,\n3,,\n",
        "id,v\n1,a\n2,\n3,\n",
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
    "content, column, rows, hint",
    [
        (
            "region,v\nNorth,1\nNorth,2\nNorth Total,3\nSouth,5\nSouth Total,5\nEast,1\n",
            "region",
            (3, 5),
            """them out: tabchat edit FILE 'delete rows where "region" is "North Total" or "South Total"'""",
        ),
        (
            "Konto;v\nA;1\nB;2\nZwischensumme;3\nC;4\n",
            "Konto",
            (3,),
            """it out: tabchat edit FILE 'delete rows where "Konto" is "Zwischensumme"'""",
        ),
        (
            "a b,v\nx,1\nSub-total:,1\ny,2\nz,2\n",
            "a b",
            (2,),
            """it out: tabchat edit FILE 'delete rows where "a b" is "Sub-total:"'""",
        ),
        (
            "відділ,v\nО'Ніл,1\nО'Ніл Разом,1\nb,2\nc,1\n",
            "відділ",
            (2,),
            """it out: tabchat edit FILE 'delete rows where "відділ" is "О'"'"'Ніл Разом"'""",
        ),
    ],
)
def test_subtotals_are_pointed_out_wherever_they_are(
    reader: Reader, content: str, column: str, rows: tuple[int, ...], hint: str
) -> None:
    (note,) = reader.text(content).notes("warning", column)
    assert (note.rows, note.count, note.skews) == (rows, len(rows), True)
    assert note.hint == f"To leave {hint} -o NEW_FILE."


@pytest.mark.parametrize(
    "content", ["shop,v\nTotal Wine,1\nWine Total,2\nc,1\n", "kind,note\nsubtotal,x\nb,y\nc,z\n"]
)
def test_names_that_only_sound_so_are_no_subtotals(reader: Reader, content: str) -> None:
    assert reader.text(content).notes("warning") == []


def workbook(rows: list[list[Any]]) -> bytes:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    sheet, day = book.add_worksheet(), book.add_format({"num_format": "yyyy-mm-dd"})
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            sheet.write(i, j, cell, *([day] if isinstance(cell, dt.date) else []))
    book.close()
    return out.getvalue()


LABELS = (
    *(
        "Общий итог",
        "Всего по отчету",
        "Усього по складу",
        "Итого по отделу",
        "Разом з ПДВ",
        "Разом за березень",
    ),
    *(
        "Загалом",
        "Сумарно",
        "Итого, руб.",
        "Всього (шт)",
        "Итого за период",
        "Итого 2024",
        "Оборот за период",
        "",
    ),
    *("Total for March", "Grand total EUR", "Total: all shops", "Subtotal North", "Total s1", "Итого s1"),
)


@pytest.mark.parametrize("label", LABELS)
def test_a_last_record_is_a_total_whatever_it_says_that_it_sums_up(reader: Reader, label: str) -> None:
    text = f"shop;pieces;v\ns1;1;100\ns2;2;200\ns3;1;50\n{label};4;350\n"
    (note,) = reader.text(text).notes("warning")
    assert (note.rows, note.totals, note.skews) == ((4,), (label or "#4",), True)
    rows = [{"shop": f"s{n}", "v": n} for n in (1, 2, 3)] + [{"shop": label or None, "v": 6}]
    assert [note.rows for note in reader.text(json.dumps(rows), "t.json").notes("warning")] == [(4,)]


@pytest.mark.parametrize(
    "content, rows",
    [
        (
            "m;v\nянварь;1\nфевраль;2\nмарт;3\n1 квартал 2024 г.;6\nапрель;4\nмай;5\nиюнь;1\n2 кв.;10\nIII кв.;7\n",
            (4, 8),
        ),
        ("m;v\nQ1;3\nQ2;4\nH1;7\nQ3;1\nQ4;2\nH2;3\nYear;10\nx;1\n", (3, 6, 7)),
        ("k;v\na;100\nb;50\nИтого за 01.02.2024;150\nc;10\nИтого за 02.02.2024;10\nd;1\ne;1\nf;2\n", (3, 5)),
        ("k;v\na;1\nb;2\nИтого;3\nc;4\nИтого;4\nd;5\ne;6\nf;7\n", (3, 5)),
    ],
)
def test_figures_bear_out_subtotals_in_the_midst(reader: Reader, content: str, rows: tuple[int, ...]) -> None:
    (note,) = reader.text(content).notes("warning")
    assert (note.rows, note.count) == (rows, len(rows))


@pytest.mark.parametrize(
    "content",
    [
        "k;v\na;1\nb;2\n;4\n",
        "k;v\na;0\nb;0\n;0\n",
        "m;v\n1 квартал;6\n2 квартал;10\n3 квартал;17\n",
        "film;v\na;1\nTotal in love;9\nb;2\nc;4\nd;4\n",
        "item;v\nОборот за период;100\nОборот за год;300\nПрибыль;10\n",
    ],
)
def test_figures_that_are_no_sums_do_not(reader: Reader, content: str) -> None:
    assert reader.text(content).notes("warning") == []


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
@pytest.mark.parametrize(
    "labels",
    [{3: "Итого"}, {2: "Итого за 25.02.2024", 4: "Общий итог"}, {3: "Разом за місяць:"}, {3: "Average"}],
)
def test_a_label_among_dates_leaves_them_dates_and_is_named(
    reader: Reader, name: str, labels: dict[int, str]
) -> None:
    days = [dt.date(2024, 2, 20 + n) for n in range(3)]
    cells: list[Any] = list(days)
    for place, label in labels.items():
        cells.insert(place, label)
    if name == "t.csv":
        lines = [
            f"{c.strftime('%d.%m.%Y') if isinstance(c, dt.date) else c};{n}\n" for n, c in enumerate(cells)
        ]
        content: str | bytes = "".join(["Дата;v\n", *lines])
    else:
        content = workbook([["Дата", "v"], *([cell, n] for n, cell in enumerate(cells))])
    found = reader.text(content, name)
    assert found.types["Дата"] == "DATE"
    assert found.column("Дата") == [cell if isinstance(cell, dt.date) else None for cell in cells]
    (note,) = found.notes("warning", "Дата")
    assert note.totals == tuple(labels.values())
    assert note.rows == tuple(place + 1 for place in labels)
    assert all(repr(label) in note.message for label in labels.values())
    assert found.notes("repaired") == []
    assert reader.text(content, name, types=(("Дата", "text"),)).types["Дата"] == "VARCHAR"


def test_labels_are_kept_where_the_rest_is_no_dates(reader: Reader) -> None:
    found = reader.text("k;v\n01.02.2024;1\nИтого;2\nx;3\n")
    assert found.column("k") == ["01.02.2024", "Итого", "x"]
