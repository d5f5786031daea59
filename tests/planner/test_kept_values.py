"""The value index on disk: the same values again, for its owner alone, and never a reason to fail."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tabchat.planner.catalog import EngineTable
from tabchat.planner.kept_values import ListedValues, read_values, write_values
from tabchat.sealed import SealedFolder
from tests.planner.gold import EXAMPLES
from tests.seals import OTHER_SEAL, SEAL

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

VALUES = ListedValues(listed={2: ("Asia", "Европа")}, held={6: ("Ash & Co", "Zoë")}, unheld=(5,))


@pytest.fixture
def sales(asker: Asker) -> EngineTable:
    asker.planner(EXAMPLES / "sales.csv")
    return EngineTable(engine=asker.engine, table=asker.tables["sales.csv"])


def words(folder: Path) -> SealedFolder:
    return SealedFolder(path=folder / "words", seal=SEAL, kept=3)


def _kept(values: ListedValues | None) -> tuple[object, ...] | None:
    return None if values is None else (values.listed, values.held, values.unheld)


def test_what_was_kept_comes_back_whole_and_private(sales: EngineTable, tmp_path: Path) -> None:
    folder = words(tmp_path)
    write_values(folder, sales.table, VALUES)

    (path,) = folder.path.iterdir()
    assert _kept(read_values(folder, sales.table)) == _kept(VALUES)
    assert (folder.path.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)


def test_another_version_or_other_columns_find_nothing(sales: EngineTable, tmp_path: Path) -> None:
    folder = words(tmp_path)
    write_values(folder, sales.table, VALUES)

    assert read_values(folder, replace(sales.table, version="0" * 40)) is None
    assert read_values(folder, replace(sales.table, schema=sales.table.schema[:-1])) is None


@pytest.mark.parametrize(
    "change",
    [
        {"format": 0},
        {"listed": [1]},
        {"listed": {"99": ["a"]}},
        {"listed": {"2": [1]}},
        {"held": {"2": "text"}},
        {"unheld": [99]},
        {"unheld": None},
    ],
)
def test_another_form_is_passed_over(sales: EngineTable, tmp_path: Path, change: dict[str, object]) -> None:
    folder = words(tmp_path)
    write_values(folder, sales.table, VALUES)
    kept = json.loads(folder.read(sales.table.version) or "")
    folder.write(sales.table.version, json.dumps(kept | change))

    assert read_values(folder, sales.table) is None


def test_values_of_somebody_else_are_passed_over(sales: EngineTable, tmp_path: Path) -> None:
    write_values(replace(words(tmp_path), seal=OTHER_SEAL), sales.table, VALUES)

    assert read_values(words(tmp_path), sales.table) is None


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(sales: EngineTable, tmp_path: Path) -> None:
    blocked = words(tmp_path)
    blocked.path.write_text("", encoding="utf-8")

    write_values(blocked, sales.table, VALUES)

    assert read_values(blocked, sales.table) is None


def test_a_table_reads_its_values_back(asker: Asker, sales: EngineTable, tmp_path: Path) -> None:
    first = EngineTable(engine=asker.engine, table=sales.table, folder=words(tmp_path))
    again = EngineTable(engine=asker.engine, table=sales.table, folder=words(tmp_path))

    assert first.values() == again.values() == sales.values()
    assert set(first.values()[2]) == {"Asia", "Europe", "North America", "Oceania", "South America"}
