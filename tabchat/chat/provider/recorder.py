"""Every request to a model is written into the ledger before a byte of it is sent.

The one seam is `httpx.HTTPTransport.handle_request`, where each synchronous
client of httpx hands a request to the network: whichever client a provider's
adapter builds, with its own proxies and certificates, its requests pass here
with their final bytes. A refusal of the ledger stops the request. Requests of
threads that have no `Recorder` are none of ours and pass untouched.

What would go around httpx is stopped: while a recorder is watching, opening a
connection anywhere else fails.
"""

from __future__ import annotations

import contextlib
import functools
import socket
import sys
import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

import httpx

from tabchat.audit import Outgoing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabchat.audit import Ledger

MOST_BYTES: Final = 64 * 1024 * 1024
"""Bytes of one response that are read; a streamed text of the longest allowed length takes a quarter of it."""

_ERROR_BYTES: Final = 64 * 1024
_SEAM: Final = "handle_request"
_SECRET_HEADERS: Final = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
_LEAST_SECRET: Final = 8
_INSTALLING: Final = threading.Lock()
_WATCHING: Final[ContextVar[Recorder | None]] = ContextVar("watching", default=None)
_SENDING: Final[ContextVar[bool]] = ContextVar("sending", default=False)


class UnrecordedConnectionError(ConnectionError):
    """Something tried to reach the network without passing the ledger.

    A `ConnectionError`, so that whoever tried cleans up after it.
    """


class ResponseTooLongError(Exception):
    """A response has more than `MOST_BYTES` bytes."""


class _ClosedLedger:
    def record(self, outgoing: Outgoing) -> None:
        raise UnrecordedConnectionError(outgoing.url)


class Recorder:
    """Watches what one call of a model sends, and keeps what tells its failures apart."""

    def __init__(self, ledger: Ledger, model: str) -> None:
        with _INSTALLING:
            _install()
        self._ledger = ledger
        self._model = model
        self._socket: socket.socket | None = None
        self._aborted = False
        self.sent = 0
        """Requests that were written down and handed to the network."""
        self.body = b""
        """Body of the last request."""
        self.url: httpx.URL | None = None
        self.refusal: Exception | None = None
        """Why the ledger did not take a request."""
        self.unrecorded: str | None = None
        """Address of a connection that was stopped, since it went around the ledger."""
        self.failure: Exception | None = None
        """What httpx met on the way."""
        self.status: int | None = None
        """Status of the last response."""
        self.headers = httpx.Headers()
        self.secrets: tuple[str, ...] = ()
        """Keys that the last request carried, to be kept out of messages."""
        self._error_body = bytearray()

    @classmethod
    def forbidding(cls, model: str) -> Recorder:
        """Return a recorder under which nothing at all may be sent."""
        return cls(_ClosedLedger(), model)

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Take note of what this thread sends."""
        token = _WATCHING.set(self)
        try:
            yield
        finally:
            _WATCHING.reset(token)

    def abort(self) -> None:
        """Make a thread that still reads the response stop; callable from any thread."""
        self._aborted = True
        if self._socket is not None:
            # SSLSocket.shutdown() would take the TLS layer away under the reading thread.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    @property
    def error_text(self) -> str:
        """The body of an error response, decoded; empty when there is none."""
        try:
            decoded = httpx.Response(
                self.status or 500, headers=self.headers, content=bytes(self._error_body)
            )
        except httpx.DecodingError:
            return ""
        return decoded.text

    def pass_on(
        self, request: httpx.Request, send: Callable[[httpx.Request], httpx.Response]
    ) -> httpx.Response:
        """Record `request`, then send it; raises what the ledger raises, and nothing is sent then."""
        self.body = request.read()
        self.url = request.url
        self.secrets = _secrets(request.headers)
        try:
            self._ledger.record(
                Outgoing(
                    method=request.method,
                    url=str(request.url),
                    headers=dict(request.headers),
                    body=self.body,
                    model=self._model,
                )
            )
        except Exception as error:
            self.refusal = error
            raise
        self.sent += 1
        self.status, self.failure = None, None
        self._error_body.clear()
        token = _SENDING.set(True)
        try:
            response = send(request)
        except httpx.TransportError as error:
            self.failure = error
            raise
        finally:
            _SENDING.reset(token)
        self._take(response)
        return response

    def _take(self, response: httpx.Response) -> None:
        self.status, self.headers = response.status_code, response.headers
        stream = response.extensions.get("network_stream")
        self._socket = stream.get_extra_info("socket") if stream is not None else None
        if isinstance(response.stream, httpx.SyncByteStream):
            response.stream = _WatchedStream(response.stream, self)
        if self._aborted:
            self.abort()

    def watch(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """Yield `parts` of a response, up to `MOST_BYTES`."""
        read = 0
        try:
            for part in parts:
                read += len(part)
                _check_length(read)
                if self.status is not None and self.status >= httpx.codes.BAD_REQUEST:
                    self._error_body += part[: _ERROR_BYTES - len(self._error_body)]
                yield part
        except (httpx.TransportError, ResponseTooLongError) as error:
            self.failure = error
            raise


class _WatchedStream(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, recorder: Recorder) -> None:
        self._stream = stream
        self._recorder = recorder

    def __iter__(self) -> Iterator[bytes]:
        yield from self._recorder.watch(iter(self._stream))

    def close(self) -> None:
        self._stream.close()


@functools.cache
def _install() -> None:
    """Put the recorder at its seam, once for the process."""
    original = httpx.HTTPTransport.handle_request

    @functools.wraps(original)
    def handle_request(transport: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        recorder = _WATCHING.get()
        if recorder is None:
            return original(transport, request)
        return recorder.pass_on(request, functools.partial(original, transport))

    setattr(httpx.HTTPTransport, _SEAM, handle_request)
    sys.addaudithook(_stop_unrecorded)


def _stop_unrecorded(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "socket.connect" or _SENDING.get():
        return
    recorder, address = _WATCHING.get(), arguments[1]
    # Addresses of local sockets are strings; only those of the network are tuples.
    if recorder is not None and isinstance(address, tuple):
        recorder.unrecorded = str(address[0])
        raise UnrecordedConnectionError(address)


def _secrets(headers: httpx.Headers) -> tuple[str, ...]:
    values = (headers[name].split()[-1] for name in _SECRET_HEADERS if headers.get(name, "").split())
    return tuple(value for value in values if len(value) >= _LEAST_SECRET)


def _check_length(read: int) -> None:
    if read > MOST_BYTES:
        raise ResponseTooLongError(read)
