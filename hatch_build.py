"""Compiles the planner's data files: into a wheel, and into the working tree of an editable installation."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledData(BuildHookInterface[Any]):
    """Runs before hatchling looks for the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the compiled files beside their sources, by a process that knows this tree alone."""
        del version, build_data
        subprocess.run([sys.executable, "-m", "tabchat.planner.compiling"], cwd=self.root, check=True)
