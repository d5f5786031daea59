"""What a worker sends, read as if an attacker had written it."""
