"""What tells one state of a table that only Spark reads from the next: its files, and the plan that reads them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS: Final = ("parquet", "csv", "json", "orc")
"""Formats of files, whose names, sizes and times are those of their rows."""
_READ: Final = re.compile(r"^[\s+:|-]*Relation\b.* (?P<format>\w+)$", re.MULTILINE)
_NUMBER: Final = re.compile(r"#\d+L?")
_UNKNOWN: Final = re.compile(
    r"LocalRelation|LogicalRDD|RelationV2|HiveTableRelation|JDBC|StreamingRelation|InMemoryRelation|Range \("
    r"|(?i:\b(?:rand|randn|uuid|shuffle|now|current_\w+|localtimestamp|monotonically_increasing_id)\()"
)
"""Parts of a plan whose rows no file tells: constants, tables of other systems, what each run gives anew."""


@record
class State:
    """A table as it was when it was opened."""

    now: Callable[[], str | None]
    """Asks what tells it from others; nothing where that cannot be known."""
    was: str | None

    def has_changed(self) -> bool:
        """Return whether the table is another one by now, as far as that can be known."""
        return self.was is not None and self.now() != self.was


def state_of(
    session_now: Callable[[], Any], read: Callable[[Any], Any], *, catalogue: str | None = None
) -> State:
    """Return the state of a table that `read` makes a DataFrame of, by its name in a catalogue where it has one.

    `session_now` tells the session of Spark: it may be another one by the time that the state is asked for again.
    """

    def now() -> str | None:
        session = session_now()
        if catalogue is not None:
            # Spark lists the files of a table once, and would go on with that list.
            session.catalog.refreshTable(catalogue)
        plan = _plan(session, catalogue) if catalogue is not None else ""
        files = list(read(session).inputFiles())
        if plan is None or (catalogue is not None and not files):
            return None
        return f"{plan}\n{_listing(session, files)}"

    return State(now=now, was=now())


def _plan(session: Any, name: str) -> str | None:
    """Return how a table or view is read, with the text of every view beneath; nothing where files do not tell its rows."""
    asked = "EXPLAIN EXTENDED SELECT * FROM IDENTIFIER(:name)"
    ((told,),) = session.sql(asked, args={"name": name}).collect()
    plan = told.partition("== Analyzed Logical Plan ==")[2].partition("== Optimized Logical Plan ==")[0]
    formats = {match["format"].lower() for match in _READ.finditer(plan)}
    if not formats or not formats.issubset(FORMATS) or _UNKNOWN.search(plan) is not None:
        return None
    return _NUMBER.sub("", plan)


def _listing(session: Any, files: list[str]) -> str:
    """Return the files with their sizes and times, which Spark lists without reading any."""
    if not files:
        return ""
    found = session.read.format("binaryFile").load(files).select("path", "length", "modificationTime")
    return "\n".join(sorted(f"{path} {length} {time}" for path, length, time in found.collect()))
