"""`tabchat check`: what may be wrong with a table."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.computing import opened
from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Output, Reading, Running
from tabchat.cli.present import Presenter
from tabchat.render.findings import render_findings
from tabchat.session.quality import check_table

if TYPE_CHECKING:
    from tabchat.engine.types import JsonValue


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to check.")],
    reading: Reading,
    running: Running,
    json: Json = False,
) -> None:
    """Look for what may be wrong with a table.

    Missing and repeated values, constant and mixed columns, outliers, gaps in time: each with its rule, its rows under a
    key, and the commands that show and mend it.
    """
    with Presenter(running, Output(json=json)) as presenter, opened(presenter, files, reading) as session:
        presenter.loaded(session)
        found: list[JsonValue] = []
        for file, table in zip(files, list(session.tables.values()), strict=True):
            with presenter.working("checking"):
                findings = check_table(session, table.name)
            if json:
                found += [{"table": table.name, **finding.to_json()} for finding in findings]
                continue
            mend = partial(_edit_command, file)
            render_findings(presenter.consoles, findings, table, show="tabchat show {key}", mend=mend)
        if json:
            tables = {table.name: table.row_count for table in session.tables.values()}
            presenter.json({"ok": True, "tables": tables, "findings": found})


def _edit_command(file: str, edit: str) -> str:
    return f"tabchat edit {shlex.quote(file)} {shlex.quote(edit)} -o NEW_FILE"
