"""What tools tell at each privacy level, and how much of it."""

import json
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.config import PrivacyLevel
from tabchat.tools.privacy import ALLOWANCE, SPENT
from tests.conftest import Example
from tests.effort import examples
from tests.workspace import make_executor, make_workspace

SPENT_HERE = SPENT.format("this question")
NAMES = [f"person{n:03d}z" for n in range(200)]
BELOW_PREVIEW = (PrivacyLevel.STRICT, PrivacyLevel.SUMMARY)


def people(folder: Path) -> Path:
    path = folder / "people.csv"
    path.write_text("name,n\n" + "".join(f"{name},{n}\n" for n, name in enumerate(NAMES)))
    return path


def told(envelope: object) -> str:
    return json.dumps(envelope.to_json(), ensure_ascii=False)  # type: ignore[attr-defined] # an envelope


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT string_agg(name, '') FROM people",
        "SELECT list(name) FROM people",
        "SELECT histogram(name) FROM people",
        "SELECT json_group_array(name) FROM people",
        "SELECT list_aggregate(list(name), 'string_agg', ' ') AS x, count(*) FROM people",
        "SELECT left(string_agg(name, ''), 9) AS x FROM people",
        "SELECT map(list(name), list(n)) FROM people",
        "SELECT [name] FROM people LIMIT 1",
        "SELECT {'a': name} FROM people LIMIT 1",
        "SELECT encode(name) FROM people LIMIT 1",
        "SELECT repeat(name, 20) FROM people LIMIT 1",
        "SELECT n, list_reduce(list(name), (a, b) -> a || b) FROM people GROUP BY n",
        "SELECT * FROM (SELECT array_to_string(list(name), '') AS x FROM people)",
    ],
)
def test_cells_collected_into_one_are_described(tmp_path: Path, sql: str) -> None:
    envelope = make_executor(make_workspace(tmp_path, people(tmp_path))).execute("run_sql", {"sql": sql})
    assert envelope.ok, envelope.summary
    assert "person" not in envelope.summary.replace("people", "")


def test_cells_collected_on_the_way_stay_described(tmp_path: Path) -> None:
    executor = make_executor(make_workspace(tmp_path, people(tmp_path)))
    executor.execute("run_sql", {"sql": "SELECT string_agg(name, '') AS x FROM people"})
    executor.execute("run_sql", {"sql": "SELECT x AS y FROM _"})
    piece = executor.execute("run_sql", {"sql": "SELECT substr(y, 10, 8) FROM _"})
    assert piece.summary == "Result: text of 8 characters"


def test_what_a_question_is_told_is_bounded_whatever_it_asks(tmp_path: Path) -> None:
    executor = make_executor(make_workspace(tmp_path, people(tmp_path)))
    texts = []
    for start in range(0, 200, 5):
        joined = " || ".join(f"max(name) FILTER (n = {n})" for n in range(start, start + 5))
        texts.append(executor.execute("run_sql", {"sql": f"SELECT {joined} AS x FROM people"}).summary)
        texts.append(executor.execute("run_query", {"where": f"n >= {start}", "sort": "name"}).summary)
        texts.append(executor.execute("describe_table", {}).summary)
        texts.append(executor.execute("find_values", {"text": "person"}).summary)
    with_values = [text for text in texts if SPENT_HERE not in text]
    assert sum(map(len, with_values)) < ALLOWANCE[PrivacyLevel.SUMMARY] + 41 * 40
    assert texts[-4].endswith(SPENT_HERE)
    assert sum(text.count("person") for text in texts) < 4_000 / len("person000z")


def test_rows_shown_at_preview_are_bounded_for_a_question(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path, people(tmp_path), privacy=PrivacyLevel.PREVIEW, preview_rows=10)
    executor = make_executor(workspace)
    wide = ", ".join(f"repeat(name, 9) AS c{k}" for k in range(5))
    envelopes = [
        executor.execute("run_sql", {"sql": f"SELECT {wide} FROM people LIMIT 10 OFFSET {start}"})
        for start in range(0, 100, 10)
    ]
    assert sum(len(told(envelope)) for envelope in envelopes) < ALLOWANCE[PrivacyLevel.PREVIEW] + 10 * 700
    assert envelopes[0].preview is not None
    assert envelopes[-1].preview is None
    assert envelopes[-1].metrics["preview_truncated"] is True


def test_a_person_is_not_bounded(tmp_path: Path) -> None:
    from dataclasses import replace

    executor = make_executor(replace(make_workspace(tmp_path, people(tmp_path)), is_person=True))
    for start in range(100):
        text = executor.execute("run_query", {"where": f"n >= {start}", "sort": "name"}).summary
        assert SPENT_HERE not in text


def test_columns_named_after_cells_are_refused_to_models(tmp_path: Path, example: Example) -> None:
    workspace = make_workspace(tmp_path, example("sales.csv"))
    pivot = {"sql": "SELECT * FROM (PIVOT sales ON region USING sum(quantity))"}
    from dataclasses import replace

    kept = make_executor(replace(workspace, is_person=True)).execute("run_sql", pivot)
    assert "Asia" in told(kept)
    model = make_executor(workspace)
    for sql in (
        pivot["sql"],
        "WITH p AS (PIVOT sales ON region USING sum(quantity)) FROM p",
        f"FROM {kept.data_key}",
    ):
        refused = model.execute("run_sql", {"sql": sql})
        assert not refused.ok
        assert "Asia" not in told(refused)
    listed = "SELECT * FROM (PIVOT sales ON region IN ('Asia', 'Mars') USING sum(quantity))"
    assert model.execute("run_sql", {"sql": listed}).ok


STRICT_CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("run_query", {}),
    ("run_query", {"title": "All"}),
    ("run_query", {"select": "sum(n)"}),
    ("run_query", {"select": ["max(day)", "min(word)", "mean(n)"]}),
    ("run_query", {"select": "max(n)", "group_by": "word"}),
    ("run_query", {"period": "last_month"}),
    ("run_query", {"period": "last_7_days", "select": "count()"}),
    ("run_query", {"period": "2024", "session": "night"}),
    ("run_query", {"resample": "5m"}),
    ("run_query", {"sort": "n desc", "limit": 1}),
    ("run_query", {"where": "n > 'x'"}),
    ("run_query", {"where": "wrod == 'a'"}),
    ("run_sql", {"sql": "SELECT max(word) FROM t"}),
    ("run_sql", {"sql": "SELECT word::INT FROM t"}),
    ("run_sql", {"sql": "SELECT word::DATE FROM t"}),
    ("run_sql", {"sql": "SELECT strptime(word, '%Y') FROM t"}),
    ("run_sql", {"sql": "SELECT (n * 1000000000000)::TINYINT FROM t"}),
    ("run_sql", {"sql": "SELECT regexp_matches('a', word || '(') FROM t"}),
    ("run_sql", {"sql": "SELECT json_extract(word, '$.a') FROM t"}),
    ("run_sql", {"sql": "SELECT * FROM t LIMIT (SELECT max(word) FROM t)"}),
    ("run_sql", {"sql": "SELECT count(*) FROM t GROUP BY word HAVING max(word)::INT > 1"}),
    ("run_sql", {"sql": "SELECT sum(word) FROM t"}),
    ("run_sql", {"sql": "SELECT make_date(n, n, n) FROM t"}),
    ("describe_table", {}),
    ("describe_column", {"column": "n"}),
    ("describe_column", {"column": "word"}),
    ("describe_column", {"column": "day"}),
    ("describe_result", {"data_key": "_"}),
    ("find_values", {"text": "a"}),
    ("find_values", {"text": "9", "column": "n"}),
)


@pytest.mark.parametrize("privacy", BELOW_PREVIEW)
def test_no_tool_tells_a_cell_that_its_level_forbids(tmp_path: Path, privacy: PrivacyLevel) -> None:
    words = [f"qa{n:02d}jw" for n in range(40)]
    numbers = [91_357_001 + 7 * n for n in range(40)]
    path = tmp_path / "t.csv"
    cells = [
        f"{word},{number},1999-{n % 12 + 1:02d}-{n % 28 + 1:02d}"
        for n, (word, number) in enumerate(zip(words, numbers, strict=True))
    ]
    path.write_text("\n".join(("word,n,day", *cells)))
    executor = make_executor(make_workspace(tmp_path, path, privacy=privacy))
    for tool, arguments in STRICT_CALLS:
        envelope = executor.execute(tool, arguments)  # type: ignore[arg-type] # arguments are JSON
        said = told(envelope)
        leaked = [cell for cell in (*words, *map(str, numbers), "1999-", "9135") if cell in said]
        if privacy is PrivacyLevel.STRICT or not envelope.ok:
            assert not leaked, (tool, arguments, said)
        assert len(leaked) <= 12, (tool, arguments, said)


CELL = st.text(alphabet="ЖЩї'\"\\{(%\n 7", max_size=6).map(lambda text: f"{text}Ж{text}")
FAILING = (
    "SELECT word::INT FROM t",
    "SELECT word::DATE FROM t",
    "SELECT word::TIMESTAMP FROM t",
    "SELECT word::DECIMAL(9, 2) FROM t",
    "SELECT word::INTERVAL FROM t",
    "SELECT word::UUID FROM t",
    "SELECT word::INT[] FROM t",
    "SELECT word::STRUCT(a INT) FROM t",
    "SELECT word::JSON FROM t",
    "SELECT strptime(word, '%Y') FROM t",
    "SELECT date_part(word, DATE '2020-01-01') FROM t",
    "SELECT date_trunc(word, DATE '2020-01-01') FROM t",
    "SELECT from_base64(word) FROM t",
    "SELECT unhex(word) FROM t",
    "SELECT regexp_matches('a', word || '(') FROM t",
    "SELECT json_extract(word, '$.a') FROM t",
    "SELECT timezone(word, TIMESTAMP '2020-01-01') FROM t",
    "SELECT * FROM t LIMIT (SELECT max(word) FROM t)",
    "SELECT max(word)::INT FROM t",
    "SELECT count(*) FROM t WHERE word::INT > 0",
    "SELECT n::TINYINT FROM t",
    "SELECT n::DECIMAL(3, 1) FROM t",
    "SELECT 9223372036854775807 + n FROM t",
    "SELECT make_date(n, n, n) FROM t",
    "SELECT chr(n::INT) FROM t",
    "SELECT a.word::INT, sum(a.n) FROM t a JOIN t b USING (n) GROUP BY 1",
)


@pytest.mark.parametrize("privacy", BELOW_PREVIEW)
@settings(
    max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(word=CELL, number=st.integers(10**11, 10**12))
def test_no_error_quotes_a_cell_that_the_caller_did_not_write(
    tmp_path_factory: pytest.TempPathFactory, privacy: PrivacyLevel, word: str, number: int
) -> None:
    folder = tmp_path_factory.mktemp("cells")
    path = folder / "t.parquet"
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (word VARCHAR, n BIGINT)")
        connection.execute("INSERT INTO t VALUES (?, ?)", [word, number])
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    executor = make_executor(make_workspace(folder, path, privacy=privacy))
    failed = 0
    for sql in FAILING:
        envelope = executor.execute("run_sql", {"sql": sql})
        if not envelope.ok:
            failed += 1
            said = envelope.summary
            assert "Ж" not in said, sql
            assert str(number) not in said, sql
            assert str(number)[:6] not in said, sql
    assert failed > len(FAILING) // 2
    executor.workspace.engine.close()
