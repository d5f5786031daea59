"""Settings: flags over environment over project over person, and errors that name where a value came from."""

from pathlib import Path

import pytest

from tabchat.config import PrivacyLevel, Settings, load_settings
from tabchat.errors import UsageError


@pytest.fixture
def person(isolated_home: Path) -> Path:
    path = isolated_home / ".config" / "tabchat" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def test_without_any_source_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(directory=tmp_path) == Settings()


def test_the_cache_lies_in_the_persons_cache_folder(isolated_home: Path) -> None:
    assert Settings().cache_dir == isolated_home / ".cache" / "tabchat"


def test_flags_win_over_environment_over_project_over_person(
    tmp_path: Path, isolated_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = isolated_home / ".config" / "tabchat"
    person.mkdir(parents=True)
    (person / "config.toml").write_text("rows = 1\ntimeout = 9.0\nmax_tokens = 9\nweek_start = 'sunday'\n")
    (tmp_path / "tabchat.toml").write_text("rows = 2\ntimeout = 2.0\nmax_tokens = 2\n")
    monkeypatch.setenv("TABCHAT_ROWS", "3")
    monkeypatch.setenv("TABCHAT_TIMEOUT", "3")
    settings = load_settings({"rows": 4}, directory=tmp_path)
    assert (settings.rows, settings.timeout, settings.max_tokens, settings.week_start) == (
        4,
        3.0,
        2,
        "sunday",
    )


def test_pyproject_is_read_from_its_own_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.tabchat]\nprivacy = 'strict'\n[tool.other]\nrows = 9\n")
    settings = load_settings(directory=tmp_path)
    assert (settings.privacy, settings.rows) == (PrivacyLevel.STRICT, 50)


@pytest.mark.parametrize(
    "text",
    [
        "[tool.tabchat]\nprivacy = 'strict'",
        "[project]\nname = 'x'\n  [ \"tool\" . 'tabchat' ]\nprivacy = 'strict'",
        "[tool]\ntabchat = {privacy = 'strict'}",
        "[ 'tool' ]\n\"tabchat\".privacy = 'strict'",
        "tool.tabchat.privacy = 'strict'",
        "\"tool\" = {other = {rows = 9}, tabchat = {privacy = 'strict'}}",
        "tool = {\"tabchat\".privacy = 'strict'}",
    ],
)
def test_its_table_in_pyproject_is_found_however_it_is_written(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"{text}\n")
    assert load_settings(directory=tmp_path).privacy is PrivacyLevel.STRICT


def test_a_pyproject_that_only_names_tabchat_says_nothing_to_it(tmp_path: Path) -> None:
    text = "[project]\ndependencies = ['tabchat']\n[project.scripts]\ntabchat = 'x:y'\n[tool.ruff.tabchat]\nrows = 9\n"
    (tmp_path / "pyproject.toml").write_text(text)
    assert load_settings(directory=tmp_path) == load_settings()


@pytest.mark.parametrize(
    "window, edges",
    [
        ("['09:30', '12:00']", ("09:30", "12:00")),
        ("{from = '22:00', to = '6:00'}", ("22:00", "6:00")),
        ("{from = 12:00:00, to = '24:00'}", ("12:00:00", "24:00")),
    ],
)
def test_named_sessions_come_from_toml(tmp_path: Path, window: str, edges: tuple[str, str]) -> None:
    (tmp_path / "tabchat.toml").write_text(f"[sessions]\nmorning = {window}\n")
    assert load_settings(directory=tmp_path).sessions == {"morning": edges}


@pytest.mark.parametrize(
    "window",
    [
        "['12:00']",
        "'12:00-13:00'",
        "['25:00', 'x', 'y']",
        "['25:00', '26:00']",
        "['12:00', '12:00']",
        "{from = '12:00'}",
        "{from = '12:00', to = '13:00', zone = 'UTC'}",
        "[12, 13]",
        "5",
    ],
)
def test_a_session_that_is_no_two_times_of_day_is_named(tmp_path: Path, window: str) -> None:
    (tmp_path / "tabchat.toml").write_text(f"sessions = {{early = ['08:00', '09:00'], lunch = {window}}}\n")
    with pytest.raises(UsageError, match=r"'sessions' .*: 'lunch' is not two times of day") as caught:
        load_settings(directory=tmp_path)
    assert caught.value.hint == 'Such as {regular = ["09:30", "16:00"]}.'


@pytest.mark.parametrize("word, expected", [("1", True), ("yes", True), ("off", False), ("FALSE", False)])
def test_switches_are_read_from_words(word: str, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABCHAT_NO_CACHE", word)
    assert load_settings().no_cache is expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2GB", 2_000_000_000),
        ("500 MB", 500_000_000),
        ("1.5GiB", 1_610_612_736),
        (" 64 kib ", 65_536),
        ("3 TB", 3_000_000_000_000),
        ("12b", 12),
        ("2000000000", 2_000_000_000),
    ],
)
def test_sizes_are_read_as_the_engine_reads_them(
    text: str, expected: int, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.write_text(f"memory_limit = '{text}'\n")
    assert load_settings().memory_limit == expected
    monkeypatch.setenv("TABCHAT_SPILL_SIZE", text)
    assert load_settings({"memory_limit": text}).spill_size == expected


@pytest.mark.parametrize(
    "content, named",
    [
        ("rowz = 1", "'rowz'"),
        ("rows = 'many'", "'rows'"),
        ("rows = true", "'rows'"),
        ("privacy = 'open'", "'privacy'"),
        ("no_cache = 'perhaps'", "'no_cache'"),
        ("timeout = [1]", "'timeout'"),
        ("timeout = -1", "'timeout'"),
        ("timeout = 0", "'timeout'"),
        ("timeout = nan", "'timeout'"),
        ("threads = 0", "'threads'"),
        ("rows = -1", "'rows'"),
        ("rows = 2.5", "'rows'"),
        ("rows = 1e30", "'rows'"),
        ("threads = 100000", "'threads'"),
        ("memory_limit = 9223372036854775808", "'memory_limit'"),
        ("memory_limit = '2 XB'", "'memory_limit'"),
        ("memory_limit = '0 GB'", "'memory_limit'"),
        ("spill_size = '0.3B'", "'spill_size'"),
        ("cache_size = 'GB'", "'cache_size'"),
        ("week_start = 'friday'", "'week_start'"),
    ],
)
def test_a_wrong_setting_names_itself_and_its_file(person: Path, content: str, named: str) -> None:
    person.write_text(content)
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert named in caught.value.message
    assert str(person) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    "content, allowed",
    [
        ("privacy = 'open'", "Use strict, summary or preview."),
        ("week_start = 'friday'", "Use monday or sunday."),
        ("offline = 'perhaps'", "Use true or false."),
        ("rows = -1", "Use a whole number not below 0."),
        ("threads = 0", "Use a whole number above 0, at most 1,024."),
        ("timeout = 0", "Use a number above 0."),
        ("memory_limit = '-2 GB'", "Use bytes or a size with its unit, such as 500 MB or 2GiB, above 0."),
        ("cache_size = -1", "Use bytes or a size with its unit, such as 500 MB or 2GiB, not below 0."),
        ("hide = 5", "Use a list of names."),
        ("model = [1]", "Use a text."),
        ("sessions = 5", 'Such as {regular = ["09:30", "16:00"]}.'),
    ],
)
def test_a_wrong_setting_is_told_what_it_can_be(person: Path, content: str, allowed: str) -> None:
    person.write_text(content)
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert caught.value.hint == allowed


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "tabchat.toml").write_text("rows = ")
    with pytest.raises(UsageError, match=r"tabchat\.toml cannot be read as TOML"):
        load_settings(directory=tmp_path)


@pytest.mark.parametrize("name, value", [("spark", "local[2]"), ("order_by", ["id"]), ("spark_rows", 10)])
def test_what_is_said_of_spark_is_refused_where_another_engine_computes(name: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"'{name}' in the command line is for the engine spark") as caught:
        load_settings({name: value})
    assert "--engine spark" in (caught.value.hint or "")
    assert load_settings({"engine": "spark", name: value}).engine == "spark"


def test_a_setting_of_spark_may_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABCHAT_SPARK", "sc://lake.example")
    assert load_settings({}).engine == "duckdb"


def test_a_variable_that_is_no_setting_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABCHAT_PRIVACYY", "strict")
    monkeypatch.setenv("TABCHAT_ROWS", "3")
    told: list[str] = []
    assert load_settings(directory=tmp_path, told=told.append) == Settings(rows=3)
    assert told == ["TABCHAT_PRIVACYY is no setting and sets nothing: tabchat config show lists them."]
