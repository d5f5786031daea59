"""Laws of reading figures, over generated figures and over any text at all."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.chat.claims import NumberKind, WrittenClaim, WrittenNumber, extract_claims
from tabchat.record import record


@record
class Style:
    """How a language writes numbers: the separators, and sentences to put a figure in."""

    thousands: tuple[str, ...]
    decimals: str
    scales: dict[int, tuple[str, ...]]
    money: tuple[str, ...]
    percent: tuple[str, ...]
    sentences: tuple[str, ...]


_SPACES = (" ", "\u00a0", "\u202f", "\u2009")
_ENGLISH = Style(
    thousands=(",", "", "'"),
    decimals=".",
    scales={3: ("k", "K", " thousand"), 6: ("M", " million", " mln"), 9: ("bn", "B", " billion")},
    money=("${}", "€{}", "{} USD", "£{}", "{} dollars"),
    percent=("{}%", "{} %", "{} percent"),
    sentences=(
        "The mean is {} in Asia.",
        "Asia: {}.",
        "- **Asia**: **{}**",
        "In Europe it reached {}, the best of all.",
        "It amounts to {}",
        "| Asia | {} |",
        "Asia (with {}) is first.",
    ),
)
_UKRAINIAN = Style(
    thousands=(*_SPACES, ""),
    decimals=",",
    scales={3: (" тис.", " тисяч"), 6: (" млн", " мільйонів"), 9: (" млрд", " мільярдів")},
    money=("{} грн", "{} ₴", "{} доларів", "{} євро"),
    percent=("{}%", "{} %", "{} відсотків"),
    sentences=(
        "Середнє в Азії становить {}.",
        "Азія: {}.",
        "- **Азія** — **{}**",
        "У Європі сума дорівнює {}, це найкращий показник.",
        "| Азія | {} |",
        "Азія (разом {}) перша.",
    ),
)
_RUSSIAN = Style(
    thousands=(*_SPACES, ""),
    decimals=",",
    scales={3: (" тыс.", " тысяч"), 6: (" млн", " миллионов"), 9: (" млрд", " миллиардов")},
    money=("{} руб.", "{} ₽", "{} долларов", "{} евро"),
    percent=("{}%", "{} %", "{} процентов"),
    sentences=(
        "Среднее в Азии составляет {}.",
        "Азия: {}.",
        "- **Азия** — **{}**",
        "В Европе сумма равна {}, это лучший показатель.",
        "| Азия | {} |",
        "Азия (всего {}) первая.",
    ),
)
_STYLES = st.sampled_from([_ENGLISH, _UKRAINIAN, _RUSSIAN])
_ANY_TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from("0123456789.,-–— ()[]{}|%$€*_`#/:;'’\n\u00a0\u202f+−~<>^×"), st.characters()
    ),
    max_size=120,
)
_WORDS = st.lists(
    st.sampled_from(
        [
            "fell",
            "rose",
            "by",
            "to",
            "from",
            "3",
            "1,234.5",
            "12%",
            "$5",
            "млн",
            "тис.",
            "грн",
            "and,",
            "та",
            "і",
            "и",
            "2024",
            "March",
            "марта",
            "Q1",
            "half",
            "вдвічі",
            "twenty",
            "три",
            "of",
            "з",
            "із",
            "about",
            "≈",
            "-",
            "–",
            "(",
            ")",
            "|",
            "\n",
            ";",
            "5",
            "7",
            "10–20",
            "more",
            "менше",
            "п.п.",
            "15.03.2024",
            "09:30",
            "k",
            "M",
            "one",
            "один",
            "у",
            "в",
            "на",
        ]
    ),
    max_size=30,
).map(" ".join)


@record
class Written:
    """A value, and a text that writes it rounded."""

    text: str
    value: Decimal
    shown: Decimal
    unit: Decimal
    kinds: frozenset[NumberKind]


@st.composite
def _figures(draw: st.DrawFn, style: Style) -> Written:
    """Draw a value and the way it is written: plain, as a percentage, as money, with a scale word."""
    form = draw(st.sampled_from(["plain", "percent", "money", "scale", "money scale"]))
    digits = draw(st.integers(0, 4))
    value = draw(st.decimals(min_value=0, max_value=10**7, places=6, allow_nan=False, allow_infinity=False))
    power = draw(st.sampled_from(sorted(style.scales))) if "scale" in form else 0
    scale = Decimal(10) ** power
    unit = Decimal(1).scaleb(-digits)
    shown = value.quantize(unit)
    number = f"{shown:,.{digits}f}".replace(",", "T").replace(".", style.decimals)
    number = number.replace("T", draw(st.sampled_from(style.thousands)))
    if power:
        number += draw(st.sampled_from(style.scales[power]))
    kinds = {NumberKind.NUMBER, NumberKind.YEAR}
    if "money" in form:
        spaced = [shape for shape in style.money if not (power and number[-1] == "." and "₽₴" in shape)]
        number, kinds = draw(st.sampled_from(spaced)).format(number), {NumberKind.MONEY}
    elif form == "percent":
        number, kinds = draw(st.sampled_from(style.percent)).format(number), {NumberKind.PERCENT}
    return Written(
        text=number, value=value * scale, shown=shown * scale, unit=unit * scale, kinds=frozenset(kinds)
    )


@given(data=st.data(), style=_STYLES)
@settings(max_examples=400, deadline=None)
def test_a_written_number_is_one_claim_within_half_a_unit_of_its_last_digit(
    data: st.DataObject, style: Style
) -> None:
    figure = data.draw(_figures(style))
    text = data.draw(st.sampled_from(style.sentences)).format(figure.text)

    claims = extract_claims(text)

    assert len(claims) == 1, text
    (claim,) = claims
    assert isinstance(claim, WrittenNumber)
    assert claim.kind in figure.kinds
    assert figure.shown in {value for value, _ in claim.readings}
    nearest = min(abs(value - figure.value) - tolerance for value, tolerance in claim.readings)
    assert nearest <= 0
    if claim.kind is not NumberKind.YEAR:
        assert (figure.shown, figure.unit / 2) in claim.readings


@given(data=st.data(), style=_STYLES)
@settings(max_examples=200, deadline=None)
def test_a_number_that_is_moved_by_a_unit_is_another(data: st.DataObject, style: Style) -> None:
    figure = data.draw(_figures(style))
    (claim,) = extract_claims(style.sentences[0].format(figure.text))

    assert isinstance(claim, WrittenNumber)
    moved = figure.value + figure.unit
    value, tolerance = next(reading for reading in claim.readings if reading[0] == figure.shown)
    assert abs(value - moved) > 0
    assert abs(value - moved) >= tolerance


@given(data=st.data(), style=_STYLES, size=st.integers(1, 5))
@settings(max_examples=150, deadline=None)
def test_sentences_together_assert_what_they_assert_alone(
    data: st.DataObject, style: Style, size: int
) -> None:
    sentences = [
        data.draw(st.sampled_from(style.sentences)).format(data.draw(_figures(style)).text)
        for _ in range(size)
    ]

    together = extract_claims("\n\n".join(sentences))

    alone = [claim for sentence in sentences for claim in extract_claims(sentence)]
    assert [_meaning(claim) for claim in together] == [_meaning(claim) for claim in alone]


def _meaning(claim: WrittenClaim) -> tuple[object, ...]:
    value = claim.kind if isinstance(claim, WrittenNumber) else claim.at
    return claim.text, claim.readings, value


@given(text=st.one_of(_ANY_TEXT, _WORDS), question=_WORDS)
@settings(max_examples=600, deadline=None)
def test_any_text_is_read_into_ordered_spans_that_hold_their_text(text: str, question: str) -> None:
    claims = extract_claims(text, question=question, names=("q1 sales", text[:9]))

    assert all(text[claim.start : claim.end] == claim.text for claim in claims)
    assert all(one.start < one.end <= two.start < two.end for one, two in pairwise(claims))
    for claim in claims:
        assert claim.sentence[0] <= claim.clause[0] <= claim.start
        assert claim.end <= claim.clause[1] <= claim.sentence[1] <= len(text)
        assert claim.readings
        if isinstance(claim, WrittenNumber):
            assert claim.readings[0] == (claim.value, claim.tolerance)
            assert all(value.is_finite() and tolerance >= 0 for value, tolerance in claim.readings)
        else:
            assert claim.readings[0] == (claim.first, claim.last)
            assert all(first <= last for first, last in claim.readings)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "1,",
            "1.",
            "1 ",
            "111,",
            "11,",
            "1-",
            "1e",
            "1_",
            "1/",
            "9:",
            "5 and ",
            "5;",
            "|5",
            "(5) ",
            "1'",
            "Q1 ",
        ),
        *(
            "(",
            "`",
            "`a",
            "{{",
            "* ",
            "<a",
            "[^",
            "](",
            "a@",
            "a",
            "a'",
            "-",
            "~~~\n",
            "\n",
            " ",
            ".",
            ". ",
            "«",
            "&a",
        ),
        *(
            "twenty ",
            "one million ",
            "by ",
            "about ",
            "fell by 5% ",
            "March ",
            "5 млрд ",
            "п.п. ",
            "| - |\n",
            "- | 1\n",
        ),
    ],
)
def test_hostile_text_of_any_length_is_read(piece: str) -> None:
    text = (piece * (10_000 // len(piece) + 1))[:10_000]

    claims = extract_claims(text)

    assert all(one.end <= two.start for one, two in pairwise(claims))


@pytest.mark.parametrize("piece", ["1,", "(", "1.", "word "])
def test_two_hundred_thousand_characters_are_read(piece: str) -> None:
    text = piece * (200_000 // len(piece))

    claims = extract_claims(text)

    assert sum(claim.end - claim.start for claim in claims) <= len(text)


def test_an_endless_run_of_digits_is_one_figure_of_bounded_precision() -> None:
    (claim,) = extract_claims("9" * 200_000)

    assert isinstance(claim, WrittenNumber)
    assert claim.end == 200_000
    assert len(claim.value.as_tuple().digits) == 40
