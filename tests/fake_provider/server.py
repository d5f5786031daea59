"""A real HTTP server on loopback that answers as a provider would, by a script."""

import contextlib
import itertools
import json
import socket
import struct
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, TypeAlias
from urllib.parse import urlsplit

from tests.fake_provider import protocol
from tests.fake_provider.protocol import Numbered
from tests.fake_provider.script import Fault, Script, Step

Address: TypeAlias = tuple[str, int]


@dataclass(frozen=True)
class ReceivedRequest:
    """One request, exactly as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class FakeProvider:
    """A provider on a free loopback port; a context manager.

    `with FakeProvider([call("run_query", {…}), say("There are 3.")]) as provider:`
    `base_url` (…/v1) is the api base of OpenAI-compatible clients; `root_url`, without `/v1`, that of
    Anthropic's and Ollama's. Every request to a chat takes the next step of the script, the last one repeats;
    other requests (`/v1/models`, `/api/show`) are answered and recorded, and take none.
    """

    script: Script
    port: int = 0
    requests: list[ReceivedRequest] = field(default_factory=list)
    """Every request, in the order of arrival."""

    def __post_init__(self) -> None:
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._steps = itertools.count()
        self._calls = itertools.count(1)
        self._server = _Server(("127.0.0.1", self.port), self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def root_url(self) -> str:
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    @property
    def base_url(self) -> str:
        return f"{self.root_url}/v1"

    @property
    def chats(self) -> list[ReceivedRequest]:
        """The requests that took a step of the script."""
        return [request for request in self.requests if urlsplit(request.path).path in _CHATS]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def note(self, request: ReceivedRequest) -> None:
        with self._lock:
            self.requests.append(request)

    def next_step(self, body: dict[str, Any]) -> Step:
        if callable(self.script):
            return self.script(body)
        with self._lock:
            index = next(self._steps)
        return self.script[min(index, len(self.script) - 1)]

    def number(self, step: Step, model: str) -> Numbered:
        assert not isinstance(step, Fault)
        with self._lock:
            ids = tuple(f"call_{next(self._calls)}" if one.id == "auto" else one.id for one in step.calls)
        return Numbered(step, model, ids)


def closed_base_url() -> str:
    """Return an api base at a loopback port where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


class _Server(ThreadingHTTPServer):
    # Hanging connections end with the server, and a client that went away is no failure of a test.
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: Address, provider: FakeProvider) -> None:
        self.provider = provider
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients of these tests close connections as they like."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        """Say nothing on stderr."""

    def do_GET(self) -> None:
        self._note(b"")
        if self.path.endswith("/models"):
            models = [{"id": "fake", "object": "model", "created": protocol.CREATED, "owned_by": "tests"}]
            self._send(200, json.dumps({"object": "list", "data": models}).encode())
        else:
            self._send(404, b'{"error": {"message": "No such page."}}')

    def do_POST(self) -> None:
        body = self._read_body()
        self._note(body)
        # A proxy is sent the whole address.
        path = urlsplit(self.path).path
        content = json.loads(body or b"{}")
        if path in _CHATS:
            self._chat(path, content, self.server.provider.next_step(content))
        elif path == "/api/show":
            self._send_json({"template": "tools", "capabilities": ["completion", "tools"], "model_info": {}})
        else:
            self._send(404, b'{"error": {"message": "No such page."}}')

    def _read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _note(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.provider.note(ReceivedRequest(self.command, self.path, headers, body))

    def _chat(self, path: str, content: dict[str, Any], step: Step) -> None:
        if isinstance(step, Fault):
            self._fail(content, step)
            return
        numbered = self.server.provider.number(step, str(content.get("model", "fake")))
        # Ollama streams unless it is told not to; the others the other way round.
        if content.get("stream", path == "/api/chat"):
            wants_usage = bool((content.get("stream_options") or {}).get("include_usage"))
            if path == "/api/chat":
                stream = protocol.ollama_lines(numbered)
            elif path == "/v1/messages":
                stream = protocol.anthropic_stream(numbered)
            else:
                stream = protocol.completion_stream(numbered, with_usage=wants_usage)
            self._begin_stream("application/x-ndjson" if path == "/api/chat" else "text/event-stream")
            self._stream(stream, step.delay)
            self._end_stream()
            return
        whole = {"/api/chat": protocol.ollama_message, "/v1/messages": protocol.anthropic_message}
        self._send(200, whole.get(path, protocol.completion)(numbered))

    def _fail(self, content: dict[str, Any], step: Fault) -> None:
        match step.kind:
            case "reset":
                self._reset()
            case "hang":
                self.server.provider.stopping.wait()
                self.close_connection = True
            case "not_json":
                self._send(200, b"<html><body>Welcome to the gateway</body></html>", "text/html")
            case "reset_midway" | "cut" | "unfinished" | "hang_midway" | "stream_error" | "garbage":
                self._fail_midway(content, step)
            case _:
                self._send(step.status, protocol.error_body(step), retry_after=step.retry_after)

    def _fail_midway(self, content: dict[str, Any], step: Fault) -> None:
        model = str(content.get("model", "fake"))
        self._begin_stream("text/event-stream")
        self._stream(protocol.text_chunks(model, step.text))
        match step.kind:
            case "reset_midway":
                self._reset()
            case "cut":
                self.close_connection = True
            case "hang_midway":
                self.server.provider.stopping.wait()
                self.close_connection = True
            case "stream_error":
                error = json.loads(protocol.error_body(step))
                self._stream([protocol.event(error)])
                self._end_stream()
            case "garbage":
                done = [protocol.chunk(model, {}, "stop"), protocol.event("[DONE]")]
                self._stream([b"data: {not json\n\n", b"\xff\xfe nonsense\n\n", *done])
                self._end_stream()
            case _:
                self._end_stream()

    def _send_json(self, content: dict[str, Any]) -> None:
        self._send(200, json.dumps(content).encode())

    def _send(
        self, status: int, body: bytes, kind: str = "application/json", *, retry_after: str | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if retry_after is not None:
            self.send_header("Retry-After", retry_after)
        self.end_headers()
        self.wfile.write(body)

    def _begin_stream(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _stream(self, parts: Iterable[bytes], delay: float = 0.0) -> None:
        for part in parts:
            self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            self.wfile.flush()
            if delay and self.server.provider.stopping.wait(delay):
                self.close_connection = True
                return

    def _end_stream(self) -> None:
        with contextlib.suppress(OSError):
            self.wfile.write(b"0\r\n\r\n")

    def _reset(self) -> None:
        # SO_LINGER with a zero timeout makes close() send RST instead of FIN.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.wfile.flush()
        self.connection.close()
        self.close_connection = True


_CHATS = frozenset({"/v1/chat/completions", "/chat/completions", "/v1/messages", "/api/chat"})
