"""`tabchat config` and `tabchat model`: what holds, why, and how to change it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tabchat.chat.provider import model_catalogue
from tabchat.cli import run


def shown(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    """Run a command in this process; return what it wrote to stdout and stderr."""
    assert run(arguments) == code
    written = capfd.readouterr()
    return written.out, written.err


def told(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    return json.loads(shown(capfd, *arguments, "--json", code=code)[0])


def test_each_value_says_where_it_comes_from(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, isolated_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = isolated_home / ".config" / "tabchat" / "config.toml"
    project = tmp_path / "tabchat.toml"
    own.parent.mkdir(parents=True)
    own.write_text("vi = true\nmax_tokens = 9\nprivacy = 'strict'\napi_base = 'http://h/v1?key=secret'\n")
    project.write_text("rows = 2\nmax_tokens = 5\nprivacy = 'preview'\n")
    monkeypatch.setenv("TABCHAT_MODEL", "openai/x")
    found = told(capfd, "config", "show", "--timeout", "3")["settings"]
    assert {name: entry["origin"] for name, entry in found.items() if entry["origin"] != "default"} == {
        "vi": str(own),
        "max_tokens": str(project),
        "rows": str(project),
        # The project's value is wider, so the person's holds.
        "privacy": str(own),
        "api_base": str(own),
        "model": "TABCHAT_MODEL",
        "timeout": "the command line",
        "code_timeout": "the command line",
    }
    assert found["privacy"]["value"] == "strict"
    assert "secret" not in json.dumps(found)
    out, err = shown(capfd, "config")
    assert f"vi                true  ({own})" in out
    assert str(project) in err


def test_what_stands_above_a_setting_is_said(
    capfd: pytest.CaptureFixture[str], isolated_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABCHAT_ROWS", "4")
    _, err = shown(capfd, "config", "set", "rows", "20")
    assert err.endswith("Here TABCHAT_ROWS stands above it: rows is 4.\n")
    assert told(capfd, "config", "path") == {
        "ok": True,
        "path": str(isolated_home / ".config" / "tabchat" / "config.toml"),
        "exists": True,
    }
    assert told(capfd, "config", "set", "rows", code=2)["error"]["code"] == "usage"
    assert told(capfd, "config", "init", code=2)["error"]["code"] == "output_exists"


def test_a_model_is_set_shown_and_taken_back(capfd: pytest.CaptureFixture[str]) -> None:
    assert shown(capfd, "model")[0].startswith("No model is set (default): rules alone answer")
    shown(capfd, "model", "set", "openai/gpt-5-mini")
    found = told(capfd, "model", "show")
    assert (found["model"], found["origin"].endswith("config.toml")) == ("openai/gpt-5-mini", True)
    shown(capfd, "model", "set", "--unset")
    assert told(capfd, "model", "show")["model"] is None


class Ollama(BaseHTTPRequestHandler):
    """Answers as Ollama does, with a name that steers terminals among the models."""

    def do_GET(self) -> None:
        body = json.dumps({"models": [{"name": "qwen3:8b"}, {"name": "evil\x1b[31m"}]}).encode()
        self.send_response_only(200)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with HTTPServer(("127.0.0.1", 0), Ollama) as server:
        monkeypatch.setattr(model_catalogue, "OLLAMA", server.server_address[:2])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@pytest.mark.usefixtures("ollama")
def test_models_are_those_of_keys_that_are_set_and_of_ollama(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-shown")
    found = told(capfd, "model", "list")
    assert found["providers"] == {"openai": ["OPENAI_API_KEY"]}
    assert {model["provider"] for model in found["models"]} == {"openai", "ollama_chat"}
    [mini] = [model for model in found["models"] if model["name"] == "openai/gpt-5-mini"]
    assert mini == {
        "name": "openai/gpt-5-mini",
        "provider": "openai",
        "context_window": 272_000,
        "prompt_usd_per_million": 0.25,
        "completion_usd_per_million": 2.0,
        "calls_tools": True,
    }
    out, err = shown(capfd, "model", "list", "qwen")
    assert "ollama_chat/qwen3:8b" in out
    assert "with keys for openai" in err
    out, _ = shown(capfd, "model", "list", "evil")
    assert "\x1b" not in out
    everyone = told(capfd, "model", "list", "claude", "--all")["models"]
    assert {"anthropic", "bedrock"} <= {model["provider"] for model in everyone}
    assert "sk-never-shown" not in json.dumps([found, everyone]) + out + err


def test_without_keys_and_ollama_the_next_step_is_said(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_catalogue, "OLLAMA", ("127.0.0.1", 1))
    out, err = shown(capfd, "model", "list")
    assert out == ""
    assert err.startswith("No provider's key is set, and no Ollama answers on this machine. Set one, such as")
