"""Hypothesis tests."""
