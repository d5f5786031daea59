"""The Java that Spark runs on: which one would be started, and whether it will do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tabchat.record import record

VERSIONS: Final = (17, 21)
"""Versions of Java that Spark 4 runs on."""
_VERSION: Final = re.compile(r'version "(?P<major>\d+)')
_PATIENCE: Final = 20.0
"""Seconds that `java -version` may take."""


@record
class Java:
    """A Java that was found, and its version."""

    path: Path
    version: int | None
    """Nothing where it does not say."""

    @property
    def will_do(self) -> bool:
        """True for a version that Spark runs on."""
        return self.version in VERSIONS


def find_java() -> Java | None:
    """Return the Java that Spark would start: that of `JAVA_HOME`, else the first on the path; nothing without one."""
    home = os.environ.get("JAVA_HOME")
    found = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if found is None or not os.access(found, os.X_OK):
        return None
    return Java(path=Path(found), version=_version(found))


def wanted() -> str:
    """Return the versions in words."""
    return " or ".join(map(str, VERSIONS))


def _version(path: str) -> int | None:
    try:
        # It says so on stderr.
        told = subprocess.run(
            [path, "-version"], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(told.stderr + told.stdout)
    return int(match["major"]) if match is not None else None
