"""Runs pandas code that nobody vouches for: a guard that refuses early, and a kernel lock that is the wall."""
