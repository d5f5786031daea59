"""A language is data: every file is whole, and one more file is one more language."""

import tomllib
from pathlib import Path

import pytest

from tabchat.planner.interpretation import Interpreter
from tabchat.planner.plan import plan_of
from tabchat.planner.wording.naming import plural
from tabchat.planner.wording.terms import phrases_of
from tabchat.planner.words.languages import open_languages, shipped_languages
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_every_language_has_the_concepts_and_templates_of_english(language: str) -> None:
    folder = shipped_languages().folder
    english, other = (
        tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
        for name in ("en", language)
    )
    optional = {"article", "nth.1", "nth.2", "rel.past", "top.worst"}

    ours, theirs = phrases_of("en"), phrases_of(language)
    assert set(ours.phrasing) == set(theirs.phrasing)
    assert set(ours.refusals) == set(theirs.refusals)
    assert set(ours.suggestions) == set(theirs.suggestions)
    assert set(ours.read_as) <= set(theirs.read_as)
    assert set(english["concepts"]) - set(other["concepts"]) <= optional


@pytest.mark.parametrize(
    "text,languages",
    [
        ("total revenue", ("en",)),
        ("скільки рядків", ("uk",)),
        ("сколько строк", ("uk", "ru")),
        ("средний возраст и рост сотрудников", ("uk", "ru")),
        ("количество столбцов, самый большой объём", ("ru",)),
        ("топ 5 product за кількістю", ("uk", "en")),
        ("42", ("en",)),
    ],
)
def test_letters_choose_the_languages(text: str, languages: tuple[str, ...]) -> None:
    assert shipped_languages().of(text) == languages


def test_a_fourth_language_is_added_by_data_alone(asker: Asker, tmp_path: Path) -> None:
    """A few words of Esperanto, laid over the English file."""
    english = shipped_languages().folder.joinpath("en.toml").read_text(encoding="utf-8")
    words = {
        '"agg.sum" = "total': '"agg.sum" = "sumo de, total',
        '"by" = "by': '"by" = "laŭ, by',
        'revenue = "revenue': 'revenue = "enspezo, enspezoj, revenue',
        'country = "country': 'country = "lando, landoj, country',
        'language = "en"': 'language = "eo"',
    }
    for old, new in words.items():
        english = english.replace(old, new)
    (tmp_path / "eo.toml").write_text(english, encoding="utf-8")
    (tmp_path / "languages.toml").write_text(
        '[eo]\nletters = "abcdefghijklmnopqrstuvzĉĝĥĵŝŭ"\nmarks = "ĉĝĥĵŝŭ"\n', encoding="utf-8"
    )
    facts = asker.open(EXAMPLES / "sales.csv")
    interpreter = Interpreter(facts, languages=open_languages(tmp_path))

    found = interpreter.read("sumo de enspezo laŭ lando")

    assert found.language == "eo"
    assert dict(plan_of(found.candidates[0].intent, facts).arguments) == {
        "table": "sales",
        "group_by": "country",
        "select": "sum(revenue) as sum_revenue",
    }


@pytest.mark.parametrize(
    "number,form", [(1, "рядок"), (2, "рядки"), (5, "рядків"), (11, "рядків"), (21, "рядок"), (112, "рядків"), (1003, "рядки")]
)  # fmt: skip
def test_slavic_plurals(number: int, form: str) -> None:
    assert plural(number, "рядок|рядки|рядків", "slavic") == form
