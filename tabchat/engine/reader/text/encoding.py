"""Which encoding a text file is in, and bringing it to UTF-8."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final

from tabchat.errors import InputError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CHUNK: Final = 1 << 20
REPLACEMENT: Final = "\ufffd"
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CYRILLIC: Final = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфіїєґёъ"
_ALPHABETS: Final = (
    ("cp1251", _CYRILLIC),
    ("koi8-r", _CYRILLIC),
    ("koi8-u", _CYRILLIC),
    ("cp866", _CYRILLIC),
    ("cp1252", "éèàçêâîôûäöüßñáíóúãõøåæëïœìòù"),
    ("cp1250", "ąćęłńśźżáčďéěíňóřšťúůýžőűöüä"),
    ("cp1253", "αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ"),
    ("cp1254", "ğışçöüâîû"),
    ("mac_roman", "éèàçêâîôûäöüßñáíóúãõøåæëï"),
    ("iso8859-5", _CYRILLIC),
    ("mac_cyrillic", _CYRILLIC),
)
"""Eight-bit encodings and the letters that their texts are made of, the likelier ones first."""
_SURE: Final = 0.55
_LOSSY: Final = 0.1


@record
class Encoding:
    """The encoding of a text file."""

    codec: str
    """Python codec name, without the byte order mark's variant."""
    guessed: bool = False
    """True when the bytes do not prove it."""
    lossy: bool = False
    """True when some bytes are not valid in it and become replacement characters."""


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
    if replaced.count(REPLACEMENT) < _LOSSY * foreign:
        return Encoding(codec="utf-8", guessed=True, lossy=True)
    words = _foreign_words(sample)
    scores = {codec: _score(words, codec, letters) for codec, letters in _ALPHABETS}
    best = max(scores, key=lambda codec: scores[codec])
    if scores[best] >= _SURE:
        return Encoding(codec=best, guessed=True)
    import charset_normalizer

    found = charset_normalizer.from_bytes(words[: CHUNK // 16] or sample[: CHUNK // 16]).best()
    return Encoding(codec=codecs.lookup(found.encoding).name if found else "cp1252", guessed=True)


def _foreign_words(sample: bytes) -> bytes:
    """Return the words that hold a byte beyond ASCII, at most 64 KB of them."""
    words = (word for word in sample.split() if not word.isascii())
    kept, size = [], 0
    for word in words:
        kept.append(word)
        size += len(word)
        if size > CHUNK // 16:
            break
    return b" ".join(kept)


def _score(words: bytes, codec: str, letters: str) -> float:
    """Return how well `words` read in `codec`: 1 when every foreign character is a usual letter in its place."""
    try:
        text = words.decode(codec)
    except UnicodeDecodeError:
        return -1.0
    rank = {letter: 1.0 - 0.5 * position / len(letters) for position, letter in enumerate(letters)}
    total, score, previous = 0, 0.0, " "
    for character in text:
        if character > "\x7f":
            total += 1
            usual = rank.get(character.lower(), 0.0)
            odd_case = character.isupper() and previous.islower()
            mixed = previous.isascii() and previous.isalpha() and letters[0] in "оα"
            score += -0.5 if odd_case or not character.isalpha() or mixed else usual
        previous = character
    return score / total if total else 0.0


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
