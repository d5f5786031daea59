"""Conversation in a terminal."""

from tabchat.repl.app import run_repl

__all__ = ["run_repl"]
