"""A model's answer: the template language, its evaluation over results, receipts, and the check of bare digits."""

from tabchat.answers.check import AnswerContext, CheckedAnswer, check_answer
from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.answers.results import NumberedResult

__all__ = [
    "AnswerContext",
    "CheckedAnswer",
    "CitedCell",
    "NumberedResult",
    "Receipt",
    "Verification",
    "check_answer",
]
