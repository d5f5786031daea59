"""A session as a document."""
