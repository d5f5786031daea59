"""`tabchat doctor`: what is around, in lines that say what to type, and a trial call that goes the ordinary way."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabchat.audit import EgressLedger
from tabchat.chat.provider import model_catalogue
from tabchat.config import Settings
from tabchat.session.doctor import surroundings
from tabchat.session.doctor.finding import State
from tabchat.session.doctor.surroundings import extras, ollama, pictures, providers
from tests.command import tabchat
from tests.fake_provider import FAKE_ENV, FAKE_KEY, FakeProvider, call, closed_base_url, fault, say


def trial(*options: str, code: int, env: dict[str, str]) -> dict[str, Any]:
    """Return what the trial call of `doctor --call` found."""
    done = tabchat("doctor", "--call", "--json", *options, env={**FAKE_ENV, **env})
    assert done.code == code, done.err
    assert FAKE_KEY not in done.out + done.err
    assert done.json["ok"] is (code == 0)
    found: dict[str, Any] = {finding["name"]: finding for finding in done.json["findings"]}["call"]
    return found


def test_a_trial_call_tells_speed_cost_and_tools_and_is_in_the_ledger(isolated_home: Path) -> None:
    with FakeProvider([call("report_ready", {"ready": True})]) as provider:
        env = {"TABCHAT_MODEL": "openai/gpt-5-mini", "TABCHAT_API_BASE": provider.base_url}
        found = trial(code=0, env=env)
    assert found["state"] == "good"
    assert found["text"].startswith("openai/gpt-5-mini answered in ")
    assert found["text"].endswith("; it calls tools")
    assert "$0.00" in found["text"]
    ledger = EgressLedger(isolated_home / ".local" / "share" / "tabchat" / "egress", max_bytes=10**6)
    assert [entry.body for entry in ledger.entries()] == [request.body for request in provider.requests]


def test_a_model_that_talks_instead_is_told_of(isolated_home: Path) -> None:
    with FakeProvider([say("I am ready.")]) as provider:
        found = trial(code=0, env={"TABCHAT_MODEL": "openai/fake", "TABCHAT_API_BASE": provider.base_url})
    assert (found["state"], found["hint"]) == (
        "note",
        "Questions need tool calls; for one that makes them: tabchat model list",
    )
    assert "cost not known; it did not call the tool" in found["text"]


@pytest.mark.parametrize("what", ["key", "server", "budget", "model"])
def test_a_trial_call_that_fails_says_what_to_do(what: str) -> None:
    with FakeProvider([fault("invalid_key")]) as provider:
        base = closed_base_url() if what == "server" else provider.base_url
        env = {"TABCHAT_MODEL": "openai/gpt-5-mini", "TABCHAT_API_BASE": base, "TABCHAT_RETRIES": "0"}
        if what == "budget":
            env["TABCHAT_MAX_COST"] = "0"
        if what == "model":
            del env["TABCHAT_MODEL"]
        found = trial(code=1, env=env)
        assert len(provider.requests) == (1 if what == "key" else 0)
    assert found["state"] == "bad"
    assert found["hint"]


@pytest.mark.parametrize(
    "environment, protocol",
    [
        ({"TERM": "xterm-kitty"}, "kitty"),
        ({"KITTY_WINDOW_ID": "1", "TERM": "screen"}, "kitty"),
        ({"TERM_PROGRAM": "iTerm.app"}, "iTerm2"),
        ({"TERM": "foot"}, "sixel"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": ""}, None),
    ],
)
def test_pictures_are_known_by_the_environment(environment: dict[str, str], protocol: str | None) -> None:
    assert pictures(environment) == protocol


def test_providers_are_named_and_keys_never(monkeypatch: pytest.MonkeyPatch) -> None:
    assert providers().text == "no provider's key is set, and rules need none"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-value")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "half of what bedrock needs")
    assert providers().text == "keys are set for openai (OPENAI_API_KEY)"


@pytest.mark.parametrize(
    "model, found, state, hint",
    [
        (None, None, State.GOOD, None),
        ("ollama_chat/qwen3", None, State.NOTE, "Start it with: ollama serve"),
        ("ollama_chat/qwen3", ("qwen3:latest",), State.GOOD, None),
        ("ollama_chat/qwen3", ("llama3:8b",), State.NOTE, "Get a model with: ollama pull qwen3"),
        (None, (), State.NOTE, "Get a model with: ollama pull qwen3"),
    ],
)
def test_what_ollama_lacks_for_the_model_is_said(
    model: str | None,
    found: tuple[str, ...] | None,
    state: State,
    hint: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model_catalogue, "ollama_models", lambda: found)
    finding = ollama(Settings(model=model))
    assert (finding.state, finding.hint) == (state, hint)


def test_an_extra_that_is_missing_says_what_it_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "EXTRAS", {"none": (("no-such-package",), "nothing")})
    [finding] = extras()
    assert (finding.state, finding.text, finding.hint) == (
        State.NOTE,
        "no-such-package not installed; it brings nothing",
        "Install the extra: pip install 'tabchat[none]'",
    )


def test_folders_that_cannot_be_used_are_a_failure(tmp_path: Path) -> None:
    """A folder below `/proc` cannot be made, though the rights of `/proc` forbid it to nobody who may do everything."""
    theirs, link = tmp_path / "open", tmp_path / "link"
    theirs.mkdir()
    theirs.chmod(0o777)
    link.symlink_to(tmp_path / "nowhere")
    for name, folder in (("cache", "/proc/x"), ("data", "/proc/x"), ("cache", theirs), ("cache", link)):
        done = tabchat("doctor", "--json", env={f"TABCHAT_{name.upper()}_DIR": str(folder)})
        states = {finding["name"]: finding for finding in done.json["findings"]}
        found = states[f"{name} folder"]
        assert (done.code, found["state"], done.json["ok"]) == (1, "bad", False)
        assert found["text"].startswith(f"{folder} cannot be used: ")
        assert f"TABCHAT_{name.upper()}_DIR" in found["hint"]


def test_a_folder_that_can_be_used_is_left_as_it_was(tmp_path: Path) -> None:
    done = tabchat("doctor", "--json", env={"TABCHAT_CACHE_DIR": str(tmp_path / "new")})
    assert {finding["state"] for finding in done.json["findings"] if finding["name"] == "cache folder"} == {
        "good"
    }
    assert list(tmp_path.iterdir()) == []


def test_every_line_that_is_not_fine_says_what_to_type() -> None:
    done = tabchat(
        "doctor",
        "--json",
        env={
            "TABCHAT_MODEL": "openai/gpt-5-mini",
            "TABCHAT_CACHE_DIR": "/proc/none",
            "PYTHONIOENCODING": "ascii",
            "OPENAI_API_KEY": "",
        },
    )
    findings = json.loads(done.out)["findings"]
    poor = {finding["name"]: finding["hint"] for finding in findings if finding["state"] != "good"}
    assert {"terminal", "model", "cache folder"} <= set(poor)
    assert all(poor.values())
