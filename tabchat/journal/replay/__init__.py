"""What was computed once, computed again."""
