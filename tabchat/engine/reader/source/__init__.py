"""Where a table lies: files, folders, pipes, and what tells one state of them from another."""
