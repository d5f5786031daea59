"""The kernel lock: what a process gives up before it runs code."""
