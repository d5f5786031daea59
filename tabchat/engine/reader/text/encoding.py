"""Which encoding a text file is in, and bringing it to UTF-8."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final

from tabchat.errors import InputError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CHUNK: Final = 1 << 20
_JUDGED: Final = 1 << 12
"""Bytes of words that an eight-bit encoding is judged by."""
REPLACEMENT: Final = "\ufffd"
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CYRILLIC: Final = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфіїєґёъ"
_WESTERN: Final = (
    "éèàçêâîôûùëïœæ",
    "äöüß",
    "áéíóúñü¿¡ºª",
    "áâãàçéêíóôõúºª",
    "åäöéü",
    "æøåé",
    "àèéìòù",
)
"""Letters beyond ASCII of French, German, Spanish, Portuguese, Swedish, Danish and Italian."""
_CENTRAL: Final = ("ąćęłńóśźż", "áčďéěíňóřšťúůýžľĺŕôä", "áéíóöőúüű", "ăâîşţ", "čćđšž")
"""Those of Polish, Czech with Slovak, Hungarian, Romanian and Croatian."""
_ALPHABETS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("cp1251", (_CYRILLIC,)),
    ("koi8-r", (_CYRILLIC,)),
    ("koi8-u", (_CYRILLIC,)),
    ("cp866", (_CYRILLIC,)),
    ("cp1125", (_CYRILLIC,)),
    ("cp1252", _WESTERN),
    ("cp1250", _CENTRAL),
    ("cp1253", ("αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ",)),
    ("cp1254", ("ğışçöüâîûİ",)),
    ("mac_roman", _WESTERN),
    ("iso8859-5", (_CYRILLIC,)),
    ("mac_cyrillic", (_CYRILLIC,)),
)
"""Eight-bit encodings and the letters that texts in a language of theirs are made of, the likelier ones first."""
_OTHERS: Final = {
    "cp1252": "cp1250",
    "cp1251": "koi8-u",
    "koi8-r": "cp1251",
    "koi8-u": "cp1251",
    "cp866": "cp1251",
    "cp1125": "cp866",
}
"""What a text that was taken to be in an encoding may be in instead."""
_SIGNS: Final = frozenset("€£°’‘“”„–—…«»§©®™½¼¾²³µ·×±\u00a0")
"""What stands between words in every language that has a Latin alphabet."""
_SURE: Final = 0.55
_SEVERAL: Final = 0.85
"""What a text in several languages of an encoding counts of one in a single language."""
_LOSSY: Final = 0.5
"""The part of the foreign characters that may be no UTF-8 in a text of it: eight-bit letters seldom make a sequence of it."""


@record
class Encoding:
    """The encoding of a text file."""

    codec: str
    """Python codec name, without the byte order mark's variant."""
    guessed: bool = False
    """True when the bytes do not prove it."""
    lossy: bool = False
    """True when some bytes are not valid in it and become replacement characters."""

    @property
    def other(self) -> str:
        """The encoding to try next, where letters look wrong."""
        return _OTHERS.get(self.codec, "cp1252")


def detect(sample: bytes, *, complete: bool) -> Encoding:
    """Judge the encoding of a file by a sample of its bytes."""
    for mark, codec in _BOMS:
        if sample.startswith(mark):
            return Encoding(codec=codec)
    if wide := _wide(sample):
        return Encoding(codec=wide, guessed=True)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(sample, final=complete)
    except UnicodeDecodeError:
        return _eight_bit(sample)
    return Encoding(codec="utf-8")


def named(encoding: str) -> Encoding:
    """Take an encoding from a person; raise `InputError` for an unknown one."""
    try:
        codec = codecs.lookup(encoding).name
    except LookupError as error:
        message = f"Unknown encoding {encoding!r}."
        raise InputError(message, hint="Use a name such as utf-8, utf-16, cp1251, cp1252, koi8-r.") from error
    return Encoding(codec="utf-8" if codec in {"utf-8-sig", "ascii"} else codec)


def _wide(sample: bytes) -> str | None:
    """Recognise UTF-16 without a mark by the zero bytes of its ASCII characters."""
    head = sample[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    pairs = max(1, len(head) // 2)
    if odd > 0.3 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    if even > 0.3 * pairs and odd < 0.05 * pairs:
        return "utf-16-be"
    return None


def _eight_bit(sample: bytes) -> Encoding:
    replaced = sample.decode("utf-8", errors="replace")
    foreign = sum(1 for character in replaced if character > "\x7f")
    if replaced.count(REPLACEMENT) <= _LOSSY * foreign:
        return Encoding(codec="utf-8", guessed=True, lossy=True)
    words = _foreign_words(sample)
    scores = {codec: _best_score(words, codec, alphabets) for codec, alphabets in _ALPHABETS}
    best = max(scores, key=lambda codec: scores[codec])
    if scores[best] >= _SURE:
        return Encoding(codec=best, guessed=True)
    import charset_normalizer

    found = charset_normalizer.from_bytes(words or sample[:_JUDGED]).best()
    codec = codecs.lookup(found.encoding).name if found else "cp1252"
    # Those of two bytes and more were looked for before; what is judged may lack the foreign byte of a long line.
    return Encoding(codec="cp1252" if codec.startswith(("utf", "ascii")) else codec, guessed=True)


def _foreign_words(sample: bytes) -> bytes:
    """Return the words that hold a byte beyond ASCII, each once, some 4 KB of them and of a single one at most 16 KB."""
    kept, size = [], 0
    for word in dict.fromkeys(sample.split()):
        if size > _JUDGED:
            break
        if not word.isascii():
            kept.append(word)
            size += len(word)
    return b" ".join(kept)[: 4 * _JUDGED]


def _best_score(words: bytes, codec: str, alphabets: tuple[str, ...]) -> float:
    """Return how well `words` read in one language of `codec`, or a little less well in several."""
    together = _SEVERAL * _score(words, codec, "".join(alphabets))
    return max(together, *(_score(words, codec, letters) for letters in alphabets))


def _score(words: bytes, codec: str, letters: str) -> float:
    """Return how well `words` read in `codec`: 1 when every foreign character is a usual letter in its place."""
    try:
        text = words.decode(codec)
    except UnicodeDecodeError:
        return -1.0
    judge = _latin_places if letters[0].lower() not in "оα" else _own_places
    scores = judge(text, letters)
    return sum(scores) / len(scores) if scores else 0.0


def _own_places(text: str, letters: str) -> list[float]:
    """Return a score for each foreign character of a text in an alphabet of its own, where they are whole words."""
    rank = {letter: 1.0 - 0.5 * position / len(letters) for position, letter in enumerate(letters)}
    scores = []
    for before, character, after in _neighbours(text):
        odd_case = character.isupper() and before.islower()
        mixed = before.isascii() and before.isalnum()
        usual = rank.get(character.lower(), 0.0)
        lone = not any(beside > "\x7f" and beside.isalpha() for beside in (before, after))
        scores.append(-0.5 if odd_case or mixed or not character.isalpha() else usual / 4 if lone else usual)
    return scores


def _latin_places(text: str, letters: str) -> list[float]:
    """Return a score for each foreign character of a text in Latin letters, where they are seldom neighbours."""
    scores = []
    run = 0
    for before, character, after in _neighbours(text):
        is_letter = character in letters or character.lower() in letters
        run = run + 1 if before > "\x7f" and before.isalpha() else 0
        inside = before.isalpha() and after.isalpha() and character != "’"
        if is_letter and not (character.isupper() and before.islower()):
            scores.append((1.0, 0.5)[run] if run < 2 else -1.0)  # noqa: PLR2004 - as in “ção”
        else:
            scores.append(1.0 if character in _SIGNS and not inside else -0.5)
    return scores


def _neighbours(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each foreign character between its neighbours."""
    framed = f" {text} "
    for place, character in enumerate(text, start=1):
        if character > "\x7f":
            yield framed[place - 1], character, framed[place + 1]


def transcode(
    source: Path,
    target: Path,
    encoding: Encoding,
    *,
    shown: str,
    progress: Callable[[float], None] | None = None,
) -> tuple[int, ...]:
    """Write `source` to `target` as UTF-8, without a byte order mark.

    Returns the offsets (in characters) of replacement characters that had to be put in, when `lossy`.
    Raises `InputError` when the bytes are not in the encoding.
    """
    errors = "replace" if encoding.lossy else "strict"
    decoder = codecs.getincrementaldecoder("utf-8-sig" if encoding.codec == "utf-8" else encoding.codec)(
        errors
    )
    size, read, found, position = max(1, source.stat().st_size), 0, [], 0
    with source.open("rb") as raw, target.open("w", encoding="utf-8", newline="") as out:
        while True:
            chunk = raw.read(CHUNK)
            read += len(chunk)
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                message = f"{shown!r} is not in the encoding {encoding.codec}: {error.reason} near byte {read - len(chunk) + error.start}."
                raise InputError(message, hint="Say which it is: --encoding cp1252.") from error
            if encoding.lossy and REPLACEMENT in text:
                found += [position + i for i, character in enumerate(text) if character == REPLACEMENT]
            position += len(text)
            out.write(text)
            if progress is not None:
                progress(read / size)
            if not chunk:
                return tuple(found)
