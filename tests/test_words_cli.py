"""`tabchat words`: a word that one process is taught is answered as certain by the next, and refusals say how."""

import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tabchat.errors import ExitCode
from tests.command import tabchat

LESSONS = (
    "Date,Pupil,Fee (£),City\n2024-01-03,Ann,20,London\n2024-02-03,Bob,25,Leeds\n2025-01-03,Ann,30,London\n"
)


@pytest.fixture
def piano(tmp_path: Path) -> Path:
    path = tmp_path / "piano.csv"
    path.write_text(LESSONS)
    return path


def test_what_is_taught_is_answered_by_the_next_process_until_it_is_forgotten(piano: Path) -> None:
    refused = tabchat("ask", "piano.csv", "takings by year", cwd=piano.parent)
    assert refused.code == ExitCode.NOT_UNDERSTOOD
    *_, offered, way = refused.err.splitlines()
    assert offered.startswith("  try: add --pick 1")
    assert way == '       or teach the word: tabchat words piano.csv "takings" "<column or value>"'

    taught = tabchat("words", "piano.csv", "takings", "fee (£)", cwd=piano.parent)
    assert (taught.code, taught.out, taught.err) == (0, "", "“takings” is Fee (£) from now on.\n")
    answered = tabchat("ask", "piano.csv", "takings by year", "--json", cwd=piano.parent)
    assert (answered.code, answered.json["interpretation"]) == (0, "sum of “Fee (£)” · by year")

    assert tabchat("words", "--forget", "Takings").err == "“Takings” is no more Fee (£).\n"
    assert tabchat("ask", "piano.csv", "takings by year", cwd=piano.parent).err == refused.err


def test_words_are_listed_and_a_new_meaning_takes_the_place_of_the_old_one(piano: Path) -> None:
    assert tabchat("words").err == "There are no words of your own.\n"
    tabchat("words", piano, "big smoke", "london")
    told = tabchat("words", piano, "Big Smoke", "City: Leeds", "--json").json
    assert told["before"] == [{"word": "Big Smoke", "column": "City", "cell": "London"}]
    assert [line.split("  ") for line in tabchat("words").out.splitlines()[2:]] == [
        ["Big Smoke", "City: Leeds"]
    ]
    listed = tabchat("words", "--json").json
    assert listed["words"] == [{"word": "Big Smoke", "column": "City", "cell": "Leeds"}]
    assert listed["path"].endswith("/.config/tabchat/words.toml")
    assert tabchat("words", "--forget", "big smoke", "--json").json["forgot"] == [
        {"word": "big smoke", "column": "City", "cell": "Leeds"}
    ]
    found = {item["name"]: item for item in tabchat("doctor", "--json").json["findings"]}
    assert found["own words"]["text"] == f"0 in {listed['path']}"


@pytest.mark.parametrize(
    "arguments,code,told",
    [
        (["{piano}", "takings", "Fees"], 2, "piano has no column and no known cell 'Fees'"),
        (["{piano}", "takings"], 2, "A word is taught by a file, the word and what it stands for."),
        (["{piano}", "takings", "City", "--forget", "takings"], 2, "A word is taught by a file"),
        (["--forget", "takings"], 2, "There is no word 'takings'"),
        (["nowhere.csv", "takings", "City"], 3, "nowhere.csv"),
    ],
)
def test_what_cannot_be_done_is_told(piano: Path, arguments: list[str], code: int, told: str) -> None:
    done = tabchat("words", *(text.format(piano=piano) for text in arguments))
    assert (done.code, done.out) == (code, "")
    assert told in done.err
    assert "\n  try: " in done.err
    failed = tabchat("words", *(text.format(piano=piano) for text in arguments), "--json")
    assert (failed.code, failed.json["ok"]) == (code, False)


def test_a_damaged_file_stops_questions_and_stays(piano: Path, isolated_home: Path) -> None:
    path = isolated_home / ".config" / "tabchat" / "words.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[columns]\nfee = [1 2]\n")
    for arguments in (["ask", piano, "total fee"], ["words"], ["words", piano, "takings", "City"]):
        done = tabchat(*arguments)
        assert done.code == ExitCode.USAGE
        assert str(path) in done.err
        assert "(at line 2, " in done.err
    assert path.read_text() == "[columns]\nfee = [1 2]\n"
    bad = tabchat("doctor")
    assert bad.code == ExitCode.INTERNAL
    assert f"BAD   own words: {path}" in bad.out


def test_processes_that_teach_at_once_lose_nothing(piano: Path) -> None:
    wanted = [f"word {number}" for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(lambda word: tabchat("words", piano, word, "City").code, wanted))
    assert codes == [0] * 8
    assert sorted(own["word"] for own in tabchat("words", "--json").json["words"]) == wanted


@pytest.mark.parametrize(
    "question,file,hint",
    [
        (
            "середній дзибрик за містом",
            "piano.csv",
            'або навчіть цього слова: tabchat words piano.csv "дзибрик" "<стовпець чи значення>"',
        ),
        (
            "средний хрумкач по городам",
            "piano.csv",
            'или объясните слово: tabchat words piano.csv "хрумкач" "<столбец или значение>"',
        ),
        (
            "frobs by zorp quux",
            "-x $(id).csv",
            'or teach the word: tabchat words \'./-x $(id).csv\' "frobs" "<column or value>"',
        ),
        (
            "how many rows in zorp quux",
            "piano.csv",
            'or teach the word: tabchat words piano.csv "zorp quux" "<column or value>"',
        ),
        ("why is fee low", "piano.csv", None),
    ],
)
def test_json_has_the_way_in_the_language_of_the_question(
    tmp_path: Path, question: str, file: str, hint: str | None
) -> None:
    (tmp_path / file).write_text(LESSONS)
    refused = tabchat("ask", "--json", "--", f"./{file}", question, cwd=tmp_path)
    assert refused.code == ExitCode.NOT_UNDERSTOOD
    _, *more = refused.json["error"]["hint"].split("\n")
    assert more == ([] if hint is None else [hint])
    if hint is not None:
        # The line does what it says, with a column in the place of its placeholder.
        _, *typed = shlex.split(hint.partition(": ")[2])
        assert tabchat(*typed[:-1], "City", cwd=tmp_path).code == 0
