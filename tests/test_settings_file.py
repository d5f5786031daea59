"""The person's settings file: every setting explained, one line changed at a time, the rest as it was."""

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.config import Settings, load_settings, person_file
from tabchat.errors import OutputExistsError, UsageError
from tabchat.settings_file import attribute_docs, begin, put, take_out, template
from tests.effort import examples

FILE = """\
# mine
rows = 5  # few, "as I like" # really

hide = [
  "email",  # the people
  'name',
]
api_base = "http://h/#v1" # local
# week_start = "monday"

[sessions]
rows = ["09:30", "16:00"]
"""


@pytest.fixture
def person(isolated_home: Path) -> Path:
    path = isolated_home / ".config" / "tabchat" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(FILE)
    return path


def test_the_template_explains_every_setting_and_sets_none(isolated_home: Path) -> None:
    assert tomllib.loads(template()) == {}
    assert set(attribute_docs(Settings)) == {item.name for item in fields(Settings)}
    # Each example is one that loading takes.
    path = person_file()
    path.parent.mkdir(parents=True)
    lines = [line.removeprefix("# ") for line in template().splitlines() if " = " in line]
    path.write_text("\n".join(line for line in lines if line.split(" = ")[0] in attribute_docs(Settings)))
    assert load_settings(directory=isolated_home).model == "openai/gpt-5-mini"


def test_a_file_is_begun_once_and_is_private(isolated_home: Path) -> None:
    path = begin()
    assert (path, path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (
        person_file(),
        0o600,
        0o700,
    )
    path.write_text("rows = 7\n")
    with pytest.raises(OutputExistsError, match="stays as it is"):
        begin()
    assert path.read_text() == "rows = 7\n"


@pytest.mark.parametrize(
    "name, text, before, after",
    [
        ("rows", "20", 'rows = 5  # few, "as I like" # really\n', 'rows = 20  # few, "as I like" # really\n'),
        ("api_base", "http://x/v1", '"http://h/#v1" # local', '"http://x/v1" # local'),
        ("hide", "wage, name", "[\n  \"email\",  # the people\n  'name',\n]", '["wage", "name"]'),
        (
            "week_start",
            "sunday",
            '# week_start = "monday"\n',
            '# week_start = "monday"\nweek_start = "sunday"\n',
        ),
        ("vi", "true", '# week_start = "monday"\n', '# week_start = "monday"\nvi = true\n'),
        (
            "model",
            'a"b\\\x7f',
            '# week_start = "monday"\n',
            '# week_start = "monday"\nmodel = "a\\"b\\\\\\u007f"\n',
        ),
    ],
)
def test_a_value_is_set_and_the_rest_stays(
    person: Path, name: str, text: str, before: str, after: str
) -> None:
    put(name, text)
    assert person.read_text() == FILE.replace(before, after, 1)
    assert getattr(load_settings(directory=person.parent), name) == put(name, text)


def test_a_value_is_taken_out_and_the_rest_stays(person: Path) -> None:
    take_out("hide")
    assert person.read_text() == FILE.replace("hide = [\n  \"email\",  # the people\n  'name',\n]\n", "")
    with pytest.raises(UsageError, match="does not set 'hide'"):
        take_out("hide")


@pytest.mark.parametrize(
    "name, text, told",
    [
        ("rows", "many", "cannot be 'many'"),
        ("rows", "-1", "cannot be -1"),
        ("row", "1", "Unknown setting 'row'"),
        ("sessions", '{a = ["09:00", "10:00"]}', "in a table of its own"),
        ("openai_api_key", "sk-1", "stores no secrets"),
        ("api_base", "https://me:pw@host/v1", "would hold a password"),
        ("model", "openai/http://evil", "cannot hold the address"),
    ],
)
def test_what_cannot_be_set_leaves_the_file_as_it_is(person: Path, name: str, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        put(name, text)
    assert person.read_text() == FILE


def test_a_name_that_is_nearly_a_setting_is_told(person: Path) -> None:
    with pytest.raises(UsageError) as caught:
        put("privcy", "strict")
    assert (caught.value.hint or "").startswith("Did you mean privacy? Known settings: api_base, ")


def test_a_link_into_a_folder_of_dotfiles_stays_one(person: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("rows = 1\r\n# end")
    person.unlink()
    person.symlink_to(kept)
    put("vi", "yes")
    assert person.is_symlink()
    assert kept.read_bytes() == b"rows = 1\r\n# end\r\nvi = true\r\n"


def test_a_path_means_the_same_file_from_every_folder(
    person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert put("context", "names.toml") == tmp_path / "names.toml"


COMMENTS = st.text(st.characters(blacklist_categories=["Cc", "Cs"]), max_size=20)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(60)
)
@given(
    statements=st.permutations(["rows = 5", "vi = true", 'model = "#="', 'hide = ["]", "#"]']),
    comments=st.lists(COMMENTS, min_size=4, max_size=4),
    value=st.integers(0, 10**6),
)
def test_setting_changes_one_line_whatever_stands_around_it(
    person: Path, statements: list[str], comments: list[str], value: int
) -> None:
    lines = [f"{statement} # {comment}" for statement, comment in zip(statements, comments, strict=True)]
    person.write_text("\n".join(lines) + "\n", encoding="utf-8")
    put("rows", str(value))
    changed = [
        line.replace("rows = 5", f"rows = {value}") if line.startswith("rows") else line for line in lines
    ]
    assert person.read_text(encoding="utf-8").rstrip() == "\n".join(changed).rstrip()


@pytest.mark.parametrize("name", ["context", "model", "hide"])
def test_a_value_that_is_no_text_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not UTF-8"):
        put(name, "a\udcff")
