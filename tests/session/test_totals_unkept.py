"""An answer names the totals that it counts, also where the store can keep no result."""

from pathlib import Path

import pytest

from tabchat.config import Settings
from tabchat.errors import TabchatError
from tabchat.session import Session
from tabchat.store.disk import DiskStore


def test_a_total_is_named_where_a_result_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        message = "There is no space left."
        raise TabchatError(message)

    (tmp_path / "ledger.csv").write_text("k,v\na,1\nb,2\nTotal,3\n")
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    with Session.open([tmp_path / "ledger.csv"], settings=settings) as session:
        monkeypatch.setattr(DiskStore, "put", full)
        answer = session.answer("how many rows with v over 1")

    assert any("could not be kept" in warning for warning in answer.warnings)
    assert answer.text == (
        "2 rows match: v > 1. Rows that seem to sum up others are counted in, too: “Total”."
    )
