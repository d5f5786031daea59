"""Which tools there are, and which of them a caller may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.recipes import MODULES
from tabchat.record import record
from tabchat.tools.code.result_numbers import ResultNumbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.config import PrivacyLevel
    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, JsonValue
    from tabchat.sandbox.policy import SandboxRequest
    from tabchat.sandbox.reply.outcome import SandboxOutcome
    from tabchat.store import DataStore, ResultRecipe, StoredResult
    from tabchat.tools.code.result_names import ChosenNames
    from tabchat.tools.editing import Editor


@record
class Workspace:
    """What tools work on: the open tables, their engine, the store, and what may be told to a model."""

    engine: Engine
    sql_engine: Engine | None = None
    """What runs SQL that a person or a model wrote, within bounds that hold; `engine` itself when absent."""
    tables: Mapping[str, Table]
    store: DataStore
    scratch: DataStore
    """Where results stay, for this session only, when `store` cannot be written."""
    privacy: PrivacyLevel
    preview_rows: int = 5
    sessions: Mapping[str, tuple[str, str]]
    week_start: str = "monday"
    is_person: bool = False
    """True where a person's own plans and SQL run: nothing is held back from them."""
    hide: tuple[str, ...] = ()
    """What `tables` were narrowed by; results that were computed with sight of it are held back."""
    numbers: ResultNumbers = field(default_factory=ResultNumbers)
    """The results of the conversation, which calls can name as tables."""
    run_code: Callable[[SandboxRequest], SandboxOutcome] | None = None
    """Runs pandas code in a process of its own; absent where no sandbox is offered."""
    editor: Editor | None = None
    """Changes the open tables, once the person agrees; absent where tables cannot be changed."""
    reuses: bool = False
    """True where a plan whose rows are few is not computed again as long as they are kept."""
    recompute: Callable[[str], Result] | None = None
    """Computes the result behind a key again when its rows were evicted; raises `DataKeyError`."""
    behind: Callable[[str], Frame | None] | None = None
    """Returns the rows that the result behind a key was computed from; raises `DataKeyError`."""

    def for_model(self, hide: Sequence[str]) -> Workspace:
        """Return the workspace as a model may know it: without the columns that `hide` names."""
        from tabchat.tools.hiding import visible_tables

        tables = visible_tables(self.tables, hide)
        return replace(self, tables=tables, hide=tuple(hide), is_person=False)


@record
class TextOutput:
    """Output of a tool that only describes."""

    text: str
    """What a model is told."""
    shape: str
    """The same without any value, for when no more values may be told."""
    facts: Mapping[str, JsonValue]
    """The exact values behind the text, for the checker of figures; never told to a model beside it."""
    metrics: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the envelope says of the text."""


@record
class DataOutput:
    """Output of a tool that computed a result, with the recipe that computes it again."""

    result: Result
    recipe: ResultRecipe
    title: str | None = None
    printed: str = ""
    """What code printed; for the person alone."""
    chosen: ChosenNames | None = None
    """At `strict` the names that code may have chosen by what it read; of them a question is told a few."""


@record
class EarlierOutput:
    """Output of a tool that tells of an earlier result again."""

    entry: StoredResult
    result: Result
    facts: Mapping[str, JsonValue]
    """As those of a text."""


ToolOutput: TypeAlias = TextOutput | DataOutput | EarlierOutput
Handler: TypeAlias = Callable[[Workspace, Mapping[str, "JsonValue"]], ToolOutput]


@record
class Tool:
    """One tool: its name, what it does, the schema of its arguments, and the function behind it."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    handler: Handler
    fit: Callable[[Tool, Workspace], Tool | None] | None = None
    """Returns the tool as it can be called in a workspace, nothing where it cannot; always the same when absent."""

    def fitted(self, workspace: Workspace) -> Tool | None:
        """Return the tool as it can be called in `workspace`, nothing where it cannot."""
        return self if self.fit is None else self.fit(self, workspace)

    def definition(self) -> dict[str, JsonValue]:
        """Return `{name, description, parameters}`."""
        return {"name": self.name, "description": self.description, "parameters": self.parameters}


@record
class ToolRegistry:
    """An immutable set of tools, by name."""

    tools: Mapping[str, Tool]

    @classmethod
    def of(cls, tools: Iterable[Tool]) -> ToolRegistry:
        """Build a registry; two tools of one name are a `ValueError`."""
        by_name: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in by_name:
                raise ValueError(f"two tools are called {tool.name!r}")
            by_name[tool.name] = tool
        return cls(tools=by_name)

    def extended(self, *tools: Tool) -> ToolRegistry:
        """Return a registry that also holds `tools`."""
        return ToolRegistry.of((*self.tools.values(), *tools))


@record
class ToolProfile:
    """A named choice of tools; a tool that it does not list is refused."""

    name: str
    tools: frozenset[str]


RECIPES: Final = tuple(MODULES)
"""The analysis recipes."""

MINIMAL: Final = ToolProfile(name="minimal", tools=frozenset({"run_query", "describe_table"}))
ANALYSIS: Final = ToolProfile(
    name="analysis",
    tools=MINIMAL.tools
    | {"run_sql", "describe_column", "describe_result", "find_values", "run_python", *RECIPES},
)
FULL: Final = ToolProfile(name="full", tools=ANALYSIS.tools | {"edit_table", "undo", "redo"})
PROFILES: Final[Mapping[str, ToolProfile]] = {profile.name: profile for profile in (MINIMAL, ANALYSIS, FULL)}
