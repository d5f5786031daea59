"""Starting Spark in this process, or reaching a server of Spark Connect."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import socket
import subprocess
import tempfile
import threading
import warnings
from dataclasses import field
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tabchat.engine.backends.spark.java import find_java, wanted
from tabchat.errors import SparkUnavailableError, UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONNECT: Final = "sc://"
"""How the address of a server of Spark Connect begins."""
_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_PORT: Final = 15002
"""Port of Spark Connect where none is named."""
_ANSWERS: Final = 10.0
"""Seconds that a server may take to answer at all."""
_PATIENCE: Final = 30.0
"""Seconds that Spark may take to end."""
_CLIENT: Final = "SPARK_CONNECT_MODE_ENABLED"
"""What PySpark sets in the environment of a process, and so of those that it starts, once it has reached a server."""
_READS_SPLIT: Final = (4, 3)
"""The first Spark whose reader of columns is known to read fractions of which each byte is stored apart."""
_TAIL: Final = 2_000
"""Bytes of the end of Spark's own log that are looked at when it does not start."""

SESSION: Final = {
    # An overflow, a cast that fails and a division by zero are errors, never another number.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    "spark.sql.caseSensitive": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.timeType.enabled": "true",
    "spark.sql.parquet.binaryAsString": "true",
    # A time in nanoseconds is a column that is not read, and not a file that is not.
    "spark.sql.legacy.parquet.nanosAsLong": "true",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    # A plan tells which columns are read, all of them.
    "spark.sql.debug.maxToStringFields": "100000",
}
"""Settings of a session, which a server of Spark Connect takes as well: what numbers, times and names mean here."""
LOCAL: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Nobody but this process speaks to it.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
    # How many tasks run is asked for, and what was so a moment ago is no answer.
    "spark.ui.liveUpdate.period": "0",
}
"""Settings of a Spark that is started here."""


@record
class Running:
    """A Spark that runs."""

    session: Any
    """`SparkSession`, of this process or of a server."""
    is_remote: bool
    gateway: Any = None
    """The JVM of a Spark that was started here; nothing where somebody else started it."""
    computes_here: bool = False
    """Whether that JVM is all that there is of it, so that what runs there ends with it."""
    _stopped: threading.Event = field(default_factory=threading.Event)
    _stopping: threading.Lock = field(default_factory=threading.Lock)

    @property
    def was_stopped(self) -> bool:
        """Whether it was ended by whoever started it, with all that ran there."""
        is_others = not self.is_remote and self.gateway is None
        # There is no public way to ask.
        return self._stopped.is_set() or (is_others and self.session.sparkContext._jsc is None)  # noqa: SLF001

    @property
    def has_ended(self) -> bool:
        """Whether it is gone, on purpose or by itself; of a server that is not known."""
        return self.was_stopped or (self.gateway is not None and self.gateway.proc.poll() is not None)

    def stop(self) -> None:
        """End a Spark that was started here, and the session on a server; one of somebody else goes on.

        Ending it again does nothing but wait for that.
        """
        with self._stopping:
            if self._stopped.is_set():
                return
            self._stopped.set()
            if self.is_remote:
                self.session.stop()
            elif self.gateway is not None:
                _stop(self.session, self.gateway)


def stays_here(address: str) -> bool:
    """Return whether all that a Spark at this address gets stays on this machine."""
    if address.startswith(CONNECT):
        return urlsplit(address).hostname in _HERE
    return is_local(address)


def is_local(master: str) -> bool:
    """Return whether a Spark of this master is one process."""
    return master == "local" or master.startswith("local[")


def require_pyspark() -> None:
    """Raise `UsageError` where the extra is not installed."""
    if importlib.util.find_spec("pyspark") is None:
        raise UsageError(
            "--engine spark needs PySpark, which is not installed.",
            hint="Install it with: pip install 'tabchat[spark]'",
        )


def start(address: str, *, scratch: Path) -> Running:
    """Start Spark by its master (`local[*]`), or reach the server at an address `sc://host:port`.

    `scratch` is where a Spark of this process spills. Raises `SparkUnavailableError`, and `UsageError` where PySpark is
    not installed.
    """
    require_pyspark()
    # It speaks of pandas' own types, and rows come as Arrow.
    warnings.filterwarnings(
        "ignore", message="PySpark does not yet fully support pandas", category=FutureWarning
    )
    # One that ended by itself is told of where it was needed.
    warnings.filterwarnings("ignore", message="Unable to cleanly shutdown Spark JVM", category=RuntimeWarning)
    # A query that fails is told by whoever asked it, not by a logger of the library.
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    # So is a JVM that goes while it is asked, of which py4j logs a traceback at the root.
    logging.getLogger().addFilter(_is_not_of_a_call)
    return _connected(address) if address.startswith(CONNECT) else _local(address, scratch)


def _is_not_of_a_call(told: logging.LogRecord) -> bool:
    return not str(told.msg).endswith("while sending command.")


def _connected(address: str) -> Running:
    from pyspark.sql import SparkSession

    try:
        # The client would go on trying for minutes.
        place = urlsplit(address)
        with socket.create_connection((place.hostname or "", place.port or _PORT), _ANSWERS):
            pass
        session = SparkSession.builder.remote(address).create()
        for name, value in SESSION.items():
            session.conf.set(name, value)
        suit_reader(session)
    except ImportError as error:
        message = f"Spark Connect needs packages that are not installed: {error}"
        raise UsageError(message, hint="Install them with: pip install 'tabchat[spark]'") from error
    except Exception as error:  # the client raises errors of gRPC, of its own and plain ones
        message = f"No Spark Connect server answers at {address}: {_first_line(error)}"
        hint = "Start it, or leave --spark out for a Spark of your own."
        raise SparkUnavailableError(message, hint=hint) from error
    return Running(session=session, is_remote=True)


def _local(master: str, scratch: Path) -> Running:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    active = SparkContext._active_spark_context  # noqa: SLF001 - there is no public way to ask without starting one
    if active is not None:
        return Running(session=SparkSession(active), is_remote=False)
    _require_java()
    conf = SparkConf()
    for name, value in {**LOCAL, **SESSION, "spark.local.dir": str(scratch)}.items():
        conf.set(name, value)
    conf.setMaster(master).setAppName("tabchat")
    gateway = None
    with tempfile.TemporaryFile() as log:
        try:
            gateway = _gateway(conf, log)
            with as_no_client():
                context = SparkContext(conf=conf, gateway=gateway)
        except Exception as error:  # whatever goes wrong between two languages
            if gateway is not None:
                _end(gateway)
            message = f"Spark did not start with master {master!r}: {_told(log) or _first_line(error)}"
            raise SparkUnavailableError(message, hint="See what it needs with: tabchat doctor") from error
    session = SparkSession(context)
    suit_reader(session)
    return Running(session=session, is_remote=False, gateway=gateway, computes_here=is_local(master))


def suit_reader(session: Any) -> None:
    """Have a Spark read kept tables by rows whose reader of columns may not know all encodings of their fractions."""
    major, minor, *_ = str(session.version).split(".")
    if (int(major), int(minor)) < _READS_SPLIT:
        session.conf.set("spark.sql.parquet.enableVectorizedReader", "false")


@contextlib.contextmanager
def as_no_client() -> Iterator[None]:
    """Let a process that was a client of a server also have a Spark of its own, which PySpark would forbid it."""
    was = os.environ.pop(_CLIENT, None)
    try:
        yield
    finally:
        if was is not None:
            os.environ[_CLIENT] = was


def _gateway(conf: Any, log: IO[bytes]) -> Any:
    """Start the JVM with a log of its own: the terminal is not its to write to."""
    from pyspark.java_gateway import launch_gateway

    # The name of this machine need not be known to any resolver.
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return launch_gateway(conf, {"stdout": log, "stderr": log})


def _stop(session: Any, gateway: Any) -> None:
    from py4j.protocol import Py4JError

    # A JVM that is gone has nothing to stop, and does not say that it is.
    with contextlib.suppress(OSError, Py4JError):
        session.stop()
    # What this process knows of it is forgotten all the same.
    session.sparkContext.stop()
    _end(gateway)


def _end(gateway: Any) -> None:
    """End the JVM."""
    from pyspark import SparkContext

    gateway.shutdown()
    # It ends when nobody holds its standard input.
    gateway.proc.stdin.close()
    try:
        gateway.proc.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        gateway.proc.kill()
        gateway.proc.wait()
    SparkContext._gateway = SparkContext._jvm = None  # noqa: SLF001 - the next one is to start a JVM of its own


def _require_java() -> None:
    java = find_java()
    hint = f"Install Java {wanted()}, or name it with JAVA_HOME; a Spark Connect server needs none here: --spark sc://host"
    if java is None:
        raise SparkUnavailableError(f"Spark needs Java {wanted()}, and there is none.", hint=hint)
    if not java.will_do:
        found = f"version {java.version}" if java.version is not None else "of an unknown version"
        raise SparkUnavailableError(f"Spark needs Java {wanted()}, and {java.path} is {found}.", hint=hint)


def _told(log: IO[bytes]) -> str:
    log.seek(0, os.SEEK_END)
    log.seek(max(0, log.tell() - _TAIL))
    lines = [
        line
        for line in log.read().decode(errors="replace").splitlines()
        if "rror" in line or "xception" in line
    ]
    return lines[0].strip() if lines else ""


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
