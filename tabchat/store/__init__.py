"""Kept results: what was computed, under a key that only its owner can name, and the rows behind it.

A result is a recipe (how to compute it again), a metadata entry (JSON) and a frame
(Parquet). The entry outlives the frame, so that a key whose rows were evicted can
still be computed again, or say why it cannot. Nothing is ever pickled.
"""

from tabchat.store.disk import DiskStore
from tabchat.store.entry import StoredResult
from tabchat.store.keys import derive_key, is_key, load_secret, require_key
from tabchat.store.memory import InMemoryDataStore
from tabchat.store.protocol import DataStore, StoreInfo
from tabchat.store.recipe import ResultRecipe, TableRef

__all__ = [
    "DataStore",
    "DiskStore",
    "InMemoryDataStore",
    "ResultRecipe",
    "StoreInfo",
    "StoredResult",
    "TableRef",
    "derive_key",
    "is_key",
    "load_secret",
    "require_key",
]
