"""What is known of a table without a query: gathered while it is read, and kept with the version."""
