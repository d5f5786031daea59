"""Write the lists of stems by which the planner knows a real word from a typing error.

    python benchmarks/list_stems.py        # writes tabchat/planner/lexicons/stems/*.txt

They are the lower-case words of the dictionaries of simplemma (https://github.com/adbar/simplemma), each without its
longest ending, as far as they have the length that look-ups ask for.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

from tabchat.planner.words.inflection import MIN_STEM
from tabchat.planner.words.languages import shipped_languages
from tabchat.planner.words.spelling import LENGTHS
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from tabchat.planner.words.inflection import Inflection


def list_stems(language: str, inflection: Inflection) -> list[bytes]:
    words = (str(word) for word in DefaultDictionaryFactory().get_dictionary(language))
    plain = (fold(word) for word in words if word.isalpha() and word.islower() and len(word) > MIN_STEM)
    stems = {inflection.base(word) for word in plain}
    return sorted(stem.encode() for stem in stems if len(stem) in LENGTHS and stem.isalpha())


def main() -> None:
    languages = shipped_languages()
    for language in languages.letters:
        stems = list_stems(language, languages.load(language).inflection)
        path = languages.stems_of(language)
        head = (
            f"# {language}: stems of words, by benchmarks/list_stems.py from simplemma {version('simplemma')}"
        )
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\n".join([head.encode(), *stems, b""]))
        print(f"{path.name}: {len(stems):,} stems, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
