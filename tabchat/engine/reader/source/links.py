"""Links by which the engine reads files whose own paths it would misread."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from tabchat.engine.reader.source.places import PATTERN
from tabchat.private_files import PRIVATE_FOLDER, private_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tabchat.engine.reader.source.places import Place


def readable(place: Place, links: Path) -> tuple[str, ...]:
    """Return the paths by which the engine reads these very files, and gets from folders below the root alone.

    The engine takes `*`, `?` and `[` for patterns, and every folder called `year=2024` for a column unless a line ends
    in it; a file whose path it would misread is reached through a link below the folder `links`.
    """
    listing = place.listing
    is_misled = "=" in listing.root and any(map(listing.partitions, listing.paths))
    return tuple(
        _linked(path, links, listing.partitions(path), number)
        if is_misled or PATTERN & set(path) or not path.isprintable()
        else path
        for number, path in enumerate(listing.paths)
    )


def _linked(path: str, links: Path, partitions: Sequence[tuple[str, str]], number: int) -> str:
    folder = links.joinpath(*(f"{_plain(key)}={_plain(cell)}" for key, cell in partitions))
    private_folder(links)
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    link = folder / f"{number}.parquet"
    if not link.is_symlink():
        link.symlink_to(path)
    return str(link)


def _plain(name: str) -> str:
    """Write signs as the engine reads them back from the name of a folder, where it would take them for its own."""
    odd = {sign for sign in name if sign in PATTERN or sign == "]" or not sign.isprintable()}
    return "".join(quote(sign, safe="") if sign in odd else sign for sign in name)
