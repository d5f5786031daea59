"""Conversations that last: what the REPL writes down, and what is made of it later."""
