"""Readings of an entry that was not certain, chosen from by their number."""

from tabchat.errors import ExitCode
from tests.conftest import Example
from tests.repl.conftest import Talk


def test_readings_stay_offered_until_another_question_or_another_table(talk: Talk, example: Example) -> None:
    talk.say("average rate by region")
    code, _, err = talk.say("5")
    assert code == ExitCode.USAGE
    assert "There is no reading 5." in err
    talk.say("/tables")
    assert "mean of unit_price" in talk.say("2")[2]
    talk.say("average rate by region")
    talk.say(f"/load {example('prices.csv')}")
    talk.say("/use sales")
    assert "mean of unit_price" in talk.say("2")[2]
    talk.say("average rate by region")
    talk.say("/use prices")
    assert "unit_price" not in "".join(talk.say("2")[1:])
    talk.say("/use sales")
    # A year goes on from a question, whatever was offered.
    talk.say("total revenue by month")
    assert "2024" in talk.say("2024")[2]


def test_one_of_several_readings_is_chosen_by_its_number(talk: Talk) -> None:
    code, out, err = talk.say("revenue by planet")
    assert (code, out) == (ExitCode.NOT_UNDERSTOOD, "")
    readings = [line.partition(". ")[2] for line in err.splitlines() if line.startswith(("  1. ", "  2. "))]
    assert len(readings) == 2
    assert err.endswith(
        "  try: type its number, or ask in other words.\n"
        "       or teach the word: /word planet = <column or value>\n"
    )

    code, out, err = talk.say("2")
    assert code == ExitCode.ANSWERED
    assert f"read as: {readings[1]}\n" in err
    assert talk.say("2")[0] == ExitCode.NOT_UNDERSTOOD


def test_readings_of_an_edit_command_are_chosen_from_and_none_that_were_offered_before(talk: Talk) -> None:
    talk.say("average rate by region")
    _, _, err = talk.say("/edit rename unit to x")
    readings = [line.partition(". ")[2] for line in err.splitlines() if line.startswith(("  1. ", "  2. "))]
    assert len(readings) == 2
    assert readings[1] == "edit: rename unit_price → x"
    assert err.endswith("  try: type its number, or ask in other words.\n")
    assert f"read as: {readings[1]}\n" in talk.say("2")[2]
