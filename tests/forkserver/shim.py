"""A `tabchat` for shells: asks the server for the program, with its own streams, folder and environment.

Runs as `python -I -S shim.py ADDRESS WORD…`, and imports next to nothing, or it would cost what it saves.
"""

import _socket
import json
import os
import signal
import sys


def main() -> None:
    """Run the program to its end, and exit as it did."""
    asked = json.dumps(
        {"words": sys.argv[2:], "environment": dict(os.environ), "folder": os.getcwd(), "leads": False}  # noqa: PTH109 - see above
    ).encode()
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(sys.argv[1])
    streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
    connection.sendmsg([len(asked).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    sent = 0
    while sent < len(asked):
        sent += connection.send(asked[sent:])
    told = b""
    while told.count(b"\n") < 2:
        told += connection.recv(64)
        if told.count(b"\n") == 1:
            _pass_on(int(told))
    code = os.waitstatus_to_exitcode(int(told.split()[1]))
    os._exit(code if code >= 0 else 128 - code)


def _pass_on(pid: int) -> None:
    def pass_on(number: int, _: object) -> None:
        os.kill(pid, number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pass_on)


main()
