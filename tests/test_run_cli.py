"""`tabchat run` and `tabchat doctor`: code as a person runs it, and what they are told of the walls."""

import hashlib
from pathlib import Path

import pytest

from tests.command import tabchat


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    source = tmp_path / "sales.csv"
    source.write_text("region,amount\nnorth,1.5\nsouth,2\nnorth,4\n")
    return source


def test_code_prints_one_object_and_its_key_leads_to_the_rows(sales: Path) -> None:
    done = tabchat("run", sales, "print('two')\ndf.groupby('region')['amount'].sum()", "--json")
    assert done.code == 0
    answer = done.json
    assert (answer["type"], answer["printed"]) == ("table", "two\n")
    assert answer["table"] == {
        "columns": ["region", "amount"],
        "rows": [["north", 5.5], ["south", 2.0]],
        "truncated": False,
    }
    exported = tabchat("export", answer["data_key"], "--format", "csv")
    assert exported.out == "region,amount\nnorth,5.5\nsouth,2.0\n"


def test_what_code_prints_is_not_in_the_data(sales: Path) -> None:
    done = tabchat("run", sales, "print('\\x1b[31mred')\nresult = len(df)")
    assert done.out == "result: 3\n"
    assert "red" in done.err
    assert "\x1b" not in done.err


@pytest.mark.parametrize(
    "code, told",
    [
        ("import os\nresult = os.listdir('/')", "line 1"),
        ("result = df['nothing']", "nothing"),
        ("result = (", "line 1"),
    ],
)
def test_code_that_is_refused_or_fails_ends_with_nine(sales: Path, code: str, told: str) -> None:
    done = tabchat("run", sales, code)
    assert (done.code, done.out) == (9, "")
    assert told in done.err
    assert "try: " in done.err
    assert "Traceback" not in done.err


def test_code_that_takes_too_long_is_stopped(sales: Path) -> None:
    done = tabchat("run", sales, "result = sum(1 for a in range(10**12))", "--timeout", "1")
    assert (done.code, done.out) == (124, "")


def test_code_that_changes_the_table_is_an_edit_and_saves_elsewhere(sales: Path, tmp_path: Path) -> None:
    before = hashlib.sha256(sales.read_bytes()).hexdigest()
    target = tmp_path / "out.csv"
    code = "df = df[df['amount'] > 1.6]\nCOMMIT_DF = True"
    done = tabchat("edit", sales, code, "--json", "--yes", "-o", target)
    assert done.code == 0
    assert (done.json["type"], done.json["mutation_summary"]["removed_rows"]) == ("edit", 1)
    assert target.read_text() == "region,amount\nsouth,2.0\nnorth,4.0\n"
    assert hashlib.sha256(sales.read_bytes()).hexdigest() == before


def test_doctor_says_which_walls_stood_around_code_that_it_ran() -> None:
    done = tabchat("doctor", "--json")
    findings = {finding["name"]: finding for finding in done.json["findings"]}
    assert done.code == 0
    assert findings["sandbox"]["state"] == "good"
    assert all(wall in findings["sandbox"]["text"] for wall in ("landlock", "limits", "seccomp"))
    assert findings["model"]["text"].startswith("none is set")


def test_doctor_finds_a_model_without_its_key() -> None:
    done = tabchat("doctor", env={"TABCHAT_MODEL": "openai/gpt-5-mini", "OPENAI_API_KEY": ""})
    assert done.code == 1
    assert "BAD   model" in done.out
    assert "OPENAI_API_KEY" in done.out


@pytest.mark.parametrize(
    "code, row",
    [
        ("df.head(1)[['amount']].astype('float16')", [1.5]),
        ("df.head(1)['amount'].astype('float16')", [1.5]),
        ("pd.DataFrame({'a': np.array([1.5, np.nan], dtype='float16')}).head(1)", [1.5]),
    ],
)
def test_numbers_of_16_bits_come_back_as_they_are(sales: Path, code: str, row: list[float]) -> None:
    done = tabchat("run", sales, code, "--json")
    assert (done.code, done.json["table"]["rows"]) == (0, [row])
