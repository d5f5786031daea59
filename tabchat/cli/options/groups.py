"""Groups of options that several commands share, expanded into each command's own parameters."""

from __future__ import annotations

import codecs
import functools
import inspect
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, get_type_hints

from tabchat.config import load_settings
from tabchat.engine.table import ReadOptions
from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import typer

    from tabchat.config import Settings


@record
class Reading:
    """What is said about a file instead of being inferred."""

    PANEL: ClassVar = "Reading the file"
    """Under which heading `--help` lists them."""
    input_format: Annotated[
        str | None, typer.Option(help="csv, tsv, json, jsonl, parquet, arrow or xlsx.", metavar="FORMAT")
    ] = None
    sheet: Annotated[str | None, typer.Option(help="XLSX sheet, by name.")] = None
    delimiter: Annotated[str | None, typer.Option(help=r"Field delimiter, such as ';' or '\t'.")] = None
    encoding: Annotated[str | None, typer.Option(help="Text encoding, such as cp1251.")] = None
    decimal: Annotated[str | None, typer.Option(help="Decimal mark: '.' or ','.")] = None
    header: Annotated[
        bool | None, typer.Option("--header/--no-header", help="Whether the first record holds names.")
    ] = None
    date_order: Annotated[str | None, typer.Option(help="dmy, mdy or ymd, for ambiguous dates.")] = None
    null_words: Annotated[
        str | None,
        typer.Option(
            help="Words that mean a missing value, separated by commas, instead of N/A, null, - and the like; "
            "'' for none."
        ),
    ] = None
    type: Annotated[
        list[str] | None,
        typer.Option(
            help="COLUMN=KIND overrules inference; repeatable. Kinds: integer, number, boolean, text, date, "
            "datetime, time.",
            metavar="COLUMN=KIND",
        ),
    ] = None

    def options(self) -> ReadOptions:
        """Return the reader's options; raises `UsageError` for one that cannot be."""
        delimiter = "\t" if self.delimiter in {r"\t", "tab"} else self.delimiter
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
            message = f"--delimiter cannot be {delimiter!r}."
            raise UsageError(message, hint=r"Give one character, such as ';', or '\t' for a tab.")
        types = tuple(_column_kind(text) for text in self.type or ())
        if self.encoding or self.input_format or types:
            _check_readable(self.encoding, self.input_format, types)
        _one_of("--decimal", self.decimal, (".", ","))
        _one_of("--date-order", self.date_order, ("dmy", "mdy", "ymd"))
        return ReadOptions(
            input_format=self.input_format,
            sheet=self.sheet,
            delimiter=delimiter,
            encoding=self.encoding,
            decimal=self.decimal,
            header=self.header,
            date_order=self.date_order,
            null_words=_words(self.null_words) if self.null_words is not None else None,
            types=types,
        )


def _one_of(option: str, given: str | None, known: Sequence[str]) -> None:
    if given is not None and given not in known:
        raise UsageError(f"{option} cannot be {given!r}.", hint=f"Use {' or '.join(known)}.")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _column_kind(text: str) -> tuple[str, str]:
    name, equals, kind = text.rpartition("=")
    if not (name and equals and kind):
        raise UsageError(f"--type {text!r} is not COLUMN=KIND.", hint="Write it as --type 'amount=number'.")
    return name, kind


def _check_readable(encoding: str | None, input_format: str | None, types: Iterable[tuple[str, str]]) -> None:
    """Raise `UsageError` for a name that means no encoding, no format or no kind of a column."""
    # What can be meant is known to the reader, which a question about a known file does without.
    from tabchat.engine.reader.source.files import FORMATS
    from tabchat.engine.reader.text.plans import KIND_NAMES

    if encoding is not None and not _is_encoding(encoding):
        message = f"--encoding cannot be {encoding!r}."
        raise UsageError(message, hint="Use a name such as utf-8, utf-16, cp1251, cp1252, koi8-r.")
    if input_format is not None and input_format not in FORMATS:
        message = f"--input-format cannot be {input_format!r}."
        raise UsageError(message, hint=f"Use one of {', '.join(FORMATS)}.")
    for name, kind in types:
        if kind.lower() not in KIND_NAMES:
            message = f"--type cannot make {name!r} {kind!r}."
            raise UsageError(message, hint="Kinds: integer, number, boolean, text, date, datetime, time.")


def _is_encoding(name: str) -> bool:
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return True


@record
class Local:
    """Settings that hold for one run, of a command that computes nothing."""

    PANEL: ClassVar = "Running"
    timeout: Annotated[float | None, typer.Option(help="Seconds after which a query is stopped.")] = None
    memory_limit: Annotated[
        str | None,
        typer.Option(
            help="About what may be held in memory before it spills to disk, such as 2GB or 500 MB.",
            metavar="SIZE",
        ),
    ] = None
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep nothing on disk after this run.")] = False
    color: Annotated[str, typer.Option(help="auto, always or never.", metavar="WHEN")] = "auto"
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII signs alone.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on stderr but errors.")] = False
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="List every note on how a file was read.")
    ] = False

    def flags(self) -> dict[str, object]:
        """Return the settings that were given."""
        named = ("timeout", "memory_limit")
        given = {name: value for name in named if (value := getattr(self, name)) is not None}
        return given | ({"no_cache": True} if self.no_cache else {})


@record
class Running(Local):
    """Settings that hold for one run, of a command that computes."""

    engine: Annotated[
        str | None, typer.Option(help="duckdb or spark (extra spark): what computes.", metavar="NAME")
    ] = None
    spark: Annotated[
        str | None,
        typer.Option(
            help="With --engine spark: its master, such as local[4], or a server, sc://host:port.",
            metavar="ADDRESS",
        ),
    ] = None
    order_by: Annotated[
        str | None,
        typer.Option(
            help="With --engine spark: columns that order the rows of a table of its own, such as id or day,id.",
            metavar="COLUMNS",
        ),
    ] = None

    def flags(self) -> dict[str, object]:
        """Return the settings that were given."""
        given = {name: value for name in ("engine", "spark") if (value := getattr(self, name)) is not None}
        if self.order_by is not None:
            given["order_by"] = list(_words(self.order_by))
        return {**super().flags(), **given}


@record
class Asking:
    """Which language model may be asked, if any, what it may see and what it may cost."""

    PANEL: ClassVar = "Asking a model"
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Language model by its litellm name, such as openai/gpt-5-mini or ollama_chat/qwen3.",
        ),
    ] = None
    api_base: Annotated[
        str | None, typer.Option(help="Address of an OpenAI-compatible server.", metavar="URL")
    ] = None
    planner: Annotated[
        str | None, typer.Option(help="auto (rules, then the model), rules, or llm.", metavar="WHO")
    ] = None
    privacy: Annotated[
        str | None, typer.Option(help="What the model may see: strict, summary or preview.", metavar="LEVEL")
    ] = None
    hide: Annotated[
        list[str] | None,
        typer.Option(
            help="Column that no model ever learns of; repeatable, or separated by commas.", metavar="COLUMN"
        ),
    ] = None
    offline: Annotated[bool, typer.Option("--offline", help="Open no socket.")] = False
    max_cost: Annotated[
        float | None, typer.Option(help="US dollars that this run may cost.", metavar="USD")
    ] = None
    max_tokens: Annotated[
        int | None, typer.Option(help="Tokens, sent and received, that one question may take.", min=1)
    ] = None
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again even what was asked before.")] = False

    def settings(self, told: Callable[[str], None], *flags: Mapping[str, object]) -> Settings:
        """Return the settings of this run; with `--offline`, from any source, no socket opens from here on.

        `told` hears what a project's file may not set.
        """
        settings = load_settings(
            {name: value for given in (*flags, self.flags()) for name, value in given.items()}, told=told
        )
        if settings.offline:
            from tabchat.cli.offline import refuse_sockets

            refuse_sockets()
        return settings

    def flags(self) -> dict[str, object]:
        """Return the settings that were given."""
        given = {item.name: getattr(self, item.name) for item in fields(self)}
        if self.hide:
            given["hide"] = [name for text in self.hide for name in _words(text)]
        return {name: value for name, value in given.items() if value not in (None, False)}


@record
class Output:
    """Where an answer goes, and in which form."""

    PANEL: ClassVar = "Output"
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False
    format: Annotated[
        str, typer.Option("--format", help="table, csv, tsv, json, jsonl or md.", metavar="FORMAT")
    ] = "table"
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the full result to this file.")
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output file.")] = False
    rows: Annotated[
        int | None, typer.Option("--rows", "-n", min=0, help="Rows to show; the full result is kept.")
    ] = None
    rows_as: Annotated[
        str,
        typer.Option(
            "--rows-as",
            help="With --json: rows as arrays, or as objects by column.",
            metavar="arrays|objects",
        ),
    ] = "arrays"
    source: Annotated[
        bool, typer.Option("--source", help="The rows behind the result instead of the result.")
    ] = False

    def flags(self) -> dict[str, object]:
        """Return the settings that were given."""
        return {} if self.rows is None else {"rows": self.rows}


@record
class Drawn(Output):
    """Where an answer goes that can be drawn, too."""

    chart: Annotated[
        str | None,
        typer.Option(
            "--chart",
            help="bar, line, hist, scatter, box or none; as fits the result when absent.",
            metavar="KIND",
        ),
    ] = None
    chart_out: Annotated[
        Path | None,
        typer.Option(
            "--chart-out", help="Also draw the result to this .svg, .png or .html file (extra charts)."
        ),
    ] = None


_Command = TypeVar("_Command", bound="Callable[..., int | None]")


def expanded(command: _Command) -> _Command:
    """Replace every parameter of `command` that is a group by the fields of that group."""
    hints = _hints(command)
    groups: dict[str, type[Any]] = {
        name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)
    }

    @functools.wraps(command)
    def wrapper(**given: Any) -> int | None:
        own = {name: value for name, value in given.items() if name in hints}
        for name, kind in groups.items():
            own[name] = kind(**{item.name: given[item.name] for item in fields(kind)})
        return command(**own)

    parameters = [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in inspect.signature(command).parameters.values()
        if parameter.name not in groups
    ]
    for kind in groups.values():
        parameters += _parameters(kind)
    wrapper.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    )
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return wrapper  # type: ignore[return-value]


def _parameters(kind: type) -> list[inspect.Parameter]:
    hints = _hints(kind)
    for hint in hints.values():
        for option in getattr(hint, "__metadata__", ()):
            option.rich_help_panel = getattr(kind, "PANEL", option.rich_help_panel)
    return [
        inspect.Parameter(
            item.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if item.default is MISSING else item.default,
            annotation=hints[item.name],
        )
        for item in fields(kind)
    ]


def _hints(described: object) -> dict[str, Any]:
    """Return the annotations of a command or a group; only who parses options needs the library that describes them."""
    import typer

    return get_type_hints(described, localns={"typer": typer}, include_extras=True)
