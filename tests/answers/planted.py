"""Generated answers with one wrong figure, or one wrong reference: every one of them must be caught.

What is right is decided here by reading the frames alone; nothing of the package that is tested is used for it.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tabchat.answers.check import AnswerContext, check_answer

KEYED: Final = {
    "sales": (1, 3),
    "goods": (1,),
    "staff": (1, 2),
    "plants": (1,),
    "stations": (1,),
    "months": (1,),
    "prices": (1,),
}
"""Scenes with the results whose rows one label names."""
LANGUAGES: Final = ("en", "uk", "ru")
SPOKEN: Final = {"goods": ("uk",), "staff": ("ru",)}
"""Scenes with labels in one language; elsewhere they are Latin, or dates."""
SINGLE: Final = {
    "en": (
        "{a} made {x}.",
        "- **{a}**: {x}",
        "| {a} | {x} |",
        "The figure for {a} is {x}, which is notable.",
        "It was {x} in {a}.",
    ),
    "uk": (
        "{a} — це {x}.",
        "- **{a}**: {x}",
        "| {a} | {x} |",
        "Для {a} показник дорівнює {x}, і це багато.",
        "Було {x} для {a}.",
    ),
    "ru": (
        "{a} — это {x}.",
        "- **{a}**: {x}",
        "| {a} | {x} |",
        "Для {a} показатель равен {x}, и это много.",
        "Было {x} для {a}.",
    ),
}
DOUBLE: Final = {
    "en": (
        "{a} made {x} and {b} {y}.",
        "{a} and {b} made {x} and {y} respectively.",
        "It was {x} in {a} and {y} in {b}.",
        "{a}: {x}; {b}: {y}",
    ),
    "uk": ("{a} має {x}, а {b} — {y}.", "{a} та {b} мають {x} та {y} відповідно.", "{a}: {x}; {b}: {y}"),
    "ru": ("{a} имеет {x}, а {b} — {y}.", "{a} и {b} имеют {x} и {y} соответственно.", "{a}: {x}; {b}: {y}"),
}
SCALES: Final = {"en": (" thousand", " million", "K", "M"), "uk": (" тис.", " млн"), "ru": (" тыс.", " млн")}
REFERENCES: Final = ("label", "column", "result", "mismatch", "method", "constant")
FIGURES: Final = ("moved", "digit", "sign", "scale", "swapped", "second")


@dataclass(frozen=True)
class Cell:
    """One figure of a result, as the generator sees it."""

    number: int
    label: str
    column: str
    value: float
    row: tuple[float, ...]
    """All the figures of its row."""


@dataclass
class Trial:
    """What came of many answers."""

    planted: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, str]] = field(default_factory=list)
    right: int = 0
    flagged: list[tuple[str, str]] = field(default_factory=list)
    """Right figures that were not linked, each with its text."""

    def report(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.planted.items()))
        total = self.planted.total()
        share = 100 * len(self.flagged) / max(self.right, 1)
        return (
            f"{total:,} planted ({kinds}): {total - len(self.missed):,} caught, {len(self.missed)} missed\n"
            f"{self.right:,} right figures: {len(self.flagged):,} not linked ({share:.1f}%)"
        )


def cells_of(context: AnswerContext, number: int) -> dict[str, list[Cell]]:
    """Return the figures of a result by column, each row under the text of its first key."""
    (given,) = [result for result in context.results if result.number == number]
    frame = given.result.frame
    key = given.result.group_by[0] if given.result.group_by else frame.columns[0]
    numeric = [column.name for column in frame.schema if column.kind.is_numeric and column.name != key]
    found: dict[str, list[Cell]] = {name: [] for name in numeric}
    for row in frame.rows():
        cells: dict[str, Any] = dict(zip(frame.columns, row, strict=True))
        figures = tuple(float(cells[name]) for name in numeric)
        for name in numeric:
            found[name].append(
                Cell(number=number, label=str(cells[key]), column=name, value=float(cells[name]), row=figures)
            )
    return found


def written(value: float, places: int, language: str) -> str:
    text = f"{value:,.{places}f}"
    if language == "en":
        return text
    return text.translate({ord(","): "\u00a0", ord("."): ","})


def rounds_to(value: float, said: float, places: int) -> bool:
    return bool(abs(value - said) <= 0.5 * 10**-places * 1.001)


def places_for(value: float, chance: random.Random) -> int:
    """Return decimals that leave at least three digits."""
    least = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return least if value == int(value) and abs(value) >= 100 else max(least, chance.choice((least, 2)))


def right_answers(
    contexts: Mapping[str, AnswerContext], rounds: int, seed: int
) -> Iterator[tuple[str, str, int]]:
    """Yield scene, text and number of figures of right answers with bare digits."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    for scene, number, language, column in _choices(contexts, rounds, chance):
        cells = cells_of(contexts[scene], number)[column]
        one, two = chance.sample(cells, 2)
        places = places_for(min(abs(one.value), abs(two.value)), chance)
        x, y = (written(cell.value, places, language) for cell in (one, two))
        if chance.random() < 0.5:
            yield scene, chance.choice(SINGLE[language]).format(a=one.label, x=x), 1
        else:
            yield scene, chance.choice(DOUBLE[language]).format(a=one.label, x=x, b=two.label, y=y), 2


def wrong_answers(
    contexts: Mapping[str, AnswerContext], rounds: int, seed: int
) -> Iterator[tuple[str, str, str]]:
    """Yield scene, kind of error and text of answers with a wrong figure in bare digits."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    for scene, number, language, column in _choices(contexts, rounds, chance):
        cells = cells_of(contexts[scene], number)[column]
        one, two = chance.sample(cells, 2)
        places = places_for(min(abs(one.value), abs(two.value)), chance)
        for kind in FIGURES:
            made = _planted(kind, one, two, places, language, chance)
            if made is not None:
                yield scene, kind, made


def wrong_references(
    contexts: Mapping[str, AnswerContext], rounds: int, seed: int
) -> Iterator[tuple[str, str, str]]:
    """Yield scene, kind of error and text of templates with a reference that is wrong."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    for scene, number, language, column in _choices(contexts, rounds, chance):
        columns = cells_of(contexts[scene], number)
        one, two = chance.sample(columns[column], 2)
        form = chance.choice(SINGLE[language])
        for kind in REFERENCES:
            reference = {
                "label": f'r{number}["{column}"]["{one.label[:-1]}q"]',
                "column": f'r{number}["{column}_total"]["{one.label}"]',
                "result": f'r9["{column}"]["{one.label}"]',
                "mismatch": f'r{number}["{column}"]["{two.label}"]',
                "method": f'r{number}["{column}"].values.sum()',
                "constant": f'r{number}["{column}"]["{one.label}"] * 0 + {round(two.value) + 17}',
            }[kind]
            yield scene, kind, form.format(a=one.label, x=f"{{{reference}:,.1f}}")


def run_trial(contexts: Mapping[str, AnswerContext], *, rounds: int, seed: int) -> Trial:
    """Check generated answers, right and wrong ones."""
    trial = Trial()
    for scene, text, count in right_answers(contexts, rounds, seed):
        trial.right += count
        checked = check_answer(text, contexts[scene])
        trial.flagged += [
            (receipt.text, text)
            for receipt in checked.verification.receipts
            if receipt.status == "unverified"
        ]
    for makers, kind_of in ((wrong_answers, ""), (wrong_references, "reference: ")):
        for scene, kind, text in makers(contexts, rounds, seed + 1):
            trial.planted[kind_of + kind] += 1
            checked = check_answer(text, contexts[scene])
            if checked.verification.status != "unverified" or checked.feedback is None:
                trial.missed.append((kind, text))
    return trial


def without_arguments(contexts: Mapping[str, AnswerContext]) -> dict[str, AnswerContext]:
    """Return the contexts without what the plans hold, so that no planted figure is one of their conditions."""
    return {name: replace(context, arguments=()) for name, context in contexts.items()}


def _choices(
    contexts: Mapping[str, AnswerContext], rounds: int, chance: random.Random
) -> Iterator[tuple[str, int, str, str]]:
    for _ in range(rounds):
        for scene, numbers in KEYED.items():
            number = chance.choice(numbers)
            column = chance.choice(list(cells_of(contexts[scene], number)))
            yield scene, number, chance.choice(SPOKEN.get(scene, LANGUAGES)), column


def _planted(
    kind: str, one: Cell, two: Cell, places: int, language: str, chance: random.Random
) -> str | None:
    single, double = chance.choice(SINGLE[language]), chance.choice(DOUBLE[language])
    wrong: dict[str, Callable[[], float]] = {
        "moved": lambda: two.value,
        "digit": lambda: _digit_off(one.value, places, chance),
        "sign": lambda: -one.value,
    }
    x, y = (written(cell.value, places, language) for cell in (one, two))
    if kind in wrong:
        said = wrong[kind]()
        return (
            None
            if _is_true(one, said, places)
            else single.format(a=one.label, x=written(said, places, language))
        )
    if kind == "scale" and "musd" in one.column:
        return None  # Of millions, `million` is right.
    if kind == "scale":
        return single.format(a=one.label, x=x + chance.choice(SCALES[language]))
    if kind == "swapped":
        wrong_way = not (_is_true(one, two.value, places) or _is_true(two, one.value, places))
        return double.format(a=one.label, x=y, b=two.label, y=x) if wrong_way else None
    said = _digit_off(two.value, places, chance)
    if _is_true(two, said, places) or _is_derived(one, two, said, places):
        return None
    return double.format(a=one.label, x=x, b=two.label, y=written(said, places, language))


def _is_true(cell: Cell, said: float, places: int) -> bool:
    return any(rounds_to(value, said, places) for value in cell.row)


def _is_derived(one: Cell, two: Cell, said: float, places: int) -> bool:
    pairs: Sequence[tuple[float, float]] = list(zip(one.row, two.row, strict=True))
    made = [value for a, b in pairs for value in (a - b, b - a, a / b if b else 0, b / a if a else 0)]
    return any(rounds_to(value, said, places) for value in made)


def _digit_off(value: float, places: int, chance: random.Random) -> float:
    text = f"{abs(value):.{places}f}"
    at = chance.choice([index for index, char in enumerate(text) if char.isdigit()])
    digit = chance.choice([digit for digit in "123456789" if digit != text[at]])
    changed = float(text[:at] + digit + text[at + 1 :])
    return changed if value >= 0 else -changed


def contexts_in(folder: Any) -> dict[str, AnswerContext]:
    """Compute every scene that has rows with one label."""
    from tests.answers.results import scene

    made = {}
    for name in KEYED:
        place = folder / name
        place.mkdir()
        made[name] = scene(place, name)[1]
    return without_arguments(made)
