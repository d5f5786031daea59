"""Questions about the rows of a list: the only one, the last one listed, of one row, what is named first, rows of one thing each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tabchat.planner.choice.doubts import is_doubtful
from tabchat.planner.intent import Output
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


def _answer(asker: Asker, path: Path, question: str) -> list[tuple[Any, ...]]:
    """Return the rows of an answer, which is certain."""
    found = asker.interpreter(path).read(question)
    assert found.certain, found.candidates[:1]
    return [*asker.answer(path, asker.call(path, found.candidates[0].intent)).rows]


@pytest.fixture
def league(tmp_path: Path) -> Path:
    rows = ("1,Rovers,21,60,Mill", "2,United,15,51,Gate", "3,Albion,14,49,Mill", "4,Wanderers,9,30,Abbey")
    return table_of(tmp_path, "league", "Position,Club,Wins,Points,Home ground", rows)


@pytest.fixture
def singles(tmp_path: Path) -> Path:
    rows = (
        *("Sunrise,Ada Lee,1997,980000,Blue Bird", "Harvest,Bo Finn,1998,870000,Red Kite"),
        *("Old Mill,Ada Lee,1999,640000,Blue Bird", "Evening,Cy Orr,2001,120000,Blue Bird"),
    )
    return table_of(tmp_path, "singles", "Single,Artist,Year,Sales,Record label", rows)


def test_the_only_one_is_all_that_there_are(asker: Asker, singles: Path) -> None:
    question = "what is the artist of the only single with the record label Red Kite"
    found = asker.interpreter(singles).read(question).candidates[0]
    assert not found.unexplained
    assert [*asker.answer(singles, asker.call(singles, found.intent)).rows] == [("Bo Finn", 1)]
    # Any other `only` may take rows away.
    alone = asker.interpreter(singles).read("which artist had only singles with Red Kite")
    assert not alone.certain


def test_the_last_one_listed_is_asked_of_the_file(asker: Asker, league: Path) -> None:
    assert _answer(asker, league, "which club is listed last") == [("Wanderers",)]
    # Beside points, whoever is last may have the fewest.
    for question in (
        "which club is last",
        "which club finished last overall",
        "which club is last in the table",
    ):
        assert not asker.interpreter(league).read(question).certain


def test_the_amount_of_one_row_is_no_sum(asker: Asker, singles: Path) -> None:
    assert _answer(asker, singles, "how many sales did the single Sunrise have?") == [(980000,)]


def test_numbers_that_are_combined_are_taken_together(asker: Asker, singles: Path) -> None:
    assert _answer(asker, singles, "total sales in 1997 and 1999 combined") == [(1620000,)]


def test_what_is_on_the_chart_is_in_the_table(asker: Asker, tmp_path: Path) -> None:
    rows = ("A,Blue Bird,3,9", "B,Blue Bird,12,40", "C,Red Kite,7,15")
    albums = table_of(tmp_path, "albums", "Album,Record label,UK Albums Chart,US Albums Chart", rows)
    assert _answer(asker, albums, "what record label appears the most on the chart?") == [("Blue Bird", 2)]


def test_a_whole_row_shows_a_name_of_two_words(asker: Asker, tmp_path: Path) -> None:
    rows = ("North,0,Mill Lane", "North,4,Abbey Road", "South,9,Harbour Street")
    highway = table_of(tmp_path, "highway", "County,km,Crossing road", rows)
    assert _answer(asker, highway, "what is the last crossing road?") == [("South", 9, "Harbour Street")]


def test_one_value_is_not_counted(asker: Asker, league: Path) -> None:
    for question in ("how many wins did Rovers have", "how many Mill clubs are there"):
        for reading in asker.readings(league, question):
            pinned = {getattr(one, "column", "") for one in reading.intent.clauses}
            assert not any(
                one.function == "count_distinct" and one.column in pinned for one in reading.intent.measures
            )


def test_what_is_first_is_no_date(asker: Asker, tmp_path: Path) -> None:
    rows = ("1,Harvest,2013-12-27", "2,Old Mill,2014-01-24", "3,Evening,2014-02-21")
    issues = table_of(tmp_path, "issues", "Issue,Title,Release Date", rows)
    assert _answer(asker, issues, "what was the first title to be released?")[0][0] == "Harvest"
    for reading in asker.readings(issues, "what was the first title to be released?"):
        ends = any(one.function in {"min", "max"} for one in reading.intent.measures)
        assert not (ends and reading.intent.output is Output.VALUE)


def test_groups_of_one_row_each_are_counted_as_rows(asker: Asker, league: Path) -> None:
    assert _answer(asker, league, "how many clubs had at least 15 wins?") == [(2,)]
    senses = [reading.sense for reading in asker.readings(league, "how many clubs had at least 15 wins?")]
    counts = [one for one in senses if one.output is Output.VALUE]
    assert not any(one.having and one.having[0].measure.function in {"sum", "mean"} for one in counts)


@pytest.mark.parametrize(
    "question, rows",
    [
        ("how many clubs won at least 15 games", [(2,)]),
        ("how many more games did Rovers win than Albion", 7),
        ("how many clubs total are there?", [(4,)]),
    ],
)
def test_games_are_those_that_a_column_counts(
    asker: Asker, league: Path, question: str, rows: list[tuple[Any, ...]] | int
) -> None:
    found = _answer(asker, league, question)
    assert found == rows if isinstance(rows, list) else rows in found[0]


def test_games_of_one_club_are_no_rows(asker: Asker, league: Path) -> None:
    assert _answer(asker, league, "how many games did Rovers win") == [(21,)]
    assert _answer(asker, league, "how many points did Albion get") == [(49,)]


def test_a_column_of_figures_is_not_counted(asker: Asker, tmp_path: Path) -> None:
    rows = ("1984,Rovers,21,10", "1985,Rovers,15,13", "1986,Rovers,14,15", "1987,Rovers,9,24")
    seasons = table_of(tmp_path, "seasons", "Year,Club,Wins,Losses", rows)
    for reading in asker.readings(seasons, "how many losses from 1985 to 1987"):
        plain = reading.intent.output is Output.VALUE and not reading.unexplained
        assert not plain or {one.function for one in reading.intent.measures} != {"count"}


def test_no_group_has_more_rows_than_the_table(asker: Asker, tmp_path: Path) -> None:
    cities = table_of(tmp_path, "cities", "City,Population", ("Lund,94000", "Ystad,20000", "Malmo,320000"))
    readings = asker.readings(cities, "how many cities have at least 25,000 people?")
    assert not any(one.measure.function == "count" for reading in readings for one in reading.intent.having)
    assert [*asker.answer(cities, asker.call(cities, readings[0].intent)).rows] == [(2,)]


def test_the_first_on_the_list_is_that_of_the_file(asker: Asker, tmp_path: Path) -> None:
    rows = ("Petrel,Ada Lee,1999", "Heron,Bo Finn,1987", "Tern,Cy Orr,2004")
    yachts = table_of(tmp_path, "yachts", "Yacht,Owner,Launch year", rows)
    assert _answer(asker, yachts, "who is the owner of the first yacht on the list?") == [
        ("Petrel", "Ada Lee")
    ]


def test_which_one_is_ranked_is_asked(asker: Asker, tmp_path: Path) -> None:
    rows = ("2009,Reel,Harvest", "2009,Shield,Harvest", "2010,Reel,Evening", "2011,Prize,Harvest")
    awards = table_of(tmp_path, "nominations", "Year,Award Ceremony,Film", rows)
    for reading in asker.readings(awards, "which film had the most award ceremonies?"):
        groups = reading.intent.output is Output.GROUPS and reading.intent.limit
        assert not groups or [key.column for key in reading.intent.keys] == ["Film"]


def test_a_place_behind_a_comma_is_no_kind(asker: Asker, tmp_path: Path) -> None:
    rows = ('2001,"Beijing, China",2nd', '2002,"Rome, Italy",1st', '2003,"Paris, France",4th')
    meets = table_of(tmp_path, "meets", "Year,Venue,Place", rows)
    lattice = asker.interpreter(meets).wide_lattice("meets held in china")
    best = asker.readings(meets, "meets held in china")[0].intent
    assert [row[1] for row in asker.answer(meets, asker.call(meets, best)).rows] == ["Beijing, China"]
    assert not is_doubtful(lattice, best)


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    rows = (
        *('1,"September 8, 1996",Bears,W 20-13,Mill Park', '2,"September 15, 1996",Jets,L 10-14,Gate Field'),
        *('3,"September 22, 1996",Lions,W 31-3,Mill Park', '4,"September 29, 1996",Bears,L 7-24,Abbey Dome'),
    )
    return table_of(tmp_path, "fixtures", "Week,Date,Opponent,Result,Venue", rows)


def test_against_an_opponent_compares_nothing(asker: Asker, fixtures: Path) -> None:
    assert _answer(asker, fixtures, "how many games were played against the Bears") == [(2,)]
    for reading in asker.readings(fixtures, "what was the result against the Lions")[:2]:
        assert not reading.unexplained


def test_speeds_are_in_no_kilometres(asker: Asker, tmp_path: Path) -> None:
    rows = ("Alpha,90,80", "Beta,120,75", "Gamma,160,70")
    trains = table_of(tmp_path, "trains", "Train,Max Speed (km/h),Weight (t)", rows)
    assert _answer(asker, trains, "how many trains have a max speed of more than 100 km/h?") == [(2,)]
    assert [row[0] for row in _answer(asker, trains, "trains over 100 km/h")] == ["Beta", "Gamma"]
    for question in ("trains longer than 100 km", "trains over 60 mph"):
        assert not asker.interpreter(trains).read(question).certain
