"""What is around tabchat: the terminal, the providers whose keys are set, Ollama, and the extras that are installed."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

from tabchat.config import EngineName
from tabchat.render.terminal.console import make_consoles
from tabchat.session.doctor.finding import Finding, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.config import Settings

EXTRAS: Final = {
    "stats": (("scipy", "statsmodels", "scikit-learn"), "hypothesis tests, and statistics in the sandbox"),
    "charts": (("altair", "vl-convert-python"), "charts as SVG, PNG and HTML files"),
    "spark": (("pyspark",), "Spark, for tables that outgrow one machine: --engine spark"),
    "mcp": (("mcp",), "tables for another assistant: tabchat mcp"),
}
"""Extra → its packages, and what it brings."""
_PICTURES: Final = (
    ("KITTY_WINDOW_ID", "", "kitty"),
    ("TERM", "xterm-kitty", "kitty"),
    ("TERM", "xterm-ghostty", "kitty"),
    ("TERM_PROGRAM", "iTerm.app", "iTerm2"),
    ("TERM_PROGRAM", "WezTerm", "iTerm2"),
    ("TERM", "foot", "sixel"),
    ("TERM", "mlterm", "sixel"),
)
"""Variable, the value that it has (any, when empty), and the protocol for pictures that such a terminal knows."""
_LISTED: Final = 8


def terminal() -> Finding:
    """Say what the terminal can do, as far as the environment tells."""
    consoles = make_consoles()
    kind = os.environ.get("TERM", "")
    encoding = (sys.stdout.encoding or "ascii").lower()
    size = shutil.get_terminal_size()
    parts = (
        f"{size.columns}x{size.lines}"
        if sys.stdout.isatty()
        else f"stdout is none, {consoles.width} columns",
        "colour" if consoles.out.color else "no colour",
        f"Unicode ({encoding})" if "utf" in encoding else f"no Unicode ({encoding})",
        f"TERM={kind or 'not set'}",
        f"inline pictures: {pictures(os.environ) or 'none known'}",
    )
    hint = None
    if "utf" not in encoding:
        hint = "export LC_ALL=C.UTF-8, or draw with --ascii"
    elif sys.stdout.isatty() and kind in {"", "dumb"}:
        hint = "export TERM=xterm-256color, if this terminal can move its cursor"
    return Finding(
        name="terminal", state=State.NOTE if hint else State.GOOD, text=", ".join(parts), hint=hint
    )


def pictures(environment: Mapping[str, str]) -> str | None:
    """Return the protocol for pictures that the terminal knows, nothing when the environment names none."""
    for variable, value, protocol in _PICTURES:
        found = environment.get(variable)
        if found and value in {"", found}:
            return protocol
    return None


def providers() -> Finding:
    """Say for which providers a key is set: names of variables, never a value."""
    from tabchat.chat.provider.model_catalogue import provider_keys

    found = provider_keys()
    listed = "; ".join(f"{provider} ({', '.join(names)})" for provider, names in found.items())
    text = f"keys are set for {listed}" if found else "no provider's key is set, and rules need none"
    return Finding(name="providers", state=State.GOOD, text=text)


def ollama(settings: Settings) -> Finding:
    """Say whether an Ollama answers on this machine, and which models it has."""
    from tabchat.chat.provider.model_catalogue import OLLAMA, ollama_models

    name, place = "ollama", ":".join(map(str, OLLAMA))
    wanted = (settings.model or "").partition("/")
    elsewhere = settings.api_base or os.environ.get("OLLAMA_API_BASE")
    is_wanted = wanted[0] in {"ollama", "ollama_chat"} and not elsewhere
    if settings.offline:
        return Finding(name=name, state=State.GOOD, text="offline: it was not looked for")
    found = ollama_models()
    if found is None:
        state = State.NOTE if is_wanted else State.GOOD
        hint = "Start it with: ollama serve" if is_wanted else None
        return Finding(name=name, state=state, text=f"none answers at {place}", hint=hint)
    listed = ", ".join(found[:_LISTED]) + (
        f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    )
    text = f"answers at {place} with {listed or 'no model'}"
    missing = is_wanted and not {wanted[2], f"{wanted[2]}:latest"} & set(found)
    if missing or not found:
        pulled = wanted[2] if missing else "qwen3"
        return Finding(name=name, state=State.NOTE, text=text, hint=f"Get a model with: ollama pull {pulled}")
    return Finding(name=name, state=State.GOOD, text=text)


def extras() -> Iterator[Finding]:
    """Say for each extra which version of its packages is here, or what it would bring."""
    for extra, (packages, brings) in EXTRAS.items():
        versions = {package: _version(package) for package in packages}
        missing = [package for package, found in versions.items() if found is None]
        if missing:
            text = f"{' and '.join(missing)} not installed; it brings {brings}"
            hint = f"Install the extra: pip install 'tabchat[{extra}]'"
            yield Finding(name=f"extra {extra}", state=State.NOTE, text=text, hint=hint)
        else:
            text = ", ".join(f"{package} {found}" for package, found in versions.items())
            yield Finding(name=f"extra {extra}", state=State.GOOD, text=text)


def java(settings: Settings) -> Finding | None:
    """Say whether the Java is here that Spark would start; nothing where Spark is neither installed nor asked for."""
    from tabchat.engine.backends.spark.java import find_java, wanted

    asked = settings.engine is EngineName.SPARK
    if not asked and _version("pyspark") is None:
        return None
    found, name = find_java(), "java"
    if asked and settings.spark.startswith("sc://"):
        return Finding(name=name, state=State.GOOD, text=f"none is needed here: Spark is at {settings.spark}")
    if found is not None and found.will_do:
        return Finding(name=name, state=State.GOOD, text=f"{found.path}, version {found.version}, for Spark")
    text = f"Spark needs Java {wanted()}, and "
    text += "there is none" if found is None else f"{found.path} is version {found.version or 'unknown'}"
    hint = f"Install Java {wanted()}, or name it with JAVA_HOME"
    return Finding(name=name, state=State.BAD if asked else State.NOTE, text=text, hint=hint)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
