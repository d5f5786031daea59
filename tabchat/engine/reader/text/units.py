"""Units that a header states: `Weight (kg)`, `capacity_mw`, `Ціна, грн`."""

from __future__ import annotations

import re
from typing import Final

from tabchat.engine.reader.text.vocabulary import CURRENCIES
from tabchat.values import word_set

SUFFIXES: Final = {
    "mw": "MW",
    "kw": "kW",
    "gw": "GW",
    "kwh": "kWh",
    "mwh": "MWh",
    "gwh": "GWh",
    "twh": "TWh",
    "kg": "kg",
    "mg": "mg",
    "lb": "lb",
    "lbs": "lb",
    "oz": "oz",
    "km": "km",
    "cm": "cm",
    "mm": "mm",
    "km2": "km²",
    "m2": "m²",
    "m3": "m³",
    "kmh": "km/h",
    "kph": "km/h",
    "mph": "mph",
    "ha": "ha",
    "usd": "$",
    "eur": "€",
    "gbp": "£",
    "uah": "₴",
    "rub": "₽",
    "jpy": "¥",
    "cny": "¥",
    "pln": "zł",
    "musd": "MUSD",
    "meur": "MEUR",
    "kusd": "kUSD",
    "pct": "%",
    "percent": "%",
    "ms": "ms",
    "sec": "s",
    "secs": "s",
    "seconds": "s",
    "hpa": "hPa",
    "kpa": "kPa",
    "khz": "kHz",
    "mhz": "MHz",
    "ghz": "GHz",
    "ppm": "ppm",
    "rpm": "rpm",
    "kcal": "kcal",
    "celsius": "°C",
    "fahrenheit": "°F",
    "грн": "₴",
    "руб": "₽",
    "кг": "кг",
    "км": "км",
    "квт": "кВт",
    "мвт": "МВт",
    "шт": "шт",
}
"""Last words of a header that are units beyond doubt."""

_BRACKETED: Final = word_set(
    """
    % ‰ ° °C °F K V mV kV A mA uA µA W kW MW GW TW Wh kWh MWh GWh TWh J kJ MJ Hz kHz MHz GHz Pa hPa kPa
    MPa bar g kg mg µg t lb lbs oz m km cm mm µm nm mi ft in yd m² m2 km² km2 m³ m3 ha l L ml mL gal s ms
    µs ns min h hr hrs d N dB dBm ppm rpm mph kph km/h m/s mg/L g/L mg/dL kg/m² kg/m3 kg/m³ $/kg cal kcal
    B kB MB GB TB px pt pcs кг г мг т км м см мм шт кВт МВт Вт год с хв мин ч л мл
    """
)
_BRACKETS: Final = re.compile(r"[(\[]\s*([^()\[\]]{1,12}?)\s*[)\]]\s*$")
_TAIL: Final = re.compile(r"(?:_|,\s*|\s)([^\s_,()\[\]]+?)\.?$")
_MULTIPLES: Final = {
    "тыс": "тыс.",
    "тис": "тис.",
    "млн": "млн",
    "млрд": "млрд",
    **dict.fromkeys(("thousand", "thousands"), " thousand"),
    **dict.fromkeys(("million", "millions"), " million"),
    **dict.fromkeys(("billion", "billions"), " billion"),
    **dict.fromkeys(("k", "000", "000s"), "k"),
    **dict.fromkeys(("m", "mn", "mln"), "m"),
    **dict.fromkeys(("b", "bn"), "bn"),
}
"""What a header multiplies amounts of money by → how it is told behind them."""
_MONEY: Final = {sign.casefold(): unit for sign, unit in CURRENCIES.items()}
_SCALED: Final = re.compile(
    r"(?:[\s_,(\[])(?:({multiple})\.?(?:[\s_]*|\s+of\s+)({money})|({money})[\s_]*({multiple}))\.?\s*[)\]]?$".format(
        multiple="|".join(sorted(_MULTIPLES, key=len, reverse=True)),
        money="|".join(map(re.escape, sorted(_MONEY, key=len, reverse=True))),
    ),
    re.IGNORECASE,
)
_RATE_OF: Final = re.compile(r"(?:курс|exchange[\s_]rate|\bfx)[\s_(]*\S+$", re.IGNORECASE)
"""`Курс USD` is what a dollar costs, in another currency."""


def header_unit(name: str) -> str | None:
    """Return the unit that a column's name states, if it clearly states one: `₴`, `млн ₴`, `$k`."""
    if _RATE_OF.search(name):
        return None
    scaled = _SCALED.search(name)
    if scaled is not None and scaled[0].strip(" _,([)]").casefold() not in SUFFIXES:
        told, unit = (
            _MULTIPLES[(scaled[1] or scaled[4]).casefold()],
            _MONEY[(scaled[2] or scaled[3]).casefold()],
        )
        return f"{unit}{told}" if told.isascii() and len(unit) == 1 else f"{told.strip()} {unit}"
    if bracketed := _BRACKETS.search(name):
        text = bracketed.group(1)
        return (
            text if text in _BRACKETED else CURRENCIES.get(text) or SUFFIXES.get(text.casefold().rstrip("."))
        )
    if tail := _TAIL.search(name):
        return SUFFIXES.get(tail.group(1).casefold()) or _sign(tail.group(1))
    return None


def _sign(text: str) -> str | None:
    return text if text == "%" else CURRENCIES.get(text) if len(text) == 1 else None
