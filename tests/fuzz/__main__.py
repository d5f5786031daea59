"""Runs one target with the inputs that atheris finds: `python -m tests.fuzz TARGET [options of libFuzzer]`.

A failure ends the run, and leaves the input that made it as `crash-…` in the folder of its own.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path


def main(name: str, options: list[str]) -> None:
    """Fuzz the target called `name`; its seeds are the first inputs."""
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["tabchat", "sqlglot"]):
        targets = import_module("tests.fuzz.targets")
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(targets.SEEDS[name]):
            Path(corpus, str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], corpus, *options], targets.TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
