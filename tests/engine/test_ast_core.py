"""sqlglot comes without what it would look for plugins with, and finds it all the same when it does."""

import subprocess
import sys

import pytest


def said(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.strip()


def test_the_trees_load_no_metadata_of_packages() -> None:
    code = (
        "import sys; from tabchat.engine.ast_core import exp; {}; print('importlib.metadata' in sys.modules)"
    )
    assert said(code.format("exp.column('a').sql('duckdb')")) == "False"


@pytest.mark.parametrize(
    "before", ["from tabchat.engine.ast_core import exp", "import importlib.metadata, sqlglot"]
)
def test_a_dialect_of_nobody_is_asked_of_the_real_metadata(before: str) -> None:
    code = (
        f"{before}\nimport sqlglot, tabchat.engine.ast_core\n"
        "try:\n    sqlglot.parse_one('SELECT 1', dialect='nobodys')\n"
        "except ValueError as error:\n    print(error)\n"
        "from importlib import metadata\nprint(metadata.version('sqlglot') == sqlglot.__version__)"
    )
    assert said(code) == "Unknown dialect 'nobodys'.\nTrue"


def test_metadata_asked_for_during_the_import_are_the_real_ones() -> None:
    code = (
        "import sys\n"
        "from tabchat.engine import ast_core\n"
        "standing = ast_core._Metadata('importlib.metadata')\n"
        "sys.modules['importlib.metadata'] = standing\n"
        "print(standing.version('sqlglot') == __import__('sqlglot').__version__)\n"
        "print(sys.modules['importlib.metadata'] is standing)"
    )
    assert said(code) == "True\nFalse"
