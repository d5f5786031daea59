"""Values are found by words as people write them, and told only where the privacy level admits it."""

from pathlib import Path

import pytest

from tabchat.config import PrivacyLevel
from tabchat.tools.executor import ToolExecutor
from tests.workspace import make_executor, make_workspace

VALUES = (
    "Straße",
    "Großhandel",
    "Ёлкин",
    "Елкин",
    "O’Brien",
    "Київ",
    "Львів",
    "São Paulo",
    "Германия",
    "Federal Republic of Germany",
    "Смородина",
    "Asia",
    "North America",
)


@pytest.fixture
def executor(tmp_path: Path) -> ToolExecutor:
    path = tmp_path / "t.csv"
    path.write_text("value,n\n" + "".join(f"{value},{n}\n" for n, value in enumerate(VALUES * 2)))
    return make_executor(make_workspace(tmp_path, path))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("strasse", ["Straße"]),
        ("STRASSE", ["Straße"]),
        ("großhandels", ["Großhandel"]),
        ("елкин", ["Ёлкин", "Елкин"]),
        ("obrien", ["O’Brien"]),
        ("O'Brien", ["O’Brien"]),
        ("киев", ["Київ"]),
        ("львов", ["Львів"]),
        ("sao paolo", ["São Paulo"]),
        ("Германии", ["Германия"]),
        ("germny", ["Federal Republic of Germany"]),
        ("смородины", ["Смородина"]),
        ("asia", ["Asia"]),
        ("america", ["North America"]),
        ("as", ["Asia", "Straße"]),
        ("Lviv", []),
        ("zebra", []),
    ],
)
def test_words_are_found_as_people_write_them(executor: ToolExecutor, text: str, expected: list[str]) -> None:
    found = executor.execute("find_values", {"text": text})
    listed = ", ".join(f'"{value}" (2 rows)' for value in expected)
    assert found.summary == (f"value: {listed}" if expected else f"No value of table t is like '{text}'.")
    assert found.metrics["no_data"] is not bool(expected)


def test_the_exact_value_comes_first_and_the_number_of_matches_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("value\n" + "".join(f"red {n:02d}\n" for n in range(20)) * 2 + "red\n")
    found = make_executor(make_workspace(tmp_path, path)).execute("find_values", {"text": "Red"})
    assert found.summary.startswith('value: "red" (1 rows), "red 00" (2 rows)')
    assert found.summary.endswith("and 16 more")
    assert found.metrics["matching_columns"] == {"value": 21}


@pytest.mark.parametrize(
    "privacy, distinct, copies, shown",
    [
        (PrivacyLevel.STRICT, 3, 5, False),
        (PrivacyLevel.SUMMARY, 3, 5, True),
        (PrivacyLevel.SUMMARY, 100, 2, True),
        (PrivacyLevel.SUMMARY, 101, 2, False),
        (PrivacyLevel.SUMMARY, 50, 1, False),
        (PrivacyLevel.SUMMARY, 8, 1, True),
        (PrivacyLevel.PREVIEW, 300, 1, False),
    ],
)
def test_values_are_told_of_columns_with_few_of_them(
    tmp_path: Path, privacy: PrivacyLevel, distinct: int, copies: int, shown: bool
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("who\n" + "".join(f"anna{n:03d}\n" for n in range(distinct)) * copies)
    executor = make_executor(make_workspace(tmp_path, path, privacy=privacy))
    outcome = executor.run("find_values", {"text": "anna"})
    assert ("anna000" in outcome.envelope.summary) is shown
    assert ("anna000" in str(outcome.facts)) is shown
    assert "anna000" not in str(outcome.envelope.metrics)
    if not shown:
        assert outcome.envelope.summary == f"who: {distinct} values match"


def test_many_long_values_are_searched_in_bounded_work(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "t.parquet"
    duckdb.sql(
        "COPY (SELECT 'text ' || repeat(hash(i)::VARCHAR, 40) || CASE WHEN i = 59999 THEN ' Needle' ELSE '' END "
        f"AS note FROM range(60000) t(i)) TO '{path}' (FORMAT parquet)"
    )
    found = make_executor(make_workspace(tmp_path, path)).execute("find_values", {"text": "needle"})
    assert found.summary == "note: 1 value matches"


def test_text_columns_beyond_the_first_are_named_rather_than_searched(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        ",".join(f"c{n}" for n in range(35)) + "\n" + ",".join(f"word{n}" for n in range(35)) + "\n"
    )
    executor = make_executor(make_workspace(tmp_path, path))
    assert executor.execute("find_values", {"text": "word3"}).summary.endswith(
        "5 more text columns were not searched; name one in `column`."
    )
    assert (
        executor.execute("find_values", {"text": "word34", "column": "c34"}).summary
        == 'c34: "word34" (1 rows)'
    )
