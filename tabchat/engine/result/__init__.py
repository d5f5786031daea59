"""What a query gives back, and what is said of it."""
