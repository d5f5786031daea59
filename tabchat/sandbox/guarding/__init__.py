"""What the guard lets through, and why it refuses the rest. Standard library only: it runs inside the worker."""
