"""A question that goes to a model: the real client against a provider on loopback, from the session down."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabchat.chat.turn.events import DataReady, Done, Event, Failed, Rewriting, ToolEnd
from tabchat.config import Planner, PrivacyLevel, load_settings
from tabchat.errors import ModelError, QueryTimeoutError, RefusedError
from tabchat.session import Session
from tests.conftest import Example
from tests.fake_provider import FAKE_ENV, FakeProvider, Step, call, fault, say

BY_REGION = {"group_by": "region", "select": "sum(revenue)", "title": "Revenue by region"}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FAKE_ENV.items():
        monkeypatch.setenv(name, value)


def open_session(source: Path, provider: FakeProvider, **settings: Any) -> Session:
    flags = {"model": "openai/fake", "api_base": provider.base_url, "planner": "llm", "retries": 0}
    return Session.open([source], settings=load_settings(flags | settings))


def ended(events: list[Event]) -> Done:
    assert isinstance(events[-1], Done), events[-1]
    return events[-1]


def test_a_question_becomes_tool_calls_and_a_checked_answer(example: Example) -> None:
    script = [call("run_query", {"select": "count()"}), say("There are 5,000 rows.")]
    with FakeProvider(script) as provider, open_session(example("sales.csv"), provider) as session:
        events = list(session.ask("How big is it?"))
    answer = ended(events).answer
    assert answer.planner == "llm"
    assert answer.text == "There are 5,000 rows."
    assert answer.verification.status == "verified"
    assert answer.block is not None
    assert answer.block.result.value == 5000
    assert answer.usage.requests == 2
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (200, 40)


def test_what_the_rules_answer_sends_nothing(example: Example) -> None:
    with FakeProvider([say("Never.")]) as provider:
        with open_session(example("sales.csv"), provider, planner="auto") as session:
            assert session.answer("total revenue by region").planner == "rules"
            assert session.first_request("total revenue by region") is None
        assert provider.requests == []


def test_the_prompt_that_is_shown_is_the_one_that_is_sent(example: Example) -> None:
    with FakeProvider([say("Hello.")]) as provider:
        with open_session(example("sales.csv"), provider) as session:
            shown = session.first_request("What is this about?")
            assert provider.requests == []
            session.answer("What is this about?")
        assert shown is not None
        received = provider.chats[0].json
    assert {name: received[name] for name in ("messages", "tools")} == {
        name: json.loads(shown)[name] for name in ("messages", "tools")
    }


def test_a_wrong_figure_goes_back_to_the_model(example: Example) -> None:
    script = [
        call("run_query", {"select": "count()"}),
        say("There are 5,001 rows."),
        say("There are 5,000 rows."),
    ]
    with FakeProvider(script) as provider:
        with open_session(example("sales.csv"), provider) as session:
            events = list(session.ask("How big is it?"))
            follow_up = session.answer("Thanks.")
        told = provider.chats[2].json["messages"][-1]
        later = json.dumps(provider.chats[3].json)
    rewriting = [event for event in events if isinstance(event, Rewriting)]
    assert [event.attempt for event in rewriting] == [1]
    assert told["role"] == "user"
    assert told["content"].startswith("Validation errors:")
    answer = ended(events).answer
    assert answer.text == "There are 5,000 rows."
    assert answer.verification.status == "verified"
    # The draft is gone from the conversation.
    assert follow_up.ok
    assert "5,001" not in later


def test_a_figure_that_stays_wrong_is_shown_marked(example: Example) -> None:
    script = [call("run_query", {"select": "count()"}), say("There are 14,000,000 rows.")]
    with FakeProvider(script) as provider, open_session(example("sales.csv"), provider) as session:
        events = list(session.ask("How big is it?"))
    assert [event.attempt for event in events if isinstance(event, Rewriting)] == [1, 2, 3]
    verification = ended(events).answer.verification
    assert verification.status == "unverified"
    assert [claim.text for claim in verification.receipts if claim.status == "unverified"] == ["14,000,000"]


def test_a_model_mends_what_it_called_wrongly(example: Example) -> None:
    script = [
        call("run_query", '{"select": "count()"'),
        call("draw_chart", {"kind": "pie"}),
        call("run_query", {"select": "meen(revenu)", "limt": 3}),
        call("run_query", {"select": "count()"}),
        say("There are 5,000 rows."),
    ]
    with FakeProvider(script) as provider:
        with open_session(example("sales.csv"), provider) as session:
            events = list(session.ask("How big is it?"))
        told = [chat.json["messages"][-1]["content"] for chat in provider.chats[1:4]]
    assert [event.error for event in events if isinstance(event, ToolEnd)] == [
        "invalid_arguments",
        "tool_not_enabled",
        "invalid_arguments",
        None,
    ]
    assert all("Error" in text for text in told)
    assert "run_query" in told[1]
    assert "limit" in told[2]
    assert ended(events).answer.verification.status == "verified"


def test_an_endless_loop_of_tools_ends_with_what_was_tried(example: Example) -> None:
    with FakeProvider([call("run_query", BY_REGION)]) as provider:
        with open_session(example("sales.csv"), provider) as session:
            events = list(session.ask("How big is it?"))
            failed = events[-1]
            assert isinstance(failed, Failed)
            assert isinstance(failed.error, ModelError)
            assert "8 rounds" in failed.error.message
            assert "run_query 8 times" in failed.error.message
            # The same call is computed and shown once, and what it gave is not lost.
            assert sum(isinstance(event, DataReady) for event in events) == 1
            assert failed.answer.block is not None
            assert failed.answer.block.data_key is not None
            assert session.show(failed.answer.block.data_key).ok
        assert len(provider.chats) == 9


def test_a_provider_that_fails_leaves_the_conversation_whole(example: Example) -> None:
    script: list[Step] = [say("Hello."), fault("server_error"), say("Still here.")]
    with FakeProvider(script) as provider, open_session(example("sales.csv"), provider) as session:
        assert session.answer("Hi.").ok
        assert isinstance(session.answer("Again.").error, ModelError)
        assert session.answer("And now?").text == "Still here."


def test_a_hanging_provider_ends_at_the_time_limit(example: Example) -> None:
    with (
        FakeProvider([fault("hang")]) as provider,
        open_session(example("sales.csv"), provider, timeout=3.0) as session,
    ):
        session.language.direct.warm()
        assert isinstance(session.answer("Hi.").error, QueryTimeoutError)
        assert len(provider.chats) == 1


def test_a_budget_is_asked_before_anything_is_sent(example: Example) -> None:
    with FakeProvider([say("Hello.")]) as provider:
        with open_session(example("sales.csv"), provider, max_tokens=300) as session:
            assert isinstance(session.answer("Hi.").error, RefusedError)
        assert provider.requests == []


def test_the_same_request_is_answered_from_the_cache(example: Example) -> None:
    def counts(body: dict[str, Any]) -> Step:
        asked = body["messages"][-1]["role"] == "user"
        return call("run_query", {"select": "count()"}) if asked else say("There are 5,000 rows.")

    with FakeProvider(counts) as provider:
        for fresh, requests in ((False, 2), (False, 2), (True, 4)):
            with open_session(example("sales.csv"), provider, fresh=fresh) as session:
                answer = session.answer("How big is it?")
            assert answer.ok
            assert len(provider.chats) == requests


def test_old_results_are_told_in_short_and_can_be_queried(example: Example) -> None:
    wide = {"columns": ["order_id", "region", "revenue"], "sort": "revenue desc", "limit": 200}
    script = [
        call("run_query", wide),
        say("Done."),
        call("run_query", {"table": "_", "select": "count()"}),
        say("200."),
    ]
    with FakeProvider(script) as provider, open_session(example("sales.csv"), provider) as session:
        first = session.answer("The 200 largest orders?")
        second = session.answer("How many of those are there?")
    assert first.block is not None
    assert second.block is not None
    assert second.block.result.value == 200
    assert second.verification.status == "verified"


def test_hidden_columns_and_what_rules_said_stay_here(example: Example) -> None:
    with FakeProvider([say("Hello.")]) as provider:
        with open_session(example("sales.csv"), provider, planner="auto", hide=("customer",)) as session:
            assert session.answer("total revenue by customer").planner == "rules"
            assert session.answer("total revenue by region").planner == "rules"
            assert session.answer("Please tell me a story about it").planner == "llm"
        body = provider.chats[0].body.decode()
    assert "customer" not in body
    assert "region" in body


def test_privacy_can_be_tightened_in_a_conversation(example: Example) -> None:
    with FakeProvider([call("run_query", {"limit": 3}), say("Done.")]) as provider:
        with open_session(example("sales.csv"), provider, privacy="preview") as session:
            session.answer("Three rows?")
            session.set_privacy(PrivacyLevel.STRICT)
            session.answer("And now?")
        assert "Olive Group" not in provider.chats[-1].body.decode()


@pytest.mark.parametrize("privacy", [PrivacyLevel.STRICT, PrivacyLevel.SUMMARY])
def test_what_the_rules_found_in_the_cells_is_not_told_later(example: Example, privacy: PrivacyLevel) -> None:
    with FakeProvider([say("Hello.")]) as provider:
        with open_session(example("sales.csv"), provider, planner="auto", privacy=privacy) as session:
            answer = session.answer("total revenue for the customer Olive Gruop")
            assert answer.planner == "rules"
            assert "Olive Group" in answer.text + str(answer.interpretation)
            assert session.answer("Please tell me a story about it").planner == "llm"
        body = provider.chats[0].body.decode()
    assert "Gruop" in body
    assert "Olive Group" not in body


def test_the_plan_of_what_the_rules_answered_is_told_when_the_person_said_it_all(example: Example) -> None:
    with FakeProvider([say("Hello.")]) as provider:
        with open_session(example("sales.csv"), provider, planner="auto") as session:
            assert session.answer("total revenue by region in 2023").planner == "rules"
            assert session.answer("Please tell me a story about it").planner == "llm"
        messages = provider.chats[0].json["messages"]
    assert [message["role"] for message in messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert messages[4]["content"].startswith("[Answered from r1: ")
    assert messages[4]["content"].endswith(": 5 rows]")


def test_results_are_numbered_through_the_conversation_whoever_computed_them(example: Example) -> None:
    script = [
        call("run_query", {"table": "r1", "sort": "sum_revenue desc", "limit": 1, "title": "Best region"}),
        say("Done."),
        call("run_query", BY_REGION | {"group_by": "channel", "title": "By channel"}),
        say("Done."),
    ]
    with FakeProvider(script) as provider, open_session(example("sales.csv"), provider) as session:
        session.set_planner(Planner.AUTO)
        answers = [session.answer("total revenue by region")]
        session.set_planner(Planner.LLM)
        answers += [session.answer("Which stands out?"), session.answer("And channels?")]
        told = [
            message["content"] for message in provider.chats[-1].json["messages"] if message["role"] == "tool"
        ]
        system = provider.chats[-1].json["messages"][0]["content"]
    assert [answer.planner for answer in answers] == ["rules", "llm", "llm"]
    assert [block.number for answer in answers for block in answer.blocks] == [1, 2, 3]
    assert [text.partition(" · ")[0] for text in told] == ["r1", "r2", "r3"]
    assert told[1].startswith("r2 · Best region\nResult: 1 rows\n")
    assert '\nr2 "Best region": table, 1 rows (region, sum_revenue)' in system
    assert all("\nrows:\nregion | sum_revenue\n" in text for text in told[:2])
