"""The line that is typed: its prompt, keys, completion, history and suggestions."""
