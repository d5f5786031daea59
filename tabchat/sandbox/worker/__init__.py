"""What runs inside the worker, and what is loaded before it forks."""
