"""What took place and what is there now is not all that a table lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

STATES = ("attended", "no-show", "cancelled", "attended")


@pytest.mark.parametrize(
    "question, certain",
    [
        ("how many appointments in May", True),
        ("how many appointments took place in May", False),
        ("how many appointments happened in May", False),
        ("how many appointments in May were cancelled", True),
    ],
)
def test_what_did_not_take_place_is_not_counted_with_what_did(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [f"{n},2024-0{1 + n % 8}-{1 + n % 27:02d},{STATES[n % 4]},{20 + n * 7 % 60}" for n in range(96)]
    path = table_of(tmp_path, "appointments", "appt_id,date,status,fee", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize(
    "question, certain",
    [
        ("how many people work in IT", True),
        ("how many people currently work in IT", False),
        ("how many people are currently on leave", True),
    ],
)
def test_who_left_is_not_there_now(asker: Asker, tmp_path: Path, question: str, certain: bool) -> None:
    states, parts = ("active", "left", "on leave"), ("Sales", "IT")
    rows = [f"{n},Person {n},{parts[n % 2]},{states[n % 3]},20{10 + n % 14}-05-01" for n in range(60)]
    path = table_of(tmp_path, "staff", "emp_id,name,dept,status,hired", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize("word", ["зараз", "нині", ""])
def test_a_word_for_now_changes_nothing_where_a_cell_tells(asker: Asker, tmp_path: Path, word: str) -> None:
    states = ("справний", "у ремонті", "списаний")
    rows = [f"{n},Модель {n % 5},{states[n % 3]}" for n in range(60)]
    path = table_of(tmp_path, "принтери", "номер,модель,стан", rows)

    assert asker.interpreter(path).read(f"скільки принтерів {word} у ремонті").certain


def test_over_time_is_no_overtime(asker: Asker, tmp_path: Path) -> None:
    rows = [f"Person {n % 6},2024-{1 + n % 12:02d}-01,{2000 + n * 37 % 900},{n * 7 % 30}" for n in range(72)]
    path = table_of(tmp_path, "payroll", "employee,month,salary,overtime", rows)
    found = asker.interpreter(path).read("total salary over time")

    assert all(
        one.column != "overtime" for offered in found.candidates[:3] for one in offered.intent.measures
    )


def test_what_is_written_in_one_word_is_said_in_two(asker: Asker, tmp_path: Path) -> None:
    rows = [f"Firm {n},2024-{1 + n % 12:02d}-0{1 + n % 9},{n * 7 % 30}" for n in range(60)]
    path = table_of(tmp_path, "accounts", "account,signup_date,seats", rows)
    found = asker.readings(path, "when did Firm 7 sign up")

    assert any("signup_date" in intent.intent.columns for intent in found[:3])
