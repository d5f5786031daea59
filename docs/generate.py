"""Write the reference pages from the code, and the pictures from the kept screens; or check that they are up to date.

    python docs/generate.py            # write docs/reference
    python docs/generate.py --check    # exit 1 and name the pages that differ

Run it after a change to the command line, the settings, the tools or the functions.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from commands import cli_page
from completion import completion_data
from licences import licences_page
from picture import pictures

from tabchat import config, errors, precedence
from tabchat.coercion import allowed
from tabchat.engine.functions import describe_functions
from tabchat.settings_file import attribute_docs
from tabchat.tools.catalogue import standard_registry
from tabchat.viewer.keys import HELP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DOCS = Path(__file__).parent
REFERENCE = DOCS / "reference"
INTRO_OF_ERRORS = (
    "An error goes to stderr with its cause and what to try next. With `--json` it is the object `error`: "
    "`{code, message, hint}`. A code of an error stays the same from version to version, its words may not."
)
COMPLETION = DOCS.parent / "tabchat" / "cli" / "completion" / "commands.json"
HEADER = "<!-- Written by docs/generate.py from the code; edit the code instead. -->\n\n"


def exit_codes_page() -> str:
    """Return the reference of exit codes and of the errors that lead to each."""
    described = attribute_docs(errors.ExitCode)
    lines = ["# Exit codes and errors", "", "| exit code | name | when |", "|---|---|---|"]
    lines += [f"| {code.value} | `{code.name}` | {described[code.name]} |" for code in errors.ExitCode]
    lines += [
        "",
        "## Errors",
        "",
        INTRO_OF_ERRORS,
        "",
        "| exit code | error code | what it is |",
        "|---|---|---|",
    ]
    for kind, codes in sorted(_error_codes().items(), key=lambda item: int(item[0].exit_code)):
        listed = ", ".join(f"`{code}`" for code in codes)
        lines.append(f"| {int(kind.exit_code)} | {listed} | {(kind.__doc__ or '').partition(chr(10))[0]} |")
    return "\n".join(lines) + "\n"


def _error_codes() -> dict[type[errors.TabchatError], list[str]]:
    """Return the codes of every kind of error: that of the class, and those that it is raised with."""
    kinds = {kind.__name__: kind for kind in _subclasses(errors.TabchatError)}
    found = {kind: [kind.code] for kind in kinds.values() if "code" in vars(kind)}
    for path in sorted((DOCS.parent / "tabchat").rglob("*.py")):
        for name, code in _codes_given(ast.parse(path.read_text(encoding="utf-8"))):
            if name in kinds and code not in found[kinds[name]]:
                found[kinds[name]].append(code)
    return found


def _codes_given(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, str]]:
    """Yield (class, code) of every call with a `code`; `super().__init__` belongs to the class that it stands in."""
    for node in ast.iter_child_nodes(tree):
        yield from _codes_given(node, node.name if isinstance(node, ast.ClassDef) else inside)
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else inside
            given = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            for part in (part for value in given for part in ast.walk(value)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield name, part.value


def _subclasses(kind: type[errors.TabchatError]) -> Iterator[type[errors.TabchatError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _subclasses(child)


def settings_page() -> str:
    """Return the reference of every setting."""
    described = attribute_docs(config.Settings)
    hints = get_type_hints(config.Settings)
    rows = [
        f"| `{item.name}` | {_default(item)} | {described[item.name]} | {allowed(item.name, hints[item.name]).removeprefix('Use ')} |"
        for item in fields(config.Settings)
    ]
    intro = (
        "Each has a variable: `TABCHAT_ROWS` is `rows`. Flags win over `TABCHAT_*` variables, those over `tabchat.toml` or `[tool.tabchat]` in the current "
        "folder's `pyproject.toml`, and those over the person's own `config.toml`. A project's file, which may come with "
        f"somebody's data, can set {_listed(precedence.CONVENIENCES)}; {_listed(precedence.BOUNDS)} where that is "
        f"stricter than the person's own value or the default; and {_listed(precedence.FILES)}, where they name a small "
        "regular file inside the project's folder. Any other setting there is left out, and told."
    )
    return (
        "\n".join(
            [
                "# Settings",
                "",
                intro,
                "",
                "| setting | default | meaning | what it can be |",
                "|---|---|---|---|",
                *rows,
            ]
        )
        + "\n"
    )


def _default(item: Field[Any]) -> str:
    if item.name in {"cache_dir", "data_dir"}:
        return "`tabchat config` says"  # they differ by system and person
    value = getattr(config.Settings(), item.name)
    if value in (None, (), {}):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _listed(names: Iterable[str]) -> str:
    *first, last = (f"`{name}`" for name in sorted(names))
    return f"{', '.join(first)} and {last}"


def tools_page() -> str:
    """Return the reference of the tools that a model may call."""
    lines = ["# Tools", ""]
    for tool in standard_registry().tools.values():
        lines += [f"## `{tool.name}`", "", tool.description, "", "| argument | meaning |", "|---|---|"]
        properties = tool.parameters["properties"]
        required = tool.parameters["required"]
        for name, rule in properties.items():  # type: ignore[union-attr]
            needed = " (required)" if name in required else ""  # type: ignore[operator]
            lines.append(f"| `{name}`{needed} | {rule.get('description', '')} |")
        lines.append("")
    return "\n".join(lines)


def functions_page() -> str:
    """Return the reference of the expression language's functions."""
    return f"# Functions of the expression language\n\n```text\n{describe_functions()}\n```\n"


def keys_page() -> str:
    """Return the reference of the viewer's keys."""
    rows = [f"| {item.keys} | {item.summary} |" for item in HELP]
    intro = "Keys of `tabchat view` and `/open`; `?` shows them there."
    return (
        "\n".join(["# Keys of the viewer", "", intro, "", "| keys | what they do |", "|---|---|", *rows])
        + "\n"
    )


def licences() -> str:
    """Return the page of licences, which is written anew when a package is not on it."""
    page = REFERENCE / "licences.md"
    return licences_page(page.read_text(encoding="utf-8").removeprefix(HEADER) if page.exists() else "")


PAGES = {
    "cli.md": cli_page,
    "exit-codes.md": exit_codes_page,
    "settings.md": settings_page,
    "tools.md": tools_page,
    "functions.md": functions_page,
    "keys.md": keys_page,
    "licences.md": licences,
}


def main(argv: list[str]) -> int:
    """Write or check every page."""
    stale = []
    pages = {REFERENCE / name: HEADER + build() for name, build in PAGES.items()}
    for path, text in (pages | pictures() | {COMPLETION: completion_data()}).items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(str(path.relative_to(DOCS.parent)))
        if "--check" not in argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale and "--check" in argv:
        print(f"out of date: {', '.join(stale)}; run: make docs", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
