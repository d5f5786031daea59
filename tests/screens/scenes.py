"""What is typed into the real program, what is looked at then, and in which terminals."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

CTRL_C: Final = "\x03"


@dataclass(frozen=True)
class Shot:
    """One screen of a conversation."""

    name: str
    keys: str
    """What is typed to get there."""
    sees: str
    """What stands on the screen then."""
    leave: str = ""
    """What is typed afterwards, to be at the prompt again."""
    goes_on: bool = False
    """Whether it begins on the screen before, not at an empty prompt."""


CONVERSATION: Final = (
    Shot("answer", "average revenue by region\r", "groups from"),
    Shot("readings", "average frobnication by region\r", "type its number"),
    Shot("chart", "revenue by month\r", "36 groups"),
    Shot("check", "/check\r", "4 findings"),
    Shot("profile", "/profile\r", "returned"),
    Shot("refused", "/sql SELECT regoin FROM sales\r", "try:"),
    Shot("completion", "/sql SELECT max(re", "returned", leave=CTRL_C),
    Shot("edit", "fill missing discount with 0\r", "[y/N]", leave="n\r"),
    Shot("viewer", "/open sales\r", "? help"),
    Shot("viewer-arranged", "lllzllls", "Alder Group", goes_on=True),
    Shot("viewer-values", "c", "by frequency", goes_on=True),
    Shot("viewer-help", "?", "Esc back", goes_on=True),
)

MODEL: Final = (Shot("model", "which region should we look at first, and why?\r", "tokens"),)

SCRIPT: Final = (
    '{"call": "run_query", "arguments": {"group_by": "region", "select": "sum(revenue) as revenue"}}',
    json.dumps(
        {
            "say": '**North America** leads with {r1.revenue["North America"]:,.0f}, '
            '{r1.revenue["North America"] / sum(r1.revenue):.1%} of all. Next year it will be 700,000.'
        }
    ),
)
"""What the provider says to `MODEL`: a figure of its own, too, which nothing can verify."""


@dataclass(frozen=True)
class Variant:
    """A terminal of some kind with the program in it."""

    name: str
    columns: int = 80
    rows: int = 24
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    shots: tuple[Shot, ...] = CONVERSATION
    folder: str = ""
    """Where its snapshots lie; by default, under its name."""
    has_colours: bool = True
    writes: bool = True
    """Whether its screens are kept; they are compared with those of another variant otherwise."""

    @property
    def moves_cursor(self) -> bool:
        return self.environment.get("TERM") != "dumb"

    @property
    def snapshots(self) -> str:
        return self.folder or self.name


def _some(*names: str) -> tuple[Shot, ...]:
    return tuple(shot for shot in CONVERSATION if shot.name in names)


_LIKE: Final = _some("answer", "check", "completion", "viewer")

VARIANTS: Final = (
    Variant("80x24"),
    Variant("200x50", columns=200, rows=50),
    Variant("model-80x24", shots=MODEL, folder="80x24"),
    Variant("model-200x50", columns=200, rows=50, shots=MODEL, folder="200x50"),
    Variant(
        "ascii",
        arguments=("--ascii",),
        shots=_some("answer", "readings", "chart", "check", "viewer", "viewer-arranged"),
    ),
    Variant(
        "dumb",
        environment={"TERM": "dumb"},
        # A screen of rows first, which all that differs from home to home scrolls away with.
        shots=(Shot("rows", "/sql SELECT * FROM sales LIMIT 30\r", "30 rows"), *_some("answer", "readings")),
        has_colours=False,
    ),
    # Nothing else is shown on a light ground, and nothing is told by colour alone.
    Variant("light", environment={"COLORFGBG": "0;15"}, shots=_LIKE, folder="80x24", writes=False),
    Variant(
        "no-color",
        environment={"NO_COLOR": "1"},
        shots=_LIKE,
        folder="80x24",
        has_colours=False,
        writes=False,
    ),
)
