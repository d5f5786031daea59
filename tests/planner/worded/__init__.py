"""One meaning in the many wordings of Ukrainian and Russian, of all rows or of those that meet a condition, itself in many wordings."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Final

from tests.planner.gold import GoldQuestion
from tests.planner.worded import ru, uk
from tests.planner.worded.queries import FIRST, QUERIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.planner.declined import Domain

_WORDS: Final = {"uk": uk, "ru": ru}
_KINDS: Final = ("day", "place", "thing", "qty", "fee", "paid", "note")
_IN_FRONT: Final = {"day": 0.5, "place": 0.4}
"""How often a condition on it stands before the question; others stand there seldom, and behind a comma."""
_SELDOM: Final = 0.1
_CLAUSE: Final = re.compile(r"\b(де|где|яких|которых)\b")
"""What begins a clause; nobody says two of them in a row."""


def worded(domain: Domain, file: str) -> Iterator[GoldQuestion]:
    """Yield each wording of each meaning with each wording of each condition that fits it."""
    words = _WORDS[domain.language]
    names = {key: word.forms["n"] for key, word in domain.words.items()} | {"late": domain.notes[1]}
    spoken = {**domain.words, **domain.said, "late": domain.notes[1]}
    apart = ("дорожчі", "дороже", *(domain.words[kind].forms["n"] for kind in ("fee", "qty", "note")))
    for meaning, texts in words.WORDINGS.items():
        queries = QUERIES[meaning]
        for text in _said(texts, spoken):
            for where, conditions in {"": "", **words.CONDITIONS}.items():
                if _clash(meaning, queries[0], where):
                    continue
                part = {
                    "w": where and f"where {where.format(**names)}",
                    "a": "and" if where else "where",
                    **names,
                }
                sql, *also = (query.format(**part) for query in queries)
                for said in _said(conditions, spoken):
                    if _CLAUSE.search(text) and _CLAUSE.search(said):
                        continue
                    yield GoldQuestion(
                        id=f"{meaning} | {text} | {said}",
                        lang=domain.language,
                        file=file,
                        question=_joined(text, said, where, apart),
                        shape="share"
                        if "share" in meaning
                        else "argmax"
                        if meaning.startswith(FIRST)
                        else "",
                        answerable=True,
                        sql=sql,
                        ordered=False,
                        notes="fraction" if "share" in meaning else "",
                        also=tuple(also),
                    )


def _said(texts: str, spoken: dict[str, object]) -> Iterator[str]:
    """Yield the wordings that a table has words for."""
    for text in texts.split("|"):
        if all(name in spoken for name in re.findall(r"\{(\w+)", text)):
            yield text.format(**spoken)


def _joined(text: str, said: str, where: str, apart: tuple[str, ...]) -> str:
    """Return a question with its condition behind it or in front, the same place each time; `apart` are words that need a comma."""
    chance = random.Random(text + said).random()  # noqa: S311 - any will do
    kind = where.split(" ", 1)[0]
    if not said or chance > _IN_FRONT.get(kind, _SELDOM):
        mark = text.endswith("?")
        comma = "," if ":" in text or said.startswith(apart) else ""
        return f"{text.removesuffix('?')}{comma} {said}".strip() + ("?" if mark else "") if said else text
    return f"{said}, {text}" if kind not in _IN_FRONT or chance < _SELDOM else f"{said} {text}"


def _clash(meaning: str, query: str, where: str) -> bool:
    """Tell whether a condition is on what is asked for, or is missing where nothing else is asked."""
    held = [kind for kind in _KINDS if re.search(rf"\b{kind}\b", where) and re.search(rf"\b{kind}\b", query)]
    return bool(held) or (meaning == "rows" and not where)
