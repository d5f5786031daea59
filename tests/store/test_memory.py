from dataclasses import replace

import pytest

from tabchat.errors import DataKeyError
from tabchat.store import DataStore, DiskStore, InMemoryDataStore, StoreInfo
from tests.store.conftest import Bench, recipe


def test_rows_stay_in_their_engine(bench: Bench) -> None:
    store = InMemoryDataStore()
    frame = bench.frame("SELECT 1 AS a")
    entry = bench.entry(store, "SELECT 1 AS a")
    assert store.put(entry, frame) == entry
    assert store.get(entry.key) == entry
    assert store.frame(entry.key, bench.engine) is frame
    assert store.frame_path(entry.key) is None
    assert store.check() == ()
    assert store.info() == StoreInfo(entries=1, pinned=0, bytes=0, limit=None)


def test_keys_of_one_store_mean_nothing_to_another(bench: Bench) -> None:
    mine, other = InMemoryDataStore(), InMemoryDataStore()
    key = bench.keep(mine, "SELECT 1 AS a")
    bench.keep(other, "SELECT 1 AS a")
    with pytest.raises(DataKeyError, match="There is no result"):
        other.get(key)
    with pytest.raises(DataKeyError, match="is not a data key"):
        mine.get(key.upper())
    shared = b"s" * 32
    assert InMemoryDataStore(secret=shared).key_for(recipe("x")) == InMemoryDataStore(secret=shared).key_for(
        recipe("x")
    )


def test_the_results_used_longest_ago_are_forgotten_but_never_pinned_ones(bench: Bench) -> None:
    store = InMemoryDataStore(max_results=3)
    keys = [bench.keep(store, f"SELECT {n} AS a", created_at=n) for n in range(3)]
    store.pin(keys[1], on=True)
    store.get(keys[0])
    keys += [bench.keep(store, f"SELECT {n} AS a", created_at=n) for n in (3, 4)]
    assert [entry.key for entry in store.list()] == [keys[4], keys[3], keys[1]]
    store.put(
        replace(bench.entry(store, "SELECT 1 AS a"), title="again", question=None),
        bench.frame("SELECT 1 AS a"),
    )
    assert store.get(keys[1]).pinned
    assert store.get(keys[1]).question == "which?"
    assert store.clear() == 2
    assert not store.pin(keys[1], on=False).pinned
    store.delete(keys[1])
    assert store.list() == ()


def test_a_key_that_is_not_the_recipes_own_is_never_kept(bench: Bench) -> None:
    store = InMemoryDataStore()
    entry = replace(bench.entry(store, "SELECT 1 AS a"), recipe=recipe("SELECT 2 AS a"))
    with pytest.raises(ValueError, match="is not the key of its recipe"):
        store.put(entry, bench.frame("SELECT 1 AS a"))


def test_closing_forgets_everything(bench: Bench) -> None:
    store = InMemoryDataStore()
    bench.keep(store, "SELECT 1 AS a")
    store.close()
    assert store.list() == ()


def test_both_stores_fulfil_the_protocol(store: DiskStore) -> None:
    stores: tuple[DataStore, ...] = (store, InMemoryDataStore())
    assert [kept.list() for kept in stores] == [(), ()]
