"""What a person wrote as JSON: one object, or the place where the text stops being one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from tabchat.errors import PlanIssue, PlanValidationError
from tabchat.values import fields_once

if TYPE_CHECKING:
    from tabchat.engine.types import JsonValue

_SHOWN: Final = 80
"""Characters of the text that an error quotes."""


def json_object(text: str, *, what: str, hint: str) -> dict[str, JsonValue]:
    """Return the one object that `text` holds; `what` names it in errors, such as `plan`.

    Raises `PlanValidationError` for anything else, with `hint`.
    """
    try:
        # Nothing at all is no object either, whatever the parser would say of it.
        value = json.loads(text, object_pairs_hook=fields_once) if text.strip() else None
    except json.JSONDecodeError as error:
        place = f"at line {error.lineno}, column {error.colno}"
        raise _refused(
            text, what, f"not valid JSON: {error.msg.removesuffix(' at')} {place}", hint
        ) from error
    except RecursionError as error:
        raise _refused(text, what, "nested too deeply", hint) from error
    except ValueError as error:  # a number of thousands of digits, a field twice
        raise _refused(text, what, f"not valid JSON: {error}", hint) from error
    if not isinstance(value, dict):
        article = "an" if what[:1] in "aeiou" else "a"
        raise _refused(text, what, f"{article} {what} is one JSON object", hint)
    return value


def _refused(text: str, what: str, message: str, hint: str) -> PlanValidationError:
    issue = PlanIssue(step=what, expression=text[:_SHOWN], message=message, hint=hint)
    return PlanValidationError([issue])
