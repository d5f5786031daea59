"""However an edit is put, it stays the same edit or becomes a refusal."""

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.errors import NotUnderstoodError
from tabchat.planner.edits import EditReader
from tests.effort import examples

Readers = Callable[[str], EditReader]

_relaxed = settings(
    deadline=None,
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
_PLAIN = (
    ("sales.csv", "delete rows where revenue < 100"),
    ("sales.csv", "remove all orders from Germany before 2023"),
    ("sales.csv", "drop the columns discount and channel"),
    ("sales.csv", "remove duplicate rows by customer and product"),
    ("sales.csv", "delete everything except orders from Asia"),
    ("sales.csv", "increase unit price by 10%"),
    ("sales.csv", "set discount to 0 where it is missing"),
    ("sales.csv", "fill missing discount with the median"),
    ("sales.csv", "convert quantity to text"),
    ("tovary_ua.csv", "видали рядки, де кількість більша за 100"),
    ("tovary_ua.csv", "заповни пропуски в постачальнику найчастішим значенням"),
    ("tovary_ua.csv", "збільш ціну на 10% для бренду Верба"),
    ("employees_ru.csv", "удали строки, где зарплата меньше 30000"),
    ("employees_ru.csv", "увеличь зарплату на 5% для отдела Продажи"),
    ("employees_ru.csv", "удали все строки, кроме отдела Продажи"),
)
"""Requests without a name or a text of one's own, which a slip would rightly change."""


def _arguments(reader: EditReader, request: str) -> Any:
    try:
        reading = reader.read(request)
    except NotUnderstoodError:
        return None
    return None if reading is None else (reading.call.name, dict(reading.call.arguments))


@_relaxed
@given(case=st.sampled_from(_PLAIN), data=st.data())
def test_a_typing_error_never_changes_the_edit(
    reader_of: Readers, case: tuple[str, str], data: st.DataObject
) -> None:
    file, request = case
    place = data.draw(st.integers(0, len(request) - 2))
    one, two = request[place], request[place + 1]
    if not (one.isalpha() and two.isalpha()):
        return
    head, tail = request[:place], request[place + 2 :]
    typed = data.draw(
        st.sampled_from((head + two + tail, head + two + one + tail, head + one + one + two + tail))
    )

    read = _arguments(reader_of(file), typed)

    assert read is None or read == _arguments(reader_of(file), request)


@_relaxed
@given(
    case=st.sampled_from(_PLAIN),
    change=st.sampled_from((str.upper, str.title, str.lower, str.capitalize)),
    polite=st.sampled_from(("{}", "  {}  ", "{}!", "{}.")),
)
def test_case_and_blanks_change_nothing(
    reader_of: Readers, case: tuple[str, str], change: Callable[[str], str], polite: str
) -> None:
    file, request = case

    read = _arguments(reader_of(file), polite.format(change(request)))

    assert read is not None
    assert read == _arguments(reader_of(file), request)


_QUOTES = ("'{}'", '"{}"', "«{}»", "“{}”", "‘{}’", "`{}`")


@_relaxed
@given(one=st.sampled_from(_QUOTES), two=st.sampled_from(_QUOTES), three=st.sampled_from(("{}", *_QUOTES)))
def test_any_quotation_marks_will_do(reader_of: Readers, one: str, two: str, three: str) -> None:
    request = (
        f"replace {one.format('Germany')} with {two.format('West Germany')} in {three.format('country')}"
    )

    name, arguments = _arguments(reader_of("sales.csv"), request)

    assert name == "edit_table"
    assert arguments == {
        "table": "sales",
        "operation": "replace_values",
        "column": "country",
        "values": [{"from": "Germany", "to": "West Germany"}],
    }


_NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{2,9}( [a-z]{3,6})?", fullmatch=True)


@_relaxed
@given(name=_NAMES, quote=st.sampled_from(("{}", *_QUOTES)))
def test_a_new_name_is_kept_to_the_letter_or_refused(reader_of: Readers, name: str, quote: str) -> None:
    read = _arguments(reader_of("sales.csv"), f"rename column channel to {quote.format(name)}")

    if read is None:
        assert quote == "{}"
    else:
        assert read[1]["names"] == {"channel": name}


@_relaxed
@given(
    percent=st.integers(1, 99),
    where=st.sampled_from(("for {}", "in {}", "where country is {}", "for orders from {}")),
)
def test_the_parts_of_an_update_are_each_their_own(reader_of: Readers, percent: int, where: str) -> None:
    read = _arguments(reader_of("sales.csv"), f"decrease revenue by {percent}% {where.format('Japan')}")

    assert read is not None
    assert read[1]["where"] == "country == 'Japan'"
    factor = read[1]["set"]["revenue"].removeprefix("revenue * ")
    assert factor == str((100 - percent) / 100)
