"""Lines that are no message, too deep, too long or of the wrong types: passed over or told, and the next call is answered."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tabchat.mcp.server import MOST_LINE

DEEP = 20_000


def message(number: int, method: str, params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def call(number: int, name: Any, arguments: Any) -> bytes:
    return message(number, "tools/call", {"name": name, "arguments": arguments})


OPENING = (
    message(
        1,
        "initialize",
        {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "\x1b[31m" * 1000, "version": "1"},
        },
    ),
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
)
NO_MESSAGES = (
    b"",
    b"not json",
    b"[]",
    b"null",
    b"\xff\xfe\x00",
    b"[" * DEEP,
    b'{"a":' * DEEP,
    b'{"jsonrpc":"2.0","id":[],"method":"tools/call"}',
    b'{"jsonrpc":"2.0","id":"a","method":3}',
    b"x" * (MOST_LINE * 2 + 1),
)
ODD_CALLS = (
    call(2, "run_query", "x"),
    call(3, "\x1b[31m../../x", {}),
    call(4, "run_query", {"where": {"a": 1}, "select": [[[]]]}),
    call(5, "run_query", {"where": "(" * DEEP}),
    call(6, "run_sql", {"sql": f"SELECT {'(' * 2000}1{')' * 2000}"}),
)


def test_hostile_lines_are_told_or_passed_over(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a,b\n1,2\n")
    last = call(99, "run_query", {"select": "count()"})
    with subprocess.Popen(
        [sys.executable, "-m", "tabchat", "mcp", str(table)],
        env=dict(os.environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        watchdog = threading.Timer(120, server.kill)
        watchdog.start()
        server.stdin.write(b"\n".join((*OPENING, *NO_MESSAGES, *ODD_CALLS, last)) + b"\n")
        server.stdin.flush()
        told: dict[int, Any] = {}
        while 99 not in told and (line := server.stdout.readline()):
            answer = json.loads(line)
            told[answer.get("id")] = answer
        server.stdin.close()
        narrated = server.stderr.read().decode()
        watchdog.cancel()
    assert server.returncode == 0
    assert "1" in told[99]["result"]["content"][0]["text"]
    assert told[2]["error"]["code"] == -32602
    for number in (3, 4, 5, 6):
        assert told[number]["result"]["isError"], told[number]
    assert "Traceback" not in narrated
    assert "\x1b" not in narrated
