"""`--offline`: a wall below everything else, so that no library opens a connection either."""

from __future__ import annotations

import socket
import sys
from typing import Any

from tabchat.errors import RefusedError


def refuse_sockets() -> None:
    """Refuse every connection and every look-up of a name for the rest of this process.

    Python's own audit events tell of them before they happen; a hook cannot be
    removed again. Sockets of this machine's own processes (AF_UNIX) are let through.
    """
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}:
        _raise(arguments[0])
    if (
        event in {"socket.connect", "socket.sendto", "socket.sendmsg"}
        and arguments[0].family != socket.AF_UNIX
    ):
        _raise(arguments[1])


def _raise(address: object) -> None:
    message = f"--offline forbids a connection to {address!r}."
    raise RefusedError(message, hint="Leave --offline out to allow it.")
