"""Language models that can be asked from here, found without asking any provider: keys, a local server, litellm's list.

The list ships with litellm, so it is as old as that; a model that is not in it can be asked all the same.
"""

from __future__ import annotations

import functools
import http.client
import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabchat.chat.provider.model_facts import LOCAL, key_names_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tabchat.values import JsonValue

OLLAMA: Final = ("127.0.0.1", 11434)
"""Where Ollama listens unless it is told otherwise."""
_SECONDS: Final = 0.5
_MOST_BYTES: Final = 1024 * 1024
_MILLION: Final = 1_000_000
_ALL: Final = frozenset({"bedrock"})
"""Providers that need each of their variables, not any one."""
_COSTS: Final = "model_prices_and_context_window_backup.json"
_PARTS: Final = {"bedrock_converse": "bedrock", "cohere_chat": "cohere"}
"""What litellm's list calls parts of a provider."""


@record
class OfferedModel:
    """One model that can be named."""

    name: str
    """As `--model` takes it."""
    provider: str
    context_window: int | None = None
    """Tokens that it reads at once."""
    prompt_price: float | None = None
    """US dollars for a million tokens that are sent, by list price; none when not known."""
    completion_price: float | None = None
    """The same for tokens that are received."""
    calls_tools: bool | None = None
    """Whether it calls tools by the protocol."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the model as plain JSON."""
        return {
            "name": self.name,
            "provider": self.provider,
            "context_window": self.context_window,
            "prompt_usd_per_million": self.prompt_price,
            "completion_usd_per_million": self.completion_price,
            "calls_tools": self.calls_tools,
        }


def ollama_models() -> tuple[str, ...] | None:
    """Return the models of an Ollama on this machine, by name; nothing when none answers within half a second.

    Asks the loopback interface alone, whatever proxies are set.
    """
    connection = http.client.HTTPConnection(*OLLAMA, timeout=_SECONDS)
    try:
        connection.request("GET", "/api/tags")
        reply = connection.getresponse()
        content = reply.read(_MOST_BYTES)
        listed = json.loads(content)["models"] if reply.status == http.client.OK else None
        return None if listed is None else tuple(str(entry["name"])[:200] for entry in listed)
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, RecursionError):
        return None
    finally:
        connection.close()


def provider_keys() -> Mapping[str, tuple[str, ...]]:
    """Return the providers whose key is set, each with the names of its variables; never a value."""
    found = {}
    for provider in sorted({_provider(entry) for entry in _costs().values()} - LOCAL):
        names = key_names_of(provider)
        has = all if provider in _ALL else any
        if names and has(os.environ.get(name) for name in names):
            found[provider] = names
    return found


def offered_models(providers: Collection[str] | None, word: str = "") -> Iterator[OfferedModel]:
    """Yield the chat models of `providers` (of all, when absent) whose names hold `word`, in alphabetical order."""
    wanted = word.casefold()
    found: dict[str, OfferedModel] = {}
    for listed, entry in _costs().items():
        provider = _provider(entry)
        if entry.get("mode") != "chat" or (providers is not None and provider not in providers):
            continue
        # A name without its provider stands for the same model, and says less.
        name = listed if listed.startswith(f"{provider}/") else f"{provider}/{listed}"
        if wanted in name.casefold():
            found[name] = _offered(name, provider, entry)
    yield from (found[name] for name in sorted(found))


@functools.cache
def _costs() -> Mapping[str, Mapping[str, Any]]:
    """Return litellm's own list of models, from its file: importing the library for that would take seconds."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    listed = json.loads(Path(spec.origin).with_name(_COSTS).read_text(encoding="utf-8"))
    return {name: entry for name, entry in listed.items() if isinstance(entry, dict)}


def _provider(entry: Mapping[str, Any]) -> str:
    whole = str(entry.get("litellm_provider", ""))
    return "vertex_ai" if whole.startswith("vertex_ai-") else _PARTS.get(whole, whole)


def _offered(name: str, provider: str, entry: Mapping[str, Any]) -> OfferedModel:
    tools, window = entry.get("supports_function_calling"), entry.get("max_input_tokens")
    return OfferedModel(
        name=name,
        provider=provider,
        context_window=window if isinstance(window, int) else None,
        prompt_price=_per_million(entry.get("input_cost_per_token")),
        completion_price=_per_million(entry.get("output_cost_per_token")),
        calls_tools=tools if isinstance(tools, bool) else None,
    )


def _per_million(price: object) -> float | None:
    return round(price * _MILLION, 6) if isinstance(price, (int, float)) else None
