"""The parts of an XLSX file: which of them holds a sheet, and the attributes of their elements."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Iterator

# A name ends soon, so that one of megabytes is not searched from each of its characters on.
_ATTRIBUTE: Final = re.compile(r"\b(?:\w{1,60}:)?(\w{1,60})\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)')")


def part_of(book: zipfile.ZipFile, name: str) -> str | None:
    """Return the name of the part that holds a sheet, where there is one."""
    parts = set(book.namelist())
    if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= parts:
        return None
    links = attributes(book.read("xl/_rels/workbook.xml.rels"), "Relationship")
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    for sheet in attributes(book.read("xl/workbook.xml"), "sheet"):
        if sheet.get("name") == name:
            target = targets.get(sheet.get("id"), "")
            part = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
            return part if part in parts else None
    return None


def attributes(part: bytes, element: str) -> Iterator[dict[str, str]]:
    """Yield the attributes of each such element, without the prefixes of their names."""
    # Of the two brackets, only the first must be escaped within quotes.
    tags = rf"<(?:\w+:)?{element}(?=[\s/>])((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>"
    for tag in re.finditer(tags, part.decode(errors="replace")):
        found = _ATTRIBUTE.findall(tag[1])
        yield {key: html.unescape(one or other) for key, one, other in found}
