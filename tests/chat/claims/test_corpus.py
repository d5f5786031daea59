"""Realistic sentences of answers, with all that they assert: `text | value | kind` on the lines below each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabchat.chat.claims import WrittenClaim, WrittenNumber, extract_claims

_CORPUS = Path(__file__).parent / "corpus"
_LANGUAGES = ("en", "uk", "ru")


def _entries(language: str) -> list[tuple[str, list[str]]]:
    blocks = (_CORPUS / f"{language}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return [(lines[0], [line.strip() for line in lines[1:]]) for lines in map(str.splitlines, blocks)]


def _shown(claim: WrittenClaim) -> str:
    if isinstance(claim, WrittenNumber):
        return f"{claim.text} | {claim.value} | {claim.kind}"
    return f"{claim.text} | {claim.first}..{claim.last} | date"


@pytest.mark.parametrize("language", _LANGUAGES)
def test_every_sentence_yields_exactly_its_claims(language: str) -> None:
    entries = _entries(language)

    assert len(entries) >= 60
    found = [(sentence, [_shown(claim) for claim in extract_claims(sentence)]) for sentence, _ in entries]
    assert found == entries


@pytest.mark.parametrize("language", _LANGUAGES)
@pytest.mark.parametrize("between", [" ", "\n\n", "\n- "], ids=["spaces", "paragraphs", "bullets"])
def test_sentences_one_after_another_yield_their_claims_one_after_another(
    language: str, between: str
) -> None:
    entries = _entries(language)

    found = [_shown(claim) for claim in extract_claims(between.join(sentence for sentence, _ in entries))]

    assert found == [claim for _, claims in entries for claim in claims]
