"""A workspace over an example table, with the real engine, reader and store."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from tabchat.config import PrivacyLevel
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import ReadOptions, Table
from tabchat.store import InMemoryDataStore
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.registry import ANALYSIS, ToolProfile, Workspace
from tests.conftest import EXAMPLES
from tests.seals import SEAL


@functools.cache
def _read(source: Path) -> Path:
    """Return a folder of tables in which `source` was read, once for all workspaces of this process."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    cache = TableCache(folder / "tables", max_bytes=10**9, seal=SEAL)
    open_table(source, options=ReadOptions(), cache=cache)
    cache.close()
    return cache.directory


def make_workspace(
    folder: Path, *sources: Path, privacy: PrivacyLevel = PrivacyLevel.SUMMARY, preview_rows: int = 5
) -> Workspace:
    """Open `sources` with caches below `folder`; examples were read before."""
    for source in sources:
        if source.parent == EXAMPLES:
            shutil.copytree(_read(source), folder / "tables", dirs_exist_ok=True)
    cache = TableCache(folder / "tables", max_bytes=10**9, seal=SEAL)
    engine = DuckDBEngine(
        spill=folder / "spill", folders=(folder / "tables", folder / "results"), limits=Limits(threads=1)
    )
    tables: dict[str, Table] = {}
    for source in sources:
        table = open_table(source, options=ReadOptions(), cache=cache, taken=tuple(tables))
        engine.attach(table.name, table.scan, table.files)
        tables[table.name] = table
    return Workspace(
        engine=engine,
        tables=tables,
        store=InMemoryDataStore(),
        scratch=InMemoryDataStore(),
        privacy=privacy,
        preview_rows=preview_rows,
        sessions={},
    )


def make_executor(workspace: Workspace, profile: ToolProfile = ANALYSIS) -> ToolExecutor:
    """Return an executor with the standard tools."""
    return ToolExecutor.for_workspace(workspace, profile=profile)
