"""What of a result is drawn."""
