"""The light look at a table: exact ends and counts, values where they are few, kept on disk by version."""

import datetime as dt
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.engine.profile import sketch as sketching
from tabchat.engine.profile.cache import cached_sketch
from tabchat.engine.profile.sketch import ColumnSketch, TableSketch, sketch_table
from tabchat.engine.table import Table
from tabchat.engine.types import Engine
from tabchat.sealed import SealedFolder
from tests.seals import SEAL
from tests.workspace import make_workspace

CSV = """id,kind,when,size,note,ok
1,b,2024-01-02 10:00:00,1.5,first,true
2,a,2024-01-01 09:00:00,,second,false
3,b,2024-03-01 00:00:00,-2.25,third,true
4,,2024-02-01 00:00:00,7,fourth,
"""


def sketches(folder: Path) -> SealedFolder:
    return SealedFolder(path=folder / "sketches", seal=SEAL, kept=500)


@pytest.fixture
def opened(tmp_path: Path) -> tuple[Engine, Table]:
    source = tmp_path / "t.csv"
    source.write_text(CSV, encoding="utf-8")
    workspace = make_workspace(tmp_path, source)
    return workspace.engine, workspace.tables["t"]


def test_ends_and_missing_values_are_exact_and_values_are_kept_where_they_repeat(
    opened: tuple[Engine, Table],
) -> None:
    found = sketch_table(*opened)
    assert found.rows == 4
    assert found.columns == {
        "id": ColumnSketch(missing=0, min=1, max=4),
        "kind": ColumnSketch(missing=1, distinct=2, values=("b", "a")),
        "when": ColumnSketch(
            missing=0,
            min=dt.datetime(2024, 1, 1, 9),  # noqa: DTZ001 - cells have no zone
            max=dt.datetime(2024, 3, 1),  # noqa: DTZ001
        ),
        "size": ColumnSketch(missing=1, min=-2.25, max=7.0),
        "note": ColumnSketch(missing=0, distinct=4),
        "ok": ColumnSketch(missing=1),
    }
    assert found.preview[1] == (2, "a", "2024-01-01 09:00:00", None, "second", False)


def test_a_large_table_is_looked_at_in_runs_spread_over_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sketching, "SAMPLE_CELLS", 160)
    source = tmp_path / "t.csv"
    lines = (f"{n},{'early' if n < 5_000 else 'late'}\n" for n in range(10_000))
    source.write_text("n,half\n" + "".join(lines), encoding="utf-8")
    workspace = make_workspace(tmp_path, source)
    found = sketch_table(workspace.engine, workspace.tables["t"])
    assert found.columns == {
        "n": ColumnSketch(missing=0, min=0, max=9_999),
        "half": ColumnSketch(missing=0, distinct=2, values=("early", "late")),
    }


def test_what_was_kept_is_what_was_seen_and_its_owners_alone(
    opened: tuple[Engine, Table], tmp_path: Path
) -> None:
    folder = sketches(tmp_path)
    fresh = cached_sketch(*opened, folder)
    (path,) = folder.path.iterdir()
    assert fresh == sketch_table(*opened)
    opened[0].close()
    assert cached_sketch(*opened, folder) == fresh
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


@pytest.mark.parametrize("damage", [b"", b"{}", b"not json", b'{"rows": 1, "columns": {}, "preview": []}'])
def test_a_damaged_file_is_as_good_as_none(
    opened: tuple[Engine, Table], tmp_path: Path, damage: bytes
) -> None:
    folder = sketches(tmp_path)
    fresh = cached_sketch(*opened, folder)
    (path,) = folder.path.iterdir()
    path.write_bytes(damage)
    assert cached_sketch(*opened, folder) == fresh
    assert path.read_bytes() != damage


def test_a_folder_that_cannot_be_written_costs_time_only(
    opened: tuple[Engine, Table], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert cached_sketch(*opened, sketches(tmp_path / "file")) == sketch_table(*opened)
    assert cached_sketch(*opened, None) == sketch_table(*opened)


def test_a_table_with_hidden_columns_has_a_sketch_of_its_own(
    opened: tuple[Engine, Table], tmp_path: Path
) -> None:
    engine, table = opened
    whole = cached_sketch(engine, table, sketches(tmp_path))
    shown = replace(table, schema=table.schema[:2])
    narrow: TableSketch = cached_sketch(engine, shown, sketches(tmp_path))
    assert list(narrow.columns) == ["id", "kind"]
    assert narrow.preview == tuple(row[:2] for row in whole.preview)
    assert len(list(sketches(tmp_path).path.iterdir())) == 2
