"""Requests without their secrets: what is known to be harmless is kept, everything else is only named.

Bodies are kept to the byte. The one exception is a form: models are asked in
JSON, and a form is how some providers take a key in exchange for a token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit, urlunsplit

from tabchat.values import word_set

if TYPE_CHECKING:
    from collections.abc import Mapping

REDACTED: Final = "[redacted]"
"""What is written in place of a value that may be a secret."""

_HARMLESS_HEADERS: Final = word_set(
    """
    accept accept-encoding accept-language anthropic-beta anthropic-version connection content-encoding
    content-length content-type date helicone-stream-usage host openai-beta transfer-encoding user-agent
    """
)
_HARMLESS_PREFIX: Final = "x-stainless-"
"""OpenAI's and Anthropic's clients name their language and version so."""
_HARMLESS_PARAMETERS: Final = frozenset({"alt", "api-version", "beta", "stream", "version"})
_FORM: Final = "application/x-www-form-urlencoded"


def redact_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return `headers` with the values of all but harmless ones replaced."""
    return {name: value if _is_harmless(name.lower()) else REDACTED for name, value in headers.items()}


def redact_url(url: str) -> str:
    """Return `url` with user, password and the values of all but harmless parameters replaced."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    query = "&".join(_redact_parameter(text) for text in parts.query.split("&")) if parts.query else ""
    netloc = f"{REDACTED}@{host}" if at and user else host
    fragment = REDACTED if parts.fragment else ""
    return urlunsplit((parts.scheme, netloc, parts.path, query, fragment))


def withholds(headers: Mapping[str, str]) -> bool:
    """Return whether the body that comes with `headers` may be a secret itself."""
    kinds = [value for name, value in headers.items() if name.lower() == "content-type"]
    return any(kind.partition(";")[0].strip().lower() == _FORM for kind in kinds)


def _is_harmless(name: str) -> bool:
    return name in _HARMLESS_HEADERS or name.startswith(_HARMLESS_PREFIX)


def _redact_parameter(text: str) -> str:
    name, equals, _ = text.partition("=")
    if not equals:
        # A parameter without a name is a value.
        return text if text in _HARMLESS_PARAMETERS else REDACTED
    return text if name.lower() in _HARMLESS_PARAMETERS else f"{name}={REDACTED}"
