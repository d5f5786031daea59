"""What litellm knows of a model without asking anybody: provider, key variables, prices, window, tokenizer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from tabchat.chat.turn.answer import Usage
from tabchat.config import check_model_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from types import ModuleType

    from tabchat.chat.provider.reply_stream import Gathered
    from tabchat.chat.provider.wire_format import WireMessage
    from tabchat.engine.types import JsonValue

OLLAMA_WINDOW: Final = 4_096
"""Tokens that Ollama reads unless OLLAMA_CONTEXT_LENGTH says otherwise; it drops what is over without a word."""

_OLLAMA: Final = frozenset({"ollama", "ollama_chat"})
LOCAL: Final = _OLLAMA | {"lm_studio", "llamafile", "hosted_vllm", "vllm"}
"""Providers that run on a machine of the person's own, where a token has no price."""

_CHARACTERS_PER_TOKEN: Final = 3
"""Low for English and about right for Cyrillic, so that an estimate is rather too high."""

_KEY_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "azure": ("AZURE_API_KEY",),
    "bedrock": ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
    "fireworks_ai": ("FIREWORKS_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "huggingface": ("HF_TOKEN",),
    "perplexity": ("PERPLEXITYAI_API_KEY",),
    "together_ai": ("TOGETHERAI_API_KEY",),
    "vertex_ai": ("GOOGLE_APPLICATION_CREDENTIALS",),
}
"""Where the name is not the provider's own and `_API_KEY`."""


def key_names_of(provider: str) -> tuple[str, ...]:
    """Return the environment variables that hold the key of a provider; none of one on a machine of the person's own."""
    return () if provider in LOCAL else _KEY_NAMES.get(provider, (f"{provider.upper()}_API_KEY",))


class ModelFacts:
    """Facts about `model`; nothing here opens a connection.

    Raises `UsageError` for a name that holds the address of a server.
    """

    def __init__(self, litellm: ModuleType, model: str, api_base: str | None) -> None:
        check_model_name(model)
        self._litellm: Any = litellm
        self.model = model
        self._api_base = api_base
        self.target, self.provider = self._resolve()
        """The name to call litellm by, and the provider behind it; a provider is missing when it knows none."""
        self._entry = self._find_entry()
        if self.provider in _OLLAMA:
            self._keep_from_asking()

    @property
    def key_names(self) -> tuple[str, ...]:
        """Environment variables that hold the provider's key; any one of them will do."""
        return () if self.provider is None else key_names_of(self.provider)

    @property
    def missing_keys(self) -> tuple[str, ...]:
        """Variables of which one must be set before the provider can be asked; empty when nothing is known to miss."""
        names = self.key_names
        if self._api_base or not all(name.endswith("_API_KEY") for name in names):
            return ()
        with self._alone():
            missing = self._litellm.validate_environment(model=self.target)["missing_keys"]
        # A variable that is set to nothing is there for litellm, and no key.
        is_missing = set(names) & set(missing) or not any(os.environ.get(name) for name in names)
        return names if is_missing and self.api_key is None else ()

    @property
    def api_key(self) -> str | None:
        """A key to stand in where a server of the person's own asks for none, but the client library does."""
        own_server = self._api_base or os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE")
        no_key = not os.environ.get("OPENAI_API_KEY")
        return "none" if self.provider == "openai" and own_server and no_key else None

    @property
    def calls_tools(self) -> bool | None:
        """Whether the model calls tools by the protocol; unknown when absent."""
        known = self._entry.get("supports_function_calling")
        return known if isinstance(known, bool) else None

    def context_window(self) -> int | None:
        """Return the tokens that the model can read at once, or nothing when that is not known."""
        if self.provider in _OLLAMA:
            told = os.environ.get("OLLAMA_CONTEXT_LENGTH", "")
            return int(told) if told.isdigit() else OLLAMA_WINDOW
        window = self._entry.get("max_input_tokens")
        return window if isinstance(window, int) else None

    def price(self, prompt_tokens: int, completion_tokens: int, usage: object = None) -> float | None:
        """Return US dollars by the list price, with the provider's `usage` for cached tokens; nothing when unknown."""
        if self.provider in LOCAL:
            return 0.0
        if not self._entry:
            return None
        try:
            with self._alone():
                sent, received = self._litellm.cost_per_token(
                    model=self.target,
                    custom_llm_provider=self.provider,
                    prompt_tokens=prompt_tokens,
                    completion_tokens=completion_tokens,
                    usage_object=usage,
                )
        except Exception:  # noqa: BLE001 - the price map has gaps of many kinds, and each means the same: not known
            return None
        return float(sent) + float(received)

    def count(
        self, messages: list[WireMessage], tools: list[dict[str, JsonValue]] | None = None, text: str = ""
    ) -> int:
        """Return the tokens of messages and tools, and of `text`."""
        try:
            counted = self._litellm.token_counter(model=self.target, messages=messages, tools=tools)
            return int(counted) + (
                int(self._litellm.token_counter(model=self.target, text=text)) if text else 0
            )
        except Exception:  # noqa: BLE001 - tokenizers fail in ways of their own; an estimate always exists
            return (len(str(messages)) + len(str(tools or "")) + len(text)) // _CHARACTERS_PER_TOKEN

    def usage(
        self,
        gathered: Gathered,
        messages: list[WireMessage],
        tools: list[dict[str, JsonValue]],
        requests: int,
    ) -> Usage:
        """Return what a reply cost: by the provider's count of tokens, else by ours."""
        told = gathered.usage
        sent = getattr(told, "prompt_tokens", None) or 0
        received = getattr(told, "completion_tokens", None) or 0
        estimated = not sent
        if estimated:
            sent = self.count(messages, tools)
            received = self.count([], text=gathered.written)
        cost = self.price(sent, received, None if estimated else told)
        return Usage(
            model=self.model,
            prompt_tokens=sent,
            completion_tokens=received,
            cost_usd=cost or 0.0,
            requests=requests,
            priced=cost is not None,
            estimated=estimated,
        )

    def _alone(self) -> AbstractContextManager[None]:
        """Keep whatever happens inside from the network."""
        from tabchat.chat.provider.recorder import Recorder

        return Recorder.forbidding(self.model).watching()

    def _keep_from_asking(self) -> None:
        """Enter the model into litellm's table: of a model that it does not know it asks a server, not always ours."""
        bare = self.target.removeprefix(f"{self.provider}/")
        free = {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0}
        entry = {"litellm_provider": self.provider, "mode": "chat", **free}
        self._litellm.model_cost.setdefault(f"{self.provider}/{bare}", entry)

    def _resolve(self) -> tuple[str, str | None]:
        try:
            _, provider, _, _ = self._litellm.get_llm_provider(self.model, api_base=self._api_base)
        except self._litellm.BadRequestError:
            # A server of the person's own has names of its own, such as `qwen3` or `Qwen/Qwen3-8B`.
            return (f"openai/{self.model}", "openai") if self._api_base else (self.model, None)
        return self.model, str(provider)

    def _find_entry(self) -> Mapping[str, Any]:
        costs: Mapping[str, Mapping[str, Any]] = self._litellm.model_cost
        bare = self.target.removeprefix(f"{self.provider}/")
        for name in (self.target, f"{self.provider}/{bare}", bare):
            entry = costs.get(name)
            if entry is not None and str(entry.get("litellm_provider")).startswith(str(self.provider)):
                return entry
        return {}
