"""What is said of the subject restricts it: who did it, what it did, what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Operator, plain_conditions
from tabchat.planner.wording.reading import read_as
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


@pytest.mark.parametrize(
    "question, certain",
    [
        ("which patients survived", False),
        ("which patients complained", False),
        ("which patients paid", False),
        ("which patients are in Surgery", True),
    ],
)
def test_a_verb_that_no_column_tells_of_is_not_passed_over(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [
        f"Pat Hill {n},{20 + n % 60},{('Surgery', 'Cardiology')[n % 2]},2024-0{1 + n % 6}-{1 + n % 27:02d},{300 + n}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "stays", "patient,age,ward,admitted,cost", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize(
    "question, certain",
    [
        ("how many books are still with Ann King", False),
        ("how many books are available", False),
        ("how many books are missing", False),
        ("how many books are on loan", False),
        ("how many loans did Ann King have", True),
    ],
)
def test_books_that_are_out_are_not_all_loans(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [
        f"{n},Title {n % 9},{('Ann King', 'Bob Hale', 'Cid Moor')[n % 3]},2024-0{1 + n % 6}-{1 + n % 25:02d},"
        f"{f'2024-0{1 + n % 6}-{3 + n % 25:02d}' if n % 4 else ''}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "loans", "loan_id,title,member,loan_date,return_date", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize("question", ["кто решил больше всего заявок", "кто отклонил больше всего заявок"])
def test_who_works_on_tickets_is_no_customer(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"T-{n},2024-0{1 + n % 6}-{1 + n % 27:02d},{('Мир', 'Ника', 'Заря')[n % 3]},{('Глеб', 'Вера')[n % 2]},"
        f"{('решена', 'отклонена', 'новая')[n % 3]}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "obrashcheniya", "Заявка,Дата создания,Клиент,Исполнитель,Статус", rows)
    found = asker.interpreter(path).read(question)

    assert not found.certain or "Исполнитель" in str(found.candidates[0].intent.keys)


@pytest.mark.parametrize("question, certain", [("сколько учениц", False), ("сколько учеников", True)])
def test_a_noun_for_women_restricts_by_sex(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [f"Ученик {n},{('ж', 'м')[n % 2]},{5 + n % 3}А,{2 + n % 4}" for n in range(40)]
    path = table_of(tmp_path, "ucheniki", "Ученик,Пол,Класс,Математика", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize("question", ["which team is last", "who is first"])
def test_the_last_of_a_ranking_is_no_last_row(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"{name},18,{n * 3 % 11},{20 + n * 7 % 17}"
        for n, name in enumerate(("Arden", "Bolton", "Carlow", "Derby", "Hull"))
    ]
    path = table_of(tmp_path, "standings", "team,played,won,points", rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.mark.parametrize("question", ["хто отримує найбільший оклад", "who gets the highest salary"])
def test_who_is_a_name(asker: Asker, tmp_path: Path, question: str) -> None:
    header = "ПІБ,Відділ,Оклад" if "хто" in question else "Full name,Department,Salary"
    path = table_of(
        tmp_path,
        "staff",
        header,
        [f"Ann King {n},{('A', 'B')[n % 2]},{900 + n * 37 % 700}" for n in range(40)],
    )
    found = asker.interpreter(path).read(question)

    assert found.candidates
    assert all(offered.intent.output != "value" for offered in found.candidates[:3])


@pytest.mark.parametrize(
    "question, certain, states",
    [
        # Those that she attended, by their status, and not all that she had.
        ("how many appointments did Ann King attend", True, ["attended"]),
        ("which patients came twice", False, None),
        ("how many appointments did Ann King have", True, []),
    ],
)
def test_who_came_is_not_who_had_an_appointment(
    asker: Asker, tmp_path: Path, question: str, certain: bool, states: list[str] | None
) -> None:
    rows = [
        f"{('Ann King', 'Bob Hale', 'Cid Moor')[n % 3]},Dr Low,2024-0{1 + n % 6}-{1 + n % 25:02d},"
        f"{('attended', 'no-show', 'attended', 'cancelled')[n % 4]},{10 + n % 20}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "appointments", "patient,doctor,appointment_date,status,fee", rows)

    found = asker.interpreter(path).read(question)

    assert found.certain == certain
    kept = plain_conditions(found.candidates[0].intent.clauses)
    assert states is None or [one.values[0] for one in kept if one.column == "status"] == states


@pytest.mark.parametrize(
    "question",
    [
        "how many employees do we have",
        "how many people work in Sales",
        "employees on leave",
        "how many people are left",
        "how many people were fired",
        "how many people are over 50",
    ],
)
def test_who_left_is_no_employee(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"{n},Ann King {n},{('Sales', 'HR', 'IT')[n % 3]},20{10 + n % 9}-0{1 + n % 6}-{1 + n % 27:02d},"
        f"{f'2023-0{1 + n % 6}-{1 + n % 27:02d}' if n % 4 == 0 else ''},{40000 + n * 37 % 9000},{n * 7 % 90}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "employees", "emp_id,name,department,hire_date,leave_date,salary,bonus", rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.mark.parametrize(
    "question", ["how many tasks does Tom still have", "longest task", "open tasks per project"]
)
def test_tasks_that_go_on_are_told_of(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"{n},Task {n},{('Zeus', 'Hera')[n % 2]},{('Tom', 'Ines')[n % 2]},2024-0{1 + n % 6}-{1 + n % 20:02d},"
        f"{f'2024-0{1 + n % 6}-{3 + n % 25:02d}' if n % 3 else ''}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "tasks", "task_id,title,project,assignee,start_date,finished_date", rows)

    found = asker.interpreter(path).read(question)
    # Open ones are those that are not finished; what else is asked may be of all of them.
    unfinished = Condition(column="finished_date", operator=Operator.MISSING)
    assert found.certain == question.startswith("open")
    assert not found.certain or found.candidates[0].intent.clauses == (unfinished,)


@pytest.mark.parametrize(
    "question, told",
    [
        ("unassigned tasks", "assignee is missing"),
        ("Tom's tasks", "assignee = Tom"),
        ("which task was started last", "started"),
    ],
)
def test_whose_tasks_they_are(asker: Asker, tmp_path: Path, question: str, told: str) -> None:
    rows = [
        f"{n},Task {n},{('Zeus', 'Hera')[n % 2]},{('Tom', 'Ines', '')[n % 3]},2024-0{1 + n % 6}-{1 + n % 20:02d},"
        f"{f'2024-0{1 + n % 6}-{3 + n % 25:02d}' if n % 4 else ''}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "tasks", "task_id,title,project,assignee,started,finished", rows)
    found = asker.interpreter(path).read(question)

    assert told in read_as(found.candidates[0].intent, asker.interpreter(path).facts, "en")


@pytest.mark.parametrize(
    "question, certain",
    [
        ("how many current employees", True),
        ("average salary of current employees", True),
        ("current salary of Ann King 3", False),
    ],
)
def test_current_is_said_of_who_is_there(asker: Asker, tmp_path: Path, question: str, certain: bool) -> None:
    rows = [
        f"{n},Ann King {n},{('Sales', 'HR')[n % 2]},20{10 + n % 9}-0{1 + n % 6}-{1 + n % 27:02d},"
        f"{f'2023-0{1 + n % 6}-{1 + n % 27:02d}' if n % 4 == 0 else ''},{40000 + n * 37 % 9000}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "employees", "emp_id,name,department,hire_date,leave_date,salary", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize(
    "name, header, question",
    [
        ("houses", "address,town,year_built,listed_date,price", "newest house"),
        ("tests", "test_id,patient,ordered_year,ordered_on,price", "newest tests"),
        ("refunds", "refund_no,customer,year,date,refund", "who got the biggest refund"),
        ("results", "test_id,patient,year,date,result", "abnormal results"),
    ],
)
def test_one_word_may_mean_another_column(
    asker: Asker, tmp_path: Path, name: str, header: str, question: str
) -> None:
    rows = [
        f"{n},Ann {n % 7},{1950 + n * 7 % 70},2024-0{1 + n % 6}-{1 + n % 20:02d},{300 + n * 37 % 900}"
        for n in range(60)
    ]
    path = table_of(tmp_path, name, header, rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.mark.parametrize(
    "question, certain", [("donations by month", False), ("number of donations by month", True)]
)
def test_what_is_given_is_counted_or_added_up(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [f"{n},Ann {n % 7},2024-0{1 + n % 6}-{1 + n % 20:02d},{10 + n * 7 % 90}" for n in range(60)]
    path = table_of(tmp_path, "donations", "donation_id,donor,date,amount", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize(
    "question, told",
    [
        ("who is the oldest student", "date_of_birth"),
        ("average mark in maths", "mean of maths"),
        ("best mark in english", "english"),
    ],
)
def test_marks_are_called_after_their_subject(asker: Asker, tmp_path: Path, question: str, told: str) -> None:
    rows = [
        f"Ann King {n},9{'AB'[n % 2]},{30 + n * 7 % 70},{30 + n * 11 % 70},20{8 + n % 3:02d}-0{1 + n % 6}-{1 + n % 27:02d}"
        for n in range(40)
    ]
    path = table_of(tmp_path, "pupils", "student,class,maths,english,date_of_birth", rows)
    found = asker.interpreter(path).read(question).candidates[0]

    assert told in read_as(found.intent, asker.interpreter(path).facts, "en")


@pytest.mark.parametrize(
    "name, header, question",
    [
        ("sportzal", "клієнт,абонемент,місяців,вік,ціна", "скільки студентів"),
        ("sportzal", "клієнт,абонемент,місяців,вік,ціна", "скільки пацієнтів"),
        ("kandidaty", "кандидат,вакансия,месяцев,опыт лет,оклад", "средний возраст"),
        ("arenda", "клиент,машина,дней,пробег км,цена", "самая длинная аренда"),
        ("arenda", "клиент,машина,дней,пробег км,цена", "сколько стоила аренда BMW"),
    ],
)
def test_what_nothing_tells_is_offered_at_the_most(
    asker: Asker, tmp_path: Path, name: str, header: str, question: str
) -> None:
    rows = [
        f"Іван {n},{('BMW', 'Kia')[n % 2]},{1 + n % 12},{20 + n * 7 % 50},{300 + n * 37 % 900}"
        for n in range(40)
    ]
    path = table_of(tmp_path, name, header, rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.fixture
def bought(tmp_path: Path) -> Path:
    rows = [
        f"{1000 + n},2024-0{1 + n % 6}-{1 + n % 25:02d},{('North', 'South')[n % 2]},{('Denmark', 'Kenya', 'Peru')[n % 3]},"
        f"{('Garden', 'Kitchen', 'Office')[n * 7 % 3]},Client {n % 9},{('store', 'online')[n % 2]},{1 + n % 5},{50 + n}.5"
        for n in range(60)
    ]
    head = "order_id,order_date,region,country,category,customer,channel,quantity,revenue"
    return table_of(tmp_path, "purchases", head, rows)


@pytest.mark.parametrize(
    "question",
    [
        "total frobnicated revenue",
        "total deferred revenue",
        "weighted average revenue",
        "average revenue doubled",
        "revenue by month detrended",
        "average revenue of furloughed customers",
        "average revenue of delivered orders",
        "how many shipped orders",
        "сумма revenue доставленных заказов",
        "скільки оплачених замовлень",
    ],
)
def test_a_word_that_may_restrict_what_is_meant_is_not_passed_over(
    asker: Asker, bought: Path, question: str
) -> None:
    assert not asker.interpreter(bought).read(question).certain


@pytest.mark.parametrize(
    "question",
    [
        "total revenue for children",
        "total revenue for kids in 2024",
        "revenue by month for employees",
        "average quantity for staff",
        "сумма revenue сотрудников",
        "сума revenue для співробітників",
    ],
)
def test_employees_and_children_are_no_customers(asker: Asker, bought: Path, question: str) -> None:
    assert not asker.interpreter(bought).read(question).certain


@pytest.mark.parametrize("thing", ["banks", "streets", "hospitals", "managers", "jobs", "farms", "parks"])
@pytest.mark.parametrize("frame", ["how many rows for {}", "how many rows in {}"])
def test_a_cell_that_a_word_is_only_near_to_is_offered(
    asker: Asker, bought: Path, frame: str, thing: str
) -> None:
    assert not asker.interpreter(bought).read(frame.format(thing)).certain


@pytest.mark.parametrize(
    "question",
    ["total revenue generated by region", "how many orders were placed in March", "revenue from Kenya"],
)
def test_a_verb_that_says_again_what_rows_are_of_costs_nothing(
    asker: Asker, bought: Path, question: str
) -> None:
    assert asker.interpreter(bought).read(question).certain
