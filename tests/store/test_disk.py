from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import DataKeyError

if TYPE_CHECKING:
    from tabchat.store import DiskStore
    from tests.store.conftest import Bench


def test_a_kept_result_comes_back_with_its_rows(bench: Bench, store: DiskStore) -> None:
    sql = "SELECT 170141183460469231731687303715884105::HUGEINT AS big, 'a' AS name, DATE '2024-01-02' AS day"
    entry = bench.entry(store, sql)
    kept = store.put(entry, bench.frame(sql))
    assert store.get(entry.key) == kept
    assert kept.frame_bytes > 0
    frame = store.frame(entry.key, bench.engine)
    assert frame is not None
    assert frame.rows() == bench.frame(sql).rows()
    assert bench.engine.schema(frame.query) == entry.schema
    assert store.list() == (kept,)


def test_an_unknown_key_is_an_error_with_a_next_step(store: DiskStore) -> None:
    with pytest.raises(DataKeyError) as caught:
        store.get("ds_" + "a" * 20)
    assert caught.value.code == "key_unknown"
    assert "tabchat results" in str(caught.value.hint)
