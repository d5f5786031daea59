"""Common questions in everyday words: one plan when every word is accounted for, a refusal otherwise."""

from __future__ import annotations

import json
import logging
import math
import subprocess
import sys
import tomllib
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.errors import NotUnderstoodError, UsageError
from tabchat.planner import OfflinePlanner
from tabchat.planner.lexicon import shipped_languages
from tabchat.planner.shortcuts.catalogue import SHIPPED, load_intents, shipped_intents
from tabchat.planner.shortcuts.options import ShortcutOptions
from tabchat.planner.shortcuts.vectors import cosine, hashed
from tests.planner.gold import DATA, EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tabchat.planner.plans import Draft
    from tests.planner.asking import Asker

    Planned = Callable[[str, str], Draft]

SEEN = {
    utterance.text
    for intent in shipped_intents()
    for utterances in intent.utterances.values()
    for utterance in utterances
}
QUESTIONS = [json.loads(line) for line in (DATA / "shortcuts.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_unseen_wordings_are_read_as_meant_or_refused(plan: Planned, language: str) -> None:
    asked = [item for item in QUESTIONS if item["lang"] == language]
    read: dict[str, str | None] = {}
    for item in asked:
        assert item["question"] not in SEEN
        try:
            read[item["question"]] = plan(item["file"], item["question"]).interpretation
        except NotUnderstoodError:
            read[item["question"]] = None

    assert read == {item["question"]: item["reads"] for item in asked}
    meant = [item for item in asked if item["intent"]]
    assert len(meant) >= 50
    assert sum(item["reads"] is not None for item in meant) >= 0.95 * len(meant)


@pytest.mark.parametrize(
    "question,sql",
    [
        ("what period does the data cover", "SELECT min(order_date), max(order_date) FROM t"),
        ("how recent is the data", "SELECT max(order_date) FROM t"),
        ("how complete is discount", "SELECT 100.0 * count(discount) / count(*) FROM t"),
        ("is order id unique", "SELECT count(order_id), count(DISTINCT order_id), count(order_id) - count(DISTINCT order_id) FROM t"),
        ("how is revenue distributed in Germany", "SELECT count(revenue), min(revenue), quantile_cont(revenue, .25), median(revenue), quantile_cont(revenue, .75), max(revenue), avg(revenue), stddev_samp(revenue) FROM t WHERE country = 'Germany'"),
        ("what is the range of revenue in 2023", "SELECT min(revenue), max(revenue), max(revenue) - min(revenue) FROM t WHERE year(order_date) = 2023"),
        ("interquartile range of revenue", "SELECT quantile_cont(revenue, .75) - quantile_cont(revenue, .25) FROM t"),
        ("quartiles of revenue", "SELECT quantile_cont(revenue, .25), median(revenue), quantile_cont(revenue, .75) FROM t"),
        ("are there negative revenues", "SELECT * FROM t WHERE revenue < 0"),
        ("how does revenue differ by region", "SELECT region, count(revenue), min(revenue), avg(revenue), median(revenue), max(revenue) FROM t GROUP BY ALL ORDER BY 1"),
        ("how did revenue develop by quarter", "SELECT year(order_date) || '-Q' || quarter(order_date), sum(revenue) FROM t GROUP BY ALL ORDER BY 1"),
        ("compare revenue in the first and the last year", "SELECT year(order_date), sum(revenue) FROM t WHERE year(order_date) IN (2022, 2024) GROUP BY ALL ORDER BY 1"),
        ("running total of revenue by month in 2023", "SELECT m, s, sum(s) OVER (ORDER BY m) FROM (SELECT strftime(order_date, '%Y-%m') AS m, sum(revenue) AS s FROM t WHERE year(order_date) = 2023 GROUP BY ALL) ORDER BY 1"),
        ("which weekday is the busiest", "SELECT dayname(order_date), count(*) FROM t GROUP BY ALL ORDER BY 2 DESC LIMIT 1"),
        ("how are orders split between regions", "SELECT region, count(*) FROM t GROUP BY ALL ORDER BY 1"),
        ("what share of revenue does the biggest region have", "SELECT region, sum(revenue), 100 * sum(revenue) / (SELECT sum(revenue) FROM t) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("which region has the largest share of orders", "SELECT region, count(*), 100.0 * count(*) / (SELECT count(*) FROM t) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("what share of revenue do the top 5 customers bring", "SELECT 100 * sum(s) / (SELECT sum(revenue) FROM t) FROM (SELECT sum(revenue) AS s FROM t GROUP BY customer ORDER BY s DESC LIMIT 5)"),
        ("how many customers make up 80% of revenue", "SELECT count(*) FROM (SELECT s, sum(s) OVER (ORDER BY s DESC) - s AS b, sum(s) OVER () AS w FROM (SELECT sum(revenue) AS s FROM t GROUP BY customer)) WHERE 100 * b / w < 80"),
        ("which regions have more than one country", "SELECT region, count(DISTINCT country) FROM t GROUP BY 1 HAVING count(DISTINCT country) > 1 ORDER BY 1"),
        ("is unit price related to quantity", "SELECT corr(unit_price, quantity) FROM t"),
        ("give me an example", "SELECT * FROM t LIMIT 5"),
    ],
)  # fmt: skip
def test_every_plan_computes_what_its_meaning_says(asker: Asker, question: str, sql: str) -> None:
    draft = asker.planner(EXAMPLES / "sales.csv").plan(question)
    frame = asker.run(asker.tables["sales.csv"], draft).frame
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM read_csv_auto('{EXAMPLES / 'sales.csv'}')")
        gold = connection.execute(sql).fetchall()

    assert _rounded(frame.rows()) == _rounded(gold)


def _rounded(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    def plain(cell: object) -> object:
        return round(float(cell), 6) if isinstance(cell, float | Decimal) else cell

    return [[plain(cell) for cell in row] for row in rows]


@pytest.mark.parametrize(
    "own,same",
    [
        ("what is in here", "describe the table"),
        ("how complete is the data", "missing values per column"),
    ],
)
def test_what_another_question_says_better_has_its_answer(plan: Planned, own: str, same: str) -> None:
    assert plan("sales.csv", own).arguments == plan("sales.csv", same).arguments


def test_groups_of_one_row_are_found(asker: Asker, plan: Planned) -> None:
    draft = plan("employees_ru.csv", "какие должности встречаются только один раз")

    assert dict(draft.arguments)["having"] == "count == 1"
    assert draft.language == "ru"


def test_the_words_are_shown_as_they_were_read(plan: Planned) -> None:
    draft = plan("sales.csv", "what share of revenue do the top five customers bring in Germany last year?")

    assert (
        draft.interpretation
        == "percentage of the sum of revenue in the top 5 customer · country = Germany · period last year"
    )
    assert draft.scope == ("country = Germany", "period last year")


@pytest.mark.parametrize(
    "question",
    [
        "delete products that appear only once",
        "remove the examples",
        "update how complete is the discount",
        "fix gaps in the data",
    ],
)
def test_edits_never_go_through_shortcuts(plan: Planned, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        plan("sales.csv", question)


# However it is put

_relaxed = settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
_ANSWERED = [item for item in QUESTIONS if item["reads"]]
_ORDERED = {"relation", "more_than_one", "uniqueness"}
"""Two slots of one kind, or words that the grammar reads in another order: what differs is what was asked."""


def _plan_or_none(plan: Planned, file: str, question: str) -> object:
    try:
        return dict(plan(file, question).arguments)
    except NotUnderstoodError:
        return None


@_relaxed
@given(item=st.sampled_from(_ANSWERED), data=st.data())
def test_a_typing_error_never_changes_the_plan(
    plan: Planned, item: dict[str, str], data: st.DataObject
) -> None:
    question = item["question"]
    place = data.draw(st.integers(0, len(question) - 2))
    if not question[place : place + 2].isalpha():
        return
    head, one, two, tail = question[:place], question[place], question[place + 1], question[place + 2 :]
    typed = data.draw(
        st.sampled_from((head + two + tail, head + two + one + tail, head + one + one + two + tail))
    )

    assert _plan_or_none(plan, item["file"], typed) in (None, dict(plan(item["file"], question).arguments))


@_relaxed
@given(item=st.sampled_from(_ANSWERED), change=st.sampled_from((str.upper, str.lower, str.capitalize)))
def test_case_never_changes_the_plan(
    plan: Planned, item: dict[str, str], change: Callable[[str], str]
) -> None:
    assert _plan_or_none(plan, item["file"], change(item["question"])) == dict(
        plan(item["file"], item["question"]).arguments
    )


@_relaxed
@given(
    item=st.sampled_from([item for item in _ANSWERED if item["intent"] not in _ORDERED]),
    data=st.data(),
)
def test_another_order_gives_the_same_plan_or_a_refusal(
    plan: Planned, item: dict[str, str], data: st.DataObject
) -> None:
    words = item["question"].rstrip("?").split()
    shuffled = " ".join(data.draw(st.permutations(words)))

    assert _plan_or_none(plan, item["file"], shuffled) in (
        None,
        dict(plan(item["file"], item["question"]).arguments),
    )


@_relaxed
@given(
    item=st.sampled_from(_ANSWERED),
    word=st.sampled_from(
        ("profit", "not", "why", "tomorrow", "never", "roughly", "best", "прибуток", "почему", "не")
    ),
    data=st.data(),
)
def test_one_more_word_that_means_something_is_a_refusal(
    plan: Planned, item: dict[str, str], word: str, data: st.DataObject
) -> None:
    words = item["question"].rstrip("?").split()
    place = data.draw(st.integers(0, len(words)))

    assert _plan_or_none(plan, item["file"], " ".join([*words[:place], word, *words[place:]])) is None


# Vectors


@given(text=st.text(max_size=60))
@settings(deadline=None, max_examples=100)
def test_vectors_have_length_one_or_are_empty(text: str) -> None:
    vector = hashed(text)

    assert not vector or math.isclose(math.fsum(value * value for value in vector.values()), 1.0)
    assert not vector or math.isclose(cosine(vector, vector), 1.0)
    assert hashed(text.upper().casefold()) == hashed(text.upper())


def test_vectors_are_the_same_in_every_process() -> None:
    code = "from tabchat.planner.shortcuts.vectors import hashed; print(sorted(hashed('Як розподілена ціна').items()))"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert found == {f"{sorted(hashed('Як розподілена ціна').items())}\n"}


# The log


def test_the_log_says_hit_or_miss_with_intent_and_score(
    plan: Planned, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.INFO, logger="tabchat.planner"):
        plan("sales.csv", "how is revenue distributed")
        with pytest.raises(NotUnderstoodError):
            plan("sales.csv", "how is profit distributed")
        plan("sales.csv", "total revenue")
    told = [vars(record) for record in caplog.records if hasattr(record, "shortcut")]

    assert [(item["shortcut"], item["intent"], item["score"]) for item in told] == [
        ("hit", "spread", 1.0),
        ("miss", "spread", told[1]["score"]),
    ]
    assert capsys.readouterr() == ("", "")


# The catalogue


def test_every_shipped_intent_has_utterances_in_every_language() -> None:
    for intent in load_intents(None, shipped_languages()):
        assert set(intent.utterances) == {"en", "uk", "ru"}, intent.id


def test_own_intents_are_data(asker: Asker, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        """
        [[intent]]
        id = "pricey"
        meaning = "rows with {measure} over {n}"
        plan = { where = "{measure} > {n}", sort = "{measure} desc" }
        utterances.en = ["luxury by {measure} beyond {n}"]
        """,
        encoding="utf-8",
    )
    draft = _planner(asker, own).plan("luxury beyond 500 by unit price, in Germany")

    assert dict(draft.arguments) == {
        "table": "sales",
        "where": "(country == 'Germany') and (unit_price > 500)",
        "sort": "unit_price desc",
    }
    assert draft.interpretation == "rows with unit_price over 500 · country = Germany"


def test_two_intents_for_the_same_words_are_an_ambiguity(asker: Asker, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    entry = '[[intent]]\nid = "{0}"\nmeaning = "{0} {{amount}}"\nplan = {{ select = "{0}({{amount}})" }}\nutterances.en = ["pulse of {{amount}}"]\n'
    own.write_text(entry.format("sum") + entry.format("mean"), encoding="utf-8")

    with pytest.raises(NotUnderstoodError) as refusal:
        _planner(asker, own).plan("pulse of revenue")

    assert refusal.value.code == "ambiguous"
    assert sorted(refusal.value.readings) == ["mean revenue", "sum revenue"]


def _planner(asker: Asker, own: Path) -> OfflinePlanner:
    return OfflinePlanner(
        tables=asker.planner(EXAMPLES / "sales.csv").tables,
        results=pytest.fail,
        shortcuts=ShortcutOptions(catalogue=own),
    )


_GOOD = {
    "id": '"x"',
    "meaning": '"m"',
    "plan": '{ select = "sum({amount})" }',
    "utterances": '{ en = ["pulse of {amount}"] }',
}


@pytest.mark.parametrize(
    "change,what",
    [
        ({"id": '""'}, "Entry 1 in {file} needs a text in the field 'id'"),
        ({"colour": "1"}, "The shortcut 'x' in {file} has an unknown field 'colour'"),
        ({"utterances": "{}"}, "The shortcut 'x' in {file} has no utterances"),
        (
            {"utterances": '{ en = ["pulse of {thing}"] }'},
            "has an unknown slot {{thing}} in 'pulse of {{thing}}'",
        ),
        ({"utterances": '{ en = ["pulse"] }'}, "needs {{amount}}, which the utterance 'pulse' does not have"),
        (
            {"utterances": '{ xx = ["pulse of {amount}"] }'},
            "has utterances in 'xx', which is no language here",
        ),
        ({"utterances": '{ en = ["delete {amount}"] }'}, "asks for an edit: 'delete' in 'delete {{amount}}'"),
        ({"utterances": '{ en = ["{amount}"] }'}, "has an utterance without words: '{{amount}}'"),
        ({"plan": '{ wher = "1" }'}, "has a plan that cannot be:"),
        ({"plan": None}, "needs either a plan or a question that it `asks`"),
        ({"shape": '"poem"'}, "has no known shape 'poem'"),
        ({"requires": '["luck"]'}, "requires ['luck']"),
    ],
)
def test_a_wrong_entry_is_named_with_its_file(
    tmp_path: Path, change: dict[str, str | None], what: str
) -> None:
    own = tmp_path / "own.toml"
    fields = {name: text for name, text in (_GOOD | change).items() if text is not None}
    own.write_text("[[intent]]\n" + "".join(f"{name} = {text}\n" for name, text in fields.items()))

    with pytest.raises(UsageError) as wrong:
        load_intents(own, shipped_languages())

    assert what.format(file=own) in wrong.value.message
    assert str(own) in wrong.value.message
    assert wrong.value.hint


@pytest.mark.parametrize("text", ["[[intent", "intent = 3", "[shortcuts]\nx = 1"])
def test_a_file_that_is_no_catalogue_is_named(tmp_path: Path, text: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text)

    with pytest.raises(UsageError, match=r"own\.toml"):
        load_intents(own, shipped_languages())
    with pytest.raises(UsageError, match=r"none\.toml"):
        load_intents(tmp_path / "none.toml", shipped_languages())


def test_the_shipped_catalogue_obeys_the_rules_for_own_ones() -> None:
    assert len(tomllib.loads(SHIPPED.read_text(encoding="utf-8"))["intent"]) == len(
        load_intents(SHIPPED, shipped_languages())
    )


_SAMPLES = {
    "en": ("sales.csv", "revenue", "quantity", "revenue", "region", "country", "discount", "order date", "month", "orders"),
    "uk": ("tovary_ua.csv", "ціна", "кількість", "кількість", "бренд", "категорія", "наявність", "дата надходження", "місяць", "товари"),
    "ru": ("sales.csv", "revenue", "quantity", "revenue", "region", "country", "discount", "order_date", "месяц", "строки"),
}  # fmt: skip
_SLOTS = ("measure", "measure2", "amount", "category", "category2", "column", "date", "unit", "rows")


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_no_shipped_utterance_is_dead(plan: Planned, language: str) -> None:
    file, *words = _SAMPLES[language]
    filled = {**dict(zip(_SLOTS, words, strict=True)), "n": "3", "percent": "80"}
    filled |= {"text": filled["category"], "text2": filled["category2"]}
    refused = []
    for intent in shipped_intents():
        for utterance in intent.utterances[language]:
            sign = (
                ""
                if any(word in utterance.text for word in ("percent} p", "percent} в", "percent} п"))
                else "%"
            )
            question = utterance.text.format(**filled | {"percent": f"80{sign}"})
            try:
                plan(file, question)
            except NotUnderstoodError:
                refused.append(question)

    assert refused == []
