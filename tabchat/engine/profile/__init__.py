"""What is in a table: profiles, sketches, and what may be wrong with it."""
