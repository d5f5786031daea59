"""A project's file, which may come with somebody's data, sets conveniences, and bounds that are stricter."""

import os
from pathlib import Path

import pytest

from tabchat.config import Settings, load_settings
from tabchat.precedence import BOUNDS, CONVENIENCES, FILES, MOST_FILE_BYTES

STRICT = {
    "privacy": "'strict'",
    "tools": "'minimal'",
    "hide": "['salary']",
    "offline": "true",
    "preview_rows": "1",
    "max_cost": "0.5",
    "max_tokens": "1000",
    "timeout": "2.0",
    "memory_limit": "100000000",
    "code_timeout": "3.0",
    "code_memory": "100000000",
}
WIDE = {
    "privacy": "'preview'",
    "tools": "'full'",
    "hide": "[]",
    "offline": "false",
    "preview_rows": "10",
    "max_cost": "50",
    "max_tokens": "100000",
    "timeout": "5000.0",
    "memory_limit": "9000000000000000",
    "code_timeout": "5000.0",
    "code_memory": "9000000000000000",
}


def write(path: Path, settings: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))


@pytest.fixture
def person(isolated_home: Path) -> Path:
    return isolated_home / ".config" / "tabchat" / "config.toml"


def test_every_bound_is_tried_here() -> None:
    assert STRICT.keys() == WIDE.keys() == BOUNDS.keys()


@pytest.mark.parametrize("name", sorted(STRICT))
def test_a_project_cannot_widen_what_the_person_bounds(tmp_path: Path, person: Path, name: str) -> None:
    write(person, {name: STRICT[name]})
    alone = getattr(load_settings(directory=tmp_path), name)
    write(tmp_path / "tabchat.toml", {name: WIDE[name]})
    assert getattr(load_settings(directory=tmp_path), name) == alone


@pytest.mark.parametrize("name", ["privacy", "tools", "preview_rows", "code_timeout", "code_memory"])
def test_a_project_cannot_widen_a_default(tmp_path: Path, name: str) -> None:
    write(tmp_path / "tabchat.toml", {name: WIDE[name]})
    told: list[str] = []
    assert load_settings(directory=tmp_path, told=told.append) == Settings()
    (sentence,) = told
    assert f" sets {name} to {WIDE[name].strip(chr(39))}, which is wider: " in sentence


def test_a_project_cannot_give_the_engine_more_memory_than_it_takes_by_itself(tmp_path: Path) -> None:
    write(tmp_path / "tabchat.toml", {"memory_limit": WIDE["memory_limit"]})
    limit = load_settings(directory=tmp_path).memory_limit
    assert limit is not None
    assert limit < os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@pytest.mark.parametrize("name", sorted(STRICT))
def test_a_project_can_make_bounds_stricter(tmp_path: Path, person: Path, name: str) -> None:
    told: list[str] = []
    write(tmp_path / "tabchat.toml", {name: STRICT[name]})
    alone = getattr(load_settings(directory=tmp_path, told=told.append), name)
    assert alone != getattr(Settings(), name)
    write(person, {name: WIDE[name]})
    assert getattr(load_settings(directory=tmp_path, told=told.append), name) == alone
    assert told == []


def test_columns_that_either_hides_are_hidden(tmp_path: Path, person: Path) -> None:
    write(person, {"hide": "['salary']"})
    (tmp_path / "pyproject.toml").write_text("[tool.tabchat]\nhide = ['name']\n")
    write(tmp_path / "tabchat.toml", {"hide": "['age']"})
    assert load_settings(directory=tmp_path).hide == ("salary", "name", "age")


def test_a_projects_timeout_gives_code_no_more_time(tmp_path: Path) -> None:
    from tabchat.sandbox.policy import policy_for

    write(tmp_path / "tabchat.toml", {"timeout": "600.0"})
    settings = load_settings(directory=tmp_path)
    assert (settings.timeout, policy_for(settings).wall_seconds) == (600.0, 30.0)
    own = load_settings({"timeout": 90.0}, directory=tmp_path)
    assert (own.timeout, policy_for(own).wall_seconds) == (90.0, 90.0)


def test_a_flag_or_a_variable_of_the_person_lifts_a_bound(
    tmp_path: Path, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(person, {"privacy": "'strict'", "tools": "'minimal'"})
    monkeypatch.setenv("TABCHAT_TOOLS", "full")
    settings = load_settings({"privacy": "preview"}, directory=tmp_path)
    assert (settings.privacy, settings.tools) == ("preview", "full")


@pytest.mark.parametrize("setting", sorted(FILES))
def test_a_small_file_inside_the_project_can_be_named(tmp_path: Path, setting: str) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "own.toml").write_text("")
    write(tmp_path / "tabchat.toml", {setting: "'words/own.toml'"})
    assert getattr(load_settings(directory=tmp_path), setting) == tmp_path / "words" / "own.toml"


@pytest.mark.parametrize("setting", sorted(FILES))
@pytest.mark.parametrize(
    "kind, why",
    [
        ("absent", "cannot be read"),
        ("outside", "lies outside of its folder"),
        ("link out", "lies outside of its folder"),
        ("device", "lies outside of its folder"),
        ("fifo", "is not a regular file"),
        ("folder", "is not a regular file"),
        ("large", f"is larger than {MOST_FILE_BYTES:,} bytes"),
    ],
)
def test_any_other_file_is_left_out(tmp_path: Path, setting: str, kind: str, why: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (tmp_path / "outside.toml").write_text("")
    named = {"outside": "../outside.toml", "device": "/dev/zero"}.get(kind, "own.toml")
    match kind:
        case "link out":
            (folder / "own.toml").symlink_to(tmp_path / "outside.toml")
        case "fifo":
            os.mkfifo(folder / "own.toml")
        case "folder":
            (folder / "own.toml").mkdir()
        case "large":
            (folder / "own.toml").write_bytes(b"#" * (MOST_FILE_BYTES + 1))
    write(folder / "tabchat.toml", {setting: f"'{named}'"})
    told: list[str] = []
    assert getattr(load_settings(directory=folder, told=told.append), setting) is None
    assert told == [f"{folder / 'tabchat.toml'} sets {setting} to a file that {why}: left out."]


def test_what_is_refused_is_told_in_one_sentence_by_name(tmp_path: Path) -> None:
    write(tmp_path / "tabchat.toml", {"model": "'ollama/x'", "cache_dir": "'.c'", "rows": "7"})
    told: list[str] = []
    assert load_settings(directory=tmp_path, told=told.append).rows == 7
    what = f"{tmp_path / 'tabchat.toml'} sets cache_dir, model, which a project's file may not: left out."
    assert told == [f"{what} Your own config.toml and variables such as TABCHAT_CACHE_DIR may."]


def test_conveniences_are_the_projects(tmp_path: Path) -> None:
    content = "rows = 3\nweek_start = 'sunday'\nsessions = {early = ['06:00', '09:00']}\n"
    (tmp_path / "tabchat.toml").write_text(content)
    settings = load_settings(directory=tmp_path)
    found = {name: getattr(settings, name) for name in CONVENIENCES}
    assert found == {"rows": 3, "week_start": "sunday", "sessions": {"early": ("06:00", "09:00")}}
