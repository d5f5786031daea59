"""The terminal itself: its streams, its lines that are drawn again, its pictures."""
