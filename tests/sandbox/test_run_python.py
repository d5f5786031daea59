"""Pandas code as a tool: what it gives the person, and how little of it a model learns."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.config import PrivacyLevel, load_settings
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import JsonValue
from tabchat.errors import CodeFailedError, CodeRefusedError, SandboxUnavailableError
from tabchat.sandbox.runner import Sandbox
from tabchat.session import Session
from tabchat.tools.envelope import ToolOutcome
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.preview import rows_text
from tabchat.tools.privacy import ALLOWANCE
from tabchat.tools.registry import ANALYSIS, FULL, MINIMAL, Workspace
from tests.workspace import make_executor, make_workspace

ROWS = "region,amount,secret\nnorth,1.5,kqa\nsouth,2,kqb\nnorth,4,kqc\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Workspace:
    """A table that no test changes."""
    folder = tmp_path_factory.mktemp("code")
    source = folder / "sales.csv"
    source.write_text(ROWS)
    return replace(make_workspace(folder, source), run_code=sandbox.run, is_person=True)


def run(workspace: Workspace, code: str) -> ToolOutcome:
    return make_executor(workspace, FULL).run("run_python", {"code": code})


def test_a_frame_is_a_table_that_is_kept_under_its_key(workspace: Workspace) -> None:
    outcome = run(workspace, "result = df.groupby('region', as_index=False)['amount'].sum()")
    assert outcome.result is not None
    assert outcome.result.kind is ResultKind.TABLE
    assert outcome.result.frame.rows() == [("north", 5.5), ("south", 2.0)]
    kept = workspace.store.frame(str(outcome.envelope.data_key), workspace.engine)
    assert kept is not None
    assert kept.rows() == [("north", 5.5), ("south", 2.0)]


def test_a_value_has_the_table_behind_it(workspace: Workspace) -> None:
    outcome = run(workspace, "print('so many')\nresult = len(df)")
    assert outcome.result is not None
    assert (outcome.result.kind, outcome.result.value) == (ResultKind.SCALAR, 3)
    assert outcome.result.source is not None
    assert outcome.result.source_row_count == len(outcome.result.source.rows()) == 3
    assert outcome.printed == "so many\n"


def test_named_values_are_a_dict_and_many_of_them_are_rows(workspace: Workspace) -> None:
    few = run(workspace, "result = {'low': 1.5, 'high': 4.0}")
    assert few.result is not None
    assert (few.result.kind, few.result.values) == (ResultKind.DICT, {"low": 1.5, "high": 4.0})
    many = run(workspace, "result = {str(n): n for n in range(60)}")
    assert many.result is not None
    assert many.result.kind is ResultKind.TABLE
    assert many.result.frame.rows()[59] == ("59", 59)


@pytest.mark.parametrize(
    "code, error",
    [
        ("open('/etc/passwd')", CodeRefusedError),
        ("result = df['nothing']", CodeFailedError),
        ("total = 1", CodeRefusedError),
    ],
)
def test_code_that_gives_nothing_is_an_error(workspace: Workspace, code: str, error: type[Exception]) -> None:
    outcome = run(workspace, code)
    assert isinstance(outcome.failure, error)
    assert not outcome.envelope.ok


def test_the_usual_tools_run_code_and_the_fewest_do_not(workspace: Workspace) -> None:
    asked = workspace.for_model(())
    assert make_executor(asked, ANALYSIS).execute("run_python", {"code": "result = 1"}).ok
    outcome = make_executor(asked, MINIMAL).run("run_python", {"code": "result = 1"})
    assert outcome.envelope.error == "tool_not_enabled"


def definition(workspace: Workspace) -> Mapping[str, JsonValue] | None:
    tools = {str(tool["name"]): tool for tool in make_executor(workspace, FULL).get_tool_definitions()}
    return tools.get("run_python")


def test_code_is_offered_only_where_it_can_run(workspace: Workspace) -> None:
    assert definition(workspace) is not None
    assert definition(replace(workspace, run_code=None)) is None


def test_the_libraries_that_are_there_are_named(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = "No import needed: df, pd, np, re, math, statistics, datetime"
    offered = definition(workspace)
    assert offered is not None
    assert f"{bare}, scipy, stats, sm, smf and the estimators of scikit-learn." in str(offered["description"])
    monkeypatch.setattr("tabchat.tools.code.run.stats_installed", lambda: False)
    offered = definition(workspace)
    assert offered is not None
    assert str(offered["description"]).endswith(f"{bare}.")


def test_where_nothing_can_be_changed_no_edit_is_offered(workspace: Workspace) -> None:
    offered = definition(workspace)
    assert offered is not None
    assert "edit" not in str(offered)
    refused = make_executor(workspace, ANALYSIS).execute(
        "run_python", {"code": "df = df.head(1); COMMIT_DF = True", "op": "edit"}
    )
    assert refused.error == "invalid_arguments"


def rows_of(outcome: ToolOutcome) -> str:
    assert outcome.envelope.ok, outcome.envelope.summary
    return rows_text(outcome.envelope.preview, int(str(outcome.envelope.metrics["row_count"])))


def test_figures_of_code_are_given_in_full_and_texts_that_are_unknown_are_not(workspace: Workspace) -> None:
    outcome = told(workspace, "result = df.groupby('region', as_index=False)['amount'].sum()")
    assert rows_of(outcome) == "rows:\nregion | amount\n(text) | 5.5\n(text) | 2"
    assert "2 texts are not shown: cite them by their place, as region[0], or by argmax." in str(
        outcome.envelope
    )
    assert "north" not in str(outcome.envelope)


def test_labels_that_the_code_spells_out_are_given(workspace: Workspace) -> None:
    code = "size = np.where(df['amount'] > 1.8, 'large one', 'small')\n"
    outcome = told(workspace, code + "result = df.groupby(size)['amount'].sum()")
    assert rows_of(outcome) == 'rows:\nindex | amount\n"large one" | 6\nsmall | 1.5'
    assert told(workspace, "result = 'yes' if len(df) else 'no'").envelope.summary.startswith("Result: yes")
    partly = told(workspace, "result = 'nor' + 'th'").envelope
    assert "north" not in str(partly)


def test_cells_that_the_model_was_sent_are_given(workspace: Workspace) -> None:
    executor = make_executor(workspace.for_model(("secret",)), ANALYSIS)
    executor.sent.add("  region: text, north, southern")
    code = "result = df.groupby('region', as_index=False)['amount'].sum()"
    outcome = executor.run("run_python", {"code": code})
    assert rows_of(outcome) == "rows:\nregion | amount\nnorth | 5.5\n(text) | 2"


def test_of_many_rows_the_first_and_of_many_columns_the_first_are_given(workspace: Workspace) -> None:
    long = told(workspace, "result = pd.DataFrame({'n': range(31)})")
    assert rows_of(long).startswith("rows (first 10 of 31):\nn\n0\n1\n")
    wide = told(workspace, "result = pd.DataFrame(np.ones((30, 13), dtype=int))")
    assert len(rows_of(wide).splitlines()) == 32
    assert rows_of(wide).splitlines()[2] == " | ".join("1" * 12)
    assert wide.envelope.metrics["preview_truncated"] is True


@pytest.mark.parametrize(
    "printing, said",
    [
        ("print('mean', df['amount'].mean())", "mean 2.5"),
        ("print(f'n = {len(df):,} of {df.shape}')", "n = 3 of (3, 2)"),
        ("print(df['region'].iloc[0], 1e-7, -3.5, 1234567.25)", "… 1e-07 -3.5 1234567.25"),
        ("print(df.groupby('region')['amount'].sum())", "region\n…    5.5\n…    2.0\nName: amount, dtype: …"),
        ("print(df['region'].str.cat(sep='') + '12')", "…"),
        ("print('a1', 'b' + df['region'].iloc[1])", "a1 …"),
        ("print('north'[:3] + df['region'].iloc[0][3:])", "north"),
    ],
)
def test_of_what_code_prints_a_model_gets_numbers_and_its_own_texts(
    workspace: Workspace, printing: str, said: str
) -> None:
    outcome = told(workspace, f"{printing}\nresult = 1")
    assert outcome.envelope.summary == f"Result: 1 (from 3 rows)\nprinted:\n{said}"
    assert outcome.printed.strip()


def test_at_strict_only_that_something_was_printed_is_said(workspace: Workspace) -> None:
    outcome = told(workspace, "print(len(df))\nresult = 7", PrivacyLevel.STRICT)
    said = "The code printed something that only the person sees."
    assert outcome.envelope.summary == f"Result: 1 value: result (from 3 rows)\n{said}"


def test_at_strict_no_figure_of_code_is_told(workspace: Workspace) -> None:
    code = "result = pd.DataFrame({'kind': ['a', 'b'], 'n': [4711.5, 815.25]})"
    outcome = told(workspace, code, PrivacyLevel.STRICT)
    assert outcome.envelope.summary == "Result: 2 rows with columns kind, n"
    assert outcome.envelope.preview is None
    assert "4711" not in str(outcome.envelope)


def test_without_a_sandbox_no_code_runs(workspace: Workspace) -> None:
    outcome = run(replace(workspace, run_code=None), "result = 1")
    assert isinstance(outcome.failure, SandboxUnavailableError)


def told(workspace: Workspace, code: str, level: PrivacyLevel = PrivacyLevel.SUMMARY) -> ToolOutcome:
    return run(replace(workspace.for_model(("secret",)), privacy=level), code)


def test_code_of_a_model_has_no_hidden_column(workspace: Workspace) -> None:
    assert told(workspace, "result = len(df.columns)").envelope.summary == "Result: 2 (from 3 rows)"
    outcome = told(workspace, "result = df['secret'].iloc[0]")
    assert isinstance(outcome.failure, CodeFailedError | CodeRefusedError)
    assert "kq" not in str(outcome.envelope).replace(str(outcome.envelope.data_key), "")


def test_a_model_is_told_numbers_and_no_text_that_may_hold_many_cells(workspace: Workspace) -> None:
    assert told(workspace, "result = float(df['amount'].sum())").envelope.summary.startswith("Result: 7.5")
    joined = told(workspace, "result = ' '.join(df['region'])")
    assert "north" not in str(joined.envelope)
    assert joined.result is not None
    assert joined.result.value == "north south north"


def test_at_strict_a_model_is_told_the_shape_alone(workspace: Workspace) -> None:
    outcome = told(workspace, "result = float(df['amount'].sum())", PrivacyLevel.STRICT)
    assert outcome.envelope.summary == "Result: 1 value: result (from 3 rows)"


NAMED_AFTER_CELLS = (
    "result = df.pivot_table(index='amount', columns='region', values='amount')",
    "result = dict(zip(df['region'], df['amount']))",
    "result = pd.DataFrame({df['region'].iloc[0]: [1]})",
    "result = pd.Series(1, index=pd.Index([1], name=df['region'].iloc[0]))",
    "result = {name[:3] + 'th': 1 for name in df['region']}; prefix = 'nor'",
    "result = df[['amount']].map(lambda x: [x]).rename(columns={'amount': df['region'].iloc[0]})",
    "result = {'deep': {df['region'].iloc[0]: 1, 'b': [1]}}",
)


def later(executor: ToolExecutor) -> str:
    """Ask for the last result in every other way."""
    calls: tuple[tuple[str, dict[str, JsonValue]], ...] = (
        ("describe_table", {"table": "_"}),
        ("find_values", {"table": "_", "text": "1"}),
        ("run_query", {"table": "_", "columns": "nort"}),
        ("run_query", {"table": "_"}),
        ("run_python", {"table": "_", "code": "result = df"}),
        ("run_python", {"table": "_", "code": "result = list(df.columns)"}),
        ("run_python", {"table": "_", "code": "result = df['nort']"}),
        ("run_sql", {"sql": "SELECT * FROM _"}),
        ("run_sql", {"sql": "SELECT nort FROM _"}),
        ("run_sql", {"sql": "SELECT COLUMNS(*) FROM _"}),
        ("run_sql", {"sql": "UNPIVOT _ ON COLUMNS(*)"}),
    )
    numbers = executor.workspace.numbers
    key = numbers.latest
    told = []
    for name, arguments in calls:
        numbers.latest = key
        told.append(str(executor.execute(name, arguments)))
    return "\n".join(told)


@pytest.mark.parametrize("code", NAMED_AFTER_CELLS)
def test_at_strict_only_the_number_of_names_that_may_be_cells_is_told(
    workspace: Workspace, code: str
) -> None:
    strict = replace(workspace.for_model(("secret",)), privacy=PrivacyLevel.STRICT)
    executor = make_executor(strict, FULL)
    outcome = executor.run("run_python", {"code": code})
    assert outcome.envelope.ok, outcome.envelope.summary
    assert "that are not named" in outcome.envelope.summary
    assert "north" not in str(outcome.envelope)
    assert "north" not in str(executor.execute("describe_result", {"data_key": "_"}))
    assert "north" not in later(executor)
    assert outcome.result is not None
    assert any("north" in name for name in outcome.result.frame.columns), "the person sees them"


@pytest.mark.parametrize("code", NAMED_AFTER_CELLS)
def test_names_that_may_be_cells_are_told_as_cells_are(workspace: Workspace, code: str) -> None:
    executor = make_executor(workspace.for_model(("secret",)), FULL)
    named = executor.run("run_python", {"code": code})
    assert "north" in str(named.envelope)
    assert "north" not in later(executor)


@pytest.mark.parametrize(
    "level, written",
    [
        *((level, "str(v)") for level in PrivacyLevel),
        *((PrivacyLevel.SUMMARY, written) for written in ("f'{v}'", "'v' + str(v)", "f'{v:,}'")),
    ],
)
def test_no_question_is_told_more_names_than_cells(
    tmp_path: Path, sandbox: Sandbox, level: PrivacyLevel, written: str
) -> None:
    source = tmp_path / "amounts.csv"
    source.write_text("amount\n" + "".join(f"{700_000_000 + 7919 * n}\n" for n in range(1_000)))
    workspace = replace(make_workspace(tmp_path, source), run_code=sandbox.run, privacy=level)
    executor = make_executor(workspace.for_model(()), FULL)
    code = "result = pd.DataFrame([[1] * 300], columns=[WRITTEN for v in df['amount'][START:START + 300]])"
    code += "; parts = '0123456789'"
    told = [
        str(
            executor.execute(
                "run_python", {"code": code.replace("START", str(start)).replace("WRITTEN", written)}
            )
        )
        for start in (0, 300, 600)
    ]
    seen = {n for n in range(1_000) if any(str(700_000_000 + 7919 * n)[1:] in digits(text) for text in told)}
    assert len(seen) * 9 <= ALLOWANCE[level]
    if level is PrivacyLevel.STRICT:
        assert "300 that are not named" in told[0]


def test_at_strict_few_of_the_texts_of_code_are_told_as_names(workspace: Workspace) -> None:
    code = f"labels = {[f'k{n:02d}' for n in range(40)]}\nresult = {{k: 1 for k in labels}} | {{'amount': 2}}"
    summary = told(workspace, code, PrivacyLevel.STRICT).envelope.summary
    listed = ", ".join(f"k{n:02d}" for n in range(12))
    assert summary == f"Result: 41 values: {listed}, amount and 28 that are not named (from 3 rows)"
    assert "k39" in str(told(workspace, code).envelope)


def digits(text: str) -> str:
    return re.sub(r"(?<=\d),(?=\d)", "", text)


@pytest.mark.parametrize(
    "code, columns",
    [
        ("df.groupby('region').agg(total=('amount', 'sum'), n=('amount', 'count'))", "region, total, n"),
        ("df.groupby('region')[['amount']].agg(['min', 'max'])", "region, amount_min, amount_max"),
        ("df.groupby('region').agg({'amount': ['sum', 'mean']})", "region, amount_sum, amount_mean"),
        ("df[['amount']].describe()", "index, amount"),
        ("pd.DataFrame(np.ones((2, 3)))", "columns 0, 1, 2"),
        ("pd.concat([df['amount'], df['amount']], axis=1)", "amount, amount_2"),
        ("df.assign(ratio=df['amount'] / 2)[['ratio']]", "ratio"),
        ("{'low': 1.0, 'high value': 2.0}", 'low, "high value"'),
        ("df.pivot_table(index='region', columns='amount', values='amount', aggfunc='count')", "region and 3 that are not named"),
        ("pd.DataFrame([[1, 2, 3]], columns=[1, 0, 2])", "2 that are not named"),
    ],
)  # fmt: skip
def test_names_that_the_table_and_the_code_spell_out_are_told_at_strict(
    workspace: Workspace, code: str, columns: str
) -> None:
    summary = told(workspace, f"result = {code}", PrivacyLevel.STRICT).envelope.summary
    assert columns in summary


def test_a_model_is_not_told_the_cells_in_the_message_of_an_exception(workspace: Workspace) -> None:
    code = "result = float(df['region'].iloc[0])"
    outcome = told(workspace, code)
    assert isinstance(outcome.failure, CodeFailedError)
    assert "north" not in str(outcome.envelope)
    assert "ValueError in line 1" in outcome.envelope.summary
    assert "north" in str(run(workspace, code).failure)


def test_a_model_cannot_use_what_code_of_the_person_gave(workspace: Workspace) -> None:
    key = run(workspace, "result = df.rename(columns={'amount': df['secret'].iloc[0]})").envelope.data_key
    outcome = make_executor(workspace.for_model(()), FULL).run("describe_result", {"data_key": str(key)})
    assert not outcome.envelope.ok
    # A key is made of random letters.
    assert "kq" not in str(outcome.envelope).replace(str(key), "")


@pytest.mark.parametrize(
    "code, told",
    [
        ("df = df[df['amount'] > 1.6]", "2 rows, 3 before: 1 removed"),
        ("df = df[df['amount'] > 1.6].reset_index(drop=True)", "2 rows, 3 before: 1 removed"),
        (
            "df = df.sort_values('amount', ascending=False)\ndf['twice'] = df['amount'] * 2",
            "columns added: twice",
        ),
        ("df = pd.concat([df, df.head(1)], ignore_index=True)", "4 rows, 3 before: 1 added"),
        ("df.loc[df['region'] == 'north', 'amount'] = 0", "cells changed: 2 (amount 2)"),
    ],
)
def test_an_edit_by_code_says_exactly_what_changed(
    tmp_path: Path, sandbox: Sandbox, code: str, told: str
) -> None:
    source = tmp_path / "sales.csv"
    source.write_text(ROWS)
    with Session.open([source], settings=load_settings({"cache_dir": tmp_path / "cache"})) as session:
        session.code.lend(sandbox)
        pending = session.preview_code(f"{code}\nCOMMIT_DF = True")
        assert told in "\n".join(pending.summary.to_lines())
        session.commit(pending)
        edited = session.frame().rows()
        session.undo()
        assert session.frame().rows() == [("north", 1.5, "kqa"), ("south", 2.0, "kqb"), ("north", 4.0, "kqc")]
        session.redo()
        assert session.frame().rows() == edited
    assert source.read_text() == ROWS


def test_code_that_reads_changes_no_table(tmp_path: Path, sandbox: Sandbox) -> None:
    source = tmp_path / "sales.csv"
    source.write_text(ROWS)
    with Session.open([source], settings=load_settings({"cache_dir": tmp_path / "cache"})) as session:
        session.code.lend(sandbox)
        session.run("df['amount'] = 0\nresult = df.groupby('region')['amount'].sum()")
        assert session.query({"select": "sum(amount)"}).to_json()["value"] == 7.5


@pytest.mark.parametrize(
    "code, hint",
    [
        ("df['amout'].sum()", "Did you mean the column 'amount'?"),
        ("df.groupby('Region').size()", "Did you mean the column 'region'?"),
        ("df[['region', 'amout']]", "Did you mean the column 'amount'?"),
        ("df.groupby('region').agg({'amout': 'sum'})", "Did you mean the column 'amount'?"),
        ("df.query('amout > 1')", "Did you mean the column 'amount'?"),
        ("df['zzz']", "Columns: region, amount, secret."),
        ("df.loc[77]", "Correct the code and run it again."),
    ],
)
def test_a_column_that_is_not_there_is_answered_with_one_that_is(
    workspace: Workspace, code: str, hint: str
) -> None:
    failure = run(workspace, f"result = {code}").failure
    assert isinstance(failure, CodeFailedError)
    assert failure.hint == hint


def test_a_hidden_column_is_nobodys_hint(workspace: Workspace) -> None:
    asked = workspace.for_model(["secret"])
    failure = run(asked, "result = df['secre']").failure
    assert isinstance(failure, CodeFailedError)
    assert failure.hint == "Columns: region, amount."


def test_warnings_are_told_to_the_person_and_only_their_class_to_a_model(workspace: Workspace) -> None:
    code = "x = 1\n\nresult = float(np.log(-df['amount']).sum() + np.array('kqa').size)\n"
    told = run(workspace, code)
    assert told.result is not None
    assert told.result.metadata.warnings == ("RuntimeWarning in line 3: invalid value encountered in log",)
    heard = run(replace(workspace, is_person=False), code)
    assert heard.envelope.warnings[0] == "RuntimeWarning in line 3."


def test_a_loop_that_warns_a_thousand_times_is_told_once(workspace: Workspace) -> None:
    told = run(workspace, "result = [np.log(-x) for x in np.ones(1000)][:2]")
    assert told.result is not None
    assert len(told.result.metadata.warnings) == 1


@pytest.mark.parametrize(
    "code, said",
    [
        ("df[['amount']] / 0", ("3 values are infinite and shown as missing.",)),
        ("{'a': np.inf, 'b': np.nan}", ("1 value is infinite and shown as missing.",)),
        ("df['amount'] * np.nan", ()),
    ],
)
def test_infinite_values_are_told(workspace: Workspace, code: str, said: tuple[str, ...]) -> None:
    result = run(workspace, f"result = {code}").result
    assert result is not None
    assert result.metadata.warnings == said


def test_at_strict_a_number_of_rows_that_code_makes_is_a_class(workspace: Workspace) -> None:
    executor = make_executor(replace(workspace.for_model(()), privacy=PrivacyLevel.STRICT), FULL)
    code = "result = pd.DataFrame({'a': range(int(df['amount'].sum() * 1000))})"
    made = executor.execute("run_python", {"code": code})
    assert made.summary == "Result: more than 1,000 rows with columns a"
    said = [str(made.to_json())]
    for tool, arguments in (
        ("describe_table", {"table": str(made.data_key)}),
        ("describe_column", {"table": str(made.data_key), "column": "a"}),
        ("run_query", {"table": str(made.data_key), "select": "count()"}),
        ("run_python", {"table": str(made.data_key), "code": "result = len(df)"}),
    ):
        envelope = executor.execute(tool, arguments)
        assert envelope.ok, envelope.summary
        said.append(str(envelope.to_json()))
    assert "7500" not in "".join(said)


CHOOSING = """
labels = [LABELS]
result = pd.DataFrame([[1] * 3], columns=[k for k in labels if int(k[1:]) % 40 in {START, START + 1, START + 2}])
"""


def test_at_strict_names_that_code_chooses_are_few_in_a_question(workspace: Workspace) -> None:
    executor = make_executor(replace(workspace.for_model(()), privacy=PrivacyLevel.STRICT), FULL)
    code = CHOOSING.replace("LABELS", ", ".join(f"'k{n:02d}'" for n in range(40)))
    told = [
        executor.execute("run_python", {"code": code.replace("START", str(start))})
        for start in range(0, 36, 3)
    ]
    # A data key may have the letters of one inside.
    names = re.findall(r"\bk\d\d\b", "".join(str(envelope.to_json()) for envelope in told))
    assert sorted(set(names)) == [f"k{n:02d}" for n in range(12)]
    assert told[-1].summary == "Result: 1 rows with columns 3 that are not named"
    # Nor is a name told that was told before: which of them it is tells as much.
    again = executor.execute("run_python", {"code": code.replace("START", "1")})
    assert "k01" not in re.findall(r"\bk\d\d\b", str(again.to_json()))


def test_at_strict_headers_that_code_chooses_are_few_in_a_question(workspace: Workspace) -> None:
    executor = make_executor(replace(workspace.for_model(()), privacy=PrivacyLevel.STRICT), FULL)
    whole = "result = df.head(START)"
    parts = "result = df.head(START)[['amount', 'region']]"
    told = [
        executor.execute("run_python", {"code": code.replace("START", str(n))}).summary
        for code in (whole, parts)
        for n in range(1, 25)
    ]
    headers = ", ".join(workspace.for_model(()).tables["sales"].by_name)
    assert all(text.endswith(f"with columns {headers}") for text in told[:24])
    assert [text.endswith("amount, region") for text in told[24:]] == [True] * 20 + [False] * 4


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Workspace:
    """Sixty orders of five months, as a model sees them."""
    folder = tmp_path_factory.mktemp("orders")
    source = folder / "orders.csv"
    lines = (f"{n % 5 + 1},2024-01-{n % 28 + 1:02},{1000.5 + n * 7},c{n}" for n in range(60))
    source.write_text("month,day,amount,customer\n" + "\n".join(lines) + "\n")
    made = replace(make_workspace(folder, source), run_code=sandbox.run, is_person=False)
    return made.for_model(())


@pytest.mark.parametrize(
    "code",
    [
        "df.head(12)",
        "df.nlargest(20, 'amount')",
        "df[['amount']].head(12)",
        "df.assign(score=(df['amount'] - df['amount'].mean()) / df['amount'].std()).head(30)",
        "df.groupby(['month', 'amount'], as_index=False)['day'].max().head(15)",
    ],
)
def test_rows_of_the_table_are_no_figures_of_code(orders: Workspace, code: str) -> None:
    outcome = make_executor(orders, ANALYSIS).run("run_python", {"code": f"result = {code}"})
    assert outcome.envelope.ok, outcome.envelope.summary
    assert outcome.envelope.preview is None
    assert outcome.envelope.metrics["preview_truncated"] is True


def test_ten_rows_of_the_table_are_told_in_a_question_whatever_asks(orders: Workspace) -> None:
    executor = make_executor(orders, ANALYSIS)
    told = [
        executor.run("run_python", {"code": f"result = df.iloc[{start}:{start + 6}]"}).envelope
        for start in (0, 6)
    ]
    grouped = {"where": "amount > 1350", "group_by": "customer", "select": "sum(amount)"}
    others = executor.run("run_query", grouped).envelope
    assert [envelope.preview is not None for envelope in (*told, others)] == [True, False, False]


@pytest.mark.parametrize(
    "printing, said",
    [
        ("print([f'+38067{n}' for n in df['amount']][:2])", "[…, …]"),
        ("print({'a1': 5, str(df['amount'].iloc[0]): 6})", "…a1…: 5, …: 6…"),
        ("print(['month', 'day'], [1, 2.5])", "[…month…, …day…] [1, 2.5]"),
        ('print("it\'s", 5)', "it's 5"),
    ],
)
def test_digits_of_quoted_texts_that_code_prints_are_not_told(
    orders: Workspace, printing: str, said: str
) -> None:
    outcome = make_executor(orders, ANALYSIS).run("run_python", {"code": f"{printing}\nresult = 1"})
    assert outcome.envelope.summary == f"Result: 1 (from 60 rows)\nprinted:\n{said}"


@pytest.mark.parametrize(
    "code, rows",
    [
        ("df.groupby('month')['amount'].sum()", 5),
        ("df.groupby('month', as_index=False)['amount'].mean()", 5),
        ("df.groupby('month').size().reset_index(name='n')", 5),
        (
            "df.groupby(['month', 'day']).size().reset_index(name='n').groupby('month', as_index=False)['n'].sum()",
            5,
        ),
        ("pd.concat([df.groupby('month', as_index=False)['amount'].sum()] * 3)", 15),
        ("df.groupby(df['amount'] // 30)['amount'].sum()", 15),
    ],
)
def test_figures_of_groups_are_told_by_any_number(orders: Workspace, code: str, rows: int) -> None:
    outcome = make_executor(orders, ANALYSIS).run("run_python", {"code": f"result = {code}"})
    assert len(rows_of(outcome).splitlines()) == rows + 2


def test_code_over_sums_gives_no_rows_of_the_table(orders: Workspace) -> None:
    executor = make_executor(orders, ANALYSIS)
    query: dict[str, JsonValue] = {
        "map": {"band": "bucket(amount, 30)"},
        "group_by": "band",
        "select": "count() as n",
    }
    assert executor.run("run_query", query).envelope.ok
    outcome = executor.run("run_python", {"code": "result = df.sort_values('n')", "table": "_"})
    assert len(rows_of(outcome).splitlines()) > 12
