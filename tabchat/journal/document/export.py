"""Writing a report of a session: which format, and where."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from tabchat.errors import UsageError
from tabchat.export.target import open_output
from tabchat.journal.document.drafting import draft

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from tabchat.journal.document.drafting import Draft
    from tabchat.journal.kept import KeptSession
    from tabchat.session import Session


class ReportFormat(StrEnum):
    """What a report of a session can be."""

    MD = "md"
    """Markdown, which `tabchat test` repeats."""
    HTML = "html"
    """A page with nothing that runs and nothing to load."""
    PY = "py"
    """A Python program that finds the same figures."""


def report_format(name: str | None, target: Path | None) -> ReportFormat:
    """Return the format of that name, else that of the file's, else Markdown; raises `UsageError`."""
    wanted = name or (target.suffix.lstrip(".") if target is not None else "") or ReportFormat.MD
    wanted = {"markdown": "md", "htm": "html"}.get(wanted.lower(), wanted.lower())
    try:
        return ReportFormat(wanted)
    except ValueError as error:
        message = f"A session cannot be written as {wanted!r}."
        raise UsageError(message, hint="Use --format md, html or py.") from error


def write_report(
    session: Session,
    kept: KeptSession,
    target: Path | BinaryIO,
    fmt: ReportFormat,
    *,
    folder: Path | None,
    force: bool,
) -> Draft:
    """Write the report of `kept` and return what it was made of; never to one of its own tables.

    Raises `OutputExistsError` for a file that exists without `force`, and `OutputError`.
    """
    parts = draft(session, kept, folder)
    protected = (*session.protected(), *kept.files)
    with open_output(target, force=force, protected=protected) as out:
        out.write(_text(parts, fmt).encode("utf-8", "backslashreplace"))
    return parts


def _text(parts: Draft, fmt: ReportFormat) -> str:
    match fmt:
        case ReportFormat.MD:
            from tabchat.journal.document.markdown import write_markdown

            return write_markdown(parts)
        case ReportFormat.HTML:
            from tabchat.journal.document.page import write_page

            return write_page(parts)
        case ReportFormat.PY:
            from tabchat.journal.document.script import write_script

            return write_script(parts)
