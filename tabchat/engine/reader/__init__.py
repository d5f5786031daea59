"""Reading files into immutable tables; see `open_table`."""

from tabchat.engine.reader.cache import CacheInfo, TableCache
from tabchat.engine.reader.fingerprint import fingerprint
from tabchat.engine.reader.naming import table_name
from tabchat.engine.reader.opening import list_sheets, open_table, readable_files
from tabchat.engine.reader.progress import Progress

__all__ = [
    "CacheInfo",
    "Progress",
    "TableCache",
    "fingerprint",
    "list_sheets",
    "open_table",
    "readable_files",
    "table_name",
]
