"""The language of plans: queries, expressions, and what they mean over a relation."""
