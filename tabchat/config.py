"""Settings: flags, then `TABCHAT_*`, then the project's TOML, then the person's TOML, in one frozen value."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping  # noqa: TC003 - the hints of `Settings` are read at run time
from dataclasses import field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Final, get_type_hints

from tabchat.coercion import WindowError, allowed, coerced, without_effect
from tabchat.errors import UsageError
from tabchat.precedence import bounded, permitted
from tabchat.private_files import read_regular
from tabchat.record import record
from tabchat.toml_file import MOST_BYTES, read_toml

ENV_PREFIX: Final = "TABCHAT_"
MIB: Final = 1024 * 1024
_ENVIRONMENT: Final = "the environment"
_OWN_TABLE: Final = re.compile(
    rb"""tool['"\s]*\.['"\s]*tabchat | ^\s*\[?['"\s]*tool['"\s]*[]=]""", re.MULTILINE | re.VERBOSE
)
"""What stands in every pyproject.toml that says anything to tabchat: `tool.tabchat`, or a table `tool` as a whole."""


class PrivacyLevel(StrEnum):
    """What a model may see; without a model nothing is sent at any level."""

    STRICT = "strict"
    """Names and types, shapes and counts."""
    SUMMARY = "summary"
    """Also statistics, group extremes, first and last, top values of columns with few values."""
    PREVIEW = "preview"
    """Also a few preview rows."""


class Planner(StrEnum):
    """Who may answer a question."""

    AUTO = "auto"
    """Rules first, then the model when one is set."""
    RULES = "rules"
    """Rules alone."""
    LLM = "llm"
    """The model alone."""


class ToolChoice(StrEnum):
    """Which tools a language model may call."""

    MINIMAL = "minimal"
    """Plans and the description of a table."""
    ANALYSIS = "analysis"
    """Also SQL, columns, earlier results, values, the analysis recipes, and pandas code where the sandbox stands."""
    FULL = "full"
    """Also edits that the person confirms."""


class EngineName(StrEnum):
    """What computes."""

    DUCKDB = "duckdb"
    """DuckDB, in this process."""
    SPARK = "spark"
    """Spark, of this machine or behind an address."""


class Pictures(StrEnum):
    """How charts are shown in a terminal."""

    AUTO = "auto"
    """As pictures where the terminal is known to show them."""
    NEVER = "never"
    """In characters."""
    KITTY = "kitty"
    """As pictures, by Kitty's protocol."""
    ITERM = "iterm"
    """As pictures, by iTerm2's protocol."""
    SIXEL = "sixel"
    """As pictures, by sixels."""


@record
class Settings:
    """Everything that a person can set; sizes in bytes, times in seconds."""

    rows: int = 50
    """Rows of a table that are shown or put into JSON; the full result is always kept under its key."""
    pager: bool = True
    """On a terminal, show what is longer than the screen through `$PAGER` (`less` when that is not set)."""
    pictures: Pictures = Pictures.AUTO
    """Charts in a terminal: auto (as pictures in Kitty, Ghostty, WezTerm, iTerm2, foot, mlterm and Contour, with the extra
    `charts`), never, or by the protocol that it speaks: kitty, iterm or sixel."""
    timeout: float | None = None
    """Seconds after which a running query is cancelled; no limit when absent."""
    cache_dir: Path = field(default_factory=lambda: _platform_dir("cache"))
    """Where table versions and results are kept."""
    data_dir: Path = field(default_factory=lambda: _platform_dir("data"))
    """Where the key secret and the history are kept."""
    cache_size: int = 20_000 * MIB
    """Bytes that cached table versions may take."""
    result_size: int = 5_000 * MIB
    """Bytes that kept results may take."""
    result_ttl: float = 30 * 24 * 3600.0
    """Seconds that an unused result is kept."""
    session_count: int = 100
    """Conversations of the REPL that are kept, the ones used last, at least one; `no_cache` keeps none."""
    session_ttl: float = 90 * 24 * 3600.0
    """Seconds that an unused conversation is kept."""
    memory_limit: int | None = None
    """Bytes that a process may hold, four fifths of them the engine's, which spills to disk beyond; the engine's default when absent."""
    spill_size: int = 20_000 * MIB
    """Bytes that the engine may spill to disk at once, in the folder of caches, before it gives up."""
    threads: int | None = None
    """Engine threads; every core when absent."""
    engine: EngineName = EngineName.DUCKDB
    """What computes: duckdb, or spark (with the extra `spark`), for tables that outgrow one machine."""
    spark: str = "local[*]"
    """Spark's master, or the address of a Spark Connect server, `sc://host:port`."""
    order_by: tuple[str, ...] = ()
    """Columns that order the rows of a table that only Spark reads; without them, what needs an order is refused."""
    spark_rows: int = 1_000_000
    """Rows of a result that come from Spark to this machine; a result with more is refused, not cut."""
    no_cache: bool = False
    """Keep nothing between runs: table versions and results go to a folder that is removed at exit."""
    privacy: PrivacyLevel = PrivacyLevel.SUMMARY
    """What a model may see: strict, summary or preview."""
    sessions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Named time-of-day windows: name → (from, to), `HH:MM`."""
    undo_versions: int = 5
    """Edits of tables that can be undone in one session, the last ones; their versions are files in the cache."""
    vi: bool = False
    """Edit the line of the REPL as vi does, not as Emacs does."""
    week_start: str = "monday"
    """First day of a calendar week: monday or sunday."""
    model: str | None = None
    """Language model by its litellm name, such as `openai/gpt-5-mini` or `ollama_chat/qwen3`; rules alone when absent."""
    api_base: str | None = None
    """Address of an OpenAI-compatible server, such as `http://localhost:11434/v1`."""
    planner: Planner = Planner.AUTO
    """Who may answer: auto (rules, then the model), rules, or llm."""
    hide: tuple[str, ...] = ()
    """Columns that no model ever learns of; in TOML a list, in the environment separated by commas."""
    preview_rows: int = 5
    """Rows that a model sees of a result at privacy level preview; at most 10."""
    offline: bool = False
    """Open no socket, whatever else is set."""
    max_cost: float | None = None
    """US dollars that the models of one run may cost; no limit when absent."""
    max_tokens: int | None = None
    """Tokens, sent and received, that one question may take; no limit when absent."""
    max_rounds: int = 8
    """Rounds of tool calls before a question stops with an explanation."""
    context_window: int | None = None
    """Tokens that the model can read at once; what litellm knows of it when absent."""
    retries: int = 2
    """Times that a request is sent again after a busy or failing server or a lost connection."""
    fresh: bool = False
    """Ask the model again even when the same request was answered before."""
    tools: ToolChoice = ToolChoice.ANALYSIS
    """Tools that a model may call: minimal, analysis, or full, which adds edits."""
    code_timeout: float = 30.0
    """Seconds after which code in the sandbox, or SQL that a model wrote, is stopped, unless a `timeout` of your own counts instead."""
    code_memory: int = 1024 * MIB
    """Bytes that code in the sandbox may take on top of its table."""
    degraded_sandbox: bool = False
    """Run code also where this machine lacks one of the sandbox's walls; answers then say which stood."""
    egress_size: int = 64 * MIB
    """Bytes of the egress ledger before it is rotated; older parts are kept beside it."""
    context: Path | None = None
    """TOML file of your own names for columns and cells, of units and descriptions; it is never sent to a model."""
    shortcuts: Path | None = None
    """TOML file of your own common questions with their plans, beside those that come with tabchat."""


def _platform_dir(kind: str) -> Path:
    # platformdirs costs a tenth of the start-up budget on Linux, where its rule is one line.
    variable, fallback = {
        "cache": ("XDG_CACHE_HOME", ".cache"),
        "data": ("XDG_DATA_HOME", ".local/share"),
        "config": ("XDG_CONFIG_HOME", ".config"),
    }[kind]
    if os.name == "posix" and os.uname().sysname == "Linux":
        base = os.environ.get(variable, "")
        root = Path(base) if Path(base).is_absolute() else Path.home() / fallback
        return root / "tabchat"
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_dir")("tabchat", appauthor=False))


def load_settings(
    flags: Mapping[str, object] | None = None,
    *,
    directory: Path | None = None,
    told: Callable[[str], None] | None = None,
    origin: str = "the command line",
) -> Settings:
    """Merge every source of settings; `flags` holds only what was given at `origin`.

    Of a project's file counts what `precedence` permits; `told` is called with a sentence for the rest.
    Raises `UsageError` that names the setting, the file or variable it came from, and the allowed values.
    """
    merged: dict[str, object] = {}
    for _, values in _layers(flags or {}, directory or Path.cwd(), told, origin):
        merged |= values
    found = replace(Settings(), **merged)  # type: ignore[arg-type]
    if (idle := without_effect(flags or {}, found.engine)) is not None:
        message = (
            f"Setting {idle!r} in {origin} is for the engine spark, and the engine is {found.engine.value}."
        )
        raise UsageError(message, hint="Ask with --engine spark, or leave it out.")
    return found


def origins(flags: Mapping[str, object]) -> Mapping[str, str]:
    """Return where the value of each setting comes from that has not its default: a file, a variable, or flags."""
    found: dict[str, str] = {}
    for origin, values in _layers(flags, Path.cwd(), None, "the command line"):
        for name in values:
            named = f"{ENV_PREFIX}{name.upper()}"
            variable = named if named in os.environ else f"{ENV_PREFIX}TIMEOUT"
            found[name] = variable if origin == _ENVIRONMENT else origin
    return found


def _layers(
    flags: Mapping[str, object], directory: Path, told: Callable[[str], None] | None, origin: str
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield (origin, checked settings), the weakest first."""
    person = _own(_person_settings(), str(person_file()))
    yield str(person_file()), person
    own = vars(Settings()) | person
    for path, content in _project_layers(directory):
        kept = permitted(content, own, str(path))
        held = bounded(_coerced(kept.values, str(path)), own, path)
        changed = {name: value for name, value in held.values.items() if value != own[name]}
        own |= changed
        yield str(path), changed
        if told is not None:
            for sentence in (*kept.told, *held.told):
                told(sentence)
    if told is not None:
        # A typing error in TABCHAT_PRIVACY must not pass for the level that it names.
        strangers = {name for name in os.environ if name.startswith(ENV_PREFIX)} - _variables().keys()
        for variable in sorted(strangers):
            told(f"{variable} is no setting and sets nothing: tabchat config show lists them.")
    yield _ENVIRONMENT, _own(_environment(), _ENVIRONMENT)
    yield origin, _own(flags, origin)


def config_files(directory: Path) -> tuple[Path, ...]:
    """Return the TOML files that are read for `directory`, weakest first."""
    return tuple(path for path in (person_file(), *_project_files(directory)) if path.is_file())


def person_file() -> Path:
    """Return where the person's own settings are, whether or not there is such a file."""
    return _platform_dir("config") / "config.toml"


def words_file() -> Path:
    """Return where the person's own words for columns and cells are, whether or not there is such a file."""
    return _platform_dir("config") / "words.toml"


def _project_files(directory: Path) -> tuple[Path, ...]:
    return directory / "pyproject.toml", directory / "tabchat.toml"


def _person_settings() -> Mapping[str, object]:
    path = person_file()
    return _read(path) if path.is_file() else {}


def _project_layers(directory: Path) -> list[tuple[Path, Mapping[str, object]]]:
    return [(path, _read(path)) for path in _project_files(directory) if path.is_file()]


def _read(path: Path) -> Mapping[str, object]:
    """Return the settings in a TOML file; raises `UsageError`."""
    try:
        if path.name != "pyproject.toml":
            return read_toml(path)
        if _OWN_TABLE.search(read_regular(path, MOST_BYTES)) is None:
            return {}  # the common case is not worth a parse
        content = read_toml(path).get("tool")
    except (OSError, ValueError) as error:
        message = f"{path} cannot be read as TOML: {getattr(error, 'strerror', None) or error}"
        raise UsageError(message, hint="Mend the file, or move it away.") from error
    own = content.get("tabchat") if isinstance(content, dict) else None
    return own if isinstance(own, dict) else {}


def _own(values: Mapping[str, object], origin: str) -> dict[str, object]:
    """Check settings of the person's own; a `timeout` is one for code, too, unless it stands beside another."""
    found = _coerced(values, origin)
    if found.get("timeout") is not None:
        found.setdefault("code_timeout", found["timeout"])
    return found


def _variables() -> dict[str, str]:
    return {ENV_PREFIX + item.name.upper(): item.name for item in fields(Settings)}


def _environment() -> dict[str, object]:
    names = _variables()
    return {names[key]: value for key, value in os.environ.items() if key in names}


def _coerced(values: Mapping[str, object], origin: str) -> dict[str, object]:
    hints = get_type_hints(Settings) if values else {}
    return {name: _coerce(name, value, hints, origin) for name, value in values.items()}


def _coerce(name: str, value: object, hints: Mapping[str, object], origin: str) -> object:
    if name not in hints:
        from difflib import get_close_matches

        message = f"Unknown setting {name!r} in {origin}."
        near = get_close_matches(name, hints)
        meant = f"Did you mean {' or '.join(near)}? " if near else ""
        raise UsageError(message, hint=f"{meant}Known settings: {', '.join(sorted(hints))}.")
    try:
        found = coerced(name, value, hints[name])
    except (TypeError, ValueError) as error:
        fault = f": {error}" if isinstance(error, WindowError) else ""
        message = f"Setting {name!r} in {origin} cannot be {value!r}{fault}."
        raise UsageError(message, hint=allowed(name, hints[name])) from error
    if name == "model" and isinstance(found, str):
        check_model_name(found)
    return found


def checked_setting(name: str, value: object, origin: str) -> object:
    """Return `value` as the setting `name` has it; raises `UsageError` as loading does."""
    return _coerce(name, value, get_type_hints(Settings), origin)


def check_model_name(name: str) -> None:
    """Raise `UsageError` for the name of a model that holds the address of a server.

    Some providers' libraries send requests there, past `api_base`.
    """
    if "://" in name:
        message = f"The name of a model, {name!r}, cannot hold the address of a server."
        raise UsageError(message, hint="Name the server with --api-base, and the model without it.")
