"""What the number format of a cell says of its number beyond the digits: a currency, a percentage, a padded code.

The codes are those of ECMA-376, 18.8.30; of one with several sections the first counts, which positive numbers have.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_LONGEST: Final = 255
"""Characters that a spreadsheet program allows a format."""
_LONGEST_SIGN: Final = 8
_MOST_ZEROS: Final = 20
_LEAST_ZEROS: Final = 2
_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[\$(?P<money>[^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]'
    r"|(?P<end>;)|(?P<general>(?i:general))|E[+-]|(?P<digit>[0#?])|(?P<mark>[.,/%])|(?P<bare>.)",
    re.DOTALL,
)
_AROUND: Final = " \u00a0\u202f()+-−"
"""What stands between a sign and a number, or is the sign of a negative one."""

BUILT_IN: Final = {
    **dict.fromkeys(("5", "6", "7", "8", "42", "44"), '"$"0'),
    **dict.fromkeys(("9", "10"), "0%"),
}
"""Codes that a file need not spell out, by their numbers, of those that tell something."""


class NumberFormat(NamedTuple):
    """What a format tells."""

    sign: str = ""
    """The text around the digits, such as `€`, `USD` or `kg`."""
    money: bool = False
    """Whether the format itself says that its sign is one of a currency."""
    percent: bool = False
    """Whether the number is shown a hundredfold."""
    zeros: int = 0
    """Digits that a whole number is filled up to with zeros, where nothing else is shown."""


def number_format(code: str) -> NumberFormat | None:
    """Return what a format tells; nothing of one that shows a number as it is, or is none of numbers."""
    if len(code) > _LONGEST:
        return None
    digits = marks = literal = money = ""
    for token in _TOKEN.finditer(code):
        kind, text = token.lastgroup, token[token.lastgroup or 0]
        if kind == "end":
            break
        if kind in {"digit", "general"}:
            digits += text
        elif kind == "mark":
            marks += text
        elif kind is not None:
            literal += text
            money = money or (text if kind == "money" else "")
    if not digits:
        return None
    return _told(digits, marks, literal, money)


def _told(digits: str, marks: str, literal: str, money: str) -> NumberFormat | None:
    sign = (money or literal).strip(_AROUND)
    if "%" in marks:
        return NumberFormat(percent=True) if marks.count("%") == 1 and not sign else None
    if sign:
        short = len(sign) <= _LONGEST_SIGN and sign.isprintable()
        return NumberFormat(sign=sign, money=bool(money)) if short else None
    padded = not marks and not literal and not digits.strip("0")
    if padded and _LEAST_ZEROS <= len(digits) <= _MOST_ZEROS:
        return NumberFormat(zeros=len(digits))
    return None
