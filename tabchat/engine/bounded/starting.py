"""Starting a Python of its own for what may take too much, or may be hostile."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def start_child(
    boot: str,
    *arguments: str,
    libraries: Sequence[str],
    environment: Mapping[str, str],
    kind: socket.SocketKind = socket.SOCK_STREAM,
) -> tuple[subprocess.Popen[bytes], socket.socket, int]:
    """Start `boot`, and return the process, a connection to it, and a pipe that closes with us, however we end.

    Its arguments are the descriptors of its ends of both, then `arguments`, then the folders of `libraries`. Raises
    `OSError`.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    watched, lifeline = os.pipe()
    ends = (theirs.fileno(), watched)
    try:
        process = subprocess.Popen(
            [
                *(sys.executable, "-I", "-B", "-c", boot, *map(str, ends)),
                *(*arguments, *library_folders(*libraries)),
            ],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=ends,
            start_new_session=True,
        )
    except OSError:
        ours.close()
        os.close(lifeline)
        raise
    finally:
        theirs.close()
        os.close(watched)
    return process, ours, lifeline


def library_folders(*names: str) -> list[str]:
    """Return where tabchat and its libraries are installed: isolated mode leaves out a person's own folder."""
    found = [find_spec(name) for name in names]
    folders = [str(Path(spec.origin).resolve().parent.parent) for spec in found if spec and spec.origin]
    return list(dict.fromkeys(folders))
