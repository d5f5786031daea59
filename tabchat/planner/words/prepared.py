"""What a lexicon is made of, as far as it can be made before any question: its lists in normal form, and their indexes.

All of it is texts in mappings, as JSON holds them: members of a list stand on lines of their own, the words of a phrase are
parted by single spaces. `Lexicon` knows nothing else, whether this was read from the data files or compiled from them before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.words.inflection import MIN_STEM, inflection_of
from tabchat.planner.words.lexicon_file import (
    by_length,
    concept_phrases,
    listed_phrases,
    listed_words,
    read_sections,
)
from tabchat.planner.words.phrases import COUNTRY, HEADER, phrases_by_first
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tabchat.planner.words.data_files import Sections
    from tabchat.planner.words.inflection import Inflection

_WORDS: Final = {
    "units": "header_parts",
    "agents": "header_parts",
    "naming": "header_parts",
    "identifying": "header_parts",
    "numbered": "header_parts",
    "joining": "header_parts",
    "words": "nonadditive",
    "charges": "nonadditive",
    "verbs": "habitual",
    "several": "habitual",
    "better": "judged",
    "worse": "judged",
}
"""Name of a list of words → the section that has it."""


def prepared(
    *texts: str, countries: str = "", things: str = "", foreign: frozenset[str] = frozenset()
) -> Sections:
    """Return what a lexicon is made of, from the texts of the data files of its language.

    Of the names of countries, in all languages, those without `foreign` letters are its own.
    """
    read = read_sections(*texts)
    read["countries"] = {
        code: ", ".join(name for name in names.split(", ") if not foreign.intersection(name))
        for code, names in read_sections(countries).items()
    }
    phrases = tuple(concept_phrases(read))
    names = tuple(_names(read))
    words = {word for phrase, _ in phrases for word in phrase.split()}
    name_words = {word for name, _ in names for word in name.split()}
    thing_names = (line.partition("\t")[0] for line in things.splitlines())
    made: dict[str, Any] = {
        "language": read["language"],
        "concepts": phrases_by_first(phrases),
        "names": phrases_by_first(names),
        "stems": _lines(word for word in words if word[-1] == "*" and len(word) > 1),
        "vocabulary": _lines({*words, *name_words, *thing_names}),
        "things": things,
        "words": {name: _words(read.get(section, {}).get(name, "")) for name, section in _WORDS.items()},
        "pairs": {name: fold(said) for name, said in read.get("header_parts", {}).items()},
        "evidence": _each(read, "evidence", _words),
        "said": _each(read, "said", _words),
        "written": _each(read, "written", _words),
        "other_names": _other_names(read),
        "follow_ups": _each(read, "follow_ups", _phrases),
        "forms": _forms(read),
    }
    inflection = inflection_of(made["forms"], {}, "endings")
    made["kin"] = _kin(read["kin"], inflection)
    made["name_forms"] = _name_forms(name_words, inflection_of(made["forms"], made["kin"], "endings"))
    return made


def _names(read: Sections) -> Iterator[tuple[str, str]]:
    """Yield (name, what it is the name of): a header of a group, `header.revenue`, or a country, `country.de`."""
    for family, section in ((HEADER, "headers"), (COUNTRY, "countries")):
        for group, said in read.get(section, {}).items():
            for name in listed_phrases(said) if said else ():
                yield name, f"{family}{group}"


def _other_names(read: Sections) -> dict[str, str]:
    """Return first word → a line `name<tab>other name of the same…` for each name of what cells call by several."""
    found: dict[str, list[str]] = {}
    for section in ("cell_names", "cell_forms"):
        for said in read.get(section, {}).values():
            group = sorted(set(listed_phrases(said)))
            for name in group:
                others = [other for other in group if other != name]
                found.setdefault(name.partition(" ")[0], []).append("\t".join((name, *others)))
    return {first: "\n".join(lines) for first, lines in found.items()}


def _each(read: Sections, section: str, normal: Callable[[str], str]) -> dict[str, str]:
    return {name: normal(said) for name, said in read.get(section, {}).items()}


def _words(said: str) -> str:
    return _lines(listed_words(said))


def _phrases(said: str) -> str:
    return _lines(listed_phrases(said))


def _lines(members: Iterable[str]) -> str:
    return "\n".join(sorted(set(members)))


def _forms(read: Sections) -> dict[str, str]:
    """Return the lists that inflection goes by, those of endings the longest first."""
    endings = {
        "endings": read["endings"],
        "value_endings": read["value_endings"],
        "phrase_endings": f"{read['endings']} {read['verb_endings']}",
        "derivations": read.get("derivations", ""),
    }
    return {
        **{name: " ".join(by_length(said)) for name, said in endings.items()},
        **{name: read.get(name, "") for name in ("alternations", "beginnings", "softening")},
    }


def _kin(families: Mapping[str, str], inflection: Inflection) -> dict[str, str]:
    """Return word → signs of its families, and the same of what is left of a longer word without its ending."""
    found: dict[str, set[str]] = {}
    for name, said in families.items():
        for word in listed_words(said):
            base = inflection.base(word)
            for form in dict.fromkeys((word, base)) if len(base) > MIN_STEM else (word,):
                found.setdefault(form, set()).add(f"~{name}")
    return {word: " ".join(sorted(signs)) for word, signs in found.items()}


def _name_forms(words: Iterable[str], inflection: Inflection) -> dict[str, str]:
    """Return first two letters or `~family` → words of the names of headers and countries."""
    found: dict[str, set[str]] = {}
    for word in sorted(words):
        kin = (inflection.kin.get(form, "").split() for form in (word, inflection.base(word)))
        for key in sorted({word[:2]}.union(*kin)):
            found.setdefault(key, set()).add(word)
    return {key: " ".join(sorted(forms)) for key, forms in found.items()}


_SPELT: Final = {"comma": ",", "colon": ":"}
"""How a list of requests writes the signs that a list cannot hold."""


def prepared_requests(text: str) -> Sections:
    """Return what the words of requests to edit are made of, from the text of the data file of their language."""
    read = read_sections(text)
    polite = {f"polite.{name}": said for name, said in read["polite"].items()}
    named = {**read["verbs"], **read["classes"], **polite}
    phrases = [(phrase, name) for name, said in named.items() for phrase in _spelt(said)]
    words = {word for phrase, _ in phrases for word in phrase.split()}
    verbs = [phrase for said in read["verbs"].values() for phrase in _spelt(said)]
    lists: dict[str, Iterable[str]] = {
        "verbs": read["verbs"],
        "verb_words": (phrase for phrase in verbs if " " not in phrase),
        "vocabulary": (word for word in words if word.isalpha()),
        "stems": (word for word in words if word[-1] == "*" and len(word) > 1),
        **{name: _spelt(said) for name, said in read["undo"].items()},
        **{
            name: {word for phrase in _spelt(said) for word in phrase.split()}
            for name, said in read["nouns"].items()
        },
    }
    return {
        "language": read["language"],
        "classes": phrases_by_first(phrases),
        "needs": read["needs"],
        "lists": {name: _lines(members) for name, members in lists.items()},
        "readings": read["readings"],
    }


def _spelt(said: str) -> list[str]:
    listed = (phrase.split() for phrase in listed_phrases(said))
    return [" ".join(_SPELT.get(word, word) for word in words) for words in listed if words]
