"""Between the times of two columns lies what the world's clocks say, whatever offsets they are written in."""

import datetime as dt

import pytest

from tests.engine.reader.conftest import Reader

T = dt.datetime


@pytest.mark.parametrize(
    "begun, ended, first",
    [
        # One offset for all: the clock as it was written.
        (("10:00+02:00", "11:30+02:00"), ("10:00+0200", "11:30+0200"), (10, 10)),
        (("10:00Z", "11:30Z"), ("10:00+00:00", "11:30+00:00"), (10, 10)),
        # One in one offset, one in another, or in none but UTC.
        (("10:00+02:00", "11:30+02:00"), ("10:00Z", "11:30Z"), (8, 10)),
        (("10:00+02", "11:30+02"), ("10:00-05:30", "11:30-05:30"), (8, 15.5)),
        # One in several, which were brought to UTC.
        (("10:00+02:00", "11:30+03:00"), ("10:00+02:00", "11:30+02:00"), (8, 8)),
        # As shops, clouds and services write them.
        (("10:00 -0500", "11:30 -0500"), ("10:00 -0500", "11:30 -0500"), (10, 10)),
        (("10:00 -0500", "11:30 -0400"), ("10:00 UTC", "11:30 UTC"), (15, 10)),
        (("10:00 +0000 UTC", "11:30 +0000 UTC"), ("10:00 +02:00", "11:30 +02:00"), (10, 8)),
        (("10:00 GMT", "11:30 +0000 UTC"), ("10:00 Z", "11:30 UTC"), (10, 10)),
        # What has no offset is kept.
        (("10:00", "11:30"), ("10:00+02:00", "11:30+02:00"), (10, 10)),
    ],
)
@pytest.mark.parametrize("day", ["2024-02-{:02d}T", "{:02d}.02.2024 ", "{:02d}/Feb/2024:"])
def test_times_of_columns_in_different_offsets_are_in_utc(
    reader: Reader, begun: tuple[str, ...], ended: tuple[str, ...], first: tuple[float, float], day: str
) -> None:
    lines = [
        f"{day.format(20 + place)}{one};{day.format(20 + place)}{other}"
        for place, (one, other) in enumerate(zip(begun, ended, strict=True))
    ]

    found = reader.text("\n".join(["begun;ended", *lines]) + "\n")

    start = T(2024, 2, 20)
    wanted = [start + dt.timedelta(hours=hours) for hours in first]
    assert [found.column("begun")[0], found.column("ended")[0]] == wanted


def test_what_was_brought_to_utc_is_told(reader: Reader) -> None:
    found = reader.text(
        "begun;ended\n2024-02-01 10:00+02:00;2024-02-01 09:00Z\n2024-02-02 10:00+02:00;2024-02-02 09:00Z\n"
    )

    told = [note.message for note in found.notes("inferred")]
    assert told == ["Times of 'begun' are written in the offset +02:00 and were brought to UTC."]


def test_a_cell_far_down_in_another_offset_brings_both_columns_to_utc(reader: Reader) -> None:
    rows = [
        f"2024-02-01 10:{n % 60:02d}:{n // 60 % 60:02d}+02:00;2024-02-01 11:00+02:00" for n in range(40_000)
    ]
    rows[-1] = "2024-02-01 10:00:00+03:00;2024-02-01 11:00+02:00"

    found = reader.text("\n".join(["begun;ended", *rows]) + "\n")

    assert found.column("begun")[-1] == T(2024, 2, 1, 7)
    assert set(found.column("ended")) == {T(2024, 2, 1, 9)}


@pytest.mark.parametrize(
    "zone", ["+99:99", "+16:00", "-05:60", "z", "+2", "  UTC", " utc", " +0200 UTC", " CET"]
)
def test_what_is_no_offset_makes_no_time(reader: Reader, zone: str) -> None:
    rows = [f"2024-02-{n:02d}T10:00:00{zone};2024-02-{n:02d}T10:00:00+02:00" for n in range(1, 9)]

    found = reader.text("\n".join(["begun;ended", *rows]) + "\n")

    assert (found.types["begun"], found.types["ended"]) == ("VARCHAR", "TIMESTAMP")
    assert found.column("ended")[0] == T(2024, 2, 1, 10)
