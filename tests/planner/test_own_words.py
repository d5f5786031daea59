"""`words.toml`: whatever a person teaches is there as it was said, whoever else writes, and does no harm elsewhere."""

import threading
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tabchat.config import words_file
from tabchat.errors import NotUnderstoodError, OutputError, UsageError
from tabchat.planner import OfflinePlanner
from tabchat.planner.context import own_context, phrase_of
from tabchat.planner.own_words import Target, forget, learn, own_words, teach
from tests.effort import examples
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES

SALES = EXAMPLES / "sales.csv"
STATIONS = EXAMPLES / "stations.csv"
FILE = """\
# mine
[columns]
revenue = ["turnover"]  # as the boss says
# more to come

[units]
revenue = "USD"
[values.region]
"North America" = ["NA",
  "the States",
]"""


@pytest.fixture
def file(isolated_home: Path) -> Path:
    path = isolated_home / ".config" / "tabchat" / "words.toml"
    path.parent.mkdir(parents=True)
    path.write_text(FILE)
    return path


def meanings() -> dict[str, Target]:
    return {own.word: own.target for own in own_words()}


HOSTILE = st.text(min_size=1, max_size=30) | st.sampled_from(
    [
        'a"]\n[units]\nprice = "x',
        "a = 1 # b",
        "[columns]",
        "a\\",
        "'''a",
        "a\x00\x1b[31m\x7f",
        "a\u2028b\r\nc\u0085",
        "a.b",
        " a ",
    ]
)
WORDS = HOSTILE.filter(lambda word: any(map(str.isalnum, "".join(phrase_of(word)))))
TARGETS = st.builds(lambda column, cell: Target(column=column, cell=cell), HOSTILE, st.none() | HOSTILE)


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(WORDS, st.none() | TARGETS), min_size=1, max_size=8))
@example([("takings", Target(column="Fee (£)")), ("Takings", Target(column="", cell="")), ("TAKINGS", None)])
def test_whatever_is_taught_is_read_again_as_it_was_said(
    isolated_home: Path, lessons: list[tuple[str, Target | None]]
) -> None:
    words_file().unlink(missing_ok=True)
    known: dict[tuple[str, ...], tuple[str, Target]] = {}
    for word, target in lessons:
        was = known.pop(phrase_of(word), None)
        if target is not None:
            before = teach(word, target)
            known[phrase_of(word)] = (word, target)
        elif was is not None:
            before = forget(word)
        else:
            with pytest.raises(UsageError, match="There is no word"):
                forget(word)
            continue
        assert [str(old).casefold() for old in before] == (
            [] if was is None or was[1] == target else [str(was[1]).casefold()]
        )
    # Names of columns and cells are the same in any case.
    assert sorted((own.word, str(own.target).casefold()) for own in own_words()) == sorted(
        (word, str(target).casefold()) for word, target in known.values()
    )
    content = tomllib.loads(words_file().read_text()) if words_file().exists() else {}
    assert set(content) <= {"columns", "values"}
    assert not words_file().exists() or words_file().stat().st_mode & 0o777 == 0o600


def test_the_rest_of_the_file_stays(file: Path) -> None:
    assert teach("takings", Target(column="REVENUE")) == ()
    assert teach("cut", Target(column="discount")) == ()
    assert teach("turnover", Target(column="region", cell="Asia")) == (Target(column="revenue"),)
    assert forget("na") == (Target(column="region", cell="North America"),)
    assert file.read_text() == (
        FILE.replace('["turnover"]', '["takings"]')
        .replace("# more", 'discount = ["cut"]\n# more')
        .replace('["NA",\n  "the States",\n]', '["the States"]\nAsia = ["turnover"]\n')
    )


@pytest.mark.parametrize(
    "content,told",
    [
        (b"[columns]\nrevenue = [1\n\n[x]", "(at line 4, "),
        (b"[columns]\nrevenue = 'sales'", "'columns.revenue' in line 2 must be a list of words"),
        (b"[columns]\n# caf\xe9", "can't decode byte 0xe9"),
        (b"columns = {revenue = ['sales']}", "cannot be changed line by line"),
    ],
)
def test_a_file_that_cannot_be_changed_stays_as_it_is(file: Path, content: bytes, told: str) -> None:
    file.write_bytes(content)
    with pytest.raises(UsageError) as taught:
        teach("takings", Target(column="revenue"))
    with pytest.raises(UsageError) as forgotten:
        forget("sales")
    for caught in (taught, forgotten):
        assert str(file) in caught.value.message
        assert told in caught.value.message
    assert file.read_bytes() == content


def test_a_damaged_file_is_named_when_a_question_is_asked(file: Path) -> None:
    file.write_text("[columns]\nrevenue = [1\n\n[x]")
    with pytest.raises(UsageError) as caught:
        own_context(None)
    assert str(file) in caught.value.message
    assert "(at line 4, " in caught.value.message


def test_a_folder_that_cannot_be_written_is_told(isolated_home: Path) -> None:
    (isolated_home / ".config").write_text("in the way")
    assert own_context(None) is None
    with pytest.raises(OutputError, match=r"words\.toml cannot be written"):
        teach("takings", Target(column="revenue"))


def test_a_link_into_a_folder_of_dotfiles_stays_one(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    file.rename(kept)
    file.symlink_to(kept)
    teach("takings", Target(column="revenue"))
    assert file.is_symlink()
    assert "takings" in kept.read_text()


def test_of_many_who_teach_at_once_no_word_is_lost() -> None:
    def teach_some(number: int) -> None:
        for place in range(10):
            teach(f"word {number} {place}", Target(column=f"column {place}"))

    threads = [threading.Thread(target=teach_some, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(meanings()) == 40


# What questions are read as


def planner_of(asker: Asker, path: Path, chosen: Path | None = None) -> OfflinePlanner:
    return asker.planner(path, context=own_context(chosen))


def teach_about(asker: Asker, path: Path, word: str, meaning: str) -> str:
    planner = planner_of(asker, path)
    return str(learn(word, meaning, planner.interpreter(), planner.context))


@pytest.mark.parametrize(
    "word,meaning,question,interpretation",
    [
        ("takings", "Revenue", "total takings by region", "sum of revenue · by region"),
        ("money in", "revenue", "average money in by channel", "mean of revenue · by channel"),
        ("виторг", "revenue", "середній виторг", "середнє «revenue»"),
        (
            "the States",
            "North america",
            "total revenue in the States",
            "sum of revenue · region = North America",
        ),
        ("NA", "REGION: North America", "how many rows in NA", "number of rows · region = North America"),
        ("R&D", "revenue", "total R&D", "sum of revenue"),
    ],
)
def test_what_was_taught_is_certain(
    asker: Asker, word: str, meaning: str, question: str, interpretation: str
) -> None:
    teach_about(asker, SALES, word, meaning)
    assert planner_of(asker, SALES).plan(question).interpretation == interpretation


@pytest.mark.parametrize(
    "word,meaning,told,hint",
    [
        ("takings", "revenu", "sales has no column and no known cell 'revenu'", "revenue"),
        ("takings", "Germny", "no known cell 'Germny'", "country: Germany"),
        ("takings", "country: Europe", "no known cell 'country: Europe'", ""),
        ("takings", "region: Antarctica", "no known cell 'region: Antarctica'", "region: "),
        ("takings", "region: Oceana", "no known cell 'region: Oceana'", "region: Oceania"),
        ("europe", "Asia", "'europe' means region: Europe in sales itself", "names nothing there"),
        ("Kitchens", "Lighting", "'Kitchens' means category: Kitchen in sales itself", ""),
        ("not", "revenue", "has a meaning of its own", ""),
        ("average", "revenue", "has a meaning of its own", ""),
        ("2023", "revenue", "has a meaning of its own", ""),
        ("QUANTITY", "revenue", "is a column of sales itself", ""),
        ("...", "revenue", "no letter and no digit", ""),
        ("w" * 201, "revenue", "201 characters", "200"),
        ("\udcff", "revenue", "is no word", ""),
    ],
)
def test_what_names_nothing_is_not_taught(
    asker: Asker, word: str, meaning: str, told: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        teach_about(asker, SALES, word, meaning)
    assert told in caught.value.message
    assert hint in (caught.value.hint or "")
    assert own_words() == ()


def test_a_cell_of_two_columns_needs_its_column(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "trips.csv"
    path.write_text("start,target,km\nLeeds,York,40\nYork,Leeds,41\n")
    with pytest.raises(UsageError) as caught:
        teach_about(asker, path, "the minster", "york")
    assert caught.value.hint == "start: York or target: York"
    teach_about(asker, path, "the minster", "target: york")
    assert meanings() == {"the minster": Target(column="target", cell="York")}


def test_a_table_without_the_column_is_asked_as_before(asker: Asker) -> None:
    questions = (
        "total takings by region",
        "how many stations in NA",
        "how many stations",
        "average capacity",
    )

    def said(planner: OfflinePlanner) -> list[object]:
        found: list[object] = []
        for question in questions:
            try:
                found.append(planner.plan(question).readings)
            except NotUnderstoodError as refusal:
                found.append((refusal.message, refusal.hint, refusal.readings))
        return found

    before = said(planner_of(asker, STATIONS))
    teach_about(asker, SALES, "takings", "revenue")
    teach_about(asker, SALES, "NA", "North America")
    teach_about(asker, SALES, "stations", "Germany")
    planner = planner_of(asker, STATIONS)
    assert said(planner) == before
    assert planner.context is not None
    assert planner.context.warnings(["a", "b"]) == ()


def test_what_a_table_itself_calls_so_is_that(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "claims.csv"
    path.write_text("state,takings,revenue\nheld,1,20\npaid,2,30\npaid,4,50\n")
    teach("held", Target(column="state", cell="paid"))
    teach("takings", Target(column="revenue"))
    planner = planner_of(asker, path)
    assert planner.plan("how many rows are held").interpretation == "number of rows · state = held"
    assert planner.plan("total takings").interpretation == "sum of takings"


def test_a_word_for_a_cell_is_given_to_another_one(asker: Asker) -> None:
    teach_about(asker, SALES, "down under", "region: Asia")
    teach_about(asker, SALES, "down under", "region: Oceania")
    assert meanings() == {"down under": Target(column="region", cell="Oceania")}


def test_the_file_of_the_setting_wins_where_both_name_the_same(asker: Asker, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.toml"
    chosen.write_text('[columns]\nquantity = ["takings"]\nnowhere = ["gain"]\n')
    teach("Takings", Target(column="revenue"))
    teach("gain", Target(column="revenue"))
    planner = planner_of(asker, SALES, chosen)

    assert planner.plan("total takings").interpretation == "sum of quantity"
    # There is no such column here, so that only one of the two names anything.
    assert planner.plan("total gain").interpretation == "sum of revenue"
    assert len(planner.context.warnings(["quantity"])) == 1 if planner.context else False
    assert str(learn("takings", "discount", planner.interpreter(), planner.context)) == (
        f"“takings” is discount from now on; it was revenue. Here {chosen} stands above it."
    )
