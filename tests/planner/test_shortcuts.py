"""Common questions in everyday words: a query when every word is accounted for."""

import json
import tomllib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from tabchat.errors import NotUnderstoodError, UsageError
from tabchat.planner import OfflinePlanner
from tabchat.planner.shortcuts import ShortcutReader
from tabchat.planner.shortcuts.catalogue import SHIPPED, load_shortcuts, shipped_shortcuts
from tabchat.planner.words import shipped_languages
from tests.planner.asking import Asker
from tests.planner.gold import DATA, EXAMPLES, public_folder
from tests.planner.tables import table_of

SALES = EXAMPLES / "sales.csv"
QUESTIONS = [json.loads(line) for line in (DATA / "shortcuts.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def reader() -> ShortcutReader:
    return ShortcutReader()


def read(planner: OfflinePlanner, question: str) -> str | None:
    """Return how a question is answered; none when it is offered or refused."""
    try:
        return planner.plan(question).interpretation
    except NotUnderstoodError:
        return None


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_most_unseen_wordings_of_what_is_known_are_answered(
    asker: Asker, reader: ShortcutReader, language: str
) -> None:
    kept = {shortcut.id for shortcut in shipped_shortcuts()}
    asked = [item for item in QUESTIONS if item["lang"] == language and item["intent"] in kept]
    answered = 0
    for item in asked:
        path = EXAMPLES / item["file"]
        path = path if path.exists() else public_folder() / item["file"]
        answered += read(asker.planner(path, shortcuts=reader), item["question"]) is not None

    assert len(asked) >= 35
    assert answered >= 0.75 * len(asked)


@pytest.mark.parametrize(
    "question,sql",
    [
        ("what period does the data cover", "SELECT min(order_date), max(order_date) FROM t"),
        ("how recent is the data", "SELECT max(order_date) FROM t"),
        ("how complete is discount", "SELECT 100.0 * count(discount) / count(*) FROM t"),
        ("how is revenue distributed in Germany", "SELECT count(revenue), min(revenue), quantile_cont(revenue, .25), median(revenue), quantile_cont(revenue, .75), max(revenue), avg(revenue), stddev_samp(revenue) FROM t WHERE country = 'Germany'"),
        ("what is the range of revenue in 2023", "SELECT min(revenue), max(revenue), max(revenue) - min(revenue) FROM t WHERE year(order_date) = 2023"),
        ("interquartile range of revenue", "SELECT quantile_cont(revenue, .75) - quantile_cont(revenue, .25) FROM t"),
        ("quartiles of revenue", "SELECT quantile_cont(revenue, .25), median(revenue), quantile_cont(revenue, .75) FROM t"),
        ("how does revenue differ by region", "SELECT region, count(revenue), min(revenue), avg(revenue), median(revenue), max(revenue) FROM t GROUP BY ALL ORDER BY 1"),
        ("compare revenue in the first and the last year", "SELECT year(order_date), sum(revenue) FROM t WHERE year(order_date) IN (2022, 2024) GROUP BY ALL ORDER BY 1"),
        ("running total of revenue by month in 2023", "SELECT m, s, sum(s) OVER (ORDER BY m) FROM (SELECT strftime(order_date, '%Y-%m') AS m, sum(revenue) AS s FROM t WHERE year(order_date) = 2023 GROUP BY ALL) ORDER BY 1"),
        ("how are orders split between regions", "SELECT region, count(*) FROM t GROUP BY ALL ORDER BY 1"),
        ("which region has the largest share of orders", "SELECT region, count(*), 100.0 * count(*) / (SELECT count(*) FROM t) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("how many customers make up 80% of revenue", "SELECT count(*) FROM (SELECT s, sum(s) OVER (ORDER BY s DESC) - s AS b, sum(s) OVER () AS w FROM (SELECT sum(revenue) AS s FROM t GROUP BY customer)) WHERE 100 * b / w < 80"),
        ("which regions have more than one country", "SELECT region, count(DISTINCT country) FROM t GROUP BY 1 HAVING count(DISTINCT country) > 1 ORDER BY 1"),
        ("give me an example", "SELECT * FROM t LIMIT 5"),
    ],
)  # fmt: skip
def test_every_query_computes_what_its_meaning_says(
    asker: Asker, reader: ShortcutReader, question: str, sql: str
) -> None:
    draft = asker.planner(SALES, shortcuts=reader).plan(question)
    rows = asker.answer(SALES, draft.call).rows
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM read_csv_auto('{SALES}')")
        gold = connection.execute(sql).fetchall()

    assert _rounded(rows) == _rounded(gold)


def _rounded(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    def plain(cell: object) -> object:
        return round(float(cell), 6) if isinstance(cell, float | Decimal) else cell

    return [[plain(cell) for cell in row] for row in rows]


@pytest.mark.parametrize("word", ["profit", "not", "why", "never", "Narnia", "прибуток", "почему"])
def test_one_more_word_that_means_something_is_no_match(
    asker: Asker, reader: ShortcutReader, word: str
) -> None:
    planner = asker.planner(SALES)
    interpreter = planner.interpreter()
    lattice = interpreter.lattice(f"quartiles of revenue {word}")

    assert reader.said(interpreter.lattice("quartiles of revenue"), interpreter)
    assert not reader.said(lattice, interpreter)


@pytest.mark.parametrize("which", ["last", "first", "biggest"])
def test_one_row_of_all_is_not_what_is_in_a_table(
    asker: Asker, reader: ShortcutReader, tmp_path: Path, which: str
) -> None:
    path = table_of(tmp_path, "roads", "km,road", [f"{n * 3},Road {n}" for n in range(30)])
    interpreter = asker.planner(path).interpreter()

    assert reader.said(interpreter.lattice("what is in the table"), interpreter)
    assert not reader.said(interpreter.lattice(f"what is the {which} road"), interpreter)


@pytest.mark.parametrize(
    "question", ["Сколько потратили на ремонт инструмента?", "какую часть выручки дают работы"]
)
def test_a_preposition_or_a_like_stem_says_no_utterance(
    asker: Asker, reader: ShortcutReader, tmp_path: Path, question: str
) -> None:
    rows = [
        f"П-{n},{('Дрель', 'Пила', 'Лобзик')[n % 3]},{('ТО', 'Замена')[n % 2]},{n % 9}00" for n in range(30)
    ]
    path = table_of(tmp_path, "прокат", "Договор,Инструмент,Работы,Стоимость аренды", rows)

    assert read(asker.planner(path, shortcuts=reader), question) is None


def test_conditions_beside_an_utterance_are_part_of_the_query(asker: Asker, reader: ShortcutReader) -> None:
    draft = asker.planner(SALES, shortcuts=reader).plan("quartiles of revenue in Germany in 2023")

    assert draft.call.arguments["where"] == "country == 'Germany'"
    assert draft.call.arguments["period"] == "2023"
    assert draft.interpretation.endswith(" · country = Germany · 2023")


OWN = """
[[intent]]
id = "pricey"
meaning = "rows with {measure} over {n}"
plan = { where = "{measure} > {n}", sort = "{measure} desc" }
utterances.en = ["luxury by {measure} beyond {n}"]
"""


def own(path: Path, text: str) -> ShortcutReader:
    path.write_text(text, encoding="utf-8")
    return ShortcutReader(path)


def test_own_shortcuts_are_data(asker: Asker, tmp_path: Path) -> None:
    reader = own(tmp_path / "own.toml", OWN)

    draft = asker.planner(SALES, shortcuts=reader).plan("luxury beyond 500 by unit price, in Germany")

    assert dict(draft.call.arguments) == {
        "table": "sales",
        "where": "(country == 'Germany') and (unit_price > 500)",
        "sort": "unit_price desc",
    }
    assert draft.interpretation == "rows with unit_price over 500 · country = Germany"


def test_a_shortcut_comes_before_a_reading_that_is_certain(asker: Asker, tmp_path: Path) -> None:
    text = '[[intent]]\nid = "x"\nmeaning = "median {measure}"\nplan = { group_by = "{category}", select = "median({measure})" }\nutterances.en = ["average {measure} by {category}"]\n'
    question = "average revenue by channel"

    plain = asker.planner(SALES).plan(question)
    draft = asker.planner(SALES, shortcuts=own(tmp_path / "own.toml", text)).plan(question)

    assert plain.call.arguments["select"] == "mean(revenue) as mean_revenue"
    assert draft.call.arguments["select"] == "median(revenue)"
    assert plain.interpretation in [reading.interpretation for reading in draft.readings]


def test_two_shortcuts_for_the_same_words_are_offered(asker: Asker, tmp_path: Path) -> None:
    entry = '[[intent]]\nid = "{0}"\nmeaning = "{0} {{amount}}"\nplan = {{ select = "{0}({{amount}})" }}\nutterances.en = ["pulse of {{amount}}"]\n'
    reader = own(tmp_path / "own.toml", entry.format("sum") + entry.format("mean"))

    with pytest.raises(NotUnderstoodError) as refusal:
        asker.planner(SALES, shortcuts=reader).plan("pulse of revenue")

    offered = [reading.interpretation for reading in refusal.value.readings]
    assert {"mean revenue", "sum revenue"} <= set(offered)


# The catalogue


def test_every_shipped_shortcut_has_utterances_in_every_language() -> None:
    for shortcut in load_shortcuts(None, shipped_languages()):
        assert set(shortcut.utterances) == {"en", "uk", "ru"}, shortcut.id


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
    ],
)
def test_a_wrong_entry_is_named_with_its_file(
    tmp_path: Path, change: dict[str, str | None], what: str
) -> None:
    own = tmp_path / "own.toml"
    fields = {name: text for name, text in (_GOOD | change).items() if text is not None}
    own.write_text("[[intent]]\n" + "".join(f"{name} = {text}\n" for name, text in fields.items()))

    with pytest.raises(UsageError) as wrong:
        load_shortcuts(own, shipped_languages())

    assert what.format(file=own) in wrong.value.message
    assert str(own) in wrong.value.message
    assert wrong.value.hint


@pytest.mark.parametrize("text", ["[[intent", "intent = 3", "[shortcuts]\nx = 1"])
def test_a_file_that_is_no_catalogue_is_named(tmp_path: Path, text: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text)

    with pytest.raises(UsageError, match=r"own\.toml"):
        load_shortcuts(own, shipped_languages())
    with pytest.raises(UsageError, match=r"none\.toml"):
        load_shortcuts(tmp_path / "none.toml", shipped_languages())


def test_the_shipped_catalogue_obeys_the_rules_for_own_ones() -> None:
    assert len(tomllib.loads(SHIPPED.read_text(encoding="utf-8"))["intent"]) == len(
        load_shortcuts(SHIPPED, shipped_languages())
    )
