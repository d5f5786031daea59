"""What a provider's failure means, in words for the person: the cause, and what to do about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from tabchat.errors import ModelError

if TYPE_CHECKING:
    from tabchat.chat.provider.failure import Failure

_EXAMPLES: Final = (
    "Name it as litellm does, such as openai/gpt-5-mini, anthropic/claude-sonnet-4-5 or ollama_chat/qwen3; "
    "for a server of your own, openai/NAME with --api-base."
)


_LATER: Final = "Ask again later, or take another model with --model."
_HINTS: Final = {
    400: "The server does not take this request; another model may (--model).",
    404: "Check --api-base: it is the address of the API, such as http://localhost:11434/v1.",
}


def as_model_error(failure: Failure, *, key_names: tuple[str, ...], attempts: int = 1) -> ModelError:
    """Return what the person is told; `key_names` are the environment variables that the provider reads."""
    words = f" It says: {failure.message}" if failure.message else ""
    model = failure.model
    match failure.meaning:
        case "model_no_key":
            return _key_error(failure, key_names, words)
        case "model_unknown":
            return ModelError(
                f"There is no model {model!r} to ask.{words}", hint=_EXAMPLES, code="model_unknown"
            )
        case "model_context":
            message = f"The conversation is too long for {model}.{words}"
            hint = "Start a new conversation, set context_window to what the model reads, or take a model that reads more."
            return ModelError(message, hint=hint, code="model_context")
        case "model_filtered":
            return filtered(model, words)
        case "model_quota":
            message = f"The account for {model} has no credit left.{words}"
            hint = "See the provider's billing page, or take another model."
            return ModelError(message, hint=hint, code="model_quota")
        case _:
            return _other_error(failure, words, attempts)


def filtered(model: str, words: str = "") -> ModelError:
    """Return the error for a reply that the provider's content filter stopped."""
    message = f"The provider's content filter stopped {model}.{words}"
    hint = "Word the question differently, or take another model."
    return ModelError(message, hint=hint, code="model_filtered")


def _key_error(failure: Failure, key_names: tuple[str, ...], words: str) -> ModelError:
    if any(os.environ.get(name) for name in key_names):
        message = f"The provider of {failure.model} refused the key.{words}"
        wanted = " or ".join(key_names)
        hint = f"Check the key in {wanted}, and what it may do."
        return ModelError(message, hint=hint, code="model_no_key")
    return no_key(failure.model, key_names, words if failure.sent else "")


def no_key(model: str, key_names: tuple[str, ...], words: str = "") -> ModelError:
    """Return the error for a provider whose key is not set."""
    wanted = " or ".join(key_names) if key_names else "the variable of its provider"
    example = key_names[0] if key_names else "OPENAI_API_KEY"
    hint = f"Set {wanted} in the environment, such as: export {example}=…"
    return ModelError(f"There is no key for {model}.{words}", hint=hint, code="model_no_key")


def _other_error(failure: Failure, words: str, attempts: int) -> ModelError:
    tried = f" ({attempts} attempts)" if attempts > 1 else ""
    address = failure.address or "the provider"
    if failure.connection:
        return _connection_error(failure, address, tried)
    if failure.status == 429:  # noqa: PLR2004 - Too Many Requests
        return _busy_error(failure, words, tried)
    if failure.status is not None:
        message = f"{failure.model} failed with status {failure.status}{tried}.{words}"
        return ModelError(message, hint=_HINTS.get(failure.status, _LATER))
    if failure.in_stream:
        message = f"{failure.model} failed while it replied{tried}.{words}"
        return ModelError(message, hint="Ask again, or take another model with --model.")
    message = f"{failure.model} could not be asked.{words}"
    return ModelError(message, hint="Check --model and --api-base (tabchat config).")


def _connection_error(failure: Failure, address: str, tried: str) -> ModelError:
    if failure.untrusted:
        certificate = "SSLCertVerificationError" in failure.names
        what = "its certificate is not trusted" if certificate else "it does not speak TLS"
        message = f"No secure connection to {address} can be made: {what}."
        hint = "Name the authority's certificates in SSL_CERT_FILE, or use http:// for a server of your own."
        return ModelError(message, hint=hint, code="model_unreachable")
    if "BrokenReplyError" in failure.names:
        hint = "Ask again; if it goes on, check that --api-base is the address of an OpenAI-compatible API (…/v1)."
        return ModelError(f"{address} ended its reply before it was complete{tried}.", hint=hint)
    if not failure.names.isdisjoint({"ConnectError", "ConnectTimeout"}):
        message = f"{address} cannot be reached{tried}."
        return ModelError(message, hint=_reach_hint(failure), code="model_unreachable")
    if "ReadTimeout" in failure.names:
        hint = "Ask again, or take a faster model with --model."
        return ModelError(f"{address} was silent for too long{tried}.", hint=hint, code="model_unreachable")
    hint = "Ask again; if it goes on, look at the server's own log."
    return ModelError(f"The connection to {address} broke{tried}.", hint=hint, code="model_unreachable")


def _busy_error(failure: Failure, words: str, tried: str) -> ModelError:
    wait = f" in {failure.retry_after:.0f} s" if failure.retry_after else " later"
    message = f"{failure.model} takes no more requests for now{tried}.{words}"
    hint = f"Ask again{wait}, or take another model with --model."
    return ModelError(message, hint=hint, code="model_quota")


def _reach_hint(failure: Failure) -> str:
    host = (failure.address or "").partition("://")[2]
    if host.startswith(("localhost", "127.", "[::1]", "0.0.0.0")):  # noqa: S104 - compared, never bound
        return "Is the server running (for Ollama: ollama serve), and is --api-base its address?"
    return "Check the network, the proxy settings and --api-base."
