"""Reading files into immutable tables; see `open_table`."""

from tabchat.engine.reader.cache import CacheInfo, TableCache
from tabchat.engine.reader.opening import Progress, open_table, readable_files
from tabchat.engine.reader.source.fingerprint import fingerprint
from tabchat.engine.reader.source.naming import table_name

__all__ = ["CacheInfo", "Progress", "TableCache", "fingerprint", "open_table", "readable_files", "table_name"]
