"""No request is sent that could pass what a person allows."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import pytest

from tabchat.chat.provider.budget import LEAST_REPLY, BudgetedModel, Limits, Spending
from tabchat.chat.turn.answer import Usage
from tabchat.chat.turn.messages import UserMessage
from tabchat.chat.turn.model import Delta, ModelRequest, Piece, Reply
from tabchat.errors import ModelError, RefusedError

ASKED = ModelRequest(messages=(UserMessage(text="How many?"),))


@dataclass
class Metered:
    """A model whose requests have 100 tokens, and whose replies use all that they may, up to 50."""

    name: str = "metered"
    planner: Literal["rules", "llm"] = "llm"
    dollars: float | None = 0.01
    """For one token, either way."""
    sent: list[ModelRequest] = field(default_factory=list)

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        self.sent.append(request)
        written = min(50, request.max_output_tokens or 50)
        cost = (self.dollars or 0) * (100 + written)
        usage = Usage(
            model=self.name, prompt_tokens=100, completion_tokens=written, cost_usd=cost, requests=1
        )
        yield Reply(text="Done.", usage=usage)

    def count_tokens(self, _request: ModelRequest) -> int:
        return 100

    def price(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        return None if self.dollars is None else self.dollars * (prompt_tokens + completion_tokens)

    def context_window(self) -> int | None:
        return None

    def request_bytes(self, request: ModelRequest) -> bytes:
        return repr(request).encode()


def test_without_limits_every_request_is_sent_as_it_is() -> None:
    model = Metered()
    budgeted = BudgetedModel(model, Limits(), Spending())
    for _ in range(3):
        list(budgeted.respond(ASKED))
    assert model.sent == [ASKED] * 3


def test_a_question_stops_before_the_request_that_would_pass_its_tokens() -> None:
    model = Metered()
    budgeted = BudgetedModel(model, Limits(max_tokens=400), Spending())
    list(budgeted.respond(ASKED))
    list(budgeted.respond(ASKED))
    with pytest.raises(RefusedError, match="over --max-tokens 400") as refused:
        list(budgeted.respond(ASKED))
    assert refused.value.code == "budget"
    assert len(model.sent) == 2


def test_a_reply_may_not_be_longer_than_what_is_left() -> None:
    model = Metered()
    list(BudgetedModel(model, Limits(max_tokens=100 + LEAST_REPLY + 6), Spending()).respond(ASKED))
    assert model.sent[0].max_output_tokens == LEAST_REPLY + 6


def test_the_tokens_of_one_question_do_not_count_for_the_next() -> None:
    model, spending = Metered(), Spending()
    for _ in range(2):
        list(BudgetedModel(model, Limits(max_tokens=200), spending).respond(ASKED))
    assert len(model.sent) == 2


def test_the_cost_of_all_questions_of_a_run_counts_together() -> None:
    model, spending = Metered(), Spending()
    limits = Limits(max_cost=4.0)
    list(BudgetedModel(model, limits, spending).respond(ASKED))
    list(BudgetedModel(model, limits, spending).respond(ASKED))
    assert spending.total.cost_usd == pytest.approx(3.0)
    with pytest.raises(RefusedError, match=r"\$3\.0000 of --max-cost \$4\.0000 are spent"):
        list(BudgetedModel(model, limits, spending).respond(ASKED))


def test_a_cost_that_is_not_known_cannot_be_limited() -> None:
    model = Metered(dollars=None)
    with pytest.raises(RefusedError, match="price of metered is not known"):
        list(BudgetedModel(model, Limits(max_cost=1.0), Spending()).respond(ASKED))
    assert not model.sent


def test_a_free_model_passes_any_cost_limit() -> None:
    model = Metered(dollars=0.0)
    list(BudgetedModel(model, Limits(max_cost=0.0), Spending()).respond(ASKED))
    assert model.sent[0].max_output_tokens is None


@dataclass
class SlowToLoad(Metered):
    """A model whose tokenizer takes longer to load than the question may take."""

    def count_tokens(self, _request: ModelRequest) -> int:
        time.sleep(0.02)
        return 100


def test_the_time_it_takes_to_count_is_taken_from_the_question() -> None:
    model = SlowToLoad()
    list(BudgetedModel(model, Limits(), Spending()).respond(replace(ASKED, timeout=0.01)))
    assert model.sent == [replace(ASKED, timeout=0.0)]


@dataclass
class BreaksOff(Metered):
    """A model that fails in the middle of its reply."""

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        self.sent.append(request)
        yield Delta(text="One two three")
        raise ModelError("The stream broke off.")


def test_a_reply_that_breaks_off_is_counted_as_far_as_it_came() -> None:
    spending = Spending()
    with pytest.raises(ModelError):
        list(BudgetedModel(BreaksOff(), Limits(), spending).respond(ASKED))
    assert spending.total == Usage(
        model="metered",
        prompt_tokens=100,
        completion_tokens=3,
        cost_usd=0.01 * 103,
        requests=1,
        estimated=True,
    )


def test_an_interrupted_reply_is_counted_as_far_as_it_came() -> None:
    spending = Spending()
    reply = iter(BudgetedModel(BreaksOff(), Limits(), spending).respond(ASKED))
    next(reply)
    reply.close()  # type: ignore[attr-defined] # it is a generator
    assert (spending.total.requests, spending.total.completion_tokens) == (1, 3)
