"""The server: it has imported everything, has one thread, and forks a program for whoever asks.

A request is a length of eight bytes with descriptors behind it, and so many bytes of JSON; the answer is a line
with the number of the process, and one with its wait status when it has ended. A program is `python -m` with words and
three streams; a child of the program is `python -c` with code, words, and the descriptors that it inherits.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
import termios
import threading
import time
import traceback
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tests.forkserver.children import CHILDREN, LENGTH, forked_children

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_LIBRARIES: Final = (
    "duckdb",
    "pyarrow.ipc",
    "pyarrow.parquet",
    "rich.table",
    "sqlglot.dialects.duckdb",
    "prompt_toolkit.shortcuts",
)
_HEAVY: Final = ("litellm", "altair", "tabchat.mcp.server")
"""What few programs import, and would make every fork dearer."""
_WARM: Final = "warm"
"""The function by which a process for code loads its libraries."""
_OWN: Final = frozenset({"tabchat.__main__", "tabchat.sandbox", "tabchat.mcp"})
"""What is not imported ahead: it is run, stands in a process of its own, or needs an extra."""


def main(address: str, load: Callable[[], None]) -> NoReturn:
    """Serve at `address` until stdin ends, once what programs import is loaded."""
    load()
    gc.collect()
    gc.freeze()
    # One that forks while it has threads leaves their locks behind, held by nobody.
    assert threading.active_count() == 1
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(address)
    listening.listen(64)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    with selectors.DefaultSelector() as waiting:
        waiting.register(listening, selectors.EVENT_READ)
        waiting.register(0, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj == 0:
                    os._exit(0)
                if key.fileobj is listening:
                    connection, _ = listening.accept()
                    pid, watch = _begun(connection)
                    waiting.register(watch, selectors.EVENT_READ, (connection, pid))
                else:
                    waiting.unregister(key.fileobj)
                    _tell_end(*key.data)
                    os.close(key.fd)


def load_light(*others: str) -> None:
    """Import what programs import, and `others`; answer a first question, which prepares what every program prepares."""
    import tabchat

    for found in pkgutil.walk_packages(tabchat.__path__, "tabchat."):
        if not any(found.name == own or found.name.startswith(f"{own}.") for own in _OWN):
            importlib.import_module(found.name)
    from tabchat.chat.provider.litellm_model import QUIET

    os.environ.update(QUIET)
    for name in (*_LIBRARIES, *others):
        importlib.import_module(name)
    from tests.forkserver.warmth import answer, converse

    answer()
    if others:
        converse()
    forked_children(json.loads(os.environ.pop(CHILDREN)).get)


def load_heavy() -> None:
    """Import also what takes seconds."""
    load_light(*_HEAVY)


def load_query() -> None:
    """Import what a query process imports."""
    sys.modules["numpy"] = None  # type: ignore[assignment]
    for name in ("tabchat.engine.bounded.worker", "duckdb", "pyarrow.ipc"):
        importlib.import_module(name)


def load_code() -> None:
    """Load what code may use, and keep what was loaded: a process that forks workers need not load it again."""
    from tabchat.sandbox.worker import zygote
    from tabchat.sandbox.worker.warm import warm
    from tabchat.sandbox.worker.warmth import Warmth

    loaded = warm(Warmth.USED)
    setattr(zygote, _WARM, lambda warmth: warm(warmth) if warmth > Warmth.USED else loaded)


def _begun(connection: socket.socket) -> tuple[int, int]:
    """Fork the program that was asked for; returns its number, and a descriptor that is ready when it has ended."""
    head, descriptors, _, _ = socket.recv_fds(connection, LENGTH.size, 3)
    (size,) = LENGTH.unpack(head)
    asked = b""
    while len(asked) < size:
        asked += connection.recv(size - len(asked))
    pid = os.fork()
    if pid == 0:
        become = _become_child if "boot" in (told := json.loads(asked)) else _become
        become(told, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    watch = os.pidfd_open(pid)
    connection.sendall(b"%d\n" % pid)
    return pid, watch


def _tell_end(connection: socket.socket, pid: int) -> None:
    _, status = os.waitpid(pid, 0)
    with connection:
        try:
            connection.sendall(b"%d\n" % status)
        except OSError:
            # Whoever asked did not wait for the end.
            return


def _become(asked: Mapping[str, Any], descriptors: Sequence[int]) -> NoReturn:
    """Be the program from here on, as if it had been started; never returns."""
    code = 1
    try:
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        if asked["leads"]:
            os.setsid()
            if os.isatty(0):
                fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        time.tzset()
        _open_streams()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        module, *arguments = asked["words"]
        sys.argv[1:] = arguments
        gc.set_threshold(700, 10, 10)
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ending:
        code = _code(ending.code)
    except KeyboardInterrupt:
        traceback.print_exc()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
    finally:
        _end(code)


def _become_child(asked: Mapping[str, Any], descriptors: Sequence[int]) -> NoReturn:
    """Be a process that the program starts, as if it had been started; never returns."""
    code = 1
    try:
        os.setsid()
        # Above all places first: a descriptor may have the number of another one's place.
        above = max(asked["places"]) + 1
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, above) for descriptor in descriptors]
        os.closerange(3, above)
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nothing, number)
        os.close(nothing)
        for descriptor, place in zip(moved, asked["places"], strict=True):
            os.dup2(descriptor, place)
        os.closerange(above, os.sysconf("SC_OPEN_MAX"))
        os.chdir("/")
        os.environ.clear()
        os.environ.update(asked["environment"])
        sys.argv[1:] = asked["words"]
        gc.set_threshold(700, 10, 10)
        exec(asked["boot"], {})  # noqa: S102 - the program's own
    except SystemExit as ending:
        code = _code(ending.code)
    finally:
        os._exit(code)


def _code(given: object) -> int:
    if given is None or isinstance(given, int):
        return given or 0
    sys.stderr.write(f"{given}\n")
    return 1


def _end(code: int) -> NoReturn:
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _open_streams() -> None:
    """Open the three streams of Python anew: how they are buffered depends on what they lead to."""
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        raw = open(number, "rb" if number == 0 else "wb", closefd=False)  # noqa: SIM115 - as long as the process
        stream = _text(raw, number)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _text(raw: Any, number: int) -> Any:
    import io

    return io.TextIOWrapper(
        raw,
        encoding="utf-8",
        errors="backslashreplace" if number == 2 else "strict",
        newline="\n",
        line_buffering=number == 2 or os.isatty(number),
    )


if __name__ == "__main__":
    loading = {"light": load_light, "heavy": load_heavy, "query": load_query, "code": load_code}
    main(sys.argv[1], loading[sys.argv[2]])
