"""A real server of Spark Connect on loopback, in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

import pytest

PATIENCE = 120.0
"""Seconds that the server may take to answer."""


class ConnectServer:
    """The server; a context manager."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"sc://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        import pyspark

        home = Path(pyspark.__file__).parent
        settings = {
            "spark.connect.grpc.binding.port": self.port,
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.warehouse.dir": self._folder / "warehouse",
        }
        # As many threads as in the other one: some may never come back.
        command = [home / "bin" / "spark-submit", "--master", "local[4]"]
        command += [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
        command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
        with (self._folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                [*map(str, command)], stdout=log, stderr=log, cwd=self._folder, env=dict(os.environ)
            )
        self._await()
        return self

    def _await(self) -> None:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            assert self._process is not None
            assert self._process.poll() is None, (self._folder / "server.log").read_text()[-2000:]
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.2)
        pytest.fail("the Spark Connect server did not come up")

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            # It has nothing to put in order, and may take long to.
            self._process.kill()
            self._process.wait()
