import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.chat.provider.thinking_filter import ThinkingFilter, without_thinking, written_calls
from tests.effort import examples


@pytest.mark.parametrize(
    "text, shown",
    [
        ("<think>Hm.</think>There are 6.", "There are 6."),
        ("<think>\nHm.\n</think>\n\nThere are 6.\n", "There are 6.\n"),
        ("\n <THINKING>Hm.</THINKING> There are 6.", "There are 6."),
        ("First.\n<think>Hm.</think>\nSecond.", "First.\nSecond."),
        ("<think>a</think><think>b</think>6", "6"),
        ("<think>never ended", ""),
        ("Use a `<think>` tag, or x < think.", "Use a `<think>` tag, or x < think."),
        ("a <b> c\n<thin>", "a <b> c\n<thin>"),
        ("<", "<"),
        ("", ""),
        ("The opening tag was swallowed.</think>\n\nThere are 6.", "There are 6."),
    ],
)
def test_thinking_is_left_out_and_nothing_else(text: str, shown: str) -> None:
    assert without_thinking(text) == shown


@pytest.mark.parametrize(
    "text, shown, written",
    [
        ("<tool_call>{}</tool_call>", "", ("{}",)),
        ("So.\n<tool_call>{1}</tool_call>\n<tool_call>\n{2}", "So.\n", ("{1}", "{2}")),
        ("<think>\n<tool_call>{}</tool_call>\n</think>6", "6", ()),
        ("<think>Hm.</think><tool_call>{}</tool_call>", "", ("{}",)),
        ("Hm, swallowed.</think>\n<tool_call>{}</tool_call>", "", ("{}",)),
        ("A `<tool_call>` is JSON.", "A `<tool_call>` is JSON.", ()),
    ],
)
def test_calls_that_were_left_in_the_text_are_no_text(
    text: str, shown: str, written: tuple[str, ...]
) -> None:
    assert (without_thinking(text), written_calls(text)) == (shown, written)


PIECES = st.sampled_from(
    [
        "<tool_call>",
        "</tool_call>",
        "<think>",
        "</think>",
        "<thinking>",
        "</thinking>",
        "<",
        "think",
        ">",
        "\n",
        " ",
        "12",
        "так",
        "</",
    ]
)


@settings(deadline=None, max_examples=examples(300))
@given(text=st.lists(PIECES, max_size=12).map("".join), data=st.data())
def test_it_does_not_matter_where_the_text_is_cut(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    parts = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    whole, cut = ThinkingFilter(), ThinkingFilter()
    expected = whole.feed(text) + whole.finish()
    assert "".join(map(cut.feed, parts)) + cut.finish() == expected


@settings(deadline=None, max_examples=examples(200))
@given(text=st.text(alphabet=st.characters(exclude_characters="<"), max_size=80))
def test_a_text_without_tags_stays_as_it_is(text: str) -> None:
    filtering = ThinkingFilter()
    assert filtering.feed(text) + filtering.finish() == text.lstrip()
