"""Reading files into immutable tables; see `open_table`."""

from tabchat.engine.reader.cache import CacheInfo, TableCache
from tabchat.engine.reader.fingerprint import fingerprint
from tabchat.engine.reader.naming import table_name
from tabchat.engine.reader.opening import DIRECT_BYTES, Progress, list_sheets, open_table

__all__ = [
    "DIRECT_BYTES",
    "CacheInfo",
    "Progress",
    "TableCache",
    "fingerprint",
    "list_sheets",
    "open_table",
    "table_name",
]
