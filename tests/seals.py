"""The secret that tests mark kept files with."""

from typing import Final

from tabchat.sealed import Seal

SEAL: Final = Seal(secret=bytes(range(32)))
OTHER_SEAL: Final = Seal(secret=bytes(32))
