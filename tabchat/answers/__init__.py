"""A model's answer: the template language, its evaluation over results, receipts, and the check of bare digits.

`check.check_answer` is the way in. Nothing is imported here, so that a receipt costs no evaluator.
"""
