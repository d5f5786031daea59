"""Writes a value as its format and the language of the answer ask for it.

Formats are a subset of Python's: `,.1f`, `+.1%`, `d`, `.3g`, `%d %B %Y`; and `k`, `M`, `B`, `T` for thousands and up
(`.1M`). Without one a value is written as the result shows it. Rounding is exact, half to even; decimals are added
where a format would write nothing for something (`.1M` of 700), or a part of one as a whole (`.0f` of 0.8).
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, Final

from tabchat.answers.figures import EvaluationError
from tabchat.engine.cells import number_text
from tabchat.engine.result.aggregation import is_value
from tabchat.engine.result.labels import label_text
from tabchat.languages.notation import SCALES

if TYPE_CHECKING:
    from tabchat.answers.figures import Number
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
