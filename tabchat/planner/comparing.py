"""Comparisons in a question: `over 100`, `between 5 and 10`, `cheaper than 20`, `close fell by more than 2%`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.catalog import holds_written_numbers, is_row_label
from tabchat.planner.filters import SHOWN, compare
from tabchat.planner.headers import UNIT_ONLY
from tabchat.planner.magnitudes import as_held
from tabchat.planner.nodes import Bound, Condition, Measure, Node, reduced
from tabchat.planner.periods import opened, whole_year, year_of
from tabchat.planner.spans import has_span, in_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.nodes import Match
    from tabchat.planner.scene import Scene

    Builder = Callable[[Match, Scene], Node | None]

_WHOLE: Final = 100
AGGREGATES: Final = frozenset({"sum", "mean", "median", "min", "max", "std", "var"})
OPERATORS: Final = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!="}
_FLIPPED: Final = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt", "eq": "ne", "ne": "eq"}


def number_in(node: Node, column: ColumnFacts, scene: Scene, *, summed: bool = False) -> float | None:
    """Return a number as a column, or a sum of it, holds it: `20%` is 0.2 in a column of fractions."""
    sense = node.sense
    if sense is None:
        return None
    value = sense.number
    if value is None:
        word = sense.family("number.")
        value = float(word) if word is not None else None
    if value is not None and has_span(node):
        return in_unit(value, node, scene.spans.get(column.index))
    if value is not None and sense.percent and column.unit != "%":
        return _percent_in(value, column, scene)
    size = scene.magnitudes.get(column.index)
    if value is None or size is None or sense.percent:
        return value
    return as_held(value, node, size, None if summed else scene.table.extremes(column)[1])


def _percent_in(value: float, column: ColumnFacts, scene: Scene) -> float | None:
    low, high = scene.table.extremes(column)
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return None
    if max(abs(low), abs(high)) <= 1:
        return round(value / 100, 12)
    # A column that leaves this range holds no percentages, so the percent is of something else.
    return value if max(abs(low), abs(high)) <= _WHOLE else None


def operator_of(node: Node, *, negated: bool = False) -> str | None:
    """Return the comparison operator that a word stands for, turned round by a negation."""
    found = node.sense.family("cmp.") if node.sense is not None and node.has("cmp.") else None
    if found is None and node.has("until"):
        found = "le"
    if found is None:
        return None
    return OPERATORS[_FLIPPED[found] if negated else found]


def _compared(match: Match, scene: Scene) -> Node | None:
    column = match["col"].column
    if column is None:
        return None
    operator = operator_of(match["cmp"], negated=match.get("not") is not None)
    if scene.is_year(column):
        return _year_compared(operator, match["num"])
    value = number_in(match["num"], column, scene)
    if operator is None or value is None:
        return None
    return Node(condition=compare(column, operator, value))


_YEAR_SIDES: Final = {">": "after", ">=": "since", "<": "before", "<=": "until"}


def _year_compared(operator: str | None, node: Node) -> Node | None:
    """Read a comparison of a column of years as a period."""
    year = year_of(node)
    if year is None or operator is None:
        return None
    whole = whole_year(year)
    if operator == "==":
        return Node(period=whole)
    side = _YEAR_SIDES.get(operator)
    period = opened(side, whole) if side is not None else None
    return Node(period=period) if period is not None else None


def _counted(match: Match, scene: Scene) -> Node | None:
    """Read `with 8 cylinders`, `quantity is 5`: a number and the column that it is equal to."""
    column = match["col"].column
    if column is None or scene.is_year(column) or year_of(match["num"]):
        return None
    value = number_in(match["num"], column, scene)
    if value is None:
        return None
    post = match.get("post")
    operator = "==" if post is None else ">=" if post.has("post.ge") else "<="
    return Node(condition=compare(column, operator, value))


def _limited(match: Match, scene: Scene) -> Node | None:
    """Read `ціна до 12000`, `up to 5 rooms`: a number that a column goes up to, or starts at."""
    column, limit = match["col"].column, match["limit"]
    if column is None or scene.is_year(column) or _are_years(match["num"], match["num"], scene):
        return None
    value = number_in(match["num"], column, scene)
    if value is None:
        return None
    return Node(condition=compare(column, "<=" if limit.has("limit.le") else ">=", value))


def _between(match: Match, scene: Scene) -> Node | None:
    column = match["col"].column
    if column is None or scene.is_year(column) or _are_years(match["low"], match["high"], scene):
        return None
    low, high = number_in(match["low"], column, scene), number_in(match["high"], column, scene)
    if low is None or high is None or low > high:
        return None
    shown, negated = write.name(column.name), match.get("not") is not None
    first, last = write.number(low), write.number(high)
    condition = Condition(
        expr=f"{shown} < {first} or {shown} > {last}"
        if negated
        else f"{first} <= {shown} and {shown} <= {last}",
        text=f"{column.name} {'not ' if negated else ''}{first}–{last}",
        column=column,
        negated=negated,
    )
    return Node(condition=condition)


def _are_years(low: Node, high: Node, scene: Scene) -> bool:
    """Tell whether two numbers are years that the table has rows of."""
    first, last = year_of(low), year_of(high)
    if first is None or last is None:
        return False
    dated = [column for column in scene.table.columns if column.kind.is_temporal or scene.is_year(column)]
    found = [scene.table.extremes(column) for column in dated]
    years = [(getattr(start, "year", start), getattr(end, "year", end)) for start, end in found]
    return any(
        isinstance(start, int) and isinstance(end, int) and start <= last and first <= end
        for start, end in years
    )


def _columns_compared(match: Match, scene: Scene) -> Node | None:
    left, right = match["a"].column, match["b"].column
    more = match.get("more")
    operator = operator_of(match["cmp"]) if more is None else ">" if more.has("more") else "<"
    if left is None or right is None or operator is None or left.index == right.index:
        return None
    if left.kind.is_numeric != right.kind.is_numeric or scene.is_year(left):
        return None
    condition = Condition(
        expr=f"{write.name(left.name)} {operator} {write.name(right.name)}",
        text=f"{left.name} {SHOWN[operator]} {right.name}",
    )
    return Node(condition=condition)


def _scaled(match: Match, scene: Scene) -> Node | None:
    """Read `cheaper than 100`, `more expensive than 100`: an adjective that is about one column."""
    sense = match["adj"].sense
    names = sense.starting("scale.") if sense is not None else ()
    found = [(name, column) for name in names if (column := scene.meant(name.rpartition(".")[2])) is not None]
    found = [(name, column) for name, column in found if _in_its_unit(match, column)]
    if len(found) != 1:
        return None
    family, column = found[0]
    unit = match.get("unit")
    if unit is not None and unit.column is not None and unit.column.index != column.index:
        return None
    up = ".max." in f".{family}."
    if match.get("less") is not None:
        up = not up
    value = number_in(match["num"], column, scene)
    if value is None:
        return None
    return Node(condition=compare(column, ">" if up else "<", value))


def _in_its_unit(match: Match, column: ColumnFacts) -> bool:
    """Tell whether the unit behind a number, if any, is said of that column alone."""
    unit = match.get("unit")
    said = unit.sense if unit is not None else None
    return said is None or (said.cost >= UNIT_ONLY and said.column == column)


def _tall(match: Match, scene: Scene) -> Node | None:
    """Read `over 100 m tall`: a comparison whose column is said behind it."""
    sense, operator = match["adj"].sense, operator_of(match["cmp"])
    names = sense.starting("scale.plain.max.") if sense is not None else ()
    columns = [column for name in names if (column := scene.meant(name)) is not None]
    if len(columns) != 1 or operator is None or not _in_its_unit(match, columns[0]):
        return None
    value = number_in(match["num"], columns[0], scene)
    return Node(condition=compare(columns[0], operator, value)) if value is not None else None


def _longer(match: Match, scene: Scene) -> Node | None:
    """Read `downtime longer than 1 hour`: an adjective of length beside a column of lengths of time."""
    column, adjective = match["col"].column, match["adj"]
    if column is None or not has_span(match["num"]) or not adjective.has(*_LASTING):
        return None
    value = number_in(match["num"], column, scene)
    return (
        None
        if value is None
        else Node(condition=compare(column, ">" if adjective.has(_LASTING[0]) else "<", value))
    )


def _lasting(match: Match, scene: Scene) -> Node | None:
    """Read `calls over 10 minutes`, where one column alone is a length of time."""
    found = [column for column in scene.table.columns if column.index in scene.spans]
    value = number_in(match["num"], found[0], scene) if has_span(match["num"]) and len(found) == 1 else None
    operator = operator_of(match["cmp"])
    if operator is None and match["cmp"].has("limit."):
        operator = "<=" if match["cmp"].has("limit.le") else ">="
    return Node(condition=compare(found[0], operator, value)) if operator and value is not None else None


def _outlasting(match: Match, scene: Scene) -> Node | None:
    """Read `repairs longer than a day`, where one column alone is a length of time."""
    found = [column for column in scene.table.columns if column.index in scene.spans]
    if len(found) != 1 or not has_span(match["num"]) or not match["adj"].has(*_LASTING):
        return None
    value = number_in(match["num"], found[0], scene)
    if value is None:
        return None
    return Node(condition=compare(found[0], ">" if match["adj"].has(_LASTING[0]) else "<", value))


def _verb(match: Match, scene: Scene) -> Node | None:
    sense = match["verb"].sense
    meant = [scene.meant(name) for name in (sense.starting("verb.") if sense is not None else ())]
    found = [column for column in meant if column is not None]
    column = found[0] if len(found) == 1 else None
    operator = operator_of(match["cmp"])
    value = number_in(match["num"], column, scene) if column else None
    if column is None or operator is None or value is None:
        return None
    return Node(condition=compare(column, operator, value))


def _change(match: Match, scene: Scene) -> Node | None:
    """Read `close fell by more than 2.5%`: the change against the row before, in percent or in units."""
    column = match["col"].column
    if column is None or not column.kind.is_numeric:
        return None
    down = match["move"].has("change.down")
    value = match["num"].sense
    if value is None or value.number is None or value.number < 0 or has_span(match["num"]):
        return None
    percent = value.percent or match.get("pct") is not None
    compared = match.get("cmp")
    operator = operator_of(compared) if compared is not None else ">"
    if operator not in {">", ">="} or not scene.table.columns:
        return None
    sign = operator.replace(">", "<") if down else operator
    shown = write.name(column.name)
    target = f"{column.name}_change_pct" if percent else f"{column.name}_change"
    formula = f"({shown} - prev({shown})) / prev({shown}) * 100" if percent else f"{shown} - prev({shown})"
    number = -value.number if down else value.number
    condition = Condition(
        expr=f"{write.name(target)} {sign} {write.number(number)}",
        text=f"{column.name} {'fell' if down else 'rose'} {SHOWN[operator]} {write.number(value.number)}"
        + ("%" if percent else ""),
        maps=((target, formula),),
    )
    return Node(condition=condition)


def _against_previous(match: Match, _scene: Scene) -> Node | None:
    """Read `open was more than 1% above the previous close`."""
    left, right, value = match["a"].column, match["b"].column, match["num"].sense
    if left is None or right is None or value is None or value.number is None or not value.percent:
        return None
    if not (left.kind.is_numeric and right.kind.is_numeric):
        return None
    side, compared = match["side"], match.get("cmp")
    operator = operator_of(compared) if compared is not None else ">"
    if operator not in {">", ">="}:
        return None
    above = side.has("cmp.gt")
    sign = operator if above else operator.replace(">", "<")
    target = f"{left.name}_vs_prev_{right.name}_pct"
    before = f"prev({write.name(right.name)})"
    condition = Condition(
        expr=f"{write.name(target)} {sign} {write.number(value.number if above else -value.number)}",
        text=f"{left.name} {SHOWN[operator]} {write.number(value.number)}% {'above' if above else 'below'} previous {right.name}",
        maps=((target, f"({write.name(left.name)} - {before}) / {before} * 100"),),
    )
    return Node(condition=condition)


def _having(match: Match, scene: Scene) -> Node | None:
    operator = operator_of(match["cmp"]) if match.get("cmp") is not None else None
    post = match.get("post")
    if post is not None:
        operator = ">=" if post.has("post.ge") else "<="
    value = match["num"].sense
    if operator is None or value is None or value.number is None:
        return None
    label = match.get("label")
    if label is not None and not _is_label(label.column, scene):
        return None
    if match.get("agg") is not None:
        return _having_measure(match, operator, scene)
    if has_span(match["num"]):
        # `over 10 minutes calls` bounds no number of calls.
        return None
    return Node(bound=Bound(measure=Measure(function="count"), operator=operator, number=value.number))


def _having_measure(match: Match, operator: str, scene: Scene) -> Node | None:
    """Read `average price over 100`; numbers that only name the rows have no average."""
    column, sense = match["col"].column, match["agg"].sense
    function = sense.family("agg.") if sense is not None else None
    if column is None or function is None or scene.is_identifier(column):
        return None
    number = number_in(match["num"], column, scene, summed=function == "sum")
    if number is None:
        return None
    return Node(
        bound=Bound(measure=Measure(function=function, column=column), operator=operator, number=number)
    )


def _is_label(column: ColumnFacts | None, scene: Scene) -> bool:
    """Tell whether a column names the rows: a text or a number that is one."""
    if column is None or (column.kind.is_numeric and not scene.is_identifier(column)):
        return False
    named = column.index in scene.namesakes or is_row_label(scene.table, column)
    return named and not holds_written_numbers(scene.table, column)


def _having_between(match: Match, scene: Scene) -> Node | None:
    """Read `whose average price is between 50 and 100`."""
    column, sense = match["col"].column, match["agg"].sense
    function = sense.family("agg.") if sense is not None else None
    if column is None or function is None or function not in AGGREGATES or scene.is_identifier(column):
        return None
    if _are_years(match["low"], match["high"], scene):
        return None
    low, high = (number_in(match[name], column, scene) for name in ("low", "high"))
    if low is None or high is None or low > high:
        return None
    measure = Measure(function=function, column=column)
    return Node(bound=Bound(measure=measure, operator=">=", number=low, high=high))


_LASTING: Final = ("scale.more.max.duration", "scale.more.min.duration")

_FIRST: Final[tuple[tuple[str, Builder], ...]] = (
    ("a=numcol pred? cmp=cmp.? num=num side=cmp.gt|cmp.lt prevrow b=numcol", _against_previous),
    ("col=numcol pred? in? move=change.up|change.down in|by? cmp=cmp.? in|by? num=num pct=pctword?", _change),
    ("agg=agg. in? col=numcol pred? cmp=cmp. num=num", _having),
    ("agg=agg. in? col=numcol pred? between low=num and|to|sign.dash high=num", _having_between),
    ("cmp=cmp. num=num unit=numcol? adj=scale.plain.max.", _tall),
    ("adj=scale.more. than|in|by? num=num unit=numcol", _scaled),
    ("more adj=scale.plain. than|in|by num=num unit=numcol", _scaled),
    ("cmp=cmp. num=num entity.|rows", _having),
    ("cmp=cmp. num=num label=textcol|numcol", _having),
    ("pred|in cmp=cmp. num=num in? col=numcol", _compared),
    ("cmp=cmp. num=num in? col=numcol", _compared),
    ("cmp=cmp. col=numcol num=num", _compared),
    ("cmp=cmp. num=num times", _having),
    ("count entity.|rows? pred? cmp=cmp. num=num", _having),
    ("col=numcol pred? not=not? between low=num and|to|sign.dash high=num unit.year?", _between),
    ("col=numcol pred? not=without in? between? low=num and|to|sign.dash high=num", _between),
    ("col=numcol pred? from low=num to high=num unit.year?", _between),
    ("between low=num and|to|sign.dash high=num col=numcol", _between),
    ("from low=num to high=num col=numcol", _between),
    ("col=numcol pred? not=not? in? cmp=cmp.|until num=num", _compared),
    ("col=numcol pred? cmp=cmp. in|by num=num", _compared),
    ("col=numcol pred? num=num post=post.ge|post.le", _counted),
    ("num=num post=post.ge|post.le col=numcol", _counted),
    ("pred|in? col=numcol pred? limit=limit. num=num", _limited),
    ("limit=limit. num=num col=numcol", _limited),
    ("pred|in num=num|number.0 col=numcol", _counted),
    ("pred|in col=numcol in|pred? num=num", _counted),
    ("and col=numcol in|pred? num=num", _counted),
    ("more adj=scale.plain. than|in|by num=num unit=numcol?", _scaled),
    ("less=fewer adj=scale.plain. than num=num unit=numcol?", _scaled),
    ("col=numcol pred? adj=scale.more. than|in|by? num=num", _longer),
    ("adj=scale.more. than|in|by? num=num unit=numcol", _scaled),
    ("adj=scale.more. than|in|by? num=num unit.year?", _scaled),
    ("adj=scale.more. than|in|by? num=num", _outlasting),
    ("verb=verb. cmp=cmp. num=num", _verb),
    ("pred|in? cmp=cmp.|limit. num=num", _lasting),
    ("a=numcol pred? cmp=cmp. b=numcol", _columns_compared),
    ("more=more|fewer a=numcol than b=numcol", _columns_compared),
    ("a=datecol pred? cmp=cmp. b=datecol", _columns_compared),
)
"""Comparisons, tried before bare numbers can be taken for years."""


def read_comparisons(nodes: Sequence[Node], scene: Scene) -> tuple[Node, ...]:
    """Exchange comparisons for condition and bound nodes."""
    return reduced(tuple(nodes), _FIRST, scene)
