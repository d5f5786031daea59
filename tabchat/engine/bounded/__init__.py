"""Queries that somebody wrote, run in a process of their own that has a memory limit and can be killed."""
