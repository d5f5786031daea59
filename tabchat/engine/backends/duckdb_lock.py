"""The lock of a DuckDB database: what it may read and write, settled before anybody's query runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.limits import UNLIMITED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabchat.engine.limits import Limits


def locking(
    spill: Path,
    *,
    folders: Sequence[Path] = (),
    files: Iterable[Path] = (),
    limits: Limits = UNLIMITED,
) -> Iterator[str]:
    """Yield the statements that lock a database, in the order that matters; it spills to `spill`."""
    yield f"SET temp_directory = {literal(spill)}"
    yield "SET python_enable_replacements = false"
    yield "SET autoinstall_known_extensions = false"
    yield "SET autoload_known_extensions = false"
    # It knows a file by the time of its last write, which anybody can put back.
    yield "SET enable_external_file_cache = false"
    # Times with a zone must mean the same on every machine.
    yield "SET TimeZone = 'UTC'"
    yield from limits.statements()
    yield f"SET allowed_directories = [{_paths(folders)}]"
    yield f"SET allowed_paths = [{_paths(files)}]"
    yield "SET allowed_configs = ['enable_progress_bar', 'enable_progress_bar_print']"
    yield "SET enable_external_access = false"
    yield "SET lock_configuration = true"


def _paths(paths: Iterable[Path]) -> str:
    return ", ".join(literal(Path(path).absolute()) for path in paths)


def literal(value: object) -> str:
    """Write a value as a string literal."""
    return exp.Literal.string(str(value)).sql("duckdb")
