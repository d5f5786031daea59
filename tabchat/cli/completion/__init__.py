"""What Tab completes in a shell, found without loading a command: its options stand in `commands.json`.

`docs/generate.py` writes that file from the commands themselves, and CI checks that it is theirs.
"""

from __future__ import annotations

from tabchat.cli.completion.candidates import Candidate, answer, candidates
from tabchat.cli.completion.scripts import SHELLS, install, script

__all__ = ["SHELLS", "Candidate", "answer", "candidates", "install", "script"]
