"""`--offline` opens no socket, whatever else is set and whoever would open it."""

import subprocess
import sys

import pytest

from tabchat.errors import ExitCode
from tests.command import tabchat
from tests.conftest import Example

pytestmark = pytest.mark.examples_read

ATTEMPTS = """
import socket, urllib.request
from tabchat.cli.offline import refuse_sockets
from tabchat.errors import RefusedError
refuse_sockets()
def refused(attempt):
    try:
        attempt()
    except RefusedError:
        return True
    return False
with socket.socket() as plain, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
    print(
        refused(lambda: plain.connect(("127.0.0.1", 9))),
        refused(lambda: datagrams.sendto(b"x", ("127.0.0.1", 9))),
        refused(lambda: socket.getaddrinfo("localhost", 80)),
        refused(lambda: urllib.request.urlopen("http://127.0.0.1:9/", timeout=1)),
    )
left, right = socket.socketpair()
left.sendall(b"still heard"); print(right.recv(20).decode())
left.close(); right.close()
"""


def test_no_library_of_the_process_reaches_the_network() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ATTEMPTS], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "True True True True\nstill heard\n"


def test_rules_answer_offline(example: Example) -> None:
    done = tabchat("ask", example("sales.csv"), "how many rows", "--offline", "-m", "openai/any", "--json")
    assert done.code == ExitCode.ANSWERED
    assert done.json["planner"] == "rules"


def test_a_model_is_refused_offline(example: Example) -> None:
    done = tabchat("ask", example("sales.csv"), "hello", "--offline", "-m", "openai/any", "--planner", "llm")
    assert done.code == ExitCode.REFUSED
    assert "--offline forbids asking openai/any" in done.err


def test_an_api_base_without_a_scheme_is_told_before_anything_is_sent(example: Example) -> None:
    done = tabchat(
        *("ask", example("sales.csv"), "why?", "--planner", "llm", "-m", "openai/any"),
        *("--api-base", "localhost:8080/v1"),
        env={"OPENAI_API_KEY": "any"},
    )
    assert done.code == 2
    assert "The api base 'localhost:8080/v1' is no address of a server." in done.err
    assert "such as http://localhost:8080/v1" in done.err
