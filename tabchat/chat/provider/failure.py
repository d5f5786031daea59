"""What is known of a call of a model that failed: status, words and cause, whichever provider it was."""

from __future__ import annotations

import email.utils
import json
import os
import re
import time
from typing import TYPE_CHECKING, Final

from tabchat.record import record
from tabchat.values import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.provider.recorder import Recorder

MESSAGE_LIMIT: Final = 300
"""Characters of a provider's own words that are passed on."""

_ECHO: Final = 40
"""Characters that a message may share with the request before it counts as repeating it."""

_RETRIED: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_KEY_LIKE: Final = re.compile(r"\b(?:(?:sk|pk|rk|gsk|xai|hf|AIza)[-_][\w*.-]{6,}|Bearer \S+)")
_PREFIX: Final = re.compile(r"\A.*?(?:\w+Exception - |(?:litellm\.)?\w+Error: )+", re.DOTALL)
_TRACE: Final = re.compile(r"\s*(?:Traceback \(most recent|Original exception:).*", re.DOTALL)
_NO_KEY: Final = re.compile(r"\bapi.?key|credentials", re.IGNORECASE)

_MEANINGS: Final = (
    (
        "model_context",
        re.compile(
            r"context.?(?:length|window|size)|too many (?:input )?tokens|(?:prompt|input|request) is too long",
            re.IGNORECASE,
        ),
    ),
    (
        "model_filtered",
        re.compile(r"content.?(?:policy|filter|management)|safety system|responsible.?ai", re.IGNORECASE),
    ),
    (
        "model_quota",
        re.compile(
            r"insufficient.?(?:quota|funds|credit|balance)|billing|credit balance|exceeded your current quota",
            re.IGNORECASE,
        ),
    ),
    (
        "model_unknown",
        re.compile(
            r"model.?not.?found|model .{0,200}(?:not exist|not found)|provider not provided|unknown model",
            re.IGNORECASE,
        ),
    ),
)


@record
class Failure:
    """What is known of a call that failed."""

    model: str
    message: str
    """The provider's words, or the library's, bounded and without keys."""
    names: frozenset[str]
    """Names of the classes of the exceptions behind it."""
    status: int | None = None
    address: str | None = None
    """Scheme, host and port that were asked."""
    in_stream: bool = False
    """Whether the failure came inside a response that had begun well."""
    sent: int = 0
    """Requests that were handed to the network."""
    retry_after: float | None = None
    """Seconds that the server asks to wait."""

    def mentions(self, word: str) -> bool:
        """Whether the server refused the request and named `word` as the reason."""
        words = self.message.lower()
        # llama.cpp answers 500 when it was started without what a field needs.
        refused = self.status in {400, 404, 422, 501} or (self.status == 500 and "require" in words)  # noqa: PLR2004 - statuses
        return refused and word in words

    @property
    def meaning(self) -> str | None:
        """The error code that the words or the status tell, when they do."""
        if self.status in {401, 403} or (not self.sent and self._wants_key):
            return "model_no_key"
        if "ContextWindowExceededError" in self.names:
            return "model_context"
        if "ContentPolicyViolationError" in self.names:
            return "model_filtered"
        if self.status == 402:  # noqa: PLR2004 - Payment Required
            return "model_quota"
        if self.status is None or self.status < 500:  # noqa: PLR2004 - a server's own failure is none of these
            return next((code for code, words in _MEANINGS if words.search(self.message)), None)
        return None

    @property
    def connection(self) -> bool:
        """Whether the server could not be reached, or the connection broke."""
        return (
            self.status is None
            and not self.names.isdisjoint(_CONNECTION)
            and "ResponseTooLongError" not in self.names
        )

    @property
    def _wants_key(self) -> bool:
        return "AuthenticationError" in self.names or bool(_NO_KEY.search(self.message))

    @property
    def untrusted(self) -> bool:
        """Whether no secure connection could be made, for the want of a good certificate or of TLS itself."""
        return "SSLError" in self.names

    @property
    def retryable(self) -> bool:
        """Whether the same request may well succeed a little later."""
        if self.meaning is not None or self.untrusted:
            return False
        if self.status is not None:
            return self.status in _RETRIED
        return self.connection or self.in_stream


_CONNECTION: Final = word_set(
    "TransportError ConnectError ReadError RemoteProtocolError TimeoutException BrokenReplyError"
)


class BrokenReplyError(Exception):
    """A stream ended without the provider's word that the reply is over."""


def describe(error: BaseException, recorder: Recorder, model: str) -> Failure:
    """Return what `error`, and the exchange that it ended, tell."""
    names = frozenset(cls.__name__ for one in _chain(error, recorder) for cls in type(one).__mro__)
    url = recorder.url
    arrived = recorder.status is not None and recorder.failure is None
    failed = arrived and recorder.status is not None and recorder.status >= 400  # noqa: PLR2004 - statuses of failures begin here
    text = provider_words(recorder.error_text) or _TRACE.sub("", _PREFIX.sub("", str(error), count=1))
    return Failure(
        model=model,
        message=_presentable(text, recorder),
        names=names,
        status=recorder.status if failed else None,
        address=f"{url.scheme}://{url.netloc.decode('ascii', 'replace').rpartition('@')[2]}" if url else None,
        in_stream=arrived and not failed,
        sent=recorder.sent,
        retry_after=_seconds(recorder.headers.get("retry-after")),
    )


def provider_words(body: str) -> str:
    """Return the message in an error body, whatever the provider's form; empty when there is none."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if isinstance(content, list) and content:
        content = content[0]
    found = content.get("error", content) if isinstance(content, dict) else content
    if isinstance(found, dict):
        words = next((found[name] for name in ("message", "detail", "msg") if found.get(name)), "")
        code = found.get("code")
        return f"{words} ({code})" if isinstance(code, str) and code not in str(words) else str(words)
    return found if isinstance(found, str) else ""


def _chain(error: BaseException, recorder: Recorder) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting = [error, recorder.failure]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [one.__cause__, one.__context__]


def _presentable(text: str, recorder: Recorder) -> str:
    line = " ".join("".join(char if char.isprintable() else " " for char in text[:4_000]).split())
    for secret in (*recorder.secrets, *_environment_secrets()):
        line = line.replace(secret, "***")
    line = _without_echo(_KEY_LIKE.sub("***", line), recorder.body)
    return line if len(line) <= MESSAGE_LIMIT else f"{line[:MESSAGE_LIMIT]}…"


def _environment_secrets() -> Iterator[str]:
    for name, value in os.environ.items():
        if name.endswith(("_KEY", "_TOKEN", "_SECRET")) and len(value) >= 8:  # noqa: PLR2004 - shorter ones are no secrets
            yield value


def _without_echo(line: str, body: bytes) -> str:
    """Cut `line` where it begins to repeat the request: that may hold figures and names of the table."""
    sent = body.decode("utf-8", "replace")
    for start in range(min(len(line), MESSAGE_LIMIT) - _ECHO + 1):
        if line[start : start + _ECHO] in sent:
            return line[:start] + "…"
    return line


def _seconds(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header, which are a number or a date."""
    if header is None:
        return None
    try:
        return max(float(header), 0.0)
    except ValueError:
        pass
    try:
        until = email.utils.parsedate_to_datetime(header).timestamp()
    except ValueError:
        return None
    return max(until - time.time(), 0.0)
