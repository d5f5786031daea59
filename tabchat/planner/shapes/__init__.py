"""The kinds of question, each a pattern over the core's codes and a builder of the plan that answers it."""
