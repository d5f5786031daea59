"""A request on its way: as it goes out, who takes note of it, and the line of the ledger that it was sent as."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, Final, Protocol

from tabchat.audit.redaction import redact_headers, redact_url, withholds
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.values import JsonValue

GENESIS: Final = "0" * 64
"""What the first line names in place of the hash of a line before it."""

_ID_BYTES: Final = 6

MODEL: Final = "model"
"""The kind of a request to a model."""
ASSISTANT: Final = "mcp"
"""The kind of a message to another assistant, by the Model Context Protocol."""


@record
class Outgoing:
    """One request as it goes over the wire."""

    method: str
    url: str
    headers: Mapping[str, str]
    """Names and values; the values of secrets are replaced before anything is written."""
    body: bytes
    model: str | None = None
    kind: str = MODEL
    """Whom it goes to: a model, or another assistant, whose name is in `model` then."""


class Ledger(Protocol):
    """Takes note of requests before they are sent."""

    def record(self, outgoing: Outgoing) -> None:
        """Write `outgoing` down; raises `OutputError` when it cannot, and the request must not be sent then."""


class DamagedLineError(Exception):
    """A line of the ledger is not a request."""


@record
class SentRequest:
    """A request that was written down and then sent."""

    id: str
    time: dt.datetime
    """When it was written down, in UTC."""
    model: str | None
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    """The very bytes; absent where they were withheld because they may be a secret themselves."""
    size: int
    """Bytes of the body."""
    sha256: str
    """Of the body."""
    session: str
    """One run of tabchat."""
    pid: int
    previous: str
    """SHA-256 of the line before it."""
    kind: str = MODEL
    """`model`, or `mcp` for a message to another assistant, whose name is in `model` then."""

    @property
    def host(self) -> str:
        """The host, and the port where it is not the usual one; `mcp stdio` for another assistant's process."""
        if self.kind != MODEL:
            return self.url.replace("://", " ")
        return self.url.partition("://")[2].partition("/")[0].rpartition("@")[2]

    def to_json(self) -> dict[str, JsonValue]:
        """Return the request as it stands in the ledger."""
        return {
            "id": self.id,
            "kind": self.kind,
            "time": self.time.isoformat(timespec="microseconds").replace("+00:00", "Z"),
            "model": self.model,
            "method": self.method,
            "url": self.url,
            "headers": dict(self.headers),
            **_body_json(self.body),
            "bytes": self.size,
            "sha256": self.sha256,
            "session": self.session,
            "pid": self.pid,
            "previous": self.previous,
        }

    @property
    def is_sound(self) -> bool:
        """Whether the body is as long as the line says, and has the hash that it names."""
        if self.body is None:
            return True
        return len(self.body) == self.size and hashlib.sha256(self.body).hexdigest() == self.sha256


def new_request(outgoing: Outgoing, *, session: str, previous: str) -> SentRequest:
    """Return `outgoing`, without its secrets, as it is written down now."""
    return SentRequest(
        id=os.urandom(_ID_BYTES).hex(),
        time=dt.datetime.now(dt.UTC),
        model=outgoing.model,
        method=outgoing.method,
        url=redact_url(outgoing.url),
        headers=redact_headers(outgoing.headers),
        body=None if withholds(outgoing.headers) else outgoing.body,
        size=len(outgoing.body),
        sha256=hashlib.sha256(outgoing.body).hexdigest(),
        session=session,
        pid=os.getpid(),
        previous=previous,
        kind=outgoing.kind,
    )


def to_line(request: SentRequest) -> bytes:
    """Return the line of `request`, without its line end."""
    text = json.dumps(request.to_json(), ensure_ascii=False, allow_nan=False)
    # A name that is not Unicode becomes an escape, which JSON reads back.
    return text.encode("utf-8", "backslashreplace")


def from_line(line: bytes) -> SentRequest:
    """Return the request of a line; raises `DamagedLineError`."""
    try:
        value = json.loads(line)
        return SentRequest(
            id=_text(value["id"]),
            time=dt.datetime.fromisoformat(_text(value["time"])).astimezone(dt.UTC),
            model=None if value["model"] is None else _text(value["model"]),
            method=_text(value["method"]),
            url=_text(value["url"]),
            headers={name: _text(text) for name, text in value["headers"].items()},
            body=_body(value),
            size=int(value["bytes"]),
            sha256=_text(value["sha256"]),
            session=_text(value["session"]),
            pid=int(value["pid"]),
            previous=_text(value["previous"]),
            # Lines from before there were others have no kind.
            kind=_text(value.get("kind", MODEL)),
        )
    except (ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError) as error:
        raise DamagedLineError(str(error)) from error


def line_hash(line: bytes) -> str:
    """Return the hash by which the next line names `line`."""
    return hashlib.sha256(line).hexdigest()


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise DamagedLineError(f"{type(value).__name__} instead of text")
    return value


def _body_json(body: bytes | None) -> dict[str, JsonValue]:
    if body is None:
        return {"body": None}
    try:
        return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"body_base64": base64.b64encode(body).decode("ascii")}


def _body(value: Mapping[str, Any]) -> bytes | None:
    if "body_base64" in value:
        try:
            return base64.b64decode(_text(value["body_base64"]), validate=True)
        except binascii.Error as error:
            raise DamagedLineError(str(error)) from error
    return None if value["body"] is None else _text(value["body"]).encode("utf-8")
