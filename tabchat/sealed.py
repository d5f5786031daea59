"""What is kept on disk, under a MAC of the person's own secret that is checked before anything of it is believed.

The MAC is keyed BLAKE2b (RFC 7693) over the name that a text is kept under and the text itself, so that neither can
be exchanged. A sealed text is one JSON object; its body is not even parsed when the MAC is wrong.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from typing import TYPE_CHECKING, Any, Final

from tabchat.private_files import cache_folder, open_regular, read_regular, replace_private
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_SEALED: Final = re.compile(r'\{"mac": "([0-9a-f]{64})", "kept": (.*)\}\n', re.DOTALL)
_KEPT_NAME: Final = re.compile(r"[0-9a-f]{32,40}\.json")
"""Names of kept files are fingerprints: 32 or 40 hex digits."""


class BrokenSealError(ValueError):
    """A sealed text bears the MAC of another secret, or was changed, or was kept under another name."""


@record
class Seal:
    """The person's secret, as that which marks what this person's programs kept."""

    secret: bytes

    def mac(self, *parts: str) -> str:
        """Return the MAC of `parts`, as 64 hex digits; where one ends and the next begins counts."""
        digest = hashlib.blake2b(key=self.secret, digest_size=32, person=b"tabchat kept")
        for part in parts:
            content = part.encode("utf-8", "surrogatepass")
            digest.update(len(content).to_bytes(8, "big"))
            digest.update(content)
        return digest.hexdigest()

    def sealed(self, name: str, body: str) -> str:
        """Return `body`, which is JSON, as a text that only `opened` under the same name gives back."""
        return f'{{"mac": "{self.mac(name, body)}", "kept": {body}}}\n'

    def opened(self, name: str, text: str) -> str:
        """Return the body of a text that was sealed under `name`.

        Raises `BrokenSealError`, and another `ValueError` for a text that nobody sealed.
        """
        from hmac import compare_digest

        found = _SEALED.fullmatch(text)
        if found is None:
            raise ValueError("it is not sealed")
        if not compare_digest(found[1], self.mac(name, found[2])):
            raise BrokenSealError("it does not bear the mark of your own secret")
        return found[2]


def file_stamp(path: Path) -> dict[str, Any]:
    """Return what tells whether a file is still the same one: its inode, size, times (ns) and SHA-256.

    Raises `OSError`.
    """
    with open_regular(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {**_identity(os.fstat(file.fileno())), "sha256": digest}


def bears_stamp(path: Path, stamp: Mapping[str, Any]) -> bool:
    """Tell whether the file at `path` is what `file_stamp` saw; raises `OSError`, and `KeyError` for no stamp.

    The kernel sets the time of change (ctime) at every write, and nobody can set it back, so a file with the same
    inode, size and times has the same bytes and is not read. One that was only moved or copied is.
    """
    return is_untouched(path, stamp) or file_stamp(path)["sha256"] == stamp["sha256"]


def is_untouched(path: Path, stamp: Mapping[str, Any]) -> bool:
    """Tell whether nothing has written to, moved or copied the file since it was stamped; raises `OSError`."""
    seen = _identity(path.lstat())
    return seen == {name: stamp[name] for name in seen}


def _identity(facts: os.stat_result) -> dict[str, int]:
    return {
        "inode": facts.st_ino,
        "size": facts.st_size,
        "mtime": facts.st_mtime_ns,
        "ctime": facts.st_ctime_ns,
    }


@record
class SealedFolder:
    """Small JSON texts of one kind, each in a file of its own; those used longest ago go first."""

    path: Path
    seal: Seal
    kept: int
    """Files that the folder may hold."""
    most: int = 16 * 1024 * 1024
    """Bytes of a text above which it is not worth reading back, and so not kept."""

    def names(self) -> tuple[str, ...]:
        """Return the names under which texts are kept, the one used longest ago first."""
        found = [path for path in self.path.glob("*.json") if _KEPT_NAME.fullmatch(path.name)]
        return tuple(path.stem for path in sorted(found, key=lambda path: path.lstat().st_mtime))

    def read(self, name: str, *, uses: bool = True) -> str | None:
        """Return the text kept under `name`, a fingerprint in hex; None for none that is sound.

        With `uses` it is the one that was used last from now on.
        """
        path = self._path(name)
        try:
            text = read_regular(path, self.most).decode()
            body = self.seal.opened(self._scope(name), text)
        except (OSError, ValueError):
            return None
        if uses:
            with contextlib.suppress(OSError):
                os.utime(path)
        return body

    def write(self, name: str, body: str) -> bool:
        """Keep `body`, which is JSON, readable by its owner alone; returns whether the disk took it."""
        text = self.seal.sealed(self._scope(name), body).encode("utf-8", "surrogatepass")
        if len(text) > self.most:
            return False
        try:
            cache_folder(self.path)
            replace_private(self._path(name), text)
            self._make_room()
        except OSError:
            return False
        return True

    def remove(self, name: str) -> None:
        """Forget the text kept under `name`, if there is one; raises `OSError`."""
        self._path(name).unlink(missing_ok=True)

    def _scope(self, name: str) -> str:
        return f"{self.path.name}/{name}"

    def _path(self, name: str) -> Path:
        return self.path / f"{name}.json"

    def _make_room(self) -> None:
        for name in self.names()[: -self.kept]:
            self.remove(name)
