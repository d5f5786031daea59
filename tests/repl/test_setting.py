"""`/set` shows the parts of the last reading and changes one; questions go on from what it gave."""

from tabchat.errors import ExitCode
from tests.repl.conftest import Talk


def test_one_part_of_the_last_reading_is_changed_and_gone_on_from(talk: Talk) -> None:
    talk.say('/query {"group_by": "region", "select": "sum(revenue)", "where": "country == \'Germany\'"}')

    code, _, err = talk.say("/set by channel")
    assert code == ExitCode.ANSWERED
    assert err.startswith("read as: sum of revenue · by channel · country = Germany\n")

    assert talk.say("/set period 2024")[2].startswith(
        "read as: sum of revenue · by channel · country = Germany · 2024\n"
    )
    assert talk.say("only returned")[2].startswith(
        "read as: sum of revenue · by channel · country = Germany · returned = yes · 2024\n"
    )


def test_the_parts_of_the_last_reading_are_shown(talk: Talk) -> None:
    talk.say(
        '/query {"period": "2024", "group_by": "product", "select": "sum(revenue) as s", "sort": "s desc", "limit": 3}'
    )

    code, out, _ = talk.say("/set")

    assert code == ExitCode.ANSWERED
    assert [line.rstrip() for line in out.splitlines()[2:]] == [
        "measure  sum of revenue",
        "filter   -",
        "by       product",
        "period   2024",
        "sort     sorted by sum of revenue, highest first",
        "limit    3",
    ]


def test_what_cannot_be_set_is_explained(talk: Talk) -> None:
    assert talk.say("/set")[2].startswith("tabchat: error: There is no reading to change yet.")
    talk.say("average revenue by channel")

    assert "A query has no part 'colour'" in talk.say("/set colour blue")[2]
    assert "/set by needs what it is to be" in talk.say("/set by")[2]
    code, out, err = talk.say("/set filter planet Mars")
    assert (code, out) == (ExitCode.NOT_UNDERSTOOD, "")
    assert "“planet”" in err


def test_a_follow_up_goes_on_from_the_answer_before(talk: Talk) -> None:
    talk.say("average revenue by channel")

    assert talk.say("what about 2024?")[2].startswith("read as: mean of revenue · by channel · 2024\n")

    assert talk.say("and by month?")[0] == ExitCode.NOT_UNDERSTOOD
    assert "by month · 2024" in talk.say("1")[2]
