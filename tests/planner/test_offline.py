"""The offline planner as a model: it answers what is certain, offers what is not, and names what nobody explains."""

from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.chat.turn.messages import ToolCall, ToolMessage, UserMessage
from tabchat.chat.turn.model import ModelRequest, Reply
from tabchat.errors import NotUnderstoodError
from tabchat.planner import OfflinePlanner
from tabchat.tools.envelope import ToolResultEnvelope
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES
from tests.planner.tables import table_of

SALES = EXAMPLES / "sales.csv"
TABLES = (
    "sales.csv",
    "prices.csv",
    "stations.csv",
    "installations.csv",
    "messy.csv",
    "tovary_ua.csv",
    "employees_ru.csv",
)


def refusal(planner: OfflinePlanner, question: str) -> NotUnderstoodError:
    with pytest.raises(NotUnderstoodError) as refused:
        planner.plan(question)
    return refused.value


def test_what_is_certain_lists_itself_among_its_readings(asker: Asker) -> None:
    draft = asker.planner(SALES).plan("average revenue by channel")

    assert draft.interpretation == "mean of revenue · by channel"
    first = draft.readings[0]
    assert (first.n, first.interpretation) == (1, draft.interpretation)
    assert first.plan == draft.call.arguments
    assert 0 < first.confidence <= 1


@pytest.mark.parametrize("wanted", ["9007199254740993", "12345678901234567"])
def test_a_long_id_is_the_one_that_was_asked_for(asker: Asker, tmp_path: Path, wanted: str) -> None:
    path = tmp_path / "posts.csv"
    ids = ("9007199254740992", "9007199254740993", "12345678901234567", "12345678901234568")
    path.write_text("id,likes\n" + "".join(f"{one},{n}\n" for n, one in enumerate(ids)), encoding="utf-8")

    draft = asker.planner(path).plan(f"rows where id = {wanted}")

    assert draft.interpretation == f"rows · id = {wanted}"
    assert draft.call.arguments["where"] == f"id == {wanted}"


@pytest.mark.parametrize(
    "header, question, summed",
    [
        ("Спектакль,Дата,Длительность (мин)", "сколько длится Гамлет", "сколько всего длился Гамлет"),
        ("Вистава,Дата,Тривалість (хв)", "скільки триває Гамлет", "сума тривалості Гамлет"),
        ("play,evening,cost (EUR)", "how much does Гамлет cost", "total cost of Гамлет"),
    ],
)
def test_what_each_thing_has_is_no_sum_for_certain(
    asker: Asker, tmp_path: Path, header: str, question: str, summed: str
) -> None:
    path = tmp_path / "evenings.csv"
    plays = ("Гамлет", "Фауст", "Лир", "Гамлет", "Фауст", "Чайка", "Гамлет", "Лир")
    rows = [f"{play},2024-01-{day:02},{100 + 7 * day % 60}" for day, play in enumerate(plays, 2)]
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    planner = asker.planner(path)

    assert all(reading.n for reading in refusal(planner, question).readings)
    assert str(planner.plan(summed).call.arguments["select"]).startswith("sum(")


def test_a_reading_is_picked_by_its_number(asker: Asker) -> None:
    question = "revenue by planet"
    offered = refusal(asker.planner(SALES), question).readings

    for reading in offered:
        picked = asker.planner(SALES, pick=reading.n).plan(question)
        assert (picked.interpretation, picked.call.arguments) == (reading.interpretation, reading.plan)
    assert [reading.n for reading in offered] == list(range(1, len(offered) + 1))


def test_a_number_that_was_not_offered_is_refused_with_the_readings(asker: Asker) -> None:
    error = refusal(asker.planner(SALES, pick=4), "revenue by planet")

    assert "4" in error.message
    assert error.readings == refusal(asker.planner(SALES), "revenue by planet").readings


def test_readings_go_from_likely_to_unlikely_and_compute_different_things(asker: Asker) -> None:
    offered = refusal(asker.planner(SALES), "revenue by planet").readings
    plans = [dict(reading.plan) for reading in offered]

    assert [reading.confidence for reading in offered] == sorted(
        (reading.confidence for reading in offered), reverse=True
    )
    assert all(plan not in plans[:place] for place, plan in enumerate(plans))


@pytest.mark.parametrize(
    "question", ["xyzzy plugh", "qwxz", "asdf qwer zxcv", "what is in", "абракадабра швамбрания"]
)
def test_what_says_nothing_of_the_table_is_refused_with_something_to_type(
    asker: Asker, question: str
) -> None:
    planner = asker.planner(SALES)

    error = refusal(planner, question)

    assert error.exit_code == 4
    assert error.hint
    assert set(error.words) <= set(question.split())


@pytest.mark.parametrize("language,quote", [("en", "“"), ("uk", "«"), ("ru", "«")])
def test_a_refusal_is_said_in_the_language_of_the_question(asker: Asker, language: str, quote: str) -> None:
    words = {"en": "frobnicate everything", "uk": "зроби їх усіх їжаками", "ru": "сделай всё ёжиками ы"}

    error = refusal(asker.planner(SALES), words[language])

    assert quote in error.message + str(error.hint)


@pytest.mark.parametrize(
    "header, cells, question, language",
    [
        ("Регион,Товар", ("Казань,Кресло", "Москва,Шкаф"), "Москва", "ru"),
        ("Регион,Товар", ("Казань,Кресло", "Москва,Шкаф"), "топ 3", "ru"),
        ("Місто,Товар", ("Казань,Крісло", "Москва,Шафа"), "Москва", "uk"),
        ("place,product", ("Казань,Кресло", "Москва,Шкаф"), "Москва", "ru"),
        ("place,product", ("Київ,Крісло", "Львів,Шафа"), "топ 3", "uk"),
    ],
)
def test_the_table_tells_the_language_of_words_that_two_have(
    asker: Asker, tmp_path: Path, header: str, cells: tuple[str, ...], question: str, language: str
) -> None:
    path = table_of(tmp_path, "goods", header, cells * 3)

    assert asker.interpreter(path).read(question).language == language


@pytest.mark.parametrize(
    "typed, reading",
    [
        ("cevvf gj htubjyfv", "сумма «Сумма» · по «Регион»"),
        ("crjkmrj cnhjr", "число строк"),
        ("rskmrscnm hzlrsd", "кількість рядків"),
        ("ыфдуы ин зщысефек", None),
    ],
)
def test_what_is_typed_on_another_keyboard_is_offered(
    asker: Asker, tmp_path: Path, typed: str, reading: str | None
) -> None:
    path = table_of(
        tmp_path, "deals", "Регион,Сумма", [f"{'Юг' if n % 2 else 'Север'},{n}0" for n in range(1, 9)]
    )
    error = refusal(asker.planner(path), typed)

    assert [one.interpretation for one in error.readings[:1]] == ([reading] if reading else [])


@pytest.mark.parametrize("said, language", [("сколько всего строк", "ru"), ("скільки всього рядків", "uk")])
def test_a_conversation_goes_on_in_its_language(
    asker: Asker, tmp_path: Path, said: str, language: str
) -> None:
    path = table_of(tmp_path, "goods", "place,product", ("Rome,A", "Oslo,B", "Rome,B"))
    earlier = [UserMessage(text=said), UserMessage(text="топ 3")]

    assert asker.planner(path).plan("Rome", earlier=earlier).language == "en"
    assert asker.interpreter(path).language_of("а топ 3", [message.text for message in earlier]) == language


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
@pytest.mark.parametrize("file", TABLES)
def test_every_question_that_is_suggested_is_answered(asker: Asker, file: str, language: str) -> None:
    planner = asker.planner(EXAMPLES / file)
    found = planner.interpreter().suggestions(language, 5)

    assert found
    for question in found:
        asker.answer(EXAMPLES / file, planner.plan(question).call)


@pytest.mark.parametrize(
    "question,head",
    [
        ("what can I ask", "Questions that this table answers:"),
        ("help", "Questions that this table answers:"),
        ("", "Questions that this table answers:"),
        ("що можна запитати?", "Питання, на які відповідає ця таблиця:"),
    ],
)
def test_who_asks_what_to_ask_gets_questions(asker: Asker, question: str, head: str) -> None:
    request = ModelRequest(messages=(UserMessage(text=question),), table="sales")

    (reply,) = asker.planner(SALES).respond(request)

    assert isinstance(reply, Reply)
    first, *questions = reply.text.splitlines()
    assert first == head
    assert questions
    assert not reply.tool_calls


def test_a_turn_calls_a_tool_and_then_says_what_came_back(asker: Asker) -> None:
    asked = UserMessage(text="average revenue by channel")
    planner = asker.planner(SALES)
    (reply,) = planner.respond(ModelRequest(messages=(asked,), table="sales"))
    assert isinstance(reply, Reply)
    (call,) = reply.tool_calls
    result = asker.run(SALES, planner.plan(asked.text).call)
    planner.results = lambda _key: result

    envelope = ToolResultEnvelope(ok=True, summary="Result", data_key="ds_x")
    message = ToolMessage(call=call, envelope=envelope)
    (answer,) = planner.respond(ModelRequest(messages=(asked, message), table="sales"))

    assert isinstance(answer, Reply)
    assert answer.text.startswith(
        "2 groups." if result.frame.row_count == 2 else f"{result.frame.row_count} groups."
    )
    assert answer.receipts


def test_a_result_of_another_call_is_said_by_its_summary(asker: Asker) -> None:
    call = ToolCall(id="x", name="run_sql", arguments={"sql": "SELECT 1"})
    message = ToolMessage(call=call, envelope=ToolResultEnvelope(ok=True, summary="Result: 1"))

    (answer,) = asker.planner(SALES).respond(ModelRequest(messages=(UserMessage(text="?"), message)))

    assert isinstance(answer, Reply)
    assert answer.text == "Result: 1"


def test_a_long_text_is_not_a_question(asker: Asker) -> None:
    with pytest.raises(NotUnderstoodError, match="longer than 600"):
        asker.planner(SALES).plan("revenue " * 100)


@pytest.mark.parametrize(
    "question, read",
    [
        ("how many rows", "sales: number of rows"),
        ("average close", "other: mean of close"),
        ("average close in 2009", "other: mean of close · 2009"),
    ],
)
def test_of_several_tables_the_one_that_is_read_is_named(asker: Asker, question: str, read: str) -> None:
    planner = asker.planner(SALES)
    other = asker.open(EXAMPLES / "prices.csv")
    planner.facts = {**planner.facts, "other": lambda: replace(other, name="other")}

    draft = planner.plan(question, "sales")
    assert (draft.interpretation, draft.call.arguments["table"]) == (read, read.partition(":")[0])


def test_a_follow_up_goes_on_from_the_table_that_answered(asker: Asker) -> None:
    planner = asker.planner(SALES)
    other = asker.open(EXAMPLES / "prices.csv")
    planner.facts = {**planner.facts, "other": lambda: replace(other, name="other")}
    first = planner.plan("average close", "sales")
    asked = ToolCall(id="c1", name=first.call.tool, arguments=first.call.arguments)
    envelope = ToolResultEnvelope(ok=True, summary="Result", data_key="ds_x")
    earlier = (UserMessage(text="average close"), ToolMessage(call=asked, envelope=envelope))

    assert planner.previous(earlier, planner.facts["sales"]()) is None
    assert (
        planner.plan("by month", "sales", None, earlier).interpretation == "other: mean of close · by month"
    )


def test_what_no_table_explains_is_refused_for_the_one_that_was_asked(asker: Asker) -> None:
    planner = asker.planner(SALES)
    planner.facts = {**planner.facts, "prices": lambda: asker.open(EXAMPLES / "prices.csv")}

    with pytest.raises(NotUnderstoodError, match="frobnication"):
        planner.plan("average frobnication by region", "sales")


def test_a_question_that_could_be_about_two_tables_is_refused(asker: Asker) -> None:
    planner = asker.planner(SALES)
    planner.facts = {**planner.facts, "other": lambda: asker.open(EXAMPLES / "prices.csv")}

    with pytest.raises(NotUnderstoodError, match="Which table"):
        planner.plan("total revenue")
    assert planner.plan("average revenue by channel", "sales").call.arguments["table"] == "sales"


@pytest.fixture
def shop(tmp_path: Path) -> OfflinePlanner:
    """Return the planner of orders, by which customers are told apart, and of the customers: tables of these very names."""
    asker = Asker(tmp_path / "asked")
    (tmp_path / "orders.csv").write_text(
        "order_id,cust,amount\n" + "".join(f"{row},000{1 + row % 3},{row}.5\n" for row in range(30))
    )
    (tmp_path / "customers.csv").write_text(
        "cust_id,name,segment,cust\n" + "".join(f"{row},N{row},{'xy'[row % 2]},{row}\n" for row in range(5))
    )
    planner = asker.planner(tmp_path / "orders.csv")
    planner.facts = {**planner.facts, "customers": lambda: asker.open(tmp_path / "customers.csv")}
    return planner


@pytest.mark.parametrize(
    "question, read",
    [
        ("how many customers", "customers: number of rows"),
        ("how many orders", "orders: number of rows"),
        ("how many different cust", "orders: number of different cust"),
    ],
)
def test_a_table_that_is_called_by_its_name_is_meant(shop: OfflinePlanner, question: str, read: str) -> None:
    assert shop.plan(question, "orders").interpretation == read


def test_a_column_of_another_table_is_named_with_the_join_that_has_it(shop: OfflinePlanner) -> None:
    shop.joining = "/sql {}".format
    with pytest.raises(NotUnderstoodError) as refused:
        shop.plan("total amount by segment", "orders")
    assert (refused.value.hint or "").splitlines()[-1] == (
        "segment is a column of customers, and one question is about one table; in SQL: /sql SELECT segment, … FROM "
        "orders JOIN customers USING (cust)"
    )
    assert refused.value.readings[0].interpretation == "orders: sum of amount"
