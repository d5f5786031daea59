"""The Landlock wall: no path, no TCP port, no signal or abstract socket outside the process.

Source: Linux `Documentation/userspace-api/landlock.rst` and `include/uapi/linux/landlock.h`.

Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from tabchat.sandbox.lock.syscalls import LockError, call

_CREATE_RULESET_VERSION = 1
_FIRST_ABI_FILE_RIGHTS = (1 << 13) - 1
_WORD_BITS = 64
_NOT_OFFERED = (errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM)
# struct landlock_ruleset_attr: handled_access_fs, handled_access_net (ABI 4), scoped (ABI 6).
_FIELDS = 3


def abi() -> int:
    """Return the version of Landlock that this kernel offers, 0 when it offers none."""
    answer = call("landlock_create_ruleset", 0, 0, _CREATE_RULESET_VERSION)
    if answer < 0 and -answer not in _NOT_OFFERED:
        raise LockError("landlock", "cannot ask the kernel what it offers", number=-answer)
    return max(answer, 0)


def restrict() -> None:
    """Take every right that the kernel's Landlock knows from this process; LockError when that fails."""
    rights = known_rights()
    if rights[0] & _FIRST_ABI_FILE_RIGHTS != _FIRST_ABI_FILE_RIGHTS:
        raise LockError("landlock", f"the kernel handles only the file rights {rights[0]:#x}")
    ruleset = _create(rights)
    if ruleset < 0:
        raise LockError("landlock", "the kernel refused the rule set", number=-ruleset)
    answer = call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)
    if answer != 0:
        raise LockError("landlock", "the kernel refused to restrict this process", number=-answer)
    _prove()


def known_rights() -> tuple[int, int, int]:
    """Return the masks of file rights, network rights and scopes that the kernel accepts.

    The kernel refuses a right it does not know, so asking for one more each
    time finds those of a version that is younger than this code.
    """
    masks = [0] * _FIELDS
    for field in range(_FIELDS):
        for bit in range(_WORD_BITS):
            asked = [0] * _FIELDS
            asked[field] = 1 << bit
            ruleset = _create(tuple(asked))
            if ruleset < 0:
                break
            os.close(ruleset)
            masks[field] |= 1 << bit
    return masks[0], masks[1], masks[2]


def _create(rights: tuple[int, ...]) -> int:
    # An old kernel takes the longer record as long as what it does not know is zero.
    record = ctypes.create_string_buffer(struct.pack("=3Q", *rights), 8 * _FIELDS)
    return call("landlock_create_ruleset", ctypes.addressof(record), 8 * _FIELDS, 0)


def _prove() -> None:
    try:
        descriptor = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        if error.errno == errno.EACCES:
            return
        raise LockError("landlock", "opening a folder failed in another way", number=error.errno) from error
    os.close(descriptor)
    raise LockError("landlock", "a folder can still be opened")
