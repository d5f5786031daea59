"""Right answers from templates, and each kind of planted error."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from tests.chat.validator.planted import phrases_en, phrases_ru, phrases_uk
from tests.chat.validator.planted.forms import Style, exact_style, month_name, percent_style, style_for

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from types import ModuleType

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


def _named(texts: dict[str, str]) -> dict[str, Slot]:
    return {key: Slot(text=text) for key, text in texts.items()}


def _plain(rng: random.Random, language: str, value: Decimal) -> Style:
    """Choose one style for figures that stand side by side; no scale word."""
    return replace(style_for(rng, language, value), scale=1, word="")


def _by_value(block: DataBlock, times: int = 1) -> list[tuple[str, Decimal]]:
    rows = [(str(row[0]), times * _dec(row[1])) for row in _rows(block)]
    return sorted(rows, key=lambda row: -row[1])


def _grouped(rng: random.Random, world: World, language: str) -> dict[str, Slot]:
    rows = _by_value(world.blocks["grouped"])
    chosen = dict(zip("ABCZ", (*rows[:3], rows[-1]), strict=True))
    a, b, z = (chosen[key][1] for key in "ABZ")
    total = sum((value for _, value in rows), Decimal(0))
    style = _plain(rng, language, a)
    amounts = {key.lower(): value for key, (_, value) in chosen.items()}
    amounts |= {"t": total, "m": total / len(rows), "d": a - b, "d2": a - z, "ab": a + b}
    return {
        **_named({key: name for key, (name, _) in chosen.items()}),
        **{key: _figure(value, style, key) for key, value in amounts.items()},
        "p": _percent(rng, language, 100 * (a - b) / b, "p"),
        "s": _percent(rng, language, 100 * a / total, "s"),
        "r": _figure(a / z, Style(language=language, decimals=1), "r"),
        "n": _whole(rng, language, len(rows), "n"),
    }


def _pair(rng: random.Random, world: World, language: str) -> Written:
    block = world.blocks["pair"]
    cells = {(str(one), str(other)): _dec(value) for one, other, value in _rows(block)}
    regions = dict(zip("AB", rng.sample(sorted({one for one, _ in cells}), 2), strict=True))
    channels = dict(zip("XY", rng.sample(sorted({other for _, other in cells}), 2), strict=True))
    style = _plain(rng, language, cells[regions["A"], channels["X"]])
    figures = {
        f"{one}{other}".lower(): _figure(cells[region, channel], style, f"{one}{other}")
        for one, region in regions.items()
        for other, channel in channels.items()
    }
    return _of("pair", rng, language, PHRASES[language].PAIR, _named(regions | channels) | figures, block)


def _series(rng: random.Random, world: World, language: str, name: str) -> Written:
    phrases, block = PHRASES[language], world.blocks[name]
    rows = [(str(month)[:7], _dec(value)) for month, value in _rows(block)]
    ends = {
        "Ff": rows[0],
        "Ll": rows[-1],
        "Px": max(rows, key=lambda row: row[1]),
        "Qy": min(rows, key=lambda row: row[1]),
    }
    start, end = rows[0][1], rows[-1][1]
    change = 100 * (end - start) / start
    style = _plain(rng, language, start)
    slots = _named({key[0]: month_name(language, month) for key, (month, _) in ends.items()})
    slots |= {key[1]: _figure(value, style, key[1]) for key, (_, value) in ends.items()}
    slots["ch"] = _percent(rng, language, abs(change), "ch")
    grown = ("Revenue grew", "Виручка зросла", "Выручка выросла")
    templates = [item for item in phrases.SERIES if end > start or not item.startswith(grown)]
    direction = phrases.UP if change > 0 else phrases.DOWN
    return _of("series", rng, language, templates, slots, block, dir=direction)


def _top(rng: random.Random, world: World, language: str) -> Written:
    block = world.blocks["top"]
    rows = _rows(block)[:3]
    slots: dict[str, Slot] = {}
    style = _plain(rng, language, _dec(rows[0][3]))
    for key, row in zip("ABC", rows, strict=True):
        slots[key] = Slot(text=str(row[0]))
        slots[key.lower()] = _figure(_dec(row[3]), style, key.lower())
        slots[f"{key.lower()}q"] = _whole(rng, language, int(str(row[2])), f"{key.lower()}q")
    return _of("top", rng, language, PHRASES[language].TOP, slots, block)


def _share(rng: random.Random, world: World, language: str, name: str) -> Written:
    block = world.blocks[name]
    rows = _by_value(block, 100 if name == "fraction" else 1)
    chosen = dict(zip("ABZ", (*rows[:2], rows[-1]), strict=True))
    style = percent_style(rng, language)
    points = replace(style, suffix=f" {PHRASES[language].POINTS}")
    slots = _named({key: label for key, (label, _) in chosen.items()})
    slots |= {key.lower(): _figure(value, style, key) for key, (_, value) in chosen.items()}
    slots["pp"] = _figure(chosen["A"][1] - chosen["B"][1], points, "pp")
    return _of("share", rng, language, PHRASES[language].SHARE, slots, block)


def _change(rng: random.Random, world: World, language: str) -> Written:
    phrases, block = PHRASES[language], world.blocks["change"]
    rows = [(str(month), _dec(value)) for month, value in _rows(block)]
    chosen = dict(zip("AB", rng.sample(rows, 2), strict=True))
    words = {
        f"dir{key.lower()}": phrases.UP if value > 0 else phrases.DOWN for key, (_, value) in chosen.items()
    }
    slots = _named({key: month_name(language, month) for key, (month, _) in chosen.items()})
    slots |= {key.lower(): _percent(rng, language, abs(value), key) for key, (_, value) in chosen.items()}
    return _of("change", rng, language, phrases.CHANGE, slots, block, **words)


def _big(
    rng: random.Random, world: World, language: str, name: str, big: dict[str, dict[str, object]]
) -> Written:
    block = world.blocks[name]
    known = big[f"{world.language}:{name}"]
    rows: list[tuple[str, Decimal]] = known["rows"]  # type: ignore[assignment]
    chosen = dict(zip("AB", rng.sample(rows, 2), strict=True))
    amounts: dict[str, object] = {key.lower(): value for key, (_, value) in chosen.items()}
    amounts |= {"max": known["max"], "min": known["min"], "mean": known["mean"], "t": known["sum"]}
    slots = _named({key: label for key, (label, _) in chosen.items()})
    for key, value in amounts.items():
        style = replace(_plain(rng, language, _dec(value)), decimals=2)
        slots[key] = _figure(_dec(value), style, key)
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
    assert first.style is not None
    assert second.style is not None
    assert first.value is not None
    assert second.value is not None
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
    assert slot.style is not None
    assert slot.value is not None
    unit = slot.style.unit
    for _ in range(20):
        step = rng.choice((1, 1, 2, 3, 5, 7, 10, 40, 100)) * rng.choice((-1, 1))
        moved = slot.style.shown(slot.value) + step * unit
        if moved > 0 and abs(moved - slot.value) > unit * Decimal("0.502") + Decimal("0.0001"):
            return {name: replace(slot, text=slot.style.write(moved))}
    return {name: replace(slot, text=slot.style.write(slot.value * 2 + 3 * unit))}


def _planted(rng: random.Random, answer: Written, name: str, pool: list[Decimal]) -> dict[str, Slot]:
    slot = answer.slots[name]
    assert slot.style is not None
    assert slot.value is not None
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
        assert slot.style is not None
        assert slot.value is not None
        if "%" in slot.style.suffix:
            style = replace(slot.style, suffix=f" {phrases.POINTS}")
        elif slot.style.suffix:
            style = replace(slot.style, suffix="%")
        else:
            continue
        yield "points", _with(answer, **{name: replace(slot, text=style.write(slot.value))})
        return
