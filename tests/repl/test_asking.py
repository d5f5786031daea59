"""The commands that are about models: who answers, what is seen, what it cost, where figures come from."""

from collections.abc import Iterator

import pytest

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.audit import Outgoing
from tabchat.chat.turn.answer import Answer, Usage
from tabchat.chat.turn.events import Asking, Event, Failed, TextDelta
from tabchat.config import Planner, PrivacyLevel, Settings
from tabchat.errors import ExitCode, ModelError
from tabchat.repl.line.toolbar import toolbar
from tabchat.session.models import LanguageModel
from tests.repl.conftest import Talk
from tests.repl.line.test_completer import completed

MODEL = "ollama_chat/qwen3"


@pytest.fixture(autouse=True)
def nothing_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the provider library alone: no question is asked here."""
    monkeypatch.setattr(LanguageModel, "warm", lambda _self: None)


def now(talk: Talk) -> Settings:
    """Return the settings as they are at this moment."""
    return talk.shell.session.settings


def test_a_model_is_named_changed_and_taken_away(talk: Talk) -> None:
    assert talk.say("/model")[2] == (
        "No model is asked: everything stays on this machine.\n"
        "Name one with /model, such as /model openai/gpt-5-mini.\n"
    )
    assert talk.say(f"/model {MODEL}") == (
        ExitCode.ANSWERED,
        "",
        f"{MODEL} sees names, types, counts and summaries of values; /egress\nshows every byte.\n",
    )
    assert now(talk).model == MODEL
    assert toolbar(talk.shell) == f" sales · 5,000 rows × 13 columns · {MODEL} · summary · /help"
    assert talk.say("/planner rules")[2] == "Planner is rules: rules alone.\n"
    assert toolbar(talk.shell) == " sales · 5,000 rows × 13 columns · offline · /help"
    assert talk.say("/model")[2].endswith("/planner auto lets it answer.\n")
    assert talk.say("/model off")[2].startswith("No model is asked")
    assert now(talk).model is None


def test_privacy_and_planner_are_told_and_set(talk: Talk) -> None:
    assert talk.say("/privacy")[2] == (
        "Privacy is summary: a model sees names, types, counts and summaries of values.\n"
    )
    assert talk.say("/privacy strict")[2] == "Privacy is strict: a model sees names, types and counts.\n"
    assert now(talk).privacy is PrivacyLevel.STRICT
    assert talk.say("/privacy p")[0] == ExitCode.ANSWERED
    assert now(talk).privacy is PrivacyLevel.PREVIEW
    assert talk.say("/planner")[2] == "Planner is auto: rules first, then the model.\n"
    assert talk.say("/planner LLM")[0] == ExitCode.ANSWERED
    assert now(talk).planner is Planner.LLM


def test_columns_are_hidden_and_shown_again(talk: Talk) -> None:
    assert talk.say("/hide")[2] == "No column is hidden from models.\n"
    assert talk.say("/hide revenue, country")[2] == "Hidden from models: revenue, country.\n"
    assert talk.say("/hide region revenue")[2] == "Hidden from models: revenue, country, region.\n"
    talk.say(f"/model {MODEL}")
    assert "nothing of\n3 hidden columns;" in talk.say("/model")[2]
    assert talk.say("/hide off")[2] == "No column is hidden from models.\n"
    assert now(talk).hide == ()


def test_what_was_sent_is_listed_and_shown(talk: Talk) -> None:
    assert talk.say("/egress") == (ExitCode.ANSWERED, "", "Nothing was ever sent to a model.\n")
    talk.shell.session.ledger.record(
        Outgoing(
            method="POST",
            url="http://127.0.0.1:9/v1/chat/completions",
            headers={"content-type": "application/json"},
            body=b'{"model": "qwen3"}',
            model=MODEL,
        )
    )

    code, out, _ = talk.say("/egress")
    assert code == ExitCode.ANSWERED
    name = out.splitlines()[2].split()[0]
    assert completed(talk, "/egress ") == [f"/egress {name}"]
    assert talk.say(f"/egress {name}")[1] == '{\n  "model": "qwen3"\n}\n'
    assert talk.say("/egress nothing")[0] != ExitCode.ANSWERED


def test_costs_and_limits_are_told(talk: Talk) -> None:
    assert talk.say("/cost") == (
        ExitCode.ANSWERED,
        "No model was asked in this session.\n",
        "Limits: none (--max-cost, --max-tokens).\n",
    )
    talk.shell.session.language.spending.add(
        Usage(model=MODEL, prompt_tokens=1_830, completion_tokens=120, cost_usd=0.0012, requests=2)
    )
    talk.shell.session._change(max_cost=0.5, max_tokens=3_000, model=MODEL, offline=True)
    assert talk.say("/cost")[2] == "Limits: at most $0.5000 in all, at most 3,000 tokens a question.\n"
    assert "--offline forbids asking it" in talk.say("/model")[2]
    assert talk.say("/cost")[1] == f"{MODEL} · 2 requests · 1,830 + 120 tokens · $0.0012\n"


def test_figures_of_the_last_answer_are_traced_to_their_cells(talk: Talk) -> None:
    talk.say("/sql SELECT region, sum(quantity) AS units FROM sales GROUP BY region ORDER BY region")
    assert talk.shell.last is not None
    units = str(talk.shell.last.blocks[0].result.frame.rows(1)[0][1])
    trace = CitedCell(data_key=talk.key, column="units", row={"region": "Asia"}, value=int(units))
    talk.shell.last = Answer(
        question="?",
        text=f"Asia bought {units}, Mars 7.",
        planner="llm",
        blocks=talk.shell.last.blocks,
        verification=Verification(
            status="unverified",
            receipts=(
                Receipt(text=units, value=int(units), status="verified", cells=(trace,)),
                Receipt(text="7", value=7, status="unverified"),
            ),
        ),
    )

    code, out, _ = talk.say("/trace")
    assert code == ExitCode.ANSWERED
    assert out.splitlines()[2:] == [
        f"  {units}  verified    {units}  units · region = Asia  {talk.key}",
        "     7  unverified",
    ]
    assert talk.say("/trace 1")[1].splitlines()[2].split()[:3] == [units, "verified", units]
    assert f"Asia bought {units}, Mars 7 [unverified].\n" in talk.say("/last")[1]


@pytest.mark.parametrize(
    "entry, named",
    [
        ("/model two words", "/model off"),
        ("/privacy none", "strict, summary or preview"),
        ("/planner x", "auto, rules or llm"),
        ("/hide revenu", "/hide revenue"),
        ('/hide "open', "/hide "),
        ("/trace x", "/trace 1"),
        ("/trace 3", "no figure 3"),
        ("/trace", "no figures"),
    ],
)
def test_what_cannot_be_set_says_what_can(talk: Talk, entry: str, named: str) -> None:
    talk.shell.last = Answer(question="?", text="Hello.")
    code, out, err = talk.say(entry)

    assert (code, out) == (ExitCode.USAGE, "")
    assert named in err


def test_every_argument_is_completed(talk: Talk) -> None:
    assert completed(talk, "/model olla") == ["/model ollama_chat/"]
    assert completed(talk, "/privacy s") == ["/privacy strict", "/privacy summary"]
    assert completed(talk, "/planner ") == ["/planner auto", "/planner rules", "/planner llm"]
    assert completed(talk, "/hide region, rev") == ["/hide region, revenue"]
    assert completed(talk, "/trace 1") == []


def test_a_model_that_fails_leaves_the_conversation_open(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    error = ModelError("The provider is busy.", hint="Ask again.")

    def failing(question: str, **_options: object) -> Iterator[Event]:
        yield Asking(model=MODEL)
        yield TextDelta(text="half a dra")
        yield Failed(error=error, answer=Answer(question=question, error=error))

    monkeypatch.setattr(talk.shell.session, "ask", failing)
    assert talk.say("why?") == (
        ExitCode.MODEL_FAILED,
        "",
        "tabchat: error: The provider is busy.\n  try: Ask again.\n",
    )
    assert talk.say("/sql SELECT 1 AS one")[1] == "one: 1\n"


def test_ctrl_c_stops_a_model(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = []

    def endless(_question: str, **_options: object) -> Iterator[Event]:
        try:
            yield Asking(model=MODEL)
            raise KeyboardInterrupt
        finally:
            stopped.append(True)

    monkeypatch.setattr(talk.shell.session, "ask", endless)
    assert talk.say("why?") == (ExitCode.INTERRUPTED, "", "Stopped.\n")
    assert stopped == [True]
