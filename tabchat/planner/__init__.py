"""The offline planner: a question and the facts of a table → readings, and the answer to the one that is certain."""
