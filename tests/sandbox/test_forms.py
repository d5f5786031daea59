"""What code leaves in `result` comes back as a table, a value, named values, or text."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from tabchat.sandbox.policy import Purpose, SandboxPolicy
from tabchat.sandbox.reply.outcome import Ending, ResultForm
from tabchat.sandbox.runner import Sandbox
from tabchat.sandbox.worker.placing import PLACE
from tests.sandbox.asking import SALES, run, run_unguarded

TIMES = pa.table(
    {
        "day": pa.array([dt.date(2024, 1, 31), dt.date(2024, 2, 1), None]),
        "amount": [1.0, 2.0, 3.0],
    }
)


@pytest.mark.parametrize(
    "code, value",
    [
        ("df['units'].sum()", 6),
        ("df['amount'].mean()", 2.5),
        ("df['amount'].max() > 3", True),
        ("df['region'].iloc[0]", "north"),
        ("None", None),
        ("np.float64('nan')", None),
        ("pd.NaT", None),
        ("2**62", 2**62),
        ("float('inf')", float("inf")),
        ("pd.Timestamp('2024-02-03 04:05')", dt.datetime(2024, 2, 3, 4, 5)),  # noqa: DTZ001 - naive as asked
        ("datetime.date(2024, 2, 3)", dt.date(2024, 2, 3)),
        ("pd.Timedelta('1 days 2 hours')", dt.timedelta(days=1, hours=2)),
        ("np.array(3)", 3),
    ],
)
def test_a_scalar_is_a_plain_value(sandbox: Sandbox, code: str, value: object) -> None:
    outcome = run_unguarded(sandbox, f"result = {code}")
    assert (outcome.ending, outcome.form) == (Ending.ANSWERED, ResultForm.SCALAR)
    assert outcome.value == value
    assert type(outcome.value) is type(value)


def test_what_names_too_much_becomes_a_table(sandbox: Sandbox) -> None:
    for code, rows in (
        ("{n: n for n in range(1001)}", 1001),
        ("{n: 'x' * 5000 for n in range(50)}", 50),
        ("{'k' * 600 + str(n): n for n in range(3)}", 3),
    ):
        outcome = run_unguarded(sandbox, f"result = {code}")
        assert outcome.table is not None
        assert (outcome.table.num_rows, outcome.table.column_names) == (rows, ["key", "value"])


def test_a_frame_without_columns_is_empty(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, "result = df[[]]")
    assert outcome.table is not None
    assert (outcome.table.num_rows, outcome.table.num_columns, outcome.row_count) == (0, 0, 0)


def test_too_many_columns_are_the_code_s_own_fault(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, "result = pd.DataFrame([range(5001)])")
    assert outcome.ending is Ending.RAISED
    assert "5,001 columns" in str(outcome.error())


def test_an_exact_decimal_stays_exact(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, "from decimal import Decimal\nresult = Decimal('0.10')")
    assert outcome.value == Decimal("0.10")


@pytest.mark.parametrize(
    "code, rows",
    [
        ("df['amount']", {"amount": [1.5, 2.0, 4.0]}),
        ("df['amount'] * 2", {"amount": [3.0, 4.0, 8.0]}),
        ("df['amount'].astype('float16') / 3", {"amount": [0.5, 0.66650390625, 1.3330078125]}),
        ("df[df['amount'] > 1.5]", {"region": ["south", "north"], "amount": [2.0, 4.0], "units": [2, 3]}),
        ("df.sort_values('amount', ascending=False)['units']", {"units": [3, 2, 1]}),
        ("df.groupby('region')['units'].sum()", {"region": ["north", "south"], "units": [4, 2]}),
        ("df.groupby('region')[['units']].agg(['min', 'max'])",
         {"region": ["north", "south"], "units_min": [1, 2], "units_max": [3, 2]}),
        ("df['units'].describe()[['min', 'max']]", {"index": ["min", "max"], "units": [1.0, 3.0]}),
        ("pd.Series({2020: 1, 2021: 2})", {"index": [2020, 2021], "value": [1, 2]}),
        ("df['region'].value_counts()", {"region": ["north", "south"], "count": [2, 1]}),
        ("[3, 1]", {"value": [3, 1]}),
        ("{'b', 'a'}", {"value": ["a", "b"]}),
        ("(('a', 1), ('b', 2))", {"value_1": ["a", "b"], "value_2": [1, 2]}),
        ("[{'a': 1}, {'a': 2}]", {"a": [1, 2]}),
        ("df['region'].unique()", {"value": ["north", "south"]}),
        ("df.columns", {"value": ["region", "amount", "units"]}),
        ("np.array([[1, 2], [3, 4]])", {"0": [1, 3], "1": [2, 4]}),
        ("{'a': [1, 2], 'b': ['x', 'y']}", {"a": [1, 2], "b": ["x", "y"]}),
        ("df['region'].astype('category')", {"region": ["north", "south", "north"]}),
        ("pd.Series([1 + 2j])", {"value": ["(1+2j)"]}),
        ("pd.Series([1, 'a'])", {"value": ["1", "a"]}),
        ("pd.DataFrame([[1, 2]], columns=['a', 'a'])", {"a": [1], "a_2": [2]}),
        ("df[['units']].set_index(df['region']).T", {"index": ["units"], "north": [1], "south": [2], "north_2": [3]}),
    ],
)  # fmt: skip
def test_rows_are_a_table(sandbox: Sandbox, code: str, rows: dict[str, list[object]]) -> None:
    outcome = run_unguarded(sandbox, f"result = {code}")
    assert (outcome.ending, outcome.form) == (Ending.ANSWERED, ResultForm.FRAME)
    assert outcome.table is not None
    assert outcome.table.to_pydict() == rows
    assert outcome.row_count == len(next(iter(rows.values())))


@pytest.mark.parametrize(
    "code, values",
    [
        ("{'n': len(df), 'mean': df['amount'].mean()}", {"n": 3, "mean": 2.5}),
        ("{'of': df['units'].describe()[['min', 'max']], 'n': 3}", {"of.min": 1.0, "of.max": 3.0, "n": 3}),
        ("{('a', 1): True}", {"a, 1": True}),
        ("{}", {}),
    ],
)
def test_named_values_are_a_dict(sandbox: Sandbox, code: str, values: dict[str, object]) -> None:
    outcome = run_unguarded(sandbox, f"result = {code}")
    assert (outcome.form, outcome.values) == (ResultForm.DICT, values)


def test_a_statistical_test_gives_its_fields(sandbox: Sandbox) -> None:
    pytest.importorskip("scipy")
    outcome = run_unguarded(
        sandbox, "from scipy import stats\nresult = stats.ttest_ind([1, 2, 3], [2, 3, 5])"
    )
    assert outcome.form is ResultForm.DICT
    values: Any = outcome.values
    assert round(values["statistic"], 6) == -1.264911
    assert round(values["pvalue"], 4) == 0.2746


def test_a_regression_gives_its_figures_and_terms(sandbox: Sandbox) -> None:
    pytest.importorskip("statsmodels")
    code = (
        "import statsmodels.api as sm\n"
        "x = pd.Series([1.0, 2, 3, 4], name='x')\n"
        "result = sm.OLS(2 * x + 1 + pd.Series([.1, -.1, -.1, .1]), sm.add_constant(x)).fit()"
    )
    values: Any = run_unguarded(sandbox, code).values
    assert values["n"] == 4.0
    assert round(values["coefficient x"], 9) == 2.0
    assert round(values["coefficient const"], 9) == 1.0


def test_anything_else_is_text_with_a_note(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, "result = df.groupby('region')")
    assert outcome.form is ResultForm.TEXT
    assert "DataFrameGroupBy" in (outcome.text or "")
    assert "shown as text" in outcome.remarks[0]


def test_dates_stay_dates_where_every_cell_fits(sandbox: Sandbox) -> None:
    kept = run(sandbox, "result = df.sort_values('day', ascending=False)", table=TIMES).table
    assert kept is not None
    assert kept.schema.field("day").type == pa.date32()
    moved = run(sandbox, "df['day'] = df['day'] + pd.Timedelta(hours=1)\nresult = df", table=TIMES).table
    assert moved is not None
    assert pa.types.is_timestamp(moved.schema.field("day").type)


def test_whole_numbers_beside_missing_cells_stay_whole(sandbox: Sandbox) -> None:
    table = pa.table({"n": pa.array([1, None, 3], pa.int32()), "k": ["a", "b", "a"]})
    summed = run(sandbox, "result = df.groupby('k', as_index=False)['n'].sum()", table=table).table
    assert summed is not None
    assert summed.to_pydict() == {"k": ["a", "b"], "n": [4, 0]}
    assert summed.schema.field("n").type == pa.int32()
    halved = run(sandbox, "df['n'] = df['n'] / 2\nresult = df", table=table).table
    assert halved is not None
    assert halved.column("n").to_pylist() == [0.5, None, 1.5]


def test_an_edit_gives_the_whole_table_and_is_never_cut(sandbox: Sandbox) -> None:
    outcome = run(
        sandbox,
        "df['amount'] = df['amount'] * 2\nCOMMIT_DF = True",
        purpose=Purpose.EDIT,
        policy=SandboxPolicy(max_rows=1),
    )
    assert outcome.table is not None
    expected = SALES.set_column(1, "amount", pa.array([3.0, 4.0, 8.0]))
    assert outcome.table == expected.append_column(PLACE, pa.array([0, 1, 2]))


def test_rows_over_the_limit_are_cut_and_counted(sandbox: Sandbox) -> None:
    outcome = run(sandbox, "result = df", policy=SandboxPolicy(max_rows=2))
    assert outcome.table is not None
    assert (outcome.table.num_rows, outcome.row_count) == (2, 3)
    assert outcome.notes == ("The result has 3 rows; the first 2 are kept.",)


def test_output_over_the_limit_is_cut_and_counted(sandbox: Sandbox) -> None:
    outcome = run(sandbox, "print('ab' * 5000)\nresult = 1")
    assert outcome.stdout == "ab" * 4000
    assert outcome.notes == ("The output was cut from 10,001 to 8,000 characters.",)


def test_output_and_names_bring_no_control_characters(sandbox: Sandbox) -> None:
    outcome = run(
        sandbox, "print('\\x1b]0;gotcha\\x07 done\\n')\nresult = df.rename(columns={'units': 'a\\x1b[2Jb'})"
    )
    assert outcome.stdout == "�]0;gotcha� done\n\n"
    assert outcome.table is not None
    assert outcome.table.column_names == ["region", "amount", "a [2Jb"]


@pytest.mark.parametrize(
    "code, places",
    [
        ("df = df.pivot_table(index='region', values='amount', aggfunc=['sum', 'mean'])", [-1, -1]),
        ("df = df[['region', 'units']].iloc[1:].reset_index(drop=True)", [1, 2]),
    ],
)
def test_rows_of_mostly_new_columns_are_no_rows_of_before(
    sandbox: Sandbox, code: str, places: list[int]
) -> None:
    outcome = run(sandbox, f"{code}\nCOMMIT_DF = True", purpose=Purpose.EDIT)
    assert outcome.table is not None
    assert outcome.table.column(PLACE).to_pylist() == places
