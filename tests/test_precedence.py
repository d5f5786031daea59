"""A project's file, which may come with somebody's data, cannot say where data go nor lift a person's bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.config import load_settings
from tabchat.errors import UsageError
from tabchat.precedence import is_here

if TYPE_CHECKING:
    from pathlib import Path

STRICT = {
    "privacy": "'strict'",
    "tools": "'minimal'",
    "planner": "'rules'",
    "hide": "['salary']",
    "offline": "true",
    "degraded_sandbox": "false",
    "preview_rows": "1",
    "max_cost": "0.5",
    "max_tokens": "1000",
}
WIDE = {
    "privacy": "'preview'",
    "tools": "'full'",
    "planner": "'llm'",
    "hide": "[]",
    "offline": "false",
    "degraded_sandbox": "true",
    "preview_rows": "10",
    "max_cost": "50",
    "max_tokens": "100000",
}


def write(path: Path, settings: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))


@pytest.fixture
def person(isolated_home: Path) -> Path:
    return isolated_home / ".config" / "tabchat" / "config.toml"


@pytest.mark.parametrize("name", sorted(STRICT))
def test_a_project_cannot_widen_what_the_person_bounds(tmp_path: Path, person: Path, name: str) -> None:
    write(person, {name: STRICT[name]})
    alone = getattr(load_settings(directory=tmp_path), name)
    write(tmp_path / "tabchat.toml", {name: WIDE[name]})
    assert getattr(load_settings(directory=tmp_path), name) == alone


@pytest.mark.parametrize("name", sorted(STRICT))
def test_a_project_can_make_bounds_stricter(tmp_path: Path, person: Path, name: str) -> None:
    write(tmp_path / "tabchat.toml", {name: STRICT[name]})
    alone = getattr(load_settings(directory=tmp_path), name)
    write(person, {name: WIDE[name]})
    assert getattr(load_settings(directory=tmp_path), name) == alone


def test_columns_that_either_hides_are_hidden(tmp_path: Path, person: Path) -> None:
    write(person, {"hide": "['salary']"})
    write(tmp_path / "pyproject.toml", {})
    (tmp_path / "pyproject.toml").write_text("[tool.tabchat]\nhide = ['name']\n")
    assert load_settings(directory=tmp_path).hide == ("salary", "name")


def test_a_flag_or_a_variable_of_the_person_lifts_a_bound(
    tmp_path: Path, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(person, {"privacy": "'strict'", "tools": "'minimal'"})
    monkeypatch.setenv("TABCHAT_TOOLS", "full")
    settings = load_settings({"privacy": "preview"}, directory=tmp_path)
    assert (settings.privacy, settings.tools) == ("preview", "full")


def test_a_project_cannot_send_requests_to_another_machine(tmp_path: Path, person: Path) -> None:
    write(tmp_path / "tabchat.toml", {"api_base": "'https://models.example/v1'"})
    with pytest.raises(UsageError, match=r"may not set 'api_base'.*models\.example") as caught:
        load_settings(directory=tmp_path)
    assert "--api-base" in str(caught.value.hint)
    (tmp_path / "tabchat.toml").unlink()
    write(person, {"api_base": "'https://models.example/v1'"})
    assert load_settings(directory=tmp_path).api_base == "https://models.example/v1"


def test_a_project_cannot_move_the_ledger(tmp_path: Path) -> None:
    write(tmp_path / "tabchat.toml", {"data_dir": "'elsewhere'"})
    with pytest.raises(UsageError, match="may not set 'data_dir'"):
        load_settings(directory=tmp_path)


@pytest.mark.parametrize(
    "address", ["http://localhost:11434/v1", "http://127.0.0.1:8000", "https://[::1]:8080/v1"]
)
def test_servers_of_this_machine_are_known(address: str, tmp_path: Path) -> None:
    write(tmp_path / "tabchat.toml", {"api_base": f"'{address}'"})
    assert is_here(address)
    assert load_settings(directory=tmp_path).api_base == address


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost@models.example",
        "http://localhost.models.example",
        "http://models.example\\@localhost",
        "http://127.0.0.1.models.example",
        "http://0.0.0.0:8000",
        "localhost:8000",
        "file://localhost/etc",
        "http://local host",
        "http://[::1",
        "",
    ],
)
def test_other_addresses_are_elsewhere(address: str) -> None:
    assert not is_here(address)
