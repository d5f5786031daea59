"""Code behind the kernel lock alone, for the tests that attack it."""

from tests.sandbox.asking import run_unguarded as run_unguarded  # noqa: PLC0414 - the name to import
