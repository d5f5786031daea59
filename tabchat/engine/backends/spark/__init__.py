"""Spark: the plans, SQL and recipes of a session run there, and only results come to this machine."""
