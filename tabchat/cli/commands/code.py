"""`tabchat run`: pandas code that the person wrote.

Its libraries take longer to load than the rest of tabchat does, so that begins first, in a process of their own.
"""

from __future__ import annotations

import contextlib
from typing import Annotated

import typer

from tabchat.cli.options.groups import Drawn, Reading, Running
from tabchat.cli.options.typed import check_stdin, typed_text
from tabchat.config import load_settings
from tabchat.errors import SandboxUnavailableError
from tabchat.sandbox.policy import policy_for
from tabchat.sandbox.runner import Sandbox


def run(
    file: Annotated[str, typer.Argument(help="The table (- for stdin).")],
    code: Annotated[str, typer.Argument(help="pandas code, @FILE to read it, or - for stdin.")],
    reading: Reading,
    running: Running,
    output: Drawn,
) -> None:
    """Run pandas code over a table, in a locked process.

    The code sees the table as `df`, with pd, np, re, math, statistics and datetime, and leaves its answer in `result`.
    """
    check_stdin([file, code])
    text = typed_text(code)
    with Sandbox(policy_for(load_settings(running.flags() | output.flags())), hurry=True) as sandbox:
        with contextlib.suppress(SandboxUnavailableError):
            # Said once the code is to run: a file that cannot be read comes first.
            sandbox.start(text)
        from tabchat.cli.computing import compute

        compute([file], reading, running, output, lambda session: session.run(text), sandbox=sandbox)
