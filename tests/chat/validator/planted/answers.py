"""Right answers from templates, and each kind of planted error."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from decimal import Decimal
from types import ModuleType
from typing import TYPE_CHECKING

from tests.chat.validator.planted import phrases_en, phrases_ru, phrases_uk
from tests.chat.validator.planted.forms import Style, exact_style, month_name, percent_style, style_for

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from tabchat.chat.answer import DataBlock
    from tests.chat.validator.planted.world import World

PHRASES: dict[str, ModuleType] = {"en": phrases_en, "uk": phrases_uk, "ru": phrases_ru}
_FAKES = {
    "en": ("Narnia", "Atlantis", "East Wakanda", "Gondor"),
    "uk": ("Нарнія", "Мордор", "Ельдорадо"),
    "ru": ("Нарния", "Мордор", "Атлантида"),
}
_LOCATIVE = {
    "Київ": "Києві",
    "Львів": "Львові",
    "Одеса": "Одесі",
    "Харків": "Харкові",
    "Дніпро": "Дніпрі",
    "Вінниця": "Вінниці",
}


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One figure or name in a template."""

    text: str
    value: Decimal | None = None
    style: Style | None = None
    group: str = ""
    """What the figure belongs to; figures of different groups may be swapped."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """An answer."""

    kind: str
    language: str
    template: str
    slots: dict[str, Slot]
    block: DataBlock
    fixed: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The answer itself."""
        parts = {name: slot.text for name, slot in self.slots.items()} | self.fixed
        return re.sub(r"\{(\w+)\}", lambda match: parts[match.group(1)], self.template)

    @property
    def used(self) -> list[str]:
        """Names of the slots that the template has."""
        return list(dict.fromkeys(re.findall(r"\{(\w+)\}", self.template)))


def _rows(block: DataBlock) -> list[tuple[object, ...]]:
    return list(block.result.frame.rows())


def _dec(value: object) -> Decimal:
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(str(value))


def _figure(value: Decimal, style: Style, group: str = "") -> Slot:
    return Slot(text=style.write(value), value=value, style=style, group=group)


def _amount(rng: random.Random, language: str, value: object, group: str = "") -> Slot:
    number = _dec(value)
    return _figure(number, style_for(rng, language, number), group)


def _whole(rng: random.Random, language: str, value: int, group: str = "") -> Slot:
    return _figure(Decimal(value), exact_style(rng, language), group)


def _percent(rng: random.Random, language: str, value: Decimal, group: str = "") -> Slot:
    return _figure(value, percent_style(rng, language), group)


def right_answers(
    rng: random.Random, world: World, language: str, big: dict[str, dict[str, object]]
) -> Iterator[Written]:
    """Yield one right answer of every kind."""
    phrases = PHRASES[language]
    for role, templates in phrases.SCALAR.items():
        block = world.blocks[role]
        value = block.result.value
        slot = _whole(rng, language, int(str(value))) if role == "count" else _amount(rng, language, value)
        rows = _whole(rng, language, block.result.source_row_count or 0)
        yield _of("scalar", rng, language, templates, {"v": slot, "rows": rows}, block)
    block = world.blocks["dict"]
    values = block.result.values
    yield _of(
        "dict",
        rng,
        language,
        phrases.DICT,
        {
            "count": _whole(rng, language, int(str(values["count"])), "count"),
            **{name: _amount(rng, language, values[name], name) for name in ("sum", "mean", "max")},
        },
        block,
    )
    for _ in range(4):
        yield _of(
            "grouped", rng, language, phrases.GROUPED, _grouped(rng, world, language), world.blocks["grouped"]
        )
    yield _pair(rng, world, language)
    for name in ("series", "resampled"):
        yield _series(rng, world, language, name)
    yield _top(rng, world, language)
    for name in ("share", "fraction"):
        yield _share(rng, world, language, name)
    yield _change(rng, world, language)
    for name in ("big", "big_grouped"):
        yield _big(rng, world, language, name, big)


def _of(
    kind: str,
    rng: random.Random,
    language: str,
    templates: list[str],
    slots: dict[str, Slot],
    block: DataBlock,
    **fixed: str,
) -> Written:
    return Written(
        kind=kind, language=language, template=rng.choice(templates), slots=slots, block=block, fixed=fixed
    )


def _grouped(rng: random.Random, world: World, language: str) -> dict[str, Slot]:
    rows = sorted(
        ((str(name), _dec(value)) for name, value in _rows(world.blocks["grouped"])), key=lambda row: -row[1]
    )
    (A, a), (B, b), (C, c), (Z, z) = rows[0], rows[1], rows[2], rows[-1]
    total = sum(value for _, value in rows)
    style = style_for(rng, language, a)
    if style.scale > 1:
        style = replace(style, scale=1, word="")

    def money(value: Decimal, group: str) -> Slot:
        return _figure(value, style, group)

    ratio = Style(language=language, decimals=1)
    return {
        **{name: Slot(text=text) for name, text in (("A", A), ("B", B), ("C", C), ("Z", Z))},
        **{name: money(value, name) for name, value in (("a", a), ("b", b), ("c", c), ("z", z))},
        "t": money(total, "t"),
        "m": money(total / len(rows), "m"),
        "d": money(a - b, "d"),
        "d2": money(a - z, "d2"),
        "ab": money(a + b, "ab"),
        "p": _percent(rng, language, 100 * (a - b) / b, "p"),
        "s": _percent(rng, language, 100 * a / total, "s"),
        "r": _figure(a / z, ratio, "r"),
        "n": _whole(rng, language, len(rows), "n"),
    }


def _pair(rng: random.Random, world: World, language: str) -> Written:
    block = world.blocks["pair"]
    cells = {(str(a), str(b)): _dec(value) for a, b, value in _rows(block)}
    A, B = rng.sample(sorted({a for a, _ in cells}), 2)
    X, Y = rng.sample(sorted({b for _, b in cells}), 2)
    names = {name: Slot(text=text) for name, text in (("A", A), ("B", B), ("X", X), ("Y", Y))}
    style = replace(style_for(rng, language, cells[A, X]), scale=1, word="")
    figures = {
        name: _figure(cells[key], style, name)
        for name, key in (("ax", (A, X)), ("ay", (A, Y)), ("bx", (B, X)), ("by", (B, Y)))
    }
    return _of("pair", rng, language, PHRASES[language].PAIR, {**names, **figures}, block)


def _series(rng: random.Random, world: World, language: str, name: str) -> Written:
    phrases, block = PHRASES[language], world.blocks[name]
    rows = [(str(month)[:7], _dec(value)) for month, value in _rows(block)]
    high, low = max(rows, key=lambda row: row[1]), min(rows, key=lambda row: row[1])
    (F, f), (L, ell) = rows[0], rows[-1]
    change = 100 * (ell - f) / f
    style = replace(style_for(rng, language, f), scale=1, word="")
    words = {
        key: Slot(text=month_name(language, month))
        for key, month in (("F", F), ("L", L), ("P", high[0]), ("Q", low[0]))
    }
    figures = {
        key: _figure(value, style, key)
        for key, value in (("f", f), ("l", ell), ("x", high[1]), ("y", low[1]))
    }
    figures["ch"] = _percent(rng, language, abs(change), "ch")
    templates = [
        item
        for item in phrases.SERIES
        if ell > f or not item.startswith(("Revenue grew", "Виручка зросла", "Выручка выросла"))
    ]
    direction = phrases.UP if change > 0 else phrases.DOWN
    return _of("series", rng, language, templates, {**words, **figures}, block, dir=direction)


def _top(rng: random.Random, world: World, language: str) -> Written:
    block = world.blocks["top"]
    rows = _rows(block)[:3]
    slots: dict[str, Slot] = {}
    style = replace(style_for(rng, language, _dec(rows[0][3])), scale=1, word="")
    for key, row in zip("ABC", rows, strict=True):
        slots[key] = Slot(text=str(row[0]))
        slots[key.lower()] = _figure(_dec(row[3]), style, key.lower())
        slots[f"{key.lower()}q"] = _whole(rng, language, int(str(row[2])), f"{key.lower()}q")
    return _of("top", rng, language, PHRASES[language].TOP, slots, block)


def _share(rng: random.Random, world: World, language: str, name: str) -> Written:
    block = world.blocks[name]
    times = 100 if name == "fraction" else 1
    rows = sorted(
        ((str(label), times * _dec(value)) for label, value in _rows(block)), key=lambda row: -row[1]
    )
    (A, a), (B, b), (Z, z) = rows[0], rows[1], rows[-1]
    style = percent_style(rng, language)
    points = replace(style, suffix=f" {PHRASES[language].POINTS}")
    slots = {
        **{key: Slot(text=text) for key, text in (("A", A), ("B", B), ("Z", Z))},
        **{key: _figure(value, style, key) for key, value in (("a", a), ("b", b), ("z", z))},
        "pp": _figure(a - b, points, "pp"),
    }
    return _of("share", rng, language, PHRASES[language].SHARE, slots, block)


def _change(rng: random.Random, world: World, language: str) -> Written:
    phrases, block = PHRASES[language], world.blocks["change"]
    rows = [(str(month), _dec(value)) for month, value in _rows(block)]
    (A, a), (B, b) = rng.sample(rows, 2)
    words = {key: phrases.UP if value > 0 else phrases.DOWN for key, value in (("dira", a), ("dirb", b))}
    slots = {
        "A": Slot(text=month_name(language, A)),
        "B": Slot(text=month_name(language, B)),
        "a": _percent(rng, language, abs(a), "a"),
        "b": _percent(rng, language, abs(b), "b"),
    }
    return _of("change", rng, language, phrases.CHANGE, slots, block, **words)


def _big(
    rng: random.Random, world: World, language: str, name: str, big: dict[str, dict[str, object]]
) -> Written:
    block = world.blocks[name]
    known = big[f"{world.language}:{name}"]
    rows: list[tuple[str, Decimal]] = known["rows"]  # type: ignore[assignment]
    (A, a), (B, b) = rng.sample(rows, 2)
    slots = {"A": Slot(text=A), "B": Slot(text=B)}
    for key, value in (
        ("a", a),
        ("b", b),
        ("max", known["max"]),
        ("min", known["min"]),
        ("mean", known["mean"]),
        ("t", known["sum"]),
    ):
        number = _dec(value)
        style = replace(style_for(rng, language, number), scale=1, word="", decimals=2)
        slots[key] = _figure(number, style, key)
    slots["n"] = _whole(rng, language, block.result.frame.row_count, "n")
    return _of(name, rng, language, PHRASES[language].BIG, slots, block)


def inflected(rng: random.Random, answer: Written) -> Written:
    """Put names into the locative where the Ukrainian template asks for it."""
    template = answer.template
    fixed = dict(answer.fixed)
    for key in ("A", "B", "Z"):
        slot = answer.slots.get(key)
        if slot is not None and slot.text in _LOCATIVE and rng.random() < 0.7:
            marked = re.sub(rf"\b([Уу]) \{{{key}\}}", rf"\1 {{{key}_loc}}", template)
            if marked != template:
                template = marked
                fixed[f"{key}_loc"] = _LOCATIVE[slot.text]
    return replace(answer, template=template, fixed=fixed)


def wrong_answers(rng: random.Random, answer: Written, pool: list[Decimal]) -> Iterator[tuple[str, str]]:
    """Yield (kind of error, text) for every error that can be planted in `answer`; `pool` are cells of the frame."""
    used = [name for name in answer.used if name in answer.slots]
    figures = [name for name in used if answer.slots[name].value is not None]
    if figures:
        yield "moved", _with(answer, **_moved(rng, answer, rng.choice(figures)))
    if figures and pool:
        planted = _planted(rng, answer, rng.choice(figures), pool)
        if planted:
            yield "planted", _with(answer, **planted)
    swaps = [
        (one, other) for one in figures for other in figures if one < other and _swappable(answer, one, other)
    ]
    if swaps:
        one, other = rng.choice(swaps)
        yield "swapped", _with(answer, **{one: answer.slots[other], other: answer.slots[one]})
    yield from _flipped(answer)
    yield from _pointed(answer, figures)
    names = [name for name in used if answer.slots[name].value is None]
    plain = [name for name in names if re.match(r"[A-Z]$", name)]
    if plain and answer.kind in {"grouped", "pair", "share", "top", "big", "big_grouped"}:
        name = rng.choice(plain)
        yield "renamed", _with(answer, **{name: Slot(text=rng.choice(_FAKES[answer.language]))})


def _with(answer: Written, **slots: Slot) -> str:
    return replace(answer, slots={**answer.slots, **slots}).text


def _swappable(answer: Written, one: str, other: str) -> bool:
    first, second = answer.slots[one], answer.slots[other]
    assert first.style and second.style and first.value is not None and second.value is not None
    single = {"a", "b", "c", "z", "f", "l", "x", "y", "ax", "ay", "bx", "by", "max", "min", "mean", "sum"}
    if not {one, other} <= single:
        return False
    if first.style.suffix != second.style.suffix:
        return False
    gap = abs(first.value - second.value)
    if answer.kind == "change" and answer.fixed["dira"] != answer.fixed["dirb"]:
        return True
    return gap > first.style.unit and gap > second.style.unit


def _moved(rng: random.Random, answer: Written, name: str) -> dict[str, Slot]:
    slot = answer.slots[name]
    assert slot.style is not None and slot.value is not None
    unit = slot.style.unit
    for _ in range(20):
        step = rng.choice((1, 1, 2, 3, 5, 7, 10, 40, 100)) * rng.choice((-1, 1))
        moved = slot.style.shown(slot.value) + step * unit
        if moved > 0 and abs(moved - slot.value) > unit * Decimal("0.502") + Decimal("0.0001"):
            return {name: replace(slot, text=slot.style.write(moved))}
    return {name: replace(slot, text=slot.style.write(slot.value * 2 + 3 * unit))}


def _planted(rng: random.Random, answer: Written, name: str, pool: list[Decimal]) -> dict[str, Slot]:
    slot = answer.slots[name]
    assert slot.style is not None and slot.value is not None
    if slot.style.suffix:
        return {}
    value = rng.choice(pool)
    if abs(value - slot.value) <= 2 * slot.style.unit:
        return {}
    return {name: replace(slot, text=slot.style.write(value))}


def _flipped(answer: Written) -> Iterator[tuple[str, str]]:
    phrases = PHRASES[answer.language]
    for key in ("dir", "dira"):
        if key in answer.fixed and f"{{{key}}}" in answer.template:
            other = phrases.DOWN if answer.fixed[key] == phrases.UP else phrases.UP
            yield "sign", replace(answer, fixed={**answer.fixed, key: other}).text


def _pointed(answer: Written, figures: list[str]) -> Iterator[tuple[str, str]]:
    phrases = PHRASES[answer.language]
    for name in figures:
        slot = answer.slots[name]
        assert slot.style is not None and slot.value is not None
        if "%" in slot.style.suffix:
            style = replace(slot.style, suffix=f" {phrases.POINTS}")
        elif slot.style.suffix:
            style = replace(slot.style, suffix="%")
        else:
            continue
        yield "points", _with(answer, **{name: replace(slot, text=style.write(slot.value))})
        return
