"""What the check of figures promises beyond single sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tabchat.chat.answer import Claim, DataBlock
from tabchat.chat.validator import Verdict, validate
from tabchat.chat.validator.verdict import FEEDBACK_LIMIT
from tabchat.config import Tolerance
from tests.chat.validator.written.results import results

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tabchat.engine.types import JsonValue


@pytest.fixture
def known(tmp_path: Path) -> Mapping[str, DataBlock]:
    return results(tmp_path)


def flagged(verdict: Verdict) -> list[str]:
    return [claim.text for claim in verdict.verification.claims if claim.status == "unverified"]


def test_a_wrong_figure_is_told_with_the_right_one(known: Mapping[str, DataBlock]) -> None:
    block = replace(known["days"], data_key="ds_days")
    verdict = validate("Friday has a mean gap of 89.5.", blocks=[block])
    assert verdict.issues == ("mean_gap[dow=Fri]: reported 89.5, actual 32.1",)
    assert verdict.feedback is not None
    assert verdict.feedback.startswith(
        "Validation errors:\n- mean_gap[dow=Fri]: reported 89.5, actual 32.1\n"
    )


def test_without_reveal_no_value_is_told(known: Mapping[str, DataBlock]) -> None:
    verdict = validate("Friday has a mean gap of 89.5.", blocks=[known["days"]], reveal=False)
    assert verdict.issues == ("mean_gap[dow=Fri]: reported 89.5, actual: see the result",)
    assert "32.1" not in str(verdict.feedback)


def test_a_verified_figure_names_its_cell(known: Mapping[str, DataBlock]) -> None:
    block = replace(known["by_region"], data_key="ds_x")
    (claim,) = validate("Asia made 345,222.26.", blocks=[block]).verification.claims
    assert (claim.status, claim.evidence, claim.start) == ("verified", "ds_x[region=Asia].sum_revenue", 10)
    (trace,) = claim.traces
    assert (trace.data_key, trace.column, trace.row) == ("ds_x", "sum_revenue", {"region": "Asia"})


def test_a_derived_figure_names_its_derivation(known: Mapping[str, DataBlock]) -> None:
    block = replace(known["by_region"], data_key="ds_x")
    (claim,) = validate("Europe made 197,898.03 more than Asia.", blocks=[block]).verification.claims
    assert claim.status == "derived"
    assert claim.evidence == "difference of ds_x[region=Europe].sum_revenue and ds_x[region=Asia].sum_revenue"
    assert [trace.row for trace in claim.traces] == [{"region": "Europe"}, {"region": "Asia"}]


def test_a_text_without_figures_is_not_judged(known: Mapping[str, DataBlock]) -> None:
    for blocks in ([], [known["by_region"]]):
        verdict = validate("A median halves a sample.", blocks=blocks)
        assert verdict == Verdict(verification=verdict.verification)
        assert verdict.verification.status == "not_applicable"


def test_empty_evidence_is_not_agreement() -> None:
    verdict = validate("Revenue was 1,234.", blocks=[])
    assert verdict.verification.status == "unverified"
    assert verdict.issues == ("figure: reported 1,234, actual unknown",)


def test_a_threshold_of_the_question_is_no_claim_but_a_value_is(known: Mapping[str, DataBlock]) -> None:
    question = "How many regions have revenue over 150,000?"
    right = validate("5 regions have revenue over 150,000.", question=question, blocks=[known["rows"]])
    assert flagged(right) == []
    wrong = validate("The revenue is 150,000.", question=question, blocks=[known["total"]])
    assert flagged(wrong) == ["150,000"]


def test_traced_claims_are_passed_through_and_their_places_skipped(known: Mapping[str, DataBlock]) -> None:
    traced = Claim(text="777", value=777, status="verified", evidence="ds_y.value", start=8)
    verdict = validate("We have 777 and Asia made 345,222.26.", blocks=[known["by_region"]], traced=[traced])
    assert verdict.verification.status == "verified"
    assert verdict.verification.claims[0] is traced


def test_earlier_results_are_evidence_too(known: Mapping[str, DataBlock]) -> None:
    text = "Asia made 345,222.26, and the mean gap on Monday is 89.5."
    assert flagged(validate(text, blocks=[known["days"]])) == ["Asia", "345,222.26"]
    assert flagged(validate(text, blocks=[known["days"]], earlier=[known["by_region"]])) == []
    wrong = validate(text.replace("89.5", "98.5"), blocks=[known["days"]], earlier=[known["by_region"]])
    assert flagged(wrong) == ["98.5"]


@pytest.mark.parametrize(
    "text, preset, expected",
    [
        ("The margin of Asia is 18.8%.", Tolerance.DIGITS, ["18.8%"]),
        ("The margin of Asia is 18.8%.", Tolerance.POINTS, []),
        ("The margin of Asia is 19.0%.", Tolerance.POINTS, ["19.0%"]),
        ("The margin of Asia is 18.41.", Tolerance.DIGITS, ["18.41"]),
        ("The margin of Asia is 18.41.", Tolerance.PRICE, []),
    ],
)
def test_presets_widen_the_tolerance(
    known: Mapping[str, DataBlock], text: str, preset: Tolerance, expected: list[str]
) -> None:
    assert flagged(validate(text, blocks=[known["margin"]], tolerance=preset)) == expected


@pytest.mark.parametrize(
    "key, stats, issues",
    [
        ("total", {"value": 1940019.99}, ()),
        ("total", {"sum": "1,940,019.99"}, ()),
        ("total", {"value": 1940019.98}, ("value: reported 1940019.98, actual 1940019.99",)),
        ("dict", {"count": 6, "mean": 323336.67, "max": 611714.5}, ()),
        (
            "months",
            {"row_count": 12, "first": 100000, "last": 149200, "change": 49200, "change_pct": 49.2},
            (),
        ),
        ("months", {"revenue": {"min": 92000, "max": 158750, "sum": 1506500}}, ()),
        ("months", {"change_pct": -49.2}, ("change_pct: reported -49.2, actual 49.2",)),
        ("months", {"max_revenue": 92000}, ("max_revenue: reported 92000, actual 158750",)),
        ("months", {"profit": 5}, ("profit: reported 5, actual unknown",)),
    ],
)
def test_structured_figures_are_compared_field_by_field(
    known: Mapping[str, DataBlock], key: str, stats: Mapping[str, JsonValue], issues: tuple[str, ...]
) -> None:
    verdict = validate("Done.", blocks=[known[key]], stats=stats)
    assert verdict.issues == issues
    assert verdict.verification.status == ("unverified" if issues else "verified")


def test_what_a_describing_tool_told_is_evidence_where_its_field_is_named() -> None:
    facts: Mapping[str, JsonValue] = {
        "table": "sales",
        "rows": 5000,
        "cols": 13,
        "exact": {"columns": [{"name": "revenue", "mean": 368.296, "max": 14508.59, "distinct": 4321}]},
    }
    text = "The table has 5,000 rows; the average revenue is 368.30 and the maximum revenue 14,508.59."
    assert flagged(validate(text, blocks=[], facts=[facts])) == []
    wrong = text.replace("average", "lowest")
    assert flagged(validate(wrong, blocks=[], facts=[facts])) == ["368.30"]


def test_feedback_is_bounded(known: Mapping[str, DataBlock]) -> None:
    text = "\n".join(f"- Asia: {number}.5 in revenue" for number in range(1000, 1100))
    verdict = validate(text, blocks=[known["by_region"]])
    assert len(verdict.issues) == 100
    assert verdict.feedback is not None
    assert len(verdict.feedback) <= FEEDBACK_LIMIT
    assert "more" in verdict.feedback


def test_a_number_that_only_occurs_somewhere_in_a_frame_is_no_evidence(
    known: Mapping[str, DataBlock],
) -> None:
    assert flagged(validate("Revenue came to 127,800.", blocks=[known["months"]])) == ["127,800"]
    assert flagged(validate("In July 2024 revenue came to 127,800.", blocks=[known["months"]])) == []


def test_figures_in_code_are_left_alone(known: Mapping[str, DataBlock]) -> None:
    text = "Use `limit 99`:\n\n```\nselect 12345\n```\n\nAsia made 345,222.26."
    assert flagged(validate(text, blocks=[known["by_region"]])) == []


def test_a_long_text_over_a_result_without_rows_is_judged(known: Mapping[str, DataBlock]) -> None:
    verdict = validate("Asia made 5. " * 300, blocks=[known["empty"]])
    assert verdict.verification.status == "unverified"
