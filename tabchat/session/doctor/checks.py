"""What works on this machine and what does not: folders, engine, sandbox, model, ledger."""

from __future__ import annotations

import os
import platform
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from tabchat.config import MIB, config_files, words_file
from tabchat.errors import TabchatError
from tabchat.private_files import cache_root
from tabchat.session.code import CodeRunner
from tabchat.session.doctor.finding import Finding, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.config import Settings

LIBRARIES: Final = ("duckdb", "sqlglot", "pandas", "pyarrow", "litellm")
LOW_SPACE: Final = 500 * MIB
"""Free bytes below which a large table may not fit into the cache."""


def examine(settings: Settings) -> Iterator[Finding]:
    """Look at everything that tabchat stands on; asks no model, and opens no socket but to an Ollama on this machine."""
    from tabchat.session.doctor.surroundings import extras, java, ollama, providers, terminal

    yield Finding(name="tabchat", state=State.GOOD, text=_versions())
    yield Finding(name="settings", state=State.GOOD, text=_read_from())
    yield _folder("cache folder", settings.cache_dir, own=True)
    yield _folder("data folder", settings.data_dir)
    yield _words()
    yield _ledger(settings)
    yield terminal()
    yield providers()
    yield ollama(settings)
    yield _model(settings)
    yield from extras()
    if (found := java(settings)) is not None:
        yield found
    yield _walls(settings)
    yield _execution(settings)


def _versions() -> str:
    own = f"{version('tabchat')} on Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return "; ".join((own, ", ".join(f"{name} {version(name)}" for name in LIBRARIES)))


def _read_from() -> str:
    files = config_files(Path.cwd())
    variables = sorted(name for name in os.environ if name.startswith("TABCHAT_"))
    return f"from {', '.join(map(str, (*files, *variables))) or 'no file: every setting has its default'}"


def _words() -> Finding:
    """Read the person's own words, without which no question is read."""
    from tabchat.planner.own_words import own_words

    try:
        count = len(own_words())
    except TabchatError as error:
        return Finding(name="own words", state=State.BAD, text=error.message, hint=error.hint)
    return Finding(name="own words", state=State.GOOD, text=f"{count:,} in {words_file()}")


def _folder(name: str, folder: Path, *, own: bool = False) -> Finding:
    finding = partial(Finding, name=name)
    existing = next(path for path in (folder, *folder.parents) if path.exists() or path.is_symlink())
    try:
        _try(existing, own=own and existing == folder)
    except OSError as error:
        return finding(
            state=State.BAD,
            text=f"{folder} cannot be used: {error.strerror or error}",
            hint=f"Make {existing} writable for you alone, or choose another folder with TABCHAT_{name.split(maxsplit=1)[0].upper()}_DIR.",
        )
    space = os.statvfs(existing)
    free = space.f_bavail * space.f_frsize
    text = f"{folder}, {free // MIB:,} MiB free"
    if free < LOW_SPACE:
        hint = "Free some space, or clear with: tabchat cache clear"
        return finding(state=State.NOTE, text=text, hint=hint)
    return finding(state=State.GOOD, text=text)


def _try(folder: Path, *, own: bool) -> None:
    """Make a folder in `folder` and take it away, for not every system says beforehand that it cannot.

    Raises `OSError` when it cannot be made, or when a cache that is to be one's `own` is not.
    """
    if own:
        cache_root(folder)
    with TemporaryDirectory(prefix=".tabchat-", dir=folder):
        pass


def _ledger(settings: Settings) -> Finding:
    from tabchat.audit import EgressLedger

    finding = partial(Finding, name="egress ledger")
    try:
        found = EgressLedger(settings.data_dir / "egress", max_bytes=settings.egress_size).check()
    except TabchatError as error:
        return finding(state=State.BAD, text=error.message, hint=error.hint)
    if found.problems:
        hint = "See all of it with: tabchat egress --check"
        return finding(state=State.BAD, text=found.problems[0], hint=hint)
    return finding(state=State.GOOD, text=f"{found.requests:,} requests in it, no line changed")


def _model(settings: Settings) -> Finding:
    finding = partial(Finding, name="model")
    if settings.model is None:
        text = "none is set: rules alone answer, and nothing leaves the machine"
        return finding(state=State.GOOD, text=text)
    if settings.offline:
        return finding(state=State.NOTE, text=f"{settings.model} is set, and offline forbids asking it")
    from tabchat.chat.provider.errors import no_key
    from tabchat.chat.provider.litellm_model import load
    from tabchat.chat.provider.model_facts import ModelFacts

    try:
        missing = ModelFacts(load(), settings.model, settings.api_base).missing_keys
    except TabchatError as error:
        return finding(state=State.BAD, text=error.message, hint=error.hint)
    if missing:
        lacking = no_key(settings.model, missing)
        return finding(state=State.BAD, text=lacking.message, hint=lacking.hint)
    where = f" at {settings.api_base}" if settings.api_base else ""
    return finding(state=State.GOOD, text=f"{settings.model}{where}, privacy {settings.privacy.value}")


def _walls(settings: Settings) -> Finding:
    from tabchat.sandbox.lock.walls import probe

    found = probe()
    text = f"{', '.join(wall.value for wall in found.walls)}. {found.reason}"
    finding = partial(Finding, name="sandbox walls", text=text)
    if not found.missing:
        return finding(state=State.GOOD)
    consent = "Allow it with the setting degraded_sandbox = true." if found.offered else None
    allowed = found.offered and settings.degraded_sandbox
    return finding(state=State.NOTE, hint="It is allowed here." if allowed else consent)


def _execution(settings: Settings) -> Finding:
    """Run two lines of code in the sandbox, walls and all."""
    import pyarrow as pa

    from tabchat.sandbox.policy import SandboxRequest

    finding = partial(Finding, name="sandbox")
    table = pa.table({"a": [1, 2, 3]})
    request = SandboxRequest(
        code="result = int(df['a'].sum())", batches=table.to_batches(), schema=table.schema
    )
    runner = CodeRunner(settings)
    try:
        outcome = runner(request)
        outcome.raise_for_ending()
    except TabchatError as error:
        return finding(state=State.NOTE, text=error.message, hint=error.hint)
    finally:
        runner.close()
    stood = ", ".join(outcome.walls.names)
    if outcome.value != sum(table["a"].to_pylist()):
        return finding(state=State.BAD, text="code ran and gave a wrong sum")
    state = State.NOTE if outcome.walls.degraded else State.GOOD
    return finding(state=state, text=f"code ran in {outcome.seconds * 1000:.0f} ms behind {stood}")
