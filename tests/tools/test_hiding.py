"""Hidden columns do not exist for a model: not their names, not their values, not that there are any."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.config import load_settings
from tabchat.errors import DataKeyError, QueryFailedError, UsageError
from tabchat.session import Session
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.hiding import check_hidden, hidden_twins, visible_tables
from tabchat.tools.registry import Workspace
from tests.workspace import make_executor, make_workspace

ROWS = 12
HIDDEN = "geheim"


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A table with a number and a date to hide, first among its columns, and a second table; nothing changes them."""
    folder = tmp_path_factory.mktemp("person")
    lines = [f"2031-05-{n + 1:02d},{770_000 + n},n{n}x,{'ab'[n % 2]},{n}" for n in range(ROWS)]
    staff = folder / "staff.csv"
    staff.write_text("\n".join(("born,Geheim,name,region,n", *lines)))
    other = folder / "other.csv"
    other.write_text("name,geheim,k\nn1x,5,1\n")
    return replace(make_workspace(folder, staff, other), is_person=True)


@pytest.fixture
def model(person: Workspace) -> ToolExecutor:
    return make_executor(person.for_model(["staff.geheim", "BORN"]))


SQL = (
    "SELECT * FROM staff",
    "SELECT s.* FROM staff s",
    "SELECT staff FROM staff",
    "SELECT to_json(staff) FROM staff",
    "SELECT unnest(staff) FROM staff",
    "SELECT COLUMNS(*) FROM staff",
    "SELECT #1, #2 FROM staff",
    "SELECT * EXCLUDE (n) FROM staff",
    "SELECT * FROM staff ORDER BY ALL",
    "SELECT * FROM staff a POSITIONAL JOIN staff b",
    "SELECT * FROM staff a JOIN staff b USING (n)",
    "SELECT list(staff) FROM staff",
    "FROM (FROM staff)",
    "WITH staff AS (SELECT * FROM staff) SELECT * FROM staff",
    "WITH RECURSIVE staff AS (SELECT * FROM staff) SELECT * FROM staff",
    'WITH "STAFF" AS (SELECT * FROM staff) SELECT * FROM staff',
    "SELECT * FROM unnest((SELECT list(staff) FROM staff))",
    "SELECT region, count(*) FROM staff GROUP BY region",
    "SELECT typeof(staff) FROM staff LIMIT 1",
    "SELECT * FROM staff WHERE nosuch = 1",
    "SELECT gehei FROM staff",
    "SELECT staff.geheim FROM staff",
    "SELECT GEHEIM FROM staff",
    'SELECT "Geheim" FROM staff',
    "SELECT struct_extract(staff, 'Geheim') FROM staff",
    "SELECT * FROM staff JOIN other USING (geheim)",
    "SELECT COLUMNS('(?i)geh.*') FROM staff",
    "SELECT * EXCLUDE (geheim) FROM staff",
    "SELECT DISTINCT ON (geheim) name FROM staff",
    "SELECT name FROM staff QUALIFY row_number() OVER (ORDER BY geheim) = 1",
    "SELECT __row__ FROM staff",
)


@pytest.mark.parametrize("sql", SQL)
def test_no_sql_reaches_a_hidden_column(model: ToolExecutor, sql: str) -> None:
    outcome = model.run("run_sql", {"sql": sql})
    said = json.dumps(outcome.envelope.to_json(), ensure_ascii=False)
    assert "7700" not in said
    assert "born" not in said
    # An error may say back the name that the caller guessed, as of any other name that does not exist.
    assert HIDDEN not in said.casefold() or (not outcome.envelope.ok and HIDDEN in sql.casefold())
    if outcome.result is not None:
        frames = [outcome.result.frame, *([outcome.result.source] if outcome.result.source else [])]
        assert not any("7700" in str(frame.rows()) or "2031" in str(frame.rows()) for frame in frames)
        assert not any(name.casefold() in {"born", "__row__"} for frame in frames for name in frame.columns)


PLANS: tuple[dict[str, object], ...] = (
    {},
    {"limit": 3},
    {"map": {"Geheim": "1"}, "select": "sum(Geheim)"},
    {"map": {"a": "prev(name)", "geheim": "a", "x": "prev(geheim)"}, "where": "x != 'q'"},
    {"steps": [{"map": {"Geheim": "prev(name)"}}, {"select": "max(Geheim)"}]},
    {"select": "sum(n)", "group_by": "region"},
    {"period": "2031"},
    {"select": "sum(geheim)"},
    {"where": "born > 3"},
    {"group_by": "geheim"},
    {"sort": "nosuch"},
    {"time_column": "born"},
)


@pytest.mark.parametrize("plan", PLANS)
def test_no_plan_reaches_a_hidden_column(model: ToolExecutor, plan: dict[str, object]) -> None:
    outcome = model.run("run_query", {"table": "staff", **plan})  # type: ignore[dict-item] # plans are JSON
    said = json.dumps(outcome.envelope.to_json(), ensure_ascii=False)
    assert "7700" not in said
    assert "2031" not in said or "2031" in str(plan)
    assert HIDDEN not in said.casefold() or HIDDEN in str(plan).casefold()
    assert "born" not in said or "born" in str(plan)
    if outcome.result is not None:
        frames = [outcome.result.frame, *([outcome.result.source] if outcome.result.source else [])]
        assert not any("7700" in str(frame.rows()) or "2031" in str(frame.rows()) for frame in frames)


def test_a_hidden_column_answers_like_one_that_does_not_exist(model: ToolExecutor) -> None:
    for tool, arguments in (
        ("describe_column", {"table": "staff", "column": "@"}),
        ("find_values", {"table": "staff", "column": "@", "text": "77"}),
        ("run_query", {"table": "staff", "select": "sum(@)"}),
        ("run_sql", {"sql": "SELECT @ FROM staff"}),
    ):
        hidden, missing = (
            model.execute(tool, {name: value.replace("@", column) for name, value in arguments.items()})
            for column in ("geheim", "gxyzim")
        )
        assert not hidden.ok
        assert hidden.summary.replace("geheim", "gxyzim") == missing.summary


def test_the_person_sees_what_is_hidden_from_models(person: Workspace, model: ToolExecutor) -> None:
    own = make_executor(person).run("run_sql", {"sql": "SELECT * FROM staff"})
    theirs = model.run("run_sql", {"sql": "SELECT * FROM staff"})
    assert own.result is not None
    assert theirs.result is not None
    assert own.result.frame.columns == ("born", "Geheim", "name", "region", "n")
    assert theirs.result.frame.columns == ("name", "region", "n")
    assert own.envelope.data_key != theirs.envelope.data_key


def test_a_plan_has_a_key_of_its_own_where_columns_are_hidden(person: Workspace, model: ToolExecutor) -> None:
    plan = {"table": "staff", "select": "sum(n)", "group_by": "region"}
    assert (
        make_executor(person).execute("run_query", plan).data_key != model.execute("run_query", plan).data_key
    )
    # Nothing is hidden of the other table, so its keys stay the same.
    plan["table"] = "other"
    plan |= {"select": "sum(k)", "group_by": "name"}
    assert (
        make_executor(person).execute("run_query", plan).data_key == model.execute("run_query", plan).data_key
    )


def test_results_with_a_hidden_column_do_not_exist_for_a_model(
    person: Workspace, model: ToolExecutor
) -> None:
    own = make_executor(person)
    tainted = [
        own.execute("run_query", {"table": "staff", "limit": 2}),
        own.execute("run_query", {"table": "staff", "map": {"x": "geheim + 0"}, "columns": "x"}),
        own.execute("run_query", {"table": "staff", "select": "sum(n)", "period": "2031"}),
        own.execute("run_sql", {"sql": "SELECT geheim AS x FROM staff"}),
        own.execute("run_sql", {"sql": "SELECT max(hash(staff)) AS x FROM staff"}),
    ]
    tainted.append(own.execute("run_sql", {"sql": f"SELECT count(*) FROM {tainted[3].data_key}"}))
    for envelope in tainted:
        key = str(envelope.data_key)
        unknown = model.execute("describe_result", {"data_key": "ds_" + "a" * 20})
        for tool, arguments in (
            ("describe_result", {"data_key": key}),
            ("describe_table", {"table": key}),
            ("run_query", {"table": key}),
            ("run_sql", {"sql": f"SELECT * FROM {key}"}),
        ):
            refused = model.execute(tool, arguments)
            assert refused.error == "DataKeyError"
            told = refused.summary.replace(key, "K").partition("': ")[2]
            assert told == unknown.summary.replace("ds_" + "a" * 20, "K").partition("': ")[2]


def test_a_result_without_any_hidden_column_can_be_used(person: Workspace, model: ToolExecutor) -> None:
    own = make_executor(person)
    clean = own.execute("run_query", {"table": "staff", "select": "sum(n)", "group_by": "region"})
    counted = model.run("run_query", {"table": str(clean.data_key), "select": "max(sum_n)"})
    assert counted.result is not None
    assert counted.result.value == 36
    theirs = model.execute("run_sql", {"sql": "SELECT name, n FROM staff"})
    again = model.run("run_sql", {"sql": f"SELECT count(*) FROM {theirs.data_key}"})
    assert again.result is not None
    assert again.result.value == ROWS


def test_hiding_more_later_covers_what_was_computed_before(person: Workspace) -> None:
    first = make_executor(person.for_model(["geheim"]))
    key = first.execute("run_sql", {"sql": "SELECT name, n FROM staff"}).data_key
    stricter = make_executor(person.for_model(["geheim", "name"]))
    assert isinstance(stricter.run("describe_result", {"data_key": key}).failure, DataKeyError)


def test_notes_on_how_a_file_was_read_do_not_name_hidden_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Geheim,other\n" + "007,1\n" * 3 + "008,x\n")
    table = make_workspace(tmp_path, path).tables["t"]
    assert any(note.column == "Geheim" for note in table.report.notes)
    visible = visible_tables({"t": table}, ["geheim"])["t"]
    assert HIDDEN not in str([note.to_json() for note in visible.report.notes]).casefold()
    assert visible_tables({"t": table}, ["geheim", "other"]) == {}


def test_a_name_that_hides_nothing_is_an_error_that_names_the_nearest(person: Workspace) -> None:
    check_hidden(person.tables, ["GEHEIM", "other.Name", "staff.n"])
    with pytest.raises(UsageError, match="no column 'gehiem' to hide") as caught:
        check_hidden(person.tables, ["region", "gehiem"])
    assert caught.value.hint is not None
    assert "Geheim" in caught.value.hint
    with pytest.raises(UsageError, match=r"no column 'other\.region'") as caught:
        check_hidden(person.tables, ["other.region"])
    assert caught.value.hint is not None
    assert "staff.region" in caught.value.hint


def test_an_ambiguous_cte_is_an_error_rather_than_a_view_of_the_whole_table(person: Workspace) -> None:
    sql = "WITH RECURSIVE staff AS (SELECT * FROM staff UNION SELECT * FROM staff) SELECT * FROM staff"
    assert isinstance(make_executor(person).run("run_sql", {"sql": sql}).failure, QueryFailedError)


@pytest.mark.parametrize("header", ["ssn,ssn", "ssn,SSN", " ssn ,ssn", "ssn_2,ssn,ssn"])
@pytest.mark.parametrize("hide", ["ssn", "SSN", "twins.ssn"])
def test_columns_under_one_header_are_hidden_together(tmp_path: Path, header: str, hide: str) -> None:
    source = tmp_path / "twins.csv"
    cells = ",".join(str(770_000 + n) for n in range(header.count(",") + 1))
    source.write_text(f"{header},n\n{cells},1\n")
    person = replace(make_workspace(tmp_path, source), is_person=True)
    shown = [column.name for column in visible_tables(person.tables, [hide])["twins"].schema]
    # A header of its own stays: `ssn_2` is what the file calls that column.
    assert shown == (["ssn_2", "n"] if header.startswith("ssn_2") else ["n"])
    (told,) = hidden_twins(person.tables, [hide])
    assert told.startswith(f"{hide!r} also hides ")
    secret = [str(770_000 + n) for n, name in enumerate(header.split(",")) if name != "ssn_2"]
    model = make_executor(person.for_model([hide]))
    for tool, arguments in (("describe_table", {}), ("run_sql", {"sql": "SELECT * FROM twins"})):
        seen = json.dumps(model.execute(tool, arguments).to_json())
        assert not [cell for cell in secret if cell in seen]


def test_a_twin_stays_hidden_when_the_first_column_is_dropped(tmp_path: Path) -> None:
    source = tmp_path / "twins.csv"
    source.write_text("ssn,ssn,n\n770000,770001,1\n")
    settings = load_settings({"hide": ["ssn"], "cache_dir": tmp_path / "cache"})
    with Session.open([source], settings=settings) as session:
        session.commit(session.preview_edit({"operation": "drop_columns", "columns": ["ssn"]}))
        assert [column.name for column in session.current.schema] == ["ssn_2", "n"]
        seen = visible_tables(session.tables, session.settings.hide)["twins"]
        assert [column.name for column in seen.schema] == ["n"]
        done = session.preview_edit({"operation": "rename_columns", "names": {"ssn_2": "id"}})
        assert done.hides == ("twins.id",)
