"""Read-only SQL over the open tables."""
