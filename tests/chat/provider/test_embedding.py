"""Likeness by an embedding model: what is sent, what is written down, what is kept, and what is never asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tabchat.chat.provider.budget import Spending
from tabchat.chat.provider.embedding import Embedder
from tabchat.config import Settings
from tabchat.errors import ModelError, RefusedError
from tabchat.planner.shortcuts.catalogue import shipped_shortcuts
from tabchat.planner.shortcuts.slots import SLOT
from tabchat.session import Session
from tests.chat.asking import ListLedger
from tests.fake_provider import FakeProvider, say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("keys")

NAME = "openai/fake-embedding"
PRICED = "openai/text-embedding-3-small"


def test_only_the_texts_are_sent_and_every_request_is_in_the_ledger() -> None:
    ledger = ListLedger()
    with FakeProvider([say("")]) as provider:
        vectors = Embedder(model=NAME, api_base=provider.base_url, ledger=ledger)(
            [f"text {n}" for n in range(130)]
        )

    assert len(vectors) == 130
    assert [request.path for request in provider.requests] == ["/v1/embeddings"] * 2
    assert [request.body for request in provider.requests] == ledger.bodies
    assert _sent(provider) == [f"text {n}" for n in range(130)]
    assert {key for request in provider.requests for key in request.json} <= {
        "model",
        "input",
        "encoding_format",
    }


def test_what_the_ledger_refuses_is_not_sent() -> None:
    ledger = ListLedger(full=RefusedError("The ledger is full."))
    with FakeProvider([say("")]) as provider:
        with pytest.raises(RefusedError, match="full"):
            Embedder(model=NAME, api_base=provider.base_url, ledger=ledger)(["text"])
        assert provider.requests == []


def test_offline_nothing_is_sent() -> None:
    with FakeProvider([say("")]) as provider:
        embedder = Embedder(model=NAME, api_base=provider.base_url, ledger=ListLedger(), offline=True)
        with pytest.raises(RefusedError, match="--offline forbids"):
            embedder(["text"])
        assert provider.requests == []


def test_a_server_that_is_not_there_is_named() -> None:
    with FakeProvider([say("")]) as provider:
        address = provider.base_url
    with pytest.raises(ModelError, match="cannot be reached") as failure:
        Embedder(model=NAME, api_base=address, ledger=ListLedger())(["text"])

    assert failure.value.hint


def test_what_vectors_cost_counts_for_the_run() -> None:
    spending = Spending()
    with FakeProvider([say("")]) as provider:
        Embedder(model=PRICED, api_base=provider.base_url, ledger=ListLedger(), spending=spending)(
            ["text"] * 130
        )

    assert (spending.total.requests, spending.total.priced) == (2, True)
    assert spending.total.prompt_tokens > 0
    assert 0 < spending.total.cost_usd < 0.001


@pytest.mark.parametrize("model, said", [(PRICED, "--max-cost"), (NAME, "is not known")])
def test_vectors_that_would_pass_the_limit_are_not_asked_for(model: str, said: str) -> None:
    with FakeProvider([say("")]) as provider:
        embedder = Embedder(model=model, api_base=provider.base_url, ledger=ListLedger(), max_cost=1e-12)
        with pytest.raises(RefusedError, match=said):
            embedder(["text"])
        assert provider.requests == []


def _sent(provider: FakeProvider) -> list[str]:
    return [text for request in provider.requests for text in request.json["input"]]


def test_the_catalogue_is_sent_once_and_then_only_the_question(
    example: Callable[[str], Path], tmp_path: Path
) -> None:
    """What is sent is the question and the catalogue's utterances; what a question needs no shortcut for, is not."""
    with FakeProvider([say("")]) as provider:
        settings = Settings(
            cache_dir=tmp_path / "cache",
            data_dir=tmp_path / "data",
            api_base=provider.base_url,
            embedding_model=NAME,
            shortcut_top_k=30,
            shortcut_threshold=0.0,
        )
        for question in ("average revenue by channel", "is revenue weird", "are quantities weird"):
            with Session.open([example("sales.csv")], settings=settings) as session:
                session.answer(question)
    catalogue = [
        SLOT.sub(r"\1", utterance.text)
        for intent in shipped_shortcuts()
        for utterance in intent.utterances["en"]
    ]

    assert sorted(_sent(provider)) == sorted([*catalogue, "is revenue weird", "are quantities weird"])
    ledger = "".join(path.read_text() for path in (tmp_path / "data" / "egress").rglob("*.jsonl"))
    assert len(ledger.splitlines()) == len(provider.requests)
    (index,) = (tmp_path / "cache" / "shortcuts").iterdir()
    assert len(json.loads(index.read_text())["kept"]) == len(catalogue)


def test_offline_likeness_needs_no_model(example: Callable[[str], Path], tmp_path: Path) -> None:
    with FakeProvider([say("")]) as provider:
        settings = Settings(
            cache_dir=tmp_path / "cache",
            data_dir=tmp_path / "data",
            api_base=provider.base_url,
            embedding_model=NAME,
            offline=True,
        )
        with Session.open([example("sales.csv")], settings=settings) as session:
            assert session.answer("how is revenue distributed").error is None
            assert session.answer("how is profit distributed").error is not None
        assert provider.requests == []
