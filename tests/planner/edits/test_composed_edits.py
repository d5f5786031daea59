"""Edits that are composed of an action and a condition: each is what both say, or is not made."""

import itertools
import random
from pathlib import Path
from typing import Any, Final

import pytest

from tabchat.errors import NotUnderstoodError
from tabchat.planner.edits import EditReader
from tests.effort import examples
from tests.planner.asking import Asker
from tests.planner.composed import DOMAINS
from tests.planner.tables import table_of

_ACTIONS: Final[dict[str, dict[str, Any]]] = {
    "delete rows {}": {"operation": "delete_rows"},
    "get rid of orders {}": {"operation": "delete_rows"},
    "set fee to 0 {}": {"operation": "update", "set": {"fee": "0"}},
    "set note to checked {}": {"operation": "update", "set": {"note": "'checked'"}},
    "increase fee by 10% {}": {"operation": "update", "set": {"fee": "fee * 1.1"}},
    "increase fee and qty by 1 {}": {"operation": "update", "set": {"fee": "fee + 1", "qty": "qty + 1"}},
    "round fee to 1 decimal {}": {"operation": "update", "set": {"fee": "round(fee, 1)"}},
    "uppercase city {}": {"operation": "update", "set": {"city": "upper(city)"}},
    "fill missing note with unknown {}": {
        "operation": "fill_missing",
        "columns": ["note"],
        "value": "unknown",
    },
}
_CONDITIONS: Final = {
    "where fee is over 40": "fee > 40",
    "where qty is not 3": "qty != 3",
    "where qty is not between 3 and 5": "qty < 3 or qty > 5",
    "where product is Tea": "product == 'Tea'",
    "where product is not Tea": "product != 'Tea'",
    "where product is Tea or Coffee": "product in ['Tea', 'Coffee']",
    "where city is neither Rome nor Oslo": "city not in ['Rome', 'Oslo']",
    "where note is missing": "note is null",
    "for Tea": "product == 'Tea'",
    "in Rome": "city == 'Rome'",
    "before April 2024": "day < '2024-04-01'",
    "since April 2024": "day >= '2024-04-01'",
    "in Rome with fee over 30": "(city == 'Rome') and (fee > 30)",
    "for Tea before April 2024": "(product == 'Tea') and (day < '2024-04-01')",
}


@pytest.fixture(scope="module")
def reader(asker: Asker, tmp_path_factory: pytest.TempPathFactory) -> EditReader:
    folder: Path = tmp_path_factory.mktemp("composed")
    orders = DOMAINS[0]
    path = table_of(folder, orders.name, ",".join(orders.columns), orders.rows())
    return EditReader(facts=asker.open(path))


def test_an_edit_is_what_its_action_and_its_condition_say(reader: EditReader) -> None:
    pairs = [*itertools.product(_ACTIONS, _CONDITIONS)]
    wrong, lost = [], []
    for action, condition in random.Random(7).sample(pairs, min(len(pairs), examples(40))):  # noqa: S311
        request = action.format(condition)
        try:
            made = reader.read(request)
        except NotUnderstoodError:
            made = None
        read = {} if made is None else {k: v for k, v in made.call.arguments.items() if k != "table"}
        if not read:
            lost.append(request)
        elif read != {**_ACTIONS[action], "where": _CONDITIONS[condition]}:
            wrong.append((request, read))

    assert wrong == []
    assert lost == []
