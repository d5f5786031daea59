"""Fills the references of a template in, at once or while it is still being written.

Each becomes the text of its figure, or stays as written with the reason.

Formats are a subset of Python's: `,.1f`, `+.1%`, `d`, `.3g`, `%d %B %Y`; and `k`, `M`, `B`, `T` for thousands and up
(`.1M`). Without one a value is written as the result shows it. Rounding is exact, half to even; decimals are added
where a format would write nothing for something (`.1M` of 700), or a part of one as a whole (`.0f` of 0.8).
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, Final

from tabchat.answers.around import check_around, with_unit
from tabchat.answers.evaluate import Evaluator
from tabchat.answers.figures import EvaluationError, Figure
from tabchat.answers.receipts import Receipt
from tabchat.answers.template import TableMark, Text, open_brace, own_text, parse_template
from tabchat.engine.cells import number_text
from tabchat.engine.result.aggregation import is_value
from tabchat.engine.result.labels import label_text
from tabchat.languages.notation import CURRENCY, SCALES, language_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.answers.figures import Number
    from tabchat.answers.results import NumberedResult
    from tabchat.answers.template import Part, Reference
    from tabchat.engine.types import Value
    from tabchat.languages.notation import Language

_SPEC: Final = re.compile(
    r"(?:.?[<>=^])?(?P<sign>[-+ ]?)#?0?(?:\d{1,3})?(?P<group>[,_]?)(?:\.(?P<digits>\d{1,2}))?(?P<type>[deEfFgGn%kKMBTs]?)"
)
_DIRECTIVE: Final = re.compile(r"%-?([a-zA-Z%])")
_ISO: Final = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?")
_PRECISION: Final = 400
_MOST_PLACES: Final = 9
"""Decimals beyond which a value is what arithmetic left of nothing."""
_MOST_SCALED: Final = 4


def write_value(value: Value, spec: str, language: Language, *, is_label: bool = False) -> str:
    """Return `value` in the form that `spec` asks for; raises `EvaluationError` when it cannot have it."""
    if not is_value(value):
        return language.nothing
    if _DIRECTIVE.search(spec):
        return _date(value, spec, language)
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise EvaluationError(f"has no format {spec[:40]!r}; there are ,.0f .1% +.1f .1M %d %B %Y")
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        if match["type"] not in {"", "s"} or match["digits"]:
            raise EvaluationError("is no number, so it takes no format", names_data=True)
        return label_text(value)
    if not spec:
        return number_text(value).replace(".", language.decimal)
    return _number(value, match, language, group="," if match["group"] and not is_label else "")


def _number(value: Number, spec: re.Match[str], language: Language, *, group: str) -> str:
    sign, digits, kind = spec["sign"], spec["digits"], spec["type"].replace("K", "k")
    with localcontext(prec=_PRECISION):
        exact = Decimal(value)
        if kind in SCALES:
            scaled = exact / SCALES[kind]
            text = f"{scaled:{sign}{group}.{_places(scaled, int(digits or 1), _MOST_SCALED, is_near=True)}f}"
            return _localised(text, language) + language.scales[kind]
        if kind in {"g", "G", "e", "E", "n"}:
            precision = f".{digits}" if digits else ""
            return _localised(f"{float(value):{sign}{group}{precision}{kind.replace('n', 'g')}}", language)
        if kind in {"", "s"} and digits is None:
            plain = Decimal(number_text(value))
            return _localised(f"{plain:{sign}{group}f}", language)
        shown, percent = (exact * 100, "%") if kind == "%" else (exact, "")
        asked = int(digits or ("0" if kind == "d" else "6"))
        places = _places(shown, asked, _MOST_PLACES, is_near=not asked and abs(shown) < 1)
        return _localised(f"{shown:{sign}{group}.{places}f}{percent}", language)


def _places(exact: Decimal, asked: int, most: int, *, is_near: bool) -> int:
    """Return how many decimals are written: more than were asked for where those would make nothing of `exact`.

    With `is_near`, also where they would change it by more than a twentieth; `most` at most.
    """
    for places in range(asked, most + 1):
        written = round(exact, places)
        if (written or not exact) and (not is_near or abs(written - exact) * 20 <= abs(exact)):
            return places
    return max(asked, most) if round(exact, most) else asked


def _localised(text: str, language: Language) -> str:
    return text.translate({ord(","): language.thousands, ord("."): language.decimal})


def _date(value: Value, spec: str, language: Language) -> str:
    moment = _moment(value)
    has_day = re.search(r"%-?[de]", spec) is not None
    months = language.months_of if has_day else language.months

    def written(match: re.Match[str]) -> str:
        bare = match[0][1] == "-"
        match match[1]:
            case "B":
                return months[moment.month - 1]
            case "b":
                return months[moment.month - 1][:3]
            case "A":
                return language.days[moment.weekday()]
            case "a":
                return language.days[moment.weekday()][:3]
            case "e":
                return str(moment.day)
            case "d" | "m" | "Y" | "y" | "H" | "I" | "M" | "S" | "j" | "p" | "F" | "T" | "%" as letter:
                text = moment.strftime(f"%{letter}")
                return text.lstrip("0") or "0" if bare else text
            case other:
                raise EvaluationError(f"has no %{other} in a format of dates")

    return _DIRECTIVE.sub(written, spec)


def _moment(value: Value) -> dt.datetime:
    if isinstance(value, dt.datetime):
        return value
    match = _ISO.fullmatch(value.isoformat() if isinstance(value, dt.date) else str(value))
    try:
        if match is not None:
            parts = [int(part or one) for part, one in zip(match.groups(), "111000", strict=True)]
            return dt.datetime(*parts)  # type: ignore[arg-type] # noqa: DTZ001 - cells have no zone
    except ValueError:
        pass
    raise EvaluationError("is no date, so it takes no format of dates", names_data=True)


_CURRENCY_BEFORE: Final = re.compile(rf"[{CURRENCY}]\Z")
_WITHIN_A_LINE: Final = "\0"
_UNITS: Final = frozenset({1, 2, 3, 4, 7, 10, 12, 24, 30, 52, 60, 100, 365, 10**3, 10**6, 10**9, 10**12})
"""Numbers that an expression may hold: of units, of the calendar, of means."""


@record
class Issue:
    """One thing that is wrong with an answer, in words for the model that wrote it."""

    quote: str
    reason: str
    names_data: bool = False
    """Whether the words tell something of the cells."""
    is_told: bool = True
    """Whether the model may learn of it at all."""


@record
class Filled:
    """A reference at its place in the filled text."""

    start: int
    end: int
    receipt: Receipt | None
    """Absent for a table."""
    figure: Figure | None
    """Absent for a table, and for a reference that could not be filled in."""


@record
class FilledText:
    """A text with its references filled in."""

    text: str
    places: tuple[Filled, ...]
    issues: tuple[Issue, ...]


def fill(
    parts: Sequence[Part], evaluator: Evaluator, language: Language, is_said: Callable[[Decimal], bool]
) -> FilledText:
    """Return the text of `parts`; `is_said` tells whether somebody but the model wrote a number."""
    text = ""
    places: list[Filled] = []
    issues: list[Issue] = []
    for part, following in zip(parts, (*parts[1:], Text(text="")), strict=True):
        if isinstance(part, Text):
            text += part.text
            continue
        figure = receipt = None
        written = part.written
        try:
            if isinstance(part, TableMark):
                written = evaluator.called(f"r{part.number}").result.mark
            else:
                figure = evaluator.evaluate(part.source)
                _check_constants(figure, is_said)
                after = following.text if isinstance(following, Text) else ""
                written = _written(part, figure, (text, after), language, evaluator)
                text, written = _with_sign_first(text, written)
        except EvaluationError as error:
            figure = None
            issues.append(Issue(quote=part.written, reason=error.message, names_data=error.names_data))
        if not isinstance(part, TableMark):
            receipt = _receipt(part, figure, written, len(text))
        places.append(Filled(start=len(text), end=len(text) + len(written), receipt=receipt, figure=figure))
        text += written
    return FilledText(text=text, places=tuple(places), issues=tuple(issues))


def _receipt(part: Reference, figure: Figure | None, written: str, start: int) -> Receipt:
    if figure is None:
        return Receipt(text=written, value=written, status="unverified", start=start)
    return Receipt(
        text=written,
        value=figure.value,
        status="verified" if figure.is_cell else "derived",
        expression=part.source,
        start=start,
        cells=figure.cells,
    )


def _written(
    part: Reference, figure: Figure, around: tuple[str, str], language: Language, evaluator: Evaluator
) -> str:
    """Return the text of a figure; raises `EvaluationError` where what stands around would make another of it."""
    written = write_value(figure.value, part.spec, language, is_label=figure.is_label)
    if isinstance(figure.value, bool) or not isinstance(figure.value, (int, float, Decimal)):
        return written
    check_around(*around)
    return with_unit(written, part.spec[-1:].replace("K", "k"), figure, around, language, evaluator)


def _check_constants(figure: Figure, is_said: Callable[[Decimal], bool]) -> None:
    for constant in figure.constants:
        exact = Decimal(str(constant))
        if exact not in _UNITS and not is_said(exact):
            raise EvaluationError(f"holds {constant}, which comes from no result")


def _with_sign_first(text: str, written: str) -> tuple[str, str]:
    """Write `-$5` for a negative figure after `$`."""
    if written.startswith("-") and _CURRENCY_BEFORE.search(text):
        return f"{text[:-1]}-{text[-1]}", written[1:]
    return text, written


@dataclass
class FigureStream:
    """Takes a template in pieces and passes on its text; what is in an open brace is held back."""

    results: Sequence[NumberedResult]
    question: str = ""
    by_label: bool = True
    _written: str = ""
    """All that came so far."""
    _shown: int = 0
    """How much of it was passed on."""
    _evaluator: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        results = {result.number: result for result in self.results}
        self._evaluator = Evaluator(results, by_label=self.by_label)

    def feed(self, text: str) -> str:
        """Return what of the text can be shown by now."""
        self._written += text
        return self._pass_on(open_brace(self._written, self._shown))

    def finish(self) -> str:
        """Return what was held back to the end."""
        return self._pass_on(len(self._written))

    def _pass_on(self, end: int) -> str:
        piece = self._written[self._shown : end]
        is_within = self._shown > 0 and self._written[self._shown - 1] != "\n"
        self._shown = end
        if "{" not in piece and "}" not in piece:
            return piece
        parts = parse_template(_WITHIN_A_LINE * is_within + piece)
        language = language_of(own_text(parse_template(self._written)), self.question)
        filled = fill(parts, self._evaluator, language, lambda _: True)
        return filled.text.removeprefix(_WITHIN_A_LINE)
